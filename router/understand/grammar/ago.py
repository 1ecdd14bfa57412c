"""What lies so many units back: three weeks ago, half a year ago, a year and a half ago."""

import re
from datetime import datetime, timedelta

from router.understand.grammar.calendar import DAY, Box, Span, back_from, box_of, midnight
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read
from router.understand.grammar.relative import FAR, boxed, number_of, word_of

YEARS = 1000  # "2020年之前" names a year; nobody counts so many years back in Chinese
SEVERAL = ("several", "mehreren")
SEVERAL_UNITS = (6, 2)  # the furthest and the nearest that "several weeks ago" may mean


def read_ago(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The unit of that size around the moment `n` units ago, or its weekday where one is named."""
    count, unit = number_of(match, language), language.units[word_of(match, "unit")]
    if count > FAR or count == 0 or (unit == "year" and count >= YEARS and not language.spaced):
        return None
    if unit == "minute":
        return minutes_ago(count, clock)
    if unit == "hour":
        return boxed(box_of("hour", clock.hours_back(count)), "hour", "ago", 0.85)
    if match.groupdict().get("n") in SEVERAL:
        far, near = (box_of(unit, clock.now, -units)[0] for units in SEVERAL_UNITS)
        return Span(far, near, "range", "ago", 0.7)
    return _days_ago(match, clock, language)


def _days_ago(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    count, unit = number_of(match, language), language.units[word_of(match, "unit")]
    if unit == "decade":
        count, unit = count * 10, "year"
    if unit == "fortnight":
        count, unit = count * 2, "week"
    if match[0].endswith(" today") and unit in ("week", "month", "year"):
        return boxed(box_of("day", back_from(clock.now, count, unit)), "day", "ago")
    box = box_of(unit, clock.now, -count)
    if unit == "week" and match.groupdict().get("weekday"):
        start = box[0] + language.weekdays[match["weekday"]] * DAY
        return boxed((start, start + DAY), "day", "ago")
    return boxed(box, unit, "ago", 0.9)


def minutes_ago(count: int, clock: Clock) -> Span | None:
    """The time around it, half as far to either side: 20 minutes ago is 30 to 10 minutes ago."""
    start, end = (clock.hours_back(count * share / 60) for share in (1.5, 0.5))
    return boxed((start, end), "minute", "ago", 0.85) if start < end else None


def read_half_ago(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Half an hour ago; half a year ago: the month six months back."""
    if match["half"].endswith("hour"):
        return minutes_ago(30, clock)
    return boxed(box_of("month", clock.now, -6), "month", "ago", 0.7)


def half_of(unit: str, whole: int = 0) -> Read:
    """Reads a phrase for half a unit ago, or for that many and a half: vor anderthalb Jahren."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        if unit == "hour":
            return minutes_ago(whole * 60 + 30, clock)
        if not whole:
            return boxed(box_of("month", clock.now, -6), "month", "ago", 0.7)
        return _and_half(whole, unit, clock.now)

    return read


def read_and_half(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A year and a half ago, two and a half hours ago: some time around it."""
    count, unit = number_of(match, language), language.units[word_of(match, "unit")]
    if not 0 < count <= FAR:
        return None
    if unit in ("minute", "hour"):
        return minutes_ago(count * 60 + 30, clock) if unit == "hour" else None
    return _and_half(count, unit, clock.now)


def _and_half(count: int, unit: str, now: datetime) -> Span | None:
    box: Box
    if unit == "year":
        middle = count * 12 + 6
        box = (box_of("month", now, -middle - 1)[0], box_of("month", now, 1 - middle)[1])
    else:
        back = {"month": timedelta(days=15), "week": timedelta(days=3)}.get(unit)
        if back is None:
            return None
        day = midnight(back_from(now, count, unit) - back)
        near = {"month": 7, "week": 2}[unit] * DAY
        box = (day - near, day + near + DAY)
    return Span(*box, "range", "ago", 0.7)
