"""Reach: down to which of the dominant channel's ranks another's first hit wins."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.reach import reach
from router.weights import Row


@pytest.mark.parametrize(
    ("weight", "rank"), [(0.9, 8), (0.8, 17), (0.7, 28), (0.6, 42), (0.5, 63), (0.4, 93)]
)
def test_reach_by_hand_at_sixty(weight: float, rank: int) -> None:
    # .9/61 > 1/(60 + n) from n = 61/.9 - 60 = 7.8 on: the eighth, and so forth.
    assert reach(Row({"keyword": 1.0, "graph": weight}, 60.0))["graph"] == rank


def test_dominant_channel_beats_itself_from_the_second_rank_on() -> None:
    assert reach(Row({"keyword": 1.0, "graph": 1.0}, 60.0)) == {"keyword": 2, "graph": 2}


def test_channel_that_is_never_heard_within_a_thousand_ranks_has_none() -> None:
    assert reach(Row({"keyword": 1.0, "graph": 0.05}, 1_000.0))["graph"] is None
    assert reach(Row({"keyword": 1.0, "graph": 0.05}, 1.0))["graph"] == 40


@given(st.integers(5, 100), st.integers(1, 200))
def test_reach_is_the_first_rank_that_loses_found_by_counting(hundredths, rrf_k) -> None:
    own = Fraction(hundredths, 100) / (rrf_k + 1)
    counted = next(
        (n for n in range(1, 1_001) if own > Fraction(1, rrf_k + n)),
        None,
    )
    row = Row({"keyword": 1.0, "graph": hundredths / 100}, float(rrf_k))
    assert reach(row)["graph"] == counted


@given(st.floats(0.05, 1), st.floats(0.05, 1), st.floats(1, 200))
def test_greater_weight_never_reaches_less_far(one, other, rrf_k) -> None:
    low, high = sorted((one, other))
    found = reach(Row({"keyword": 1.0, "low": low, "high": high}, rrf_k))
    assert (found["high"] or 1_001) <= (found["low"] or 1_001)
