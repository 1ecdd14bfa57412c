"""What written-out dates mean: months, dates, years, quarters, halves and numbers with slashes."""

import re
from dataclasses import replace
from datetime import datetime, timedelta

from router.understand.grammar import guards
from router.understand.grammar.calendar import (
    DAY,
    NOTHING,
    Bare,
    Box,
    Span,
    box_in_year,
    box_of,
    latest,
)
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read

QUOTES = frozenset("\"'“‘«„")


def fixed(box: Box, granularity: str, rule: str, confidence: float = 0.95) -> Span:
    """A span that does not depend on the clock."""
    return Span(box[0], box[1], granularity, rule, confidence, absolute=True)


def full_year(written: str) -> int:
    """The year of two or four digits; 00-49 are this century's."""
    year = int(written)
    if len(written) == 2:
        year += 2000 if year < 50 else 1900
    return year


def in_year_or_latest(bare: Bare, year: str | None, granularity: str, clock: Clock) -> Span:
    """The one of that year, or the latest that has begun where no year is written."""
    name = bare[0]
    if year:
        return fixed(box_in_year(bare, full_year(year)), granularity, f"{name}_of_year")
    start, end = latest(bare, clock.now)
    return Span(start, end, granularity, f"bare_{name}", 0.85, bare=bare)


