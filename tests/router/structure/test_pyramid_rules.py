"""The pure parts of summaries: calendar, choice, wording, and when a question prefers them."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Hit, MemoryKey
from router.structure.pyramids.choosing import choose, term_vectors, unit_rows
from router.structure.pyramids.first import leading
from router.structure.pyramids.periods import FIRST, LAST, NAMES, Period, period_of, touched
from router.structure.pyramids.preference import LENGTHS, preferred
from router.structure.pyramids.wording import LONGEST, Member, extract, item_of, line_of
from router.understand.time import find_window

NOW = datetime(2025, 6, 11, 15, 30, tzinfo=UTC)  # a Wednesday
BERLIN = ZoneInfo("Europe/Berlin")
DAYS = st.dates(FIRST, LAST)


@given(DAYS, st.sampled_from(NAMES))
def test_period_of_a_day_holds_it_and_ends_after_it(day: date, name) -> None:
    period = period_of(name, day)
    assert period.starts <= day < period.ends
    assert period_of(name, period.starts) == period
    assert period_of(name, period.ends) != period


@given(DAYS, st.sampled_from(NAMES), st.sampled_from(["UTC", "Europe/Berlin", "Asia/Tokyo"]))
def test_bounds_of_neighbouring_periods_touch(day: date, name, zone: str) -> None:
    period = period_of(name, day)
    after = Period(period.ends, period.name)
    assert period.bounds(ZoneInfo(zone))[1] == after.bounds(ZoneInfo(zone))[0]


def test_week_begins_on_monday_and_names_say_what_people_say() -> None:
    day = date(2025, 6, 5)
    found = [period_of(name, day) for name in NAMES]
    words = ["Thursday 5 June 2025", "Week of 2 June 2025", "June 2025"]
    assert [period.words for period in found] == words
    assert [period.below for period in found] == [None, "day", "week"]
    assert found[1].id == "summary:week:2025-06-02"


def test_day_in_utc_touches_both_days_of_another_time_zone() -> None:
    found = touched([date(2025, 3, 31)], ["day", "month"], BERLIN)
    assert [period.id for period in found] == [
        "summary:day:2025-03-31",
        "summary:day:2025-04-01",
        "summary:month:2025-03-01",
        "summary:month:2025-04-01",
    ]


@given(
    st.integers(0, 12).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=n, max_size=n),
            st.lists(st.integers(0, 20), min_size=n, max_size=n),
        )
    ),
    st.integers(0, 6),
)
def test_chosen_are_different_memories_and_as_many_as_there_are(given_rows, count: int) -> None:
    rows, words = given_rows
    table = unit_rows(np.array(rows, np.float32).reshape(-1, 3))
    found = choose(table, words, count)
    assert len(found) == min(count, len(rows)) == len(set(found))
    assert found == choose(table, words, count)
    assert found[: count - 1] == choose(table, words, max(0, count - 1))[: len(found)]


def test_nearest_to_the_centroid_is_first_and_its_double_is_not_second() -> None:
    axis, double, other = [1.0, 0.1, 0.0], [1.0, 0.1, 0.0], [0.6, -0.8, 0.0]
    table = unit_rows(np.array([other, axis, double], np.float32))
    assert choose(table, [9, 9, 9], 2) == [1, 0]


def test_short_words_do_not_stand_for_a_day() -> None:
    table = unit_rows(np.array([[1.0, 0.0], [0.9, 0.2], [0.9, -0.2]], np.float32))
    assert choose(table, [1, 9, 9], 1) == [1]


def test_words_alone_find_what_most_is_said_of() -> None:
    texts = ["the index moved to Postgres", "Postgres index is slow to build",
             "we tuned the Postgres index", "lunch was pizza"]  # fmt: skip
    found = choose(term_vectors(texts), [9] * 4, 3)
    assert 3 not in found
    assert not np.any(term_vectors(["…"]))


def member(place: int, text: str, speaker: str | None = None, day: int = 3) -> Member:
    at = datetime(2025, 6, day, 9, place, tzinfo=UTC)
    return Member(MemoryKey(place), f"m{place}", text, speaker, len(text.split()), at, None)


def test_text_names_the_period_and_quotes_in_the_order_of_time() -> None:
    day = Period(date(2025, 6, 3), "day")
    members = [member(1, "Ana: We moved the index", "Ana"), member(2, "It is fast now!")]
    found = extract(day, members, ZoneInfo("UTC"))
    assert found.text == "Tuesday 3 June 2025: Ana: We moved the index. It is fast now!"
    assert (found.how, found.members) == ("terms", 2)
    item = item_of(found, ZoneInfo("UTC"))
    assert item["occurred_start"] == "2025-06-03T00:00:00+00:00"
    assert item["metadata"]["quoted"] == ["m1", "m2"]


def test_line_of_a_longer_period_says_its_day_and_long_texts_are_cut() -> None:
    week = Period(date(2025, 6, 2), "week")
    line = line_of(member(1, "word " * 200), week, ZoneInfo("UTC"))
    assert line.startswith("3 June: word word")
    assert line.endswith("…")
    assert len(line) < LONGEST + 20


@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=12))
def test_any_texts_are_summed_up_without_error_and_stay_valid_items(texts: list[str]) -> None:
    from router.items import read_items

    members = [member(place, text) for place, text in enumerate(texts)]
    found = extract(Period(date(2025, 6, 1), "month"), members, BERLIN)
    item = item_of(found, BERLIN)
    if "\x00" not in item["text"]:
        drafts, errors = read_items([item], BERLIN)
        assert (len(drafts), errors) == (1, [])


ALL = ["day", "week", "month"]


def period_for(question: str, kept: list[str] = ALL, *, has_topic: bool = True) -> str | None:
    window = find_window(question, NOW, "UTC")
    found = preferred(question, window, NOW, kept, has_topic=has_topic)
    return found and found.period


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("how did the project evolve over the quarter", "month"),
        ("how did the project evolve over the last quarter?", "month"),
        ("how has the search changed since March?", "month"),
        ("a recap of May 2025", "month"),
        ("what did we spend over the year 2024?", "month"),
        ("how did the migration go last week?", "week"),
        ("what changed over the last two weeks", "week"),
        ("summarise yesterday's work", "day"),
        ("who fixed the login last Tuesday?", None),
        ("when did the project move its index in May?", None),
        ("which progress bar did we choose last week?", None),
        ("how did the project evolve?", None),
        ("how did the project evolve over the last ten years?", None),
    ],
)
def test_overviews_prefer_the_longest_period_that_fits(question: str, period: str | None) -> None:
    assert period_for(question) == period


@pytest.mark.parametrize(
    ("question", "period"),
    [("last Tuesday", "day"), ("what happened last week?", "week"), ("in May 2025", "month")],
)
def test_question_for_nothing_but_a_time_prefers_its_summary(question: str, period: str) -> None:
    assert period_for(question, has_topic=False) == period


def test_shorter_periods_stand_in_for_one_that_is_not_kept() -> None:
    assert period_for("a recap of May 2025", ["day", "week"]) == "week"
    assert period_for("a recap of May 2025", ["day"]) is None  # thirty-one are no overview
    assert period_for("a recap of this week", ["day"]) == "day"
    assert period_for("a recap of this week", ["month"]) is None
    assert period_for("a recap of this week", []) is None


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    st.timedeltas(timedelta(0), timedelta(days=900)),
    st.lists(st.sampled_from(ALL), unique=True),
)
def test_preferred_period_is_kept_and_fits_into_the_window(
    start: datetime, length: timedelta, kept: list[str]
) -> None:
    from channels.base import Window

    window = Window(start, start + length, "range", "then", 1.0, "test")
    found = preferred("then", window, NOW, kept, has_topic=False)
    if found is not None:
        assert found.period in kept
        assert LENGTHS[found.period] <= length
        assert (found.start, found.end) == (window.start, window.end)


KEYS = st.lists(st.integers(1, 9), max_size=9, unique=True).map(
    lambda found: [*map(MemoryKey, found)]
)


@given(KEYS, KEYS)
def test_lead_comes_first_and_nothing_of_the_run_is_lost(run: list, lead: list) -> None:
    hits = [Hit(key, 1 / place, {"own": place}) for place, key in enumerate(run, 1)]
    found = leading(hits, lead, {"period": "day"})
    keys = [hit.key for hit in found]
    assert keys == [*lead, *(key for key in run if key not in lead)]
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    own = {hit.key: hit.detail for hit in hits}
    assert all(own.get(hit.key, {}).items() <= hit.detail.items() for hit in found)
