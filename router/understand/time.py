"""The time a text names: windows of questions, dates in memories, and signs of asking for time."""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from channels.window import Window
from router.understand.customs import USUAL, Customs
from router.understand.grammar.calendar import Span
from router.understand.grammar.clock import Clock, local_now, to_utc, zone_named
from router.understand.grammar.found import Found
from router.understand.grammar.scan import Scan, length_of, prepared, ready, spans_in
from router.understand.grammar.signals import (
    asks_for_date,
    date_words,
    recency_asked,
    recency_words,
)

__all__ = [
    "asks_for_date",
    "date_words",
    "dates_in_text",
    "find_window",
    "has_time_expression",
    "ready",
    "recency_asked",
    "recency_words",
]

MEMORY_CHARS = 20_000  # read of a memory; dates further down are not searched
QUESTION_ENDS = 1_000  # read from either end of a question; what is asked stands there
MOST_DATES = 32  # kept of one memory
SURE = 0.5  # a span below this is a guess and gives way to any other
NO_CLOCK = datetime(2000, 1, 1, 12)  # stands in where a text is read without its date


def find_window(
    text: str, now: datetime, timezone: str = "UTC", customs: Customs = USUAL
) -> Window | None:
    """The stretch of time the question asks about, in UTC, or None when it names none.

    A range wins over single dates, then the shortest. `now` is aware and is the caller's clock;
    days and weeks are those of the IANA zone. "Last Monday" is the latest before today, "next
    Friday" the first after it, a bare month the latest that has begun, "until" includes its date.

    Raises BadInput for an unknown zone or a naive clock; never because of the text.
    """
    zone = zone_named(timezone)
    scan = prepared(_ends(text))
    try:
        clock = _clock(local_now(now, zone), zone, customs, scan)
        founds = spans_in(scan, clock)
    except OverflowError:
        return None  # a clock at the very edge of the calendar
    best = sorted((found for found in founds if not found.span.weak), key=_rank)
    return next(_windows(best, scan, clock), None)


def dates_in_text(
    text: str, written_at: datetime | None, timezone: str = "UTC", customs: Customs = USUAL
) -> tuple[Window, ...]:
    """Every stretch of time a memory's text names, in reading order, at most 32, never overlapping.

    Expressions that need a clock ("yesterday", a month without its year) count only when it is
    known when the text was written. Reads the first 20,000 characters. Raises BadInput for an
    unknown zone or a naive time.
    """
    zone = zone_named(timezone)
    scan = prepared(text[:MEMORY_CHARS])
    try:
        now = local_now(written_at, zone) if written_at else NO_CLOCK
        clock = _clock(now, zone, customs, scan)
        founds = spans_in(scan, clock)
    except OverflowError:
        return ()
    kept = [found for found in founds if _counts(found.span, dated=written_at is not None)]
    windows = _windows(kept, scan, clock)
    return tuple(window for window, _ in zip(windows, range(MOST_DATES), strict=False))


def has_time_expression(text: str) -> bool:
    """Whether the text holds a time word or a date: yesterday, on Friday, 2022, May 7."""
    scan = prepared(text[:MEMORY_CHARS])
    clock = _clock(NO_CLOCK, zone_named("UTC"), USUAL, scan)
    return any(_counts(found.span, dated=True) for found in spans_in(scan, clock))


def _clock(now: datetime, zone: ZoneInfo, customs: Customs, scan: Scan) -> Clock:
    day_first, southern = customs.date_order == "day_first", customs.seasons == "southern"
    return Clock(now, zone, day_first, scan.original, southern)


def _ends(text: str) -> str:
    if len(text) <= 2 * QUESTION_ENDS:
        return text
    return f"{text[:QUESTION_ENDS]} \n {text[-QUESTION_ENDS:]}"


def _counts(span: Span, *, dated: bool) -> bool:
    """Whether a memory's span counts: lone years do there, doubtful months and bare hours not."""
    if span.hours:
        return False  # "at 3pm" says no more than the memory's own date does
    if span.weak and span.rule not in ("lone_year", "years"):
        return False
    return dated or span.absolute


def _rank(found: Found) -> tuple[bool, bool, float, float, int]:
    span = found.span
    joined = "+" in span.rule or ".." in span.rule or span.rule == "years"
    return (
        span.confidence < SURE,
        not joined,
        length_of(span),
        -span.confidence,
        found.start,
    )


def _windows(founds: list[Found], scan: Scan, clock: Clock) -> Iterator[Window]:
    for found in founds:
        window = _window(found, scan, clock)
        if window:
            yield window


def _window(found: Found, scan: Scan, clock: Clock) -> Window | None:
    span = found.span
    try:
        start = to_utc(span.start, clock.zone) if span.start else None
        end = to_utc(span.end, clock.zone) if span.end else None
    except OverflowError:
        return None
    if start and end and start >= end:
        return None
    text = scan.original[found.start : found.stop]
    return Window(start, end, span.granularity, text, span.confidence, span.rule)
