"""Days, weeks and months as stretches of a bank's own calendar. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

Name = Literal["day", "week", "month"]
NAMES: Final[tuple[Name, ...]] = ("day", "week", "month")  # each is made of the one before it
MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
WEEKDAYS: Final = (
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
)  # fmt: skip
FIRST, LAST = date(1, 1, 8), date(9999, 11, 30)  # beyond them a week or month may leave the years


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A day, a week from Monday on, or a month."""

    starts: date
    name: Name

    @property
    def ends(self) -> date:
        """The first day after it."""
        match self.name:
            case "day":
                return self.starts + timedelta(days=1)
            case "week":
                return self.starts + timedelta(days=7)
            case "month":
                return (self.starts + timedelta(days=31)).replace(day=1)

    @property
    def id(self) -> str:
        """Id of the memory that sums it up."""
        return f"summary:{self.name}:{self.starts.isoformat()}"

    @property
    def words(self) -> str:
        """As people name it: Tuesday 3 June 2025, Week of 2 June 2025, June 2025."""
        month = f"{MONTHS[self.starts.month - 1]} {self.starts.year}"
        match self.name:
            case "day":
                return f"{WEEKDAYS[self.starts.weekday()]} {self.starts.day} {month}"
            case "week":
                return f"Week of {self.starts.day} {month}"
            case "month":
                return month

    def bounds(self, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Its start and end, UTC, in a place of that time zone."""
        start, end = (
            datetime.combine(day, time(), zone).astimezone(UTC) for day in (self.starts, self.ends)
        )
        return start, end

    @property
    def below(self) -> Name | None:
        """What it is made of: weeks, days, or nothing but memories."""
        place = NAMES.index(self.name)
        return NAMES[place - 1] if place else None


def period_of(name: Name, day: date) -> Period:
    """The period of that name that the day lies in."""
    match name:
        case "day":
            return Period(day, name)
        case "week":
            return Period(day - timedelta(days=day.weekday()), name)
        case "month":
            return Period(day.replace(day=1), name)


def touched(days: Iterable[date], names: Sequence[Name], zone: ZoneInfo) -> list[Period]:
    """Periods that hold a moment of the days, which are days in UTC: days first, months last."""
    local = {moment.astimezone(zone).date() for day in days for moment in _ends_of(day)}
    found = {period_of(name, day) for name in names for day in local if FIRST <= day <= LAST}
    return sorted(found, key=lambda period: (NAMES.index(period.name), period.starts))


def _ends_of(day: date) -> tuple[datetime, ...]:
    if not FIRST <= day <= LAST:
        return ()
    start = datetime.combine(day, time(), UTC)
    return start, start + timedelta(days=1) - timedelta(microseconds=1)
