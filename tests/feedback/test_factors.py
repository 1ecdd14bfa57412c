"""A recall whose weights were adjusted teaches as if every row had been adjusted alike."""

import numpy as np
import pytest

from feedback.impression import Impression
from feedback.library import TypeRows
from feedback.offpolicy import compare
from feedback.posterior import MatrixState
from tests.feedback.pages import CHANNELS, impression, prior

GRAPH = CHANNELS.index("graph")
KEYWORD = CHANNELS.index("keyword")


def page_of_two(factors: np.ndarray | None) -> Impression:
    """Memory 0 is the keyword lane's first and memory 1 the graph's; 1 was clicked."""
    ranks = np.zeros((2, len(CHANNELS)), np.int16)
    ranks[0, KEYWORD] = ranks[1, GRAPH] = 1
    return impression(
        np.random.default_rng(1), ranks=ranks, engagement=np.array([0.0, 1.0]), factors=factors
    )


def gain(one: Impression, row: TypeRows, reference: TypeRows) -> float:
    """What the row is worth beside the reference by affine inverse propensity."""
    nothing = lambda one, features: np.zeros(len(features))  # noqa: E731 - a reward that knows nothing
    return compare([one], row, reference, nothing, 0.0).affine.mean


def test_rows_are_multiplied_and_bounded_as_they_were_served() -> None:
    factors = np.array([1.0, 1.0, 1.0, 1.0, 4.0])
    one = page_of_two(factors)
    row = np.array([0.5, 0.5, 0.1, 1.0, 0.5])
    assert one.heard(row) == pytest.approx([0.25, 0.25, 0.05, 0.5, 1.0])
    assert page_of_two(None).heard(row) is row


def test_a_row_is_judged_by_the_order_that_it_would_have_given_the_question() -> None:
    keyword, graph = prior((0.2, 0.2, 0.2, 1.0, 0.6)), prior((0.2, 0.2, 0.2, 0.6, 1.0))
    assert gain(page_of_two(None), graph, keyword) > 0
    factors = np.array([1.0, 1.0, 1.0, 1.0, 2.0])
    assert gain(page_of_two(factors), graph, keyword) == 0  # either has the graph's memory first


def test_factors_of_one_teach_what_none_teach() -> None:
    states = []
    for factors in (None, np.ones(len(CHANNELS)), np.array([1.0, 1.0, 1.0, 1.0, 3.0])):
        state, rng = MatrixState.empty(CHANNELS), np.random.default_rng(5)
        for _ in range(20):
            state.update(impression(rng, factors=factors), prior())
        states.append(state)
    plain, ones, raised = states
    assert np.array_equal(plain.gain, ones.gain)
    assert not np.allclose(plain.gain, raised.gain)
