import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from feedback.library import FLOOR
from feedback.policy import HOLDBACK, Draw, draw, noisy, team_draft

IDS = st.text(min_size=1, max_size=40)
RANKINGS = st.integers(1, 30).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))
)
WEIGHTS = st.lists(st.floats(FLOOR, 1), min_size=2, max_size=7).map(
    lambda parts: np.array(parts) / max(parts)
)


@given(IDS)
def test_a_draw_can_be_drawn_again_from_the_recall_alone(recall_id: str) -> None:
    assert draw(recall_id, explores=True) == draw(recall_id, explores=True)


@given(IDS)
def test_without_exploration_the_learned_row_is_certain(recall_id: str) -> None:
    chosen = draw(recall_id, explores=False)
    assert (chosen.policy, chosen.propensity, chosen.noise) == ("learned", 1.0, 0.0)


def test_held_back_recalls_are_a_tenth_within_three_standard_errors() -> None:
    n = 4_000
    held = sum(draw(f"recall-{number}", explores=True).policy == "holdback" for number in range(n))
    assert abs(held / n - HOLDBACK) < 3 * (HOLDBACK * (1 - HOLDBACK) / n) ** 0.5


@given(WEIGHTS, IDS)
def test_noise_stays_within_the_bounds_and_is_the_same_each_time(
    weights: np.ndarray, recall_id: str
) -> None:
    chosen = draw(recall_id, explores=True)
    served = noisy(weights, chosen)
    assert served.max() == 1
    assert served.min() >= FLOOR
    assert np.array_equal(served, noisy(weights, chosen))


@given(WEIGHTS)
def test_a_row_without_noise_is_served_bit_for_bit(weights: np.ndarray) -> None:
    assert noisy(weights, Draw("learned", 1.0, 7, 0.0)) is weights


@given(RANKINGS, st.integers(0, 2**63 - 1))
def test_a_draft_places_every_memory_once_and_teams_stay_level(
    rankings: tuple[list[int], list[int]], seed: int
) -> None:
    learned, default = rankings
    order, teams = team_draft(learned, default, Draw("holdback", HOLDBACK, seed, 0.0))
    assert sorted(order) == sorted(learned)
    for end in range(2, len(order) + 1, 2):
        assert abs(2 * sum(teams[:end]) - end) <= 2


@given(st.permutations(range(12)), st.integers(0, 2**63 - 1))
def test_a_draft_of_equal_rankings_is_that_ranking(ranking: list[int], seed: int) -> None:
    order, _ = team_draft(ranking, ranking, Draw("holdback", HOLDBACK, seed, 0.0))
    assert order == ranking
