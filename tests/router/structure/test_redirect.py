"""Heads take their predecessors' places in a run, and nothing else moves."""

from hypothesis import given
from hypothesis import strategies as st

from channels.base import Hit, MemoryKey
from router.structure.redirect import Redirect, redirected

RUN = [Hit(MemoryKey(key), 1.0 - key / 10) for key in range(1, 6)]
COSINES = {MemoryKey(key): 1.0 - key / 10 for key in range(1, 6)}


def led(head: int, cosine: float) -> Redirect:
    return Redirect("past", MemoryKey(head), "head", cosine)


def keys(run: list[Hit]) -> list[int]:
    return [int(hit.key) for hit in run]


def test_head_moves_up_to_where_its_predecessor_would_stand() -> None:
    run = redirected(RUN, COSINES, [led(4, 0.85)])
    assert keys(run) == [1, 4, 2, 3, 5]
    assert run[1].detail == {"redirected_from": "past"}
    assert run[1].score == RUN[1].score


def test_head_that_was_not_found_comes_in_and_the_last_goes() -> None:
    assert keys(redirected(RUN, COSINES, [led(9, 0.95)])) == [9, 1, 2, 3, 4]


def test_head_in_a_better_place_already_stays() -> None:
    assert redirected(RUN, COSINES, [led(1, 0.55), led(9, 0.1)]) == RUN


run_and_redirects = st.lists(
    st.builds(led, st.integers(1, 12), st.floats(-1, 1, allow_nan=False)), max_size=6
)


@given(run_and_redirects)
def test_run_keeps_its_length_names_each_once_and_stays_in_order_of_scores(found) -> None:
    run = redirected(RUN, COSINES, found)
    assert len(run) == len(RUN)
    assert len(set(keys(run))) == len(run)
    scores = [hit.score for hit in run]
    assert scores == sorted(scores, reverse=True)


@given(run_and_redirects)
def test_those_that_are_no_heads_keep_their_order(found) -> None:
    heads = {one.head for one in found}
    others = [key for key in keys(redirected(RUN, COSINES, found)) if key not in heads]
    assert others == [key for key in keys(RUN) if key not in heads][: len(others)]


def test_nothing_found_stays_nothing() -> None:
    assert redirected([], {}, [led(1, 0.9)]) == []
