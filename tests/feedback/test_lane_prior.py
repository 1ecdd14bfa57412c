"""The matrix learner's row as the residual's prior mean: silent unless sure, then exact."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedback.lane_prior import SURE, _told, surest, with_row
from feedback.lanes import CONTRAST_K, base_scores, contrast_scores
from feedback.library import deltas, normalised
from feedback.posterior import MatrixState
from feedback.residual import SCALE, design
from tests.feedback.pages import CHANNELS, prior, random_ranks

SIZE = 6 + len(CHANNELS)
START = np.linspace(-0.3, 0.3, SIZE)
ROWS = len(deltas(len(CHANNELS)))


def state(best: int | None = None, gain: float = 0.0, spread: float = 4.0) -> MatrixState:
    found = MatrixState.empty(CHANNELS)
    found.count[:] = 40.0
    found.square[:] = spread
    if best is not None:
        found.gain[:, best] = gain
    return found


def test_matrix_that_knows_nothing_leaves_the_prior_as_it_is() -> None:
    assert with_row(START, MatrixState.empty(CHANNELS), prior()) is START


def test_row_that_is_not_sure_leaves_the_prior_as_it_is() -> None:
    assert with_row(START, state(3, gain=0.5), prior()) is START


def test_sure_row_moves_contrasts_and_slope_and_no_other_feature() -> None:
    found = with_row(START, state(3, gain=20.0), prior())
    assert (found[: -len(CHANNELS)] == START[: -len(CHANNELS)]).all()
    assert (found[-len(CHANNELS) :] != START[-len(CHANNELS) :]).any()


def test_what_was_given_is_never_written_to() -> None:
    before = START.copy()
    with_row(START, state(3, gain=20.0), prior())
    assert (before == START).all()


@given(st.floats(0.0, 40.0), st.floats(0.0, 40.0))
def test_more_sureness_never_moves_less(one: float, other: float) -> None:
    def moved(gain: float) -> float:
        return float(np.abs(with_row(START, state(3, gain=gain), prior()) - START).sum())

    low, high = sorted((one, other))
    assert moved(low) <= moved(high) + 1e-12


def test_the_whole_row_counts_one_standard_error_above_the_bound() -> None:
    sure = state(3, gain=20.0)
    assert surest(sure) == (3, pytest.approx(surest(sure)[1]))
    assert surest(sure)[1] > SURE + 1
    moved = (with_row(START, sure, prior()) - START)[-len(CHANNELS) :]
    np.testing.assert_allclose(moved, _told((1.0, 1.0, 0.2, 0.7, 0.35), 1.0, 3), atol=1e-9)


@given(st.integers(1, ROWS - 1), st.integers(0, 1_000))
@settings(max_examples=60, deadline=None)
def test_order_under_the_told_weights_is_that_of_the_row(best: int, seed: int) -> None:
    """The contrasts share the default's constant, so that only a row's own constant is lost."""
    change = deltas(len(CHANNELS))[best]
    own = np.array([1.0, 1.0, 0.2, 0.7, 0.35])
    other = normalised(own * np.exp(change[:-1]))
    ranks = random_ranks(np.random.default_rng(seed))
    base = SCALE * base_scores(ranks, own, CONTRAST_K)
    told = np.zeros(SIZE)
    told[-len(CHANNELS) :] = _told(tuple(own), CONTRAST_K, best)
    logged = np.zeros((len(ranks), SIZE - len(CHANNELS)), np.float32)
    table = design(logged, contrast_scores(ranks), base)
    score = base + table @ told
    wanted = SCALE * base_scores(ranks, other, CONTRAST_K)
    if change[-1] == 0:
        np.testing.assert_allclose(score - score.mean(), wanted - wanted.mean(), atol=1e-6)
