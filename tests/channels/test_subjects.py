"""Names of memories and names in texts, apart from any store."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.subjects import LONGEST, mentions, name_key, subjects


def named(title: str | None, text: str) -> set[str]:
    return {" ".join(words) for words in subjects(title, text).values()}


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("Lilu (mythology)", "A demon.", {"lilu mythology", "lilu"}),
        ("The Harbour Lease", "Signed.", {"harbour lease"}),
        ("José's café-bar", "", {"jose cafe bar"}),
        ("Release notes 2.1", "", {"release notes 2 1"}),
        (None, "Demon Dice: a game of dice", {"demon dice"}),
        (None, "The Harbour Lease costs 900 a month", {"harbour lease"}),
        (None, "Rhea was angry", {"rhea"}),
        (None, "Rhea", set()),
        (None, "Bread tastes good", set()),
        (None, "Hey Rhea! How are you?", set()),
        (None, "we met Rhea Stone", set()),
        (None, "What a day", set()),
        ("The", "", set()),
        ("ok", "", set()),
        (" ".join(["Word"] * 9), "", set()),
        (None, "", set()),
    ],
)
def test_a_memory_is_called_by_its_title_or_by_what_it_opens_with(title, text, expected):
    assert named(title, text) == expected


def test_one_word_that_a_turn_opens_with_is_no_name_of_it():
    assert subjects(None, "Rhea was angry", is_spoken=True) == {}
    assert subjects(None, "Rhea Stone was angry", is_spoken=True)
    assert subjects("Rhea", "so angry", is_spoken=True)


@pytest.mark.parametrize(
    "text",
    [
        "we played Demon Dice twice",
        "DEMON DICE",
        "the Demon-Dice box",
        "Demon Dice's rules",
        "“Demon Dice”",
    ],
)
def test_a_name_is_found_however_it_is_spelt(text):
    assert name_key(("demon", "dice")) in mentions(text)


def test_words_without_a_capital_in_front_are_no_name():
    assert name_key(("demon", "dice")) not in mentions("a demon dice game")


@given(st.text(max_size=300))
def test_any_text_is_read_within_bounds(text):
    assert all(1 <= length <= LONGEST for length in mentions(text).values())
    assert len(subjects(None, text)) <= 2
    assert len(subjects(text, "")) <= 2


@given(st.lists(st.sampled_from(["Rhea", "Ida", "harbour", "lease"]), min_size=1, max_size=4))
def test_a_title_with_a_capital_in_front_is_mentioned_by_its_own_text(words):
    title = " ".join(words)
    if title[0].isupper():
        assert subjects(title, "").keys() <= mentions(f"it is said that {title} exists").keys()
