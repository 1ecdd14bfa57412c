"""Complaints and rephrasings, against labels and by properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedback.rephrasing import complaint, is_rephrasing
from tests.feedback.turns import COMPLAINING, NEUTRAL, OTHER_NEED, REPHRASED, RETRYING

WORDS = st.lists(
    st.sampled_from(["ana", "staging", "9077", "moved", "cluster", "when", "Lisbon"]), max_size=6
)


@pytest.mark.parametrize("text", COMPLAINING)
def test_a_complaint_is_heard(text: str) -> None:
    assert complaint(text) == "complaint"


@pytest.mark.parametrize("text", RETRYING)
def test_a_wish_for_another_answer_is_heard(text: str) -> None:
    assert complaint(text) == "retry"


@pytest.mark.parametrize("text", [*NEUTRAL, "", "wrong " * 80])
def test_words_that_only_sound_like_a_complaint_are_none(text: str) -> None:
    assert complaint(text) is None


def test_four_of_five_rephrasings_are_seen() -> None:
    seen = [is_rephrasing(before, after) for before, after in REPHRASED]
    assert sum(seen) >= 0.8 * len(seen)


@pytest.mark.parametrize(("before", "after"), OTHER_NEED)
def test_another_need_is_no_rephrasing(before: str, after: str) -> None:
    assert not is_rephrasing(before, after)


@given(WORDS, WORDS)
def test_rephrasing_goes_both_ways(before: list[str], after: list[str]) -> None:
    one, other = " ".join(before), " ".join(after)
    assert is_rephrasing(one, other) == is_rephrasing(other, one)


@given(st.text(max_size=40))
def test_no_question_rephrases_itself(text: str) -> None:
    assert not is_rephrasing(text, text)
