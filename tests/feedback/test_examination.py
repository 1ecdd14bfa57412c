"""How likely a position is looked at: the curve, and what a log of clicks says of it."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedback.examination import ETA, MOST_ETA, estimate_eta, examination, measured_eta
from feedback.impression import Impression

SHOWN = 8


def impression(question: int, keys: list[int], clicked: list[bool]) -> Impression:
    size = len(keys)
    return Impression(
        recall_id="r", at=datetime(2024, 6, 3, tzinfo=UTC), actor="a", api_key=None, trusted=False,
        policy="learned", propensity=1.0, version=0, channels=("keyword",),
        types=np.full(5, 0.2), weights=np.ones(1), rrf_k=60.0,
        ranks=np.arange(1, size + 1, dtype=np.int16)[:, None],
        question=question, keys=np.array(keys, np.int64), page=np.arange(size),
        positions=np.arange(1, size + 1), exposed=np.ones(size, bool),
        engagement=np.array(clicked, np.float64), explicit=np.zeros(size, bool),
    )  # fmt: skip


def log_of(
    eta: float, seed: int, *, impressions: int, swaps: int, accidents: float = 0.0
) -> list[Impression]:
    """Questions asked again and again; each answer is in another order by a few swaps.

    A memory is clicked when it is looked at and worth it, or by accident.
    """
    random = np.random.default_rng(seed)
    worth = random.beta(1.0, 2.0, (40, SHOWN))
    found = []
    for _ in range(impressions):
        question = int(random.integers(len(worth)))
        order = np.argsort(-worth[question])
        for _ in range(swaps):
            one, other = random.integers(SHOWN, size=2)
            order[[one, other]] = order[[other, one]]
        looked = random.random(SHOWN) < examination(np.arange(1, SHOWN + 1), eta)
        clicked = looked & (random.random(SHOWN) < worth[question][order])
        clicked |= random.random(SHOWN) < accidents
        found.append(impression(question, order.tolist(), clicked.tolist()))
    return found


@pytest.mark.parametrize("eta", [1.0, 2.0])
@pytest.mark.parametrize("swaps", [1, 4])
def test_interval_covers_the_exponent_that_people_clicked_with(eta: float, swaps: int) -> None:
    covered = []
    for seed in range(20):
        estimate = estimate_eta(log_of(eta, seed, impressions=500, swaps=swaps))
        assert estimate is not None
        covered.append(estimate.low <= eta <= estimate.high)
    # Of 20 intervals of 95 % fewer than 16 cover once in 400 times.
    assert sum(covered) >= 16


@pytest.mark.parametrize("eta", [1.0, 2.0])
def test_more_clicks_bring_the_estimate_nearer(eta: float) -> None:
    few, many = (
        [estimate_eta(log_of(eta, seed, impressions=n, swaps=4)) for seed in range(6)]
        for n in (300, 1_500)
    )
    widths = [[one.high - one.low for one in run if one] for run in (few, many)]
    assert np.mean(widths[1]) < 0.7 * np.mean(widths[0])
    assert np.mean([one.eta for one in many if one]) == pytest.approx(eta, abs=0.15)


def test_clicks_by_accident_draw_it_towards_none() -> None:
    with_accidents = estimate_eta(log_of(1.0, 0, impressions=1_500, swaps=4, accidents=0.05))
    without = estimate_eta(log_of(1.0, 0, impressions=1_500, swaps=4))
    assert with_accidents is not None
    assert without is not None
    assert with_accidents.eta < without.eta


@pytest.mark.parametrize(("eta", "side"), [(0.2, -1), (2.5, 1)])
def test_what_is_measured_moves_to_the_nearer_end_of_the_interval(eta: float, side: int) -> None:
    log = log_of(eta, 1, impressions=2_000, swaps=4)
    found = estimate_eta(log)
    assert found is not None
    assert measured_eta(log) == round(found.high if side < 0 else found.low, 2)
    assert (measured_eta(log) - ETA) * side > 0


def test_what_is_measured_stays_as_assumed_until_the_log_speaks_against_it() -> None:
    assert measured_eta([]) == ETA
    assert measured_eta(log_of(ETA, 1, impressions=500, swaps=4)) == ETA


def test_a_log_whose_order_never_varies_says_nothing() -> None:
    assert estimate_eta(log_of(1.0, 0, impressions=1_000, swaps=0)) is None
    assert estimate_eta([]) is None


@given(st.floats(0, MOST_ETA), st.integers(1, 200))
def test_looking_falls_with_the_position_and_is_certain_at_the_first(eta: float, last: int) -> None:
    seen = examination(np.arange(1, last + 1), eta)
    assert seen[0] == 1.0
    assert np.all(np.diff(seen) <= 0)
    assert np.all((seen > 0) & (seen <= 1))
