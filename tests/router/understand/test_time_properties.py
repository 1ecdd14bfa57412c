"""What holds for every text, clock and zone."""

import time
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given, settings
from hypothesis import strategies as st

from router.understand.customs import USUAL, Customs
from router.understand.read import understand
from router.understand.time import (
    asks_for_date,
    dates_in_text,
    find_window,
    has_time_expression,
    recency_asked,
)
from tests.router.understand import form_rows, hour_rows, no_time_rows, time_rows

ZONES = st.sampled_from(["UTC", "Asia/Tokyo", "Europe/Berlin", "America/New_York", "Pacific/Apia"])
CLOCKS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC))
LATE_CLOCKS = st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC))
CUSTOMS = st.builds(
    Customs,
    st.sampled_from(["month_first", "day_first"]),
    st.sampled_from(["northern", "southern"]),
)
PHRASES = st.sampled_from(
    [
        row.split("|")[0].strip()
        for rows in (
            *time_rows.CLOCKS,
            *hour_rows.CLOCKS,
            form_rows.THURSDAY,
            no_time_rows.NEGATIVES,
            hour_rows.NEGATIVES,
            form_rows.NEGATIVES,
        )
        for row in rows.strip().splitlines()
    ]
)
WORDS = st.sampled_from(no_time_rows.FRAGMENTS.split())
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.one_of(PHRASES, WORDS), max_size=12).map(" ".join),
    st.lists(WORDS, max_size=20).map("".join),
)
WEEKLY = st.sampled_from(no_time_rows.WEEKLY.strip().splitlines())


@settings(max_examples=400, deadline=None)
@given(TEXTS, CLOCKS, ZONES, CUSTOMS)
@example("İstanbul yesterday ﬁrst", datetime(2025, 1, 1, tzinfo=UTC), "UTC", USUAL)
@example("\ud800 yesterday", datetime(2025, 1, 1, tzinfo=UTC), "UTC", USUAL)
@example("last week", datetime(1, 1, 1, tzinfo=UTC), "America/New_York", USUAL)
@example("at 11pm", datetime(1, 1, 1, tzinfo=UTC), "UTC", USUAL)
@example("next year", datetime(9999, 12, 31, tzinfo=UTC), "Asia/Tokyo", USUAL)
@example("tonight at 11", datetime(9999, 12, 31, tzinfo=UTC), "Asia/Tokyo", USUAL)
def test_window_begins_before_it_ends_within_the_calendar(text, now, zone, customs):
    window = find_window(text, now, zone, customs)
    if window is None:
        return
    assert window.start is not None or window.end is not None
    for side in (window.start, window.end):
        assert side is None or (side.tzinfo is UTC and 1 <= side.year <= 9999)
    if window.start and window.end:
        assert window.start < window.end
    assert 0 < window.confidence <= 1
    assert window.text
    assert window.rule


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.none() | CLOCKS, ZONES, CUSTOMS)
def test_dates_of_a_memory_are_sound_and_never_raise(text, written_at, zone, customs):
    windows = dates_in_text(text, written_at, zone, customs)
    assert len(windows) <= 32
    for window in windows:
        if window.start and window.end:
            assert window.start < window.end


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_signals_never_raise(text):
    assert has_time_expression(text) in (True, False)
    assert asks_for_date(text) in (True, False)
    assert recency_asked(text) in ("none", "recent", "last")


@settings(max_examples=200, deadline=None)
@given(WEEKLY, LATE_CLOCKS, st.integers(-200, 200))
def test_relative_window_moves_with_the_clock_by_whole_weeks(text, now, weeks):
    shift = timedelta(weeks=weeks)
    here, there = find_window(text, now), find_window(text, now + shift)
    assert here is not None
    assert there is not None
    assert here.start is not None
    assert there.start == here.start + shift
    assert there.end == (here.end + shift if here.end else None)


@settings(max_examples=100, deadline=None)
@given(PHRASES, LATE_CLOCKS, st.integers(-14, 14))
def test_same_instant_in_another_offset_gives_the_same_window(text, now, hours):
    elsewhere = now.astimezone(timezone(timedelta(hours=hours)))
    assert find_window(text, elsewhere, "Asia/Tokyo") == find_window(text, now, "Asia/Tokyo")


@settings(max_examples=100, deadline=None)
@given(PHRASES, LATE_CLOCKS)
def test_padding_with_plain_words_changes_nothing(text, now):
    bare = find_window(text, now)
    padded = find_window(f"please tell me: {text}; thank you", now)
    assert (bare is None) == (padded is None)
    if bare and padded:
        assert (bare.start, bare.end) == (padded.start, padded.end)


def test_reading_a_long_memory_takes_time_in_proportion():
    sentence = "We met in May 2023 and again last week; then on March 3 we left. "
    now = datetime(2025, 6, 11, tzinfo=UTC)

    def best(length: int) -> float:
        text = (sentence * 400)[:length]
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            dates_in_text(text, now)
            times.append(time.perf_counter() - begun)
        return min(times)

    assert best(16_000) < 10 * best(4_000)  # four times as long; a square would be sixteen


def test_median_question_is_read_within_half_a_millisecond():
    now = datetime(2025, 6, 11, tzinfo=UTC)
    rows = [row.split("|")[0] for row in time_rows.MIDWEEK.strip().splitlines()]
    times = []
    for row in rows:
        begun = time.perf_counter()
        find_window(row, now)
        times.append(time.perf_counter() - begun)
    assert sorted(times)[len(times) // 2] < 0.0005


@settings(max_examples=30, deadline=None)
@given(
    st.one_of(TEXTS.filter(bool), st.sampled_from(["1 ", "a", "3:", "at ", "年", "2-", "((", "9"]))
)
def test_hundred_thousand_characters_are_read_in_bounded_time(piece):
    text = (piece * (100_000 // len(piece) + 1))[:100_000]
    now = datetime(2025, 6, 11, tzinfo=UTC)
    begun = time.process_time()
    find_window(text, now)
    has_time_expression(text)
    dates_in_text(text, now)
    understand(text, now, "UTC")
    assert time.process_time() - begun < 20  # a square would take hours


def test_reading_a_question_takes_time_in_proportion_to_its_ends_only():
    now = datetime(2025, 6, 11, tzinfo=UTC)
    long = "what did we decide about the lease last week? " * 2_000
    begun = time.process_time()
    find_window(long, now)
    assert time.process_time() - begun < 0.5
