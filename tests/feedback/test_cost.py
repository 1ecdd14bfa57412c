"""What learning and serving may cost: time of one thread, and bytes of a bank."""

import time
from collections.abc import Callable

import numpy as np

from feedback.impression import TYPES, Impression
from feedback.learner import BankLearner
from feedback.library import TypeRows, leaders
from feedback.policy import draw, noisy
from feedback.posterior import MatrixState
from router.presets import LATE_ROWS, default_rows
from tests.feedback.lessons import start
from tests.feedback.pages import CHANNELS, impression, prior, random_ranks

CANDIDATES = 300
SLOW = 1.5  # ranking stands at its bar of .1 ms: .090 to .101 by the hour on a shared machine
SHARES = np.array([0.08, 0.7, 0.12, 0.04, 0.06])  # as the classifier gives them: one leads


def least_ms(work: Callable[[], object], repeats: int) -> float:
    """The quickest of several runs: others on the machine only ever add."""
    found = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return 1_000 * min(found)


def pages(count: int) -> list[Impression]:
    rng = np.random.default_rng(12)
    found = []
    for _ in range(count):
        ranks = random_ranks(rng, n=CANDIDATES + 40, depth=120)[:CANDIDATES]
        features = rng.standard_normal((10, 3)).astype(np.float32)
        found.append(impression(rng, ranks=ranks, types=SHARES, features=features))
    return found


def shipped() -> TypeRows:
    """The default rows as the learner holds them: three different ones among five types."""
    rows = default_rows(LATE_ROWS)
    weights = [[rows[kind].weights[name] for name in CHANNELS] for kind in TYPES]
    return TypeRows(np.array(weights), np.array([rows[kind].rrf_k for kind in TYPES]))


def test_an_event_takes_at_most_two_milliseconds_of_one_core() -> None:
    told, begun = pages(20), start(rows=shipped())
    learner = BankLearner.empty(begun)

    def learn() -> None:
        for one in told:
            assert learner.learn(one, begun)

    assert len(told[0].ranks) == CANDIDATES
    assert least_ms(learn, 8) / len(told) <= 2.0


def test_serving_and_ranking_three_hundred_candidates_takes_a_tenth_of_a_millisecond() -> None:
    ranks = pages(1)[0].ranks
    weights, constant = prior().weights[0], np.array([1.0])
    names = [f"r{number}" for number in range(50)]

    def serve() -> None:
        for name in names:
            row = noisy(weights, draw(name, explores=True))
            leaders(ranks, row[None, :], constant, 10)

    assert least_ms(serve, 8) / len(names) <= 0.1 * SLOW


def test_what_is_kept_of_a_bank_is_at_most_thirty_two_kilobytes() -> None:
    """Of the matrix learner; the residual ranker and the monitor keep their own."""
    state = MatrixState.empty(CHANNELS)
    for one in pages(30) * 10:
        state.update(one, prior())
    assert len(state.dump()) <= 32 * 1024
