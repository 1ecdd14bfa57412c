"""The unit of the calendar that holds a moment."""

from datetime import UTC, datetime, timedelta
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.items import Granularity
from router.units import unit_of

ZONES = [ZoneInfo(name) for name in ("UTC", "Europe/Vienna", "America/New_York", "Asia/Tokyo")]
moments = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
units = st.sampled_from([name for name in get_args(Granularity) if name != "second"])


@given(units.filter("weekend".__ne__), moments, st.sampled_from(ZONES))
def test_a_unit_holds_its_moment(granularity: str, moment: datetime, zone: ZoneInfo) -> None:
    box = unit_of(granularity, moment, zone)
    assert box is not None
    assert box[0] <= moment < box[1]
    assert unit_of(granularity, box[0], zone) == box or granularity == "part_of_day"


@pytest.mark.parametrize(
    ("granularity", "start", "end"),
    [
        ("hour", "2024-06-15T22", "2024-06-15T23"),
        ("part_of_day", "2024-06-15T15", "2024-06-15T22"),  # 17 to 24 in Vienna is 15 to 22
        ("day", "2024-06-15T22", "2024-06-16T22"),  # half past midnight of the 16th in Vienna
        ("week", "2024-06-09T22", "2024-06-16T22"),
        ("weekend", "2024-06-14T22", "2024-06-16T22"),
        ("month", "2024-05-31T22", "2024-06-30T22"),
        ("quarter", "2024-03-31T22", "2024-06-30T22"),
        ("season", "2024-05-31T22", "2024-08-31T22"),
        ("half", "2023-12-31T23", "2024-06-30T22"),
        ("year", "2023-12-31T23", "2024-12-31T23"),
        ("decade", "2019-12-31T23", "2029-12-31T23"),
    ],
)
def test_units_are_those_of_the_zone(granularity: str, start: str, end: str) -> None:
    moment = datetime(2024, 6, 15, 22, 30, tzinfo=UTC)
    if granularity == "part_of_day":
        moment = datetime(2024, 6, 15, 17, tzinfo=UTC)
    box = unit_of(granularity, moment, ZoneInfo("Europe/Vienna"))
    assert box is not None
    assert [edge.strftime("%Y-%m-%dT%H") for edge in box] == [start, end]


def test_an_hour_told_twice_is_the_one_that_was_meant() -> None:
    later = datetime(2024, 10, 27, 1, 30, tzinfo=UTC)  # 02:30 in Vienna for the second time
    box = unit_of("hour", later, ZoneInfo("Europe/Vienna"))
    assert box == (later - timedelta(minutes=30), later + timedelta(minutes=30))


def test_a_night_goes_on_past_midnight() -> None:
    box = unit_of("part_of_day", datetime(2024, 6, 16, 2, tzinfo=UTC), ZONES[0])
    assert box == (datetime(2024, 6, 15, 18, tzinfo=UTC), datetime(2024, 6, 16, 6, tzinfo=UTC))


@pytest.mark.parametrize("granularity", [None, "second"])
def test_a_moment_is_no_unit(granularity: str | None) -> None:
    assert unit_of(granularity, datetime(2024, 6, 1, tzinfo=UTC), ZONES[0]) is None


def test_a_unit_that_ends_behind_the_calendar_is_none() -> None:
    assert unit_of("decade", datetime(9999, 12, 31, tzinfo=UTC), ZONES[0]) is None