def read_month_year(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """March 2024."""
    bare: Bare = ("month", language.months[match["month"]], 0)
    return in_year_or_latest(bare, match["year"], "month", clock)


def read_date(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """March 3rd, 3 March 2024; with a second day, the days from the one to the other."""
    groups = match.groupdict()
    year = groups.get("year")
    if not year and (guards.is_doubtful_day(match) or _is_verb(match, clock, language)):
        return NOTHING
    month, day = language.months[match["month"]], int(match["dom"])
    span = in_year_or_latest(("date", month, day), year, "day", clock)
    last = groups.get("dom2")
    if not last or span.start is None:
        return span
    end = span.start.replace(day=int(last)) + DAY
    if end <= span.start:
        return None
    return replace(span, end=end, granularity="range", rule="days_of_month", bare=None)


def _is_verb(match: re.Match[str], clock: Clock, language: Language) -> bool:
    if match["month"] not in ("may", "march") or language.name != "en":
        return False
    if match.start("month") == match.start():
        return guards.follows_pronoun(match)
    return guards.is_counted_subject(match, clock)


def read_season_year(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Summer 2023; one that runs over New Year is named by the year of its December."""
    bare: Bare = ("season", clock.season(language.seasons[match["season"]]), 0)
    return in_year_or_latest(bare, match["year"], "season", clock)


PIECES = {
    word: number
    for number, words in enumerate(
        ("first ersten erstes premier primer 一", "second zweiten zweites deuxième segundo 二",
         "third dritten drittes troisième tercer 三",
         "fourth vierten viertes quatrième cuarto 四"), start=1)
    for word in words.split()
}  # fmt: skip


def piece_of_year(kind: str) -> Read:
    """Reads group `piece` as the quarter or half of group `year`."""
    words = PIECES | {"last": 4 if kind == "quarter" else 2}

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        written = match["piece"]
        number = int(written[0]) if written[0].isdigit() else words[written]
        if kind == "half" and number > 2:
            return None
        year = match.groupdict().get("year")
        if not year and re.match(r"\s?[:)=/]", guards.after(match)):
            return None  # "Q1: how do I ..."
        return in_year_or_latest((kind, number, 0), year, kind, clock)

    return read


def read_iso_date(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """2025-05-17."""
    if "." in match[0] and guards.is_numbered(match):
        return NOTHING  # "release 2024.10.01"
    start = datetime(int(match["y"]), int(match["m"]), int(match["d"]))
    return fixed((start, start + DAY), "day", "iso_date", 0.99)


def read_iso_moment(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """2025-05-17T09:30: its minute, in the caller's zone unless it names an offset."""
    written = match["moment"].replace(" ", "t").upper().replace("Z", "+00:00")
    moment = datetime.fromisoformat(written)
    if moment.tzinfo is not None:
        moment = moment.astimezone(clock.zone).replace(tzinfo=None)
    start = moment.replace(second=0, microsecond=0, fold=0)
    return fixed((start, start + timedelta(minutes=1)), "minute", "iso_moment", 0.99)


def read_iso_month(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """2025-05."""
    year, month = int(match["y"]), int(match["m"])
    if clock.original[match.end("y")] != "-":  # a long dash: the season of 2001–02
        box = (datetime(year, 1, 1), datetime(year + 2, 1, 1))
        return fixed(box, "range", "years", 0.7) if month == (year + 1) % 100 else None
    return fixed(box_in_year(("month", month, 0), year), "month", "iso_month", 0.85)


def read_iso_week(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """2025-W20, week 20 of 2025."""
    start = datetime.fromisocalendar(int(match["y"]), int(match["week"]), 1)
    return fixed((start, start + 7 * DAY), "week", "iso_week")


def read_week_number(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Calendar week 23: the latest that has begun."""
    for year in (clock.now.year, clock.now.year - 1):
        start = datetime.fromisocalendar(year, int(match["week"]), 1)
        if start <= clock.now:
            return Span(start, start + 7 * DAY, "week", "iso_week", 0.8)
    return None


def read_slash_date(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """3/4/2025: month first unless the setting says otherwise or only the other reading exists."""
    if match.string[match.start() - 1 : match.start()] in QUOTES and match.start():
        return NOTHING  # a title such as "11/22/63"
    first, second = int(match["a"]), int(match["b"])
    if first > 12 or (clock.day_first and second <= 12):
        first, second = second, first
    written = match.groupdict().get("year")
    if written is None:
        if _is_fraction(match, clock):
            return NOTHING
        return in_year_or_latest(("date", first, second), None, "day", clock)
    start = datetime(full_year(written), first, second)
    return fixed((start, start + DAY), "day", "slash_date")


def _is_fraction(match: re.Match[str], clock: Clock) -> bool:
    """On 3/4 of the tests, before 1/4 inch, on 24/7 duty."""
    if (match["a"], match["b"]) == ("24", "7") and not clock.day_first:
        return True
    return FRACTION.match(guards.after(match)) is not None or guards.is_counted(match)


FRACTION = re.compile(r"\s{1,2}(?:of\b(?!\s(?:this|last|next|[0-9]))|inch|cups?|full|empty|odds)")


def read_month_of_year(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """03/2025, 2025/03; a season of two years ("2019/20") is left alone."""
    year, month = int(match["y"]), int(match["m"])
    if match.start("y") < match.start("m") and month == (year + 1) % 100:
        return None
    if guards.is_counted(match) or guards.is_numbered(match) or " of " in guards.after(match)[:4]:
        return NOTHING
    return fixed(box_in_year(("month", month, 0), year), "month", "month_of_year", 0.85)


def read_dot_date(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """21.01.2024: always day first."""
    if guards.is_numbered(match):
        return NOTHING  # "version 10.5.2024"
    bare: Bare = ("date", int(match["m"]), int(match["d"]))
    return in_year_or_latest(bare, match.groupdict().get("y"), "day", clock)


def read_half_near(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """H2 last year."""
    year = clock.now.year + {"last": -1, "this": 0, "next": 1}[match["which"]]
    box = box_in_year(("half", int(match["piece"]), 0), year)
    return Span(*box, "half", "half_of_year")


def read_holiday(days: dict[str, tuple[int, int]]) -> Read:
    """Reads group `feast` as a fixed day of the year."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        name = re.sub(r"\s+", " ", match["feast"]).replace("'", "")
        month, day = days[name]
        if not (match["lead"] or match["year"] or name.endswith((" day", " eve"))):
            return None  # "Christmas gift ideas"
        if re.match(
            r" (?:tree|party|gift|present|card|dinner|resolution)s?\b", guards.after(match)
        ):
            return None
        return in_year_or_latest(("date", month, day), match["year"], "day", clock)

    return read


def read_ordinal_day(ordinals: dict[str, int]) -> Read:
    """Reads group `nth` in words and the month: the second of May."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        bare: Bare = ("date", language.months[match["month"]], ordinals[match["nth"]])
        return in_year_or_latest(bare, match["year"], "day", clock)

    return read


def read_day_of_month_near(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The 12th of last month."""
    offset = {"last": -1, "this": 0, "next": 1}[match["which"]]
    start = box_of("month", clock.now, offset)[0].replace(day=int(match["dom"]))
    return Span(start, start + DAY, "day", "day_of_month")


def read_day_of_latest_month(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """On the 5th: of the latest month in which it has begun."""
    day = int(match["dom"])
    for back in range(3):
        month = box_of("month", clock.now, -back)[0]
        start = month + timedelta(days=day - 1)
        if start.month == month.month and start <= clock.now:
            return Span(start, start + DAY, "day", "day_of_month", 0.7)
    return None
