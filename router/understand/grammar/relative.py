"""What phrases counted from the caller's clock mean: yesterday, last week, three Fridays ago."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

from router.understand.grammar import guards
from router.understand.grammar.calendar import (
    DAY,
    GRANULARITY,
    Bare,
    Box,
    Span,
    back_from,
    box_in_year,
    box_of,
    first_from,
    latest,
    midnight,
    part_of_day,
    third_of,
)
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read

SOFT_DAYS = 14  # how far back "recently" reaches
SOFT_CONFIDENCE = 0.35
FAR = 10_000  # units back; more is a count of something else
HUNG = re.compile(
    r"\s{1,3}(?:of|before)\s"
    r"|\s{1,3}in\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|1[0-9]{3}|20[0-9]{2})"
)  # what comes before is a piece of that, not counted from today
EDGES = {
    word: which
    for which, words in enumerate(
        ("beginning start anfang début principios principio inicio comienzos 初",
         "middle mitte milieu mediados 中",
         "end ende fin finales final fines 底 末"))
    for word in words.split()
}  # fmt: skip


def number_of(match: re.Match[str], language: Language) -> int:
    """The value of group `n`, in digits or words; 1 where the phrase leaves it out."""
    word = match.groupdict().get("n")
    if not word:
        return 1
    if word[0].isdigit():
        return int(word)
    return language.numbers[re.sub(r"\s+", " ", word)]


def word_of(match: re.Match[str], group: str) -> str:
    """The words of a group with single spaces, as the lexicon has them."""
    return re.sub(r"\s+", " ", match[group])


def boxed(box: Box, unit: str, rule: str, confidence: float = 0.95) -> Span:
    """The span of a calendar unit."""
    return Span(box[0], box[1], GRANULARITY.get(unit, unit), rule, confidence)


def unit_at(offset: int) -> Read:
    """Reads `{unit}` as the calendar unit that many units from now."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        unit = language.units[word_of(match, "unit")]
        if unit in ("hour", "minute"):
            return None
        name = {-1: "last", 0: "this", 1: "next"}.get(offset, "before_last")
        return boxed(box_of(unit, clock.now, offset), unit, f"{name}_unit")

    return read


def whole(unit: str, offset: int) -> Read:
    """Reads the whole match as one calendar unit, that many units from now."""
    name = {-2: "before_last", -1: "last", 0: "this", 1: "next", 2: "after_next"}[offset]

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        return boxed(box_of(unit, clock.now, offset), unit, f"{name}_unit")

    return read


