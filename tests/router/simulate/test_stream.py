from functools import cache

import numpy as np
import pytest

from feedback.impression import TYPES
from feedback.library import FLOOR, TypeRows
from feedback.posterior import FleetPrior
from router.presets import CHANNELS
from router.simulate.cases import Case, case_of, mean_ndcg, misled, ndcg, order, without
from router.simulate.ceiling import best_library_row, fitted_ceiling
from router.simulate.learners import Fivefold, Learner, Static, start_of
from router.simulate.spam import SPAM
from router.simulate.stream import Course, Traffic, live

DEFAULT = TypeRows(np.ones((len(TYPES), len(CHANNELS))), np.full(len(TYPES), 1.0))
KEYWORD = CHANNELS.index("keyword")
NONE = FleetPrior.none(len(CHANNELS))


@cache
def cases(n: int = 60) -> tuple[Case, ...]:
    """Questions whose answer the keyword lane has near its top and the others anywhere."""
    rng = np.random.default_rng(1)
    found = []
    for number in range(n):
        ids = [f"m{at}" for at in range(60)]
        runs = {name: list(rng.permutation(ids)[:30]) for name in CHANNELS}
        right = str(rng.choice(ids))
        others = [one for one in runs["keyword"] if one != right]
        runs["keyword"] = [*others[: int(rng.integers(3))], right, *others[3:]]
        types = dict(zip(TYPES, rng.dirichlet(np.ones(len(TYPES))), strict=True))
        found.append(case_of("b", number, types, runs, {right}, CHANNELS))
    return tuple(found)


def course(learner: Learner, traffic: Traffic, *, impressions: int = 500) -> Course:
    asked, unseen = cases()[:30], cases()[30:]
    return live(learner, DEFAULT, lambda _: asked, lambda _: unseen, [impressions], traffic, seed=3)


def fivefold() -> Fivefold:
    return Fivefold(start_of(CHANNELS, DEFAULT), NONE)


def test_the_learner_closes_most_of_the_gap() -> None:
    start = mean_ndcg(cases()[30:], DEFAULT)
    ceiling = mean_ndcg(cases()[30:], fitted_ceiling(cases()[:30], DEFAULT, seed=7))
    ours = course(fivefold(), Traffic())
    gap = ceiling - start
    assert gap > 0.2
    assert (ours.unseen[500] - start) / gap > 0.5
    assert ours.rows is not None
    assert int(np.argmax(ours.rows.weights[1])) == KEYWORD


@pytest.mark.parametrize("kind", sorted(SPAM))
def test_two_spammers_with_a_fifth_of_the_traffic_do_not_turn_it(kind: str) -> None:
    start = mean_ndcg(cases()[30:], DEFAULT)
    found = course(fivefold(), Traffic(spam=kind))
    assert found.unseen[500] > start


def test_the_same_seed_gives_the_same_course() -> None:
    one, other = course(fivefold(), Traffic(), impressions=60), course(fivefold(), Traffic(),
                                                                       impressions=60)  # fmt: skip
    assert one.unseen == other.unseen
    assert one.served == other.served


def test_without_learning_the_unseen_score_is_the_defaults() -> None:
    found = course(Static(start_of(CHANNELS, DEFAULT)), Traffic(explores=False), impressions=50)
    assert found.unseen[50] == mean_ndcg(cases()[30:], DEFAULT)


def test_rows_found_by_labels_are_bounded_and_not_worse_on_what_they_were_fitted_to() -> None:
    asked = cases()[:30]
    for rows in (fitted_ceiling(asked, DEFAULT, seed=1), best_library_row(asked, DEFAULT)):
        assert rows.weights.min() >= FLOOR
        assert mean_ndcg(asked, rows) >= mean_ndcg(asked, DEFAULT)


def test_a_broken_lane_returns_nothing_and_takes_what_only_it_found() -> None:
    case = cases()[0]
    broken = without(case, [KEYWORD])
    assert not broken.ranks[:, KEYWORD].any()
    assert broken.ranks.any(axis=1).all()
    assert len(broken.ranks) < len(case.ranks)


def test_a_perfect_order_scores_one() -> None:
    case = cases()[0]
    right = np.argsort(~case.relevant, kind="stable")
    assert ndcg(case, right) == 1.0
    assert ndcg(case, order(case, np.ones(len(CHANNELS)), 1.0)) <= 1.0


def test_a_misled_lane_answers_as_much_and_nothing_that_others_find() -> None:
    case = cases()[0]
    wrong = misled(case, KEYWORD)
    assert (wrong.ranks[:, KEYWORD] > 0).sum() == (case.ranks[:, KEYWORD] > 0).sum()
    own = wrong.ranks[wrong.ranks[:, KEYWORD] > 0]
    assert not np.delete(own, KEYWORD, axis=1).any()
    assert not wrong.relevant[wrong.ranks[:, KEYWORD] > 0].any()
    assert wrong.wanted == case.wanted
