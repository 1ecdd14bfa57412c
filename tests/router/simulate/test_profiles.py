from datetime import UTC, datetime

import pytest

from router.evaluate.dataset import Dataset, Memory, Query
from router.simulate.profiles import PROFILES, rewritten

MEMORIES = (
    Memory("m1", "Ana moved the staging cluster to Lisbon", datetime(2024, 6, 3, tzinfo=UTC),
           "Ana", None, None),
    Memory("m2", "Ben and Ana talked about the cluster", None, "Ben", None, None),
    Memory("m3", "Lunch with Ana in town", None, "Ben", None, None),
)  # fmt: skip
QUERY = Query("q1", "b", "Where did Ana move the staging cluster?", None, "factual",
              frozenset({"m1"}))  # fmt: skip
DATA = Dataset("d", {"b": MEMORIES}, (QUERY,), 0)


def asked(profile: str) -> str:
    return rewritten(DATA, profile).queries[0].text


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_only_the_words_of_the_question_change(profile: str) -> None:
    found = rewritten(DATA, profile)
    assert found.memories is DATA.memories
    assert found.queries[0].relevant == QUERY.relevant
    assert found.queries[0].text.strip()


def test_natural_is_what_was_asked() -> None:
    assert asked("natural") == QUERY.text


def test_terse_keeps_the_rarest_words_in_their_order() -> None:
    words = asked("terse").split()
    assert len(words) == 3
    assert "staging" in words
    assert "the" not in words


def test_masked_loses_the_rarest_words() -> None:
    assert "staging" not in asked("masked")
    assert "Ana" in asked("masked")


def test_dated_names_the_day_of_what_is_sought() -> None:
    assert asked("dated") == "Where did Ana move the staging cluster on 3 June 2024?"
