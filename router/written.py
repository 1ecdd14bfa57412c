"""Times as callers write them: ISO 8601 from the day on, or a whole month, quarter, week or year.

Light, for the command line reads its options with it.
"""

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

# Anything else, such as 20240601 or 2024, pydantic would take for seconds since 1970.
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:$|[Tt _])")
NO_MOMENT = "is no ISO 8601 time; write the whole date, such as 2024-06-03 or 2024-06-03T09:12:00Z"
PLUS = re.compile(r" [0-9]{2}:?[0-9]{2}$")
LOST_PLUS = "; in an address a + is written %2B"
_WHOLE = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2})|-?[Qq](?P<quarter>[1-4])|-?[Ww](?P<week>[0-9]{2}))?"
)


@dataclass(frozen=True, slots=True)
class Whole:
    """A date that names a whole unit of the calendar."""

    first: str  # its first day
    last: str  # its last second
    granularity: str


def is_moment(value: object) -> bool:
    """Whether it is a time itself, or text that begins with a whole ISO 8601 date."""
    return isinstance(value, datetime) or (isinstance(value, str) and bool(MOMENT.match(value)))


def refusal(value: object) -> str:
    """Why the value is no time, and what to write."""
    lost = isinstance(value, str) and MOMENT.match(value) and PLUS.search(value)
    return NO_MOMENT + (LOST_PLUS if lost else "")


def whole(value: object) -> Whole | None:
    """The unit named by 2024, 2024-06, 2024-Q2 or 2024-W23; None for all else."""
    match = _WHOLE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    try:
        first, last, granularity = _days(match)
    except ValueError:  # month 13, week 60, year 0
        return None
    return Whole(first.isoformat(), f"{last.isoformat()}T23:59:59", granularity)


def with_granularity(
    item: Mapping[str, object], times: Sequence[str], end: str
) -> Mapping[str, object]:
    """The item with whole units in full, and with the granularity of the first of `times` it has.

    `times` are fields in the order in which they say when it happened; `end` is the one that a
    whole unit closes with its last second. A granularity that is given stays.
    """
    units = {name: unit for name in times if (unit := whole(item.get(name)))}
    if not units:
        return item
    told = {name: unit.last if name == end else unit.first for name, unit in units.items()}
    leading = next(name for name in times if item.get(name) is not None)
    if item.get("granularity") is None and leading in units:
        told["granularity"] = units[leading].granularity
    return {**item, **told}


def _days(match: re.Match[str]) -> tuple[date, date, str]:
    year, parts = int(match["year"]), match.groupdict()
    if parts["week"]:
        week = int(parts["week"])
        return date.fromisocalendar(year, week, 1), date.fromisocalendar(year, week, 7), "week"
    if parts["month"]:
        begins, ends, granularity = int(parts["month"]), int(parts["month"]), "month"
    elif parts["quarter"]:
        ends = 3 * int(parts["quarter"])
        begins, granularity = ends - 2, "quarter"
    else:
        begins, ends, granularity = 1, 12, "year"
    return date(year, begins, 1), date(year, ends, monthrange(year, ends)[1]), granularity
