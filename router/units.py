"""The unit of the calendar that holds a moment, for times that are known to a unit only. Pure."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from router.understand.grammar.calendar import (
    DAY,
    PARTS,
    Box,
    box_of,
    midnight,
    part_of_day,
)
from router.understand.grammar.clock import local_now, to_utc

SHORT = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
OF_DAY = ("morning", "afternoon", "evening")  # the rest is night, which goes on past midnight


def unit_of(granularity: str | None, moment: datetime, zone: ZoneInfo) -> Box | None:
    """The minute, day, month … that holds the aware moment in that zone: [start, end) in UTC.

    A weekend is that of the moment's week. None without a unit wider than a second, and where its
    end falls outside the years 1 to 9999.
    """
    if granularity is None or granularity == "second":
        return None
    try:
        local = local_now(moment, zone)
        if granularity in SHORT:  # in real time, for a clock that is set back tells an hour twice
            past = timedelta(seconds=local.second, microseconds=local.microsecond)
            past += timedelta(minutes=local.minute) if granularity == "hour" else timedelta()
            return moment - past, moment - past + SHORT[granularity]
        box = _part(local) if granularity == "part_of_day" else box_of(granularity, local)
        return to_utc(box[0], zone), to_utc(box[1], zone)
    except (OverflowError, ValueError):
        return None


def _part(local: datetime) -> Box:
    day = midnight(local)
    for part in OF_DAY:
        if PARTS[part][0] <= local.hour < PARTS[part][1]:
            return part_of_day(day, part)
    return part_of_day(day - DAY, "night")
