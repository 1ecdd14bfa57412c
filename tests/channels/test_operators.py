"""What quotes ask for, apart from any store: words in their order, and words that go on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.operators import (
    LONGEST,
    MOST,
    SHORT_PREFIX,
    STAR_INSIDE,
    TOO_LONG,
    TOO_MANY,
    Phrase,
    asks_nothing_else,
    phrases,
    quotes,
    spoken,
)

words = st.lists(st.sampled_from(["red", "blue", "car", "the", "Straße", "naïve"]), max_size=6)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ('who said "red car" first', [("red car", ("red", "car"), False)]),
        ("“Red Car”", [("Red Car", ("red", "car"), False)]),
        ('"deploy*"', [("deploy", ("deploy",), True)]),
        ('"the deploy*"', [("the deploy", ("the", "deploy"), True)]),
        ('"one two" and "three four"', [
            ("one two", ("one", "two"), False), ("three four", ("three", "four"), False),
        ]),
        ('"red car" or "red car"', [("red car", ("red", "car"), False)]),
        ('"start with -cache"', [("start with -cache", ("start", "with", "cache"), False)]),
    ],
)  # fmt: skip
def test_quotes_around_several_words_or_a_star_are_operators(question, expected):
    assert [(one.text, one.words, one.is_prefix) for one in phrases(question)] == expected


@pytest.mark.parametrize(
    "question",
    [
        "",
        "red car",
        '"DEC-0054"',
        '"__init__"',
        '"car"',
        '"unclosed red car',
        '""',
        '"  "',
        '"* *"',
        '"a*"',
        '"*"',
        "deploy*",
        "-cache",
        "a & b | !c:*",
        '"\nred car\n"',
        '"?! ..."',
    ],
)
def test_everything_else_is_text(question):
    assert phrases(question) == ()


@given(st.text(max_size=80))
def test_no_question_breaks_the_reading(question):
    assert len(phrases(question)) <= MOST
    assert all(one.words for one in phrases(f'"{question}"'))


@given(words, words, words)
def test_words_in_a_row_are_held_wherever_they_stand(before, middle, after):
    text = " ".join([*before, *middle, *after])
    if middle:
        assert Phrase(" ".join(middle), spoken(" ".join(middle)), False).is_in([None, text])


@pytest.mark.parametrize(
    ("asked", "text", "held"),
    [
        ('"red car"', "A red, car-like thing", True),
        ('"red car"', "The car is red", False),
        ('"red car"', "red fast car", False),
        ('"red car"', "red cart", False),
        ('"red car*"', "red carts", True),
        ('"red car*"', "red scar", False),
        ('"Zoë\'s café"', "zoes cafe closes", True),
        ('"deploy*"', "redeployed", False),
        ('"队列 端口"', "队列 端口错配", True),
    ],
)
def test_the_phrase_is_judged_by_the_words_of_the_text(asked, text, held):
    [phrase] = phrases(asked)
    assert phrase.is_in([text]) is held


SIX = " ".join(f'"word {letter}"' for letter in "abcdef")
LONG = "word " * (LONGEST // 5 + 1)


@pytest.mark.parametrize(
    ("question", "unread"),
    [
        (SIX, {"word f": TOO_MANY}),
        (f'{SIX} "word a"', {"word f": TOO_MANY}),
        (f'"{LONG}"', {LONG.strip(): TOO_LONG}),
        ('"incid* review"', {"incid* review": STAR_INSIDE}),
        ('"a*"', {"a*": SHORT_PREFIX}),
        ('"red car" "car"', {}),
        ('"what is 5*3"', {}),
        (f'"{"x" * 300}"', {}),
    ],
)
def test_what_means_an_operator_and_is_none_says_why(question, unread):
    found = quotes(question)
    assert found.unread == unread
    assert not {one.text for one in found.applied} & unread.keys()


def test_a_long_quote_lends_its_last_sign_to_no_other():
    assert [one.text for one in phrases(f'"{LONG}" and then "red car"')] == ["red car"]


def test_what_is_read_as_words_is_asked_beside_the_operators():
    assert asks_nothing_else('the "red car"')
    assert not asks_nothing_else('"red car" "blue"')
    assert not asks_nothing_else(f"{SIX}")
    assert not asks_nothing_else('"red car" "incid* review"')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("C++, C# and C", ("c++", "c#", "and", "c")),
        ("C++17", ("c", "17")),
        ("200+ users #5", ("200", "users", "5")),
    ],
)
def test_signs_that_make_another_name_stay(text, words):
    assert spoken(text) == words


def test_many_opening_signs_cost_no_more_than_their_length():
    for sign in "“«「『":
        assert phrases(sign * 20_000) == ()
