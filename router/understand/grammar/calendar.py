"""Calendar arithmetic on naive local times: boxes of days, weeks, months and their thirds."""

from dataclasses import dataclass
from datetime import datetime, timedelta

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
MONTHS_IN = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120}
DAYS_IN = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
GRANULARITY = {"fortnight": "week", "decade": "range", "century": "range"}
PARTS = {"morning": (5, 12), "afternoon": (12, 17), "evening": (17, 24), "night": (18, 30)}

Box = tuple[datetime, datetime]
Bare = tuple[str, int, int]  # kind, number, day of the month or 0: a date whose year is not said


@dataclass(frozen=True, slots=True)
class Hours:
    """A time of day, not yet on any day."""

    first: int  # minutes after midnight
    length: int  # minutes
    either: bool  # neither am nor pm is said, and both are possible
    side: str = ""  # before, after, since, around, or the time itself
    sure: bool = True  # False: a time only beside a day ("tomorrow at 10")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of local time `[start, end)` and what the grammar knows about it."""

    start: datetime | None
    end: datetime | None
    granularity: str
    rule: str
    confidence: float = 0.9
    bare: Bare | None = None  # set when only the clock decided which one is meant
    absolute: bool = False  # True when the clock had no say
    weak: bool = False  # counts only inside a larger expression
    loose: bool = False  # even there only beside another month: "Jan" of "Jan-Mar 2025"
    hours: Hours | None = None  # set where a time of day waits for its day


NOTHING = Span(None, None, "none", "none", weak=True)  # surely no date: keeps its words from others


def month_index(moment: datetime) -> int:
    """Months since year 0, so that months can be added."""
    return moment.year * 12 + moment.month - 1


def from_index(index: int) -> datetime:
    """The first instant of that month. Raises ValueError outside the years 1 to 9999."""
    return datetime(index // 12, index % 12 + 1, 1)


def midnight(moment: datetime) -> datetime:
    """The beginning of that day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def add_months(moment: datetime, months: int) -> datetime:
    """The same day that many months on, or the month's last day where it has no such day."""
    first = from_index(month_index(moment) + months)
    last = (from_index(month_index(first) + 1) - DAY).day
    return first.replace(
        day=min(moment.day, last),
        hour=moment.hour,
        minute=moment.minute,
        second=moment.second,
        microsecond=moment.microsecond,
    )


def box_of(unit: str, moment: datetime, offset: int = 0) -> Box:
    """The calendar unit `offset` units from the one that holds `moment`; weeks begin on Monday."""
    if unit == "hour":
        start = moment.replace(minute=0, second=0, microsecond=0, fold=0)
        return start + offset * HOUR, start + (offset + 1) * HOUR
    if unit in DAYS_IN:
        return _box_of_days(unit, moment, offset)
    size = MONTHS_IN[unit]
    shift = 1 if unit == "season" else 0  # meteorological seasons begin one month early
    first = (month_index(moment) + shift) // size * size - shift + offset * size
    return from_index(first), from_index(first + size)


def _box_of_days(unit: str, moment: datetime, offset: int) -> Box:
    start = midnight(moment)
    if unit == "day":
        return start + offset * DAY, start + (offset + 1) * DAY
    start += (offset * DAYS_IN[unit] - start.weekday()) * DAY
    if unit == "weekend":
        return start + 5 * DAY, start + 7 * DAY
    return start, start + 7 * DAY


def back_from(moment: datetime, count: int, unit: str) -> datetime:
    """The moment `count` units earlier on the wall clock; hours are the clock's business."""
    if unit in DAYS_IN:
        return moment - count * DAYS_IN[unit] * DAY
    return add_months(moment, -count * MONTHS_IN[unit])


def third_of(box: Box, granularity: str, which: int) -> Box:
    """The first, middle or last third: whole months of a year, else every day it touches."""
    start, end = box
    if granularity in ("year", "quarter", "season", "half"):
        size = (month_index(end) - month_index(start)) // 3
        if size:
            first = month_index(start) + which * size
            return from_index(first), end if which == 2 else from_index(first + size)
    days = max((end - start).days, 1)
    return start + (which * days // 3) * DAY, start + -(-(which + 1) * days // 3) * DAY


def part_of_day(day: datetime, part: str) -> Box:
    """Morning 05-12, afternoon 12-17, evening 17-24, night 18 to 06 of the next day."""
    begin, finish = PARTS[part]
    return day + timedelta(hours=begin), day + timedelta(hours=finish)


def box_in_year(bare: Bare, year: int) -> Box:
    """The month, date, quarter, half or season of that year. Raises ValueError if there is none."""
    kind, number, day = bare
    if kind == "date":
        start = datetime(year, number, day)
        return start, start + DAY
    size = MONTHS_IN[kind]
    first = year * 12 + (number - 1) * size
    if kind == "season":  # 1 spring .. 4 winter, which begins in December of the named year
        first = year * 12 + number * 3 - 1
    return from_index(first), from_index(first + size)


def _occurrences(bare: Bare, years: range) -> list[Box]:
    found = []
    for year in years:
        try:
            found.append(box_in_year(bare, year))
        except ValueError:
            continue  # 29 February outside leap years
    return found


def latest(bare: Bare, now: datetime, *, ended: bool = False) -> Box:
    """The latest one that has begun, or that has ended. Raises ValueError when there is none."""
    if bare[0] == "weekday":
        today = midnight(now)
        back = (today.weekday() - bare[1]) % 7
        start = today - (7 if ended and back == 0 else back) * DAY
        return start, start + DAY
    for box in _occurrences(bare, range(now.year, now.year - 9, -1)):
        if (box[1] if ended else box[0]) <= now:
            return box
    raise ValueError("no such date")


def first_from(bare: Bare, moment: datetime) -> Box:
    """The first one that begins at `moment` or later. Raises ValueError when there is none."""
    if bare[0] == "weekday":
        start = midnight(moment)
        if start < moment:
            start += DAY
        start += ((bare[1] - start.weekday()) % 7) * DAY
        return start, start + DAY
    for box in _occurrences(bare, range(moment.year, moment.year + 9)):
        if box[0] >= moment:
            return box
    raise ValueError("no such date")
