"""How near a memory's time is to a window, and what age has left of it."""

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Window
from channels.decay import Decay
from channels.times import Times, nearness, retention
from tests.channels.world import NOW, at

MAY = Window(at("2023-05-01"), at("2023-06-01"), "month", "in May 2023", 0.9, "month")
moments = st.datetimes(at("1990-01-01").replace(tzinfo=None), at("2050-01-01").replace(tzinfo=None))


def known(start=None, end=None, intervals=(), *, kind="turn", stability=None) -> Times:
    return Times(
        at(start) if start else None,
        at(end or start) if start else None,
        kind,
        stability,
        False,
        tuple((at(first), at(last)) for first, last in intervals),
    )


@pytest.mark.parametrize(
    ("start", "near"),
    [
        ("2023-05-01", 1.0),
        ("2023-05-31T23:59:59", 1.0),
        ("2023-06-01", 1.0),  # the end is outside, but at no distance
        ("2023-07-01", math.exp(-1)),  # 30 days after
        ("2023-04-24", math.exp(-1)),  # 7 days before
        ("2023-04-30T12:00:00", math.exp(-0.5 / 7)),
    ],
)
def test_nearness_of_a_moment_is_as_by_hand(start, near):
    assert nearness(MAY, known(start)) == pytest.approx(near, abs=1e-6)


@pytest.mark.parametrize("start", ["2023-06-01", "2023-04-30T23:59:59"])
def test_only_what_is_inside_is_wholly_near(start):
    assert nearness(MAY, known(start)) < 1.0


def test_a_month_that_ends_where_the_window_begins_is_not_inside():
    april, may = ("2023-04-01", "2023-05-01"), ("2023-05-10", "2023-05-11")
    assert nearness(MAY, known(intervals=[april])) < 1.0
    assert nearness(MAY, known(*april)) < 1.0
    assert nearness(MAY, known(intervals=[may])) == 1.0


def test_a_coarse_date_is_near_with_any_of_its_days():
    spring = known("2023-03-01", "2023-05-02")
    assert nearness(MAY, spring) == 1.0
    assert nearness(MAY, known("2023-03-01")) == pytest.approx(math.exp(-61 / 7))


def test_the_nearest_of_own_time_and_dates_in_the_text_counts():
    told_later = known(
        "2023-12-01", intervals=[("2021-01-01", "2021-02-01"), ("2023-05-09", "2023-05-10")]
    )
    assert nearness(MAY, told_later) == 1.0


def test_a_memory_without_any_time_is_near_nothing_and_wholly_faded():
    assert nearness(MAY, known()) == 0.0
    assert retention(Decay(), NOW, known()) == 0.0


def test_an_open_window_is_near_on_its_open_side():
    since = Window(at("2023-05-01"), None, "range", "since May", 0.9, "since")
    until = Window(None, at("2023-05-01"), "range", "before May", 0.9, "before")
    assert nearness(since, known("2031-01-01")) == 1.0
    assert nearness(until, known("1999-01-01")) == 1.0
    assert nearness(until, known("2023-05-31")) == pytest.approx(math.exp(-1))


def test_age_is_counted_in_fractions_of_a_day_and_the_future_is_now():
    half_day = NOW - timedelta(hours=12)
    times = Times(half_day, half_day, "turn", None, False, ())
    assert retention(Decay("exponential", 1.0), NOW, times) == pytest.approx(0.5**0.5)
    tomorrow = Times(NOW + timedelta(days=1), None, "turn", None, False, ())
    assert retention(Decay("exponential", 1.0), NOW, tomorrow) == 1.0


def test_a_memorys_own_stability_is_used():
    month_ago = NOW - timedelta(days=30)
    times = Times(month_ago, month_ago, "turn", 30.0, False, ())
    assert retention(Decay("fsrs"), NOW, times) == pytest.approx(0.9)


@given(moments, moments, st.timedeltas(timedelta(0), timedelta(days=400)))
def test_one_more_interval_never_takes_a_memory_away_from_a_window(own, other, length):
    plain = known(own.isoformat())
    starts = at(other.isoformat())
    more = Times(plain.start, plain.end, "turn", None, False, ((starts, starts + length),))
    assert 0.0 <= nearness(MAY, plain) <= nearness(MAY, more) <= 1.0
