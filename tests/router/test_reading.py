"""What is read off a memory's text before it is stored."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from router.items import read_items
from router.reading import Reading, body_of, embed_text, read_memory


def reading(text: str, **item: Any) -> Reading:
    drafts, errors = read_items([{"text": text, **item}], ZoneInfo("UTC"))
    assert errors == []
    return read_memory(drafts[0], "UTC")


def test_speaker_prefix_that_repeats_the_speaker_is_no_content() -> None:
    assert body_of("Ana: we moved", "Ana") == "we moved"
    assert body_of("Note: we moved", "Ana") == "Note: we moved"
    assert body_of("Ana: we moved", None) == "Ana: we moved"


def test_speaker_is_named_once_in_what_is_embedded() -> None:
    assert embed_text("we moved", "Ana", None, None) == "Ana: we moved"
    assert embed_text("Ana: we moved", "Ana", None, None) == "Ana: we moved"


def test_title_and_context_lead_what_is_embedded_unless_the_text_begins_with_them() -> None:
    assert embed_text("we moved", None, "Staging", "stand-up") == "stand-up. Staging. we moved"
    assert embed_text("Staging moved", None, "Staging", None) == "Staging moved"


def test_dates_in_the_text_become_intervals() -> None:
    found = reading("The lease runs out on 5 June 2025", occurred_at="2024-01-01")
    assert [(date.start, date.end) for date in found.dates] == [
        (datetime(2025, 6, 5, tzinfo=UTC), datetime(2025, 6, 6, tzinfo=UTC))
    ]
    assert found.has_time


def test_relative_dates_in_the_text_count_from_when_it_was_said() -> None:
    found = reading("We signed it yesterday", occurred_at="2024-03-10T12:00:00Z")
    assert [date.start for date in found.dates] == [datetime(2024, 3, 9, tzinfo=UTC)]


def test_text_without_time_has_none() -> None:
    found = reading("The port is 9077")
    assert found.dates == ()
    assert not found.has_time


@pytest.mark.parametrize(
    ("granularity", "end"),
    [("day", datetime(2024, 6, 4, tzinfo=UTC)), ("year", datetime(2025, 1, 1, tzinfo=UTC)),
     ("hour", datetime(2024, 6, 3, 1, tzinfo=UTC))],
)  # fmt: skip
def test_coarse_time_is_an_interval(granularity: str, end: datetime) -> None:
    assert reading("moved", occurred_at="2024-06-03", granularity=granularity).happened_end == end


def test_a_coarse_time_begins_with_its_unit_and_says_so_of_the_banks_zone() -> None:
    item = {"text": "moved", "occurred_at": "2024-06-30T22:30:00Z", "granularity": "month"}
    drafts, _ = read_items([item], ZoneInfo("UTC"))
    found = read_memory(drafts[0], "UTC", own_zone="Europe/Vienna")
    assert found.happened == datetime(2024, 6, 30, 22, tzinfo=UTC)
    assert found.happened_end == datetime(2024, 7, 31, 22, tzinfo=UTC)


def test_a_month_told_without_a_zone_is_one_of_the_requests() -> None:
    drafts, _ = read_items([{"text": "moved", "occurred_at": "2024-06"}], ZoneInfo("Asia/Tokyo"))
    found = read_memory(drafts[0], "Asia/Tokyo", own_zone="UTC")
    assert found.happened == datetime(2024, 5, 31, 15, tzinfo=UTC)
    assert found.happened_end == datetime(2024, 6, 30, 15, tzinfo=UTC)


def test_relative_dates_of_a_coarse_memory_count_from_the_time_as_given() -> None:
    found = reading("yesterday", occurred_at="2024-03-10T12:00:00Z", granularity="month")
    assert [date.start for date in found.dates] == [datetime(2024, 3, 9, tzinfo=UTC)]


def test_given_end_wins_over_granularity() -> None:
    found = reading(
        "trip", occurred_start="2024-06-03", occurred_end="2024-06-09", granularity="day"
    )
    assert found.happened_end == datetime(2024, 6, 9, tzinfo=UTC)


def test_coarse_time_at_the_end_of_time_has_no_end() -> None:
    assert reading("late", occurred_at="9999-12-31", granularity="decade").happened_end is None


def test_callers_entities_come_first_and_keep_their_type() -> None:
    found = reading(
        "We moved the Staging Cluster with @petra", entities=[{"text": "Petra", "type": "person"}]
    )
    assert found.mentions["petra"] == ("Petra", "person")
    assert "" not in found.mentions


@pytest.mark.parametrize(
    ("text", "asks"), [("Shall we?", True), ("行くの？", True), ("We shall.", False)]
)
def test_questions_are_known_by_their_mark(text: str, asks: bool) -> None:
    assert reading(text).is_question is asks


def test_words_are_counted() -> None:
    assert reading("Ana moved it twice").words == 4