def read_day_word(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Yesterday, today, tomorrow and their neighbours."""
    offset = language.days[word_of(match, "daywd")]
    return boxed(box_of("day", clock.now, offset), "day", "day_word")


def day_part(offset: int, part: str = "") -> Read:
    """Reads `{part}`, or the part given, on the day that many days from today."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        name = part or language.parts[word_of(match, "part")]
        day = midnight(clock.now) + offset * DAY
        return boxed(part_of_day(day, name), "part_of_day", "day_part")

    return read


def read_weekday_part(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Montagabend, lundi soir: that part of the latest such day."""
    start, _ = latest(("weekday", language.weekdays[match["weekday"]], 0), clock.now)
    part = language.parts[word_of(match, "part")]
    return boxed(part_of_day(start, part), "part_of_day", "bare_weekday+part", 0.8)


def read_weekdays_ago(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Three Fridays ago: the third latest Friday before today."""
    count = number_of(match, language)
    start, end = latest(("weekday", language.weekdays[match["weekday"]], 0), clock.now, ended=True)
    back = 7 * (count - 1) * DAY
    return None if count > FAR else boxed((start - back, end - back), "day", "weekdays_ago")


def read_weekday_before_last(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The Friday before last: the one before the latest Friday that is over."""
    start, end = latest(("weekday", language.weekdays[match["weekday"]], 0), clock.now, ended=True)
    return boxed((start - 7 * DAY, end - 7 * DAY), "day", "weekdays_ago")


def read_same_day(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Same day last year; "this time last year" takes a week to either side in."""
    unit = match["unit"].split()[-1]
    start, end = box_of("day", back_from(clock.now, 1, unit))
    if " time " not in match[0] or unit == "week":
        return boxed((start, end), "day", "same_day")
    near = {"month": 2, "year": 7}[unit] * DAY
    return Span(start - near, end + near, "range", "same_time", 0.7)


def read_rolling(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The past `n` units, ending now."""
    if HUNG.match(match.string, match.end()):
        return None  # "the last two weeks of May", "the last day of the trip"
    count, unit = number_of(match, language), language.units[word_of(match, "unit")]
    if count > FAR or count == 0 or (unit == "decade" and match.groupdict().get("n") == "several"):
        return None
    start: datetime
    if unit in ("hour", "minute"):
        start = clock.hours_back(count if unit == "hour" else count / 60)
        if start >= clock.now:  # the clocks were set back in between
            start = clock.now - timedelta(minutes=1)
    elif unit == "weekend":
        return boxed(
            (box_of(unit, clock.now, -count)[0], box_of(unit, clock.now, -1)[1]), "range", "rolling"
        )
    else:
        start = back_from(clock.now, count, unit)
    return Span(start, clock.now, "range", "rolling", 0.9)


def read_soft(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Recently, lately, the other day: a guess of two weeks."""
    start = clock.now - SOFT_DAYS * DAY
    return Span(start, clock.now, "range", "soft", SOFT_CONFIDENCE)


def read_so_far(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Earlier this week: from its beginning to now."""
    start, _ = box_of(language.units[match["unit"]], clock.now)
    return Span(start, clock.now, "range", "so_far") if start < clock.now else None


def read_running(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Over the quarter: the running one."""
    unit = language.units[match["unit"]]
    return boxed(box_of(unit, clock.now), unit, "this_unit", 0.6)


def read_rest_of(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Later this week: from now to its end."""
    _, end = box_of(language.units[match["unit"]], clock.now)
    return Span(clock.now, end, "range", "rest_of") if clock.now < end else None


def read_edge(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The end of the month: that third of the running one."""
    unit = language.units[word_of(match, "unit")]
    start, end = third_of(box_of(unit, clock.now), unit, EDGES[match["edge"]])
    return Span(start, end, "range", "edge", 0.7)


def read_the_weekend(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The latest weekend that has begun."""
    if re.match(r"(?: \w{1,8}){0,2} (?:of|before|after)\b", guards.after(match)):
        return None
    ahead = re.search(r"\bfor $", guards.before(match)) is not None
    offset = 0 if clock.now.weekday() >= 5 or ahead else -1
    return boxed(box_of("weekend", clock.now, offset), "weekend", "weekend", 0.8)


def bare_of(match: re.Match[str], clock: Clock, language: Language) -> tuple[Bare, str]:
    """The month, season or weekday a match names, with its granularity."""
    groups = match.groupdict()
    if groups.get("weekday"):
        return ("weekday", language.weekdays[groups["weekday"]], 0), "day"
    if groups.get("season"):
        return ("season", clock.season(language.seasons[groups["season"]]), 0), "season"
    return ("month", language.months[groups["month"]], 0), "month"


def read_last_bare(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Last Monday: before today. Last May, last summer: the latest one that is over."""
    bare, granularity = bare_of(match, clock, language)
    return boxed(latest(bare, clock.now, ended=True), granularity, f"last_{bare[0]}")


def read_next_bare(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Next Monday, next May: the first one that begins after today."""
    bare, granularity = bare_of(match, clock, language)
    return boxed(first_from(bare, midnight(clock.now) + DAY), granularity, f"next_{bare[0]}")


def read_this_bare(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A Friday of the running week; a May or a summer of the running year."""
    bare, granularity = bare_of(match, clock, language)
    if bare[0] == "weekday":
        start = box_of("week", clock.now)[0] + bare[1] * DAY
        return boxed((start, start + DAY), "day", "this_weekday")
    year = clock.now.year
    if bare[:2] == ("season", 4) and clock.now.month <= 2:
        year -= 1  # the winter that is still running
    return boxed(box_in_year(bare, year), granularity, f"this_{bare[0]}")


def read_weekday_of_week(offset: int) -> Read:
    """Reads `{weekday}` in the week that many weeks from this one."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        start = box_of("week", clock.now, offset)[0] + language.weekdays[match["weekday"]] * DAY
        return boxed((start, start + DAY), "day", "weekday_of_week")

    return read


def read_bare(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A weekday, month or season on its own: the latest one that has begun."""
    bare, granularity = bare_of(match, clock, language)
    start, end = latest(bare, clock.now)
    return Span(start, end, granularity, f"bare_{bare[0]}", 0.8, bare=bare)


def read_bare_before_last(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The summer before last: a year before the latest one that is over."""
    bare, granularity = bare_of(match, clock, language)
    start, end = latest(bare, clock.now, ended=True)
    return boxed((back_from(start, 1, "year"), back_from(end, 1, "year")), granularity, "last_bare")


def read_month_name(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A month whose preposition is missing: it counts only as one end of a stretch of months."""
    span = read_bare(match, clock, language)
    return replace(span, weak=True, loose=True) if span else None


def led(read: Read) -> Read:
    """The reading where group `lead` has a preposition, else a loose month."""

    def chosen(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        reader = read if match["lead"] else read_month_name
        return reader(match, clock, language)

    return chosen


def read_season_of_year(offset: int) -> Read:
    """Reads `{season}` in the year that many years from this one."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        bare: Bare = ("season", clock.season(language.seasons[match["season"]]), 0)
        return boxed(box_in_year(bare, clock.now.year + offset), "season", "season_of_year")

    return read
