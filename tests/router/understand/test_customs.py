"""Banks whose people write the day first, or live where summer begins in December."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from router.store.banks import BankConfig
from router.understand.customs import Customs
from router.understand.time import dates_in_text, find_window

NOW = datetime(2025, 6, 11, 15, 30, tzinfo=UTC)
DAY_FIRST = Customs(date_order="day_first")
SOUTHERN = Customs(seasons="southern")


def days(text: str, customs: Customs, now: datetime = NOW) -> tuple[str, str]:
    window = find_window(text, now, "UTC", customs)
    assert window is not None, text
    return f"{window.start:%Y-%m-%d}", f"{window.end:%Y-%m-%d}"


@pytest.mark.parametrize(
    ("text", "month_first", "day_first"),
    [
        ("on 3/4/2025", "2025-03-04", "2025-04-03"),
        ("on 03-04-2025", "2025-03-04", "2025-04-03"),
        ("on 3/4", "2025-03-04", "2025-04-03"),
        ("on 13/4/2025", "2025-04-13", "2025-04-13"),
        ("on 4/13/2025", "2025-04-13", "2025-04-13"),
        ("on 3.4.2025", "2025-04-03", "2025-04-03"),
        ("on 2025-03-04", "2025-03-04", "2025-03-04"),
    ],
)
def test_order_decides_only_where_both_readings_exist(text, month_first, day_first):
    assert days(text, Customs())[0] == month_first
    assert days(text, DAY_FIRST)[0] == day_first


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("last summer", "2024-12-01", "2025-03-01"),
        ("last winter", "2024-06-01", "2024-09-01"),
        ("this winter", "2025-06-01", "2025-09-01"),
        ("in the spring", "2024-09-01", "2024-12-01"),
        ("in autumn", "2025-03-01", "2025-06-01"),
        ("summer 2023", "2023-12-01", "2024-03-01"),
        ("winter of 2024", "2024-06-01", "2024-09-01"),
        ("next spring", "2025-09-01", "2025-12-01"),
        ("letzten Sommer", "2024-12-01", "2025-03-01"),
        ("l'été dernier", "2024-12-01", "2025-03-01"),
        ("el verano pasado", "2024-12-01", "2025-03-01"),
        ("去年夏天", "2024-12-01", "2025-03-01"),
        ("昨年の夏", "2024-12-01", "2025-03-01"),
    ],
)
def test_southern_seasons_lie_half_a_year_apart(text, start, end):
    assert days(text, SOUTHERN) == (start, end)


def test_running_summer_of_the_south_is_this_one():
    january = datetime(2025, 1, 20, tzinfo=UTC)
    assert days("this summer", SOUTHERN, january) == ("2024-12-01", "2025-03-01")


def test_dates_inside_memories_follow_the_same_customs():
    text = "Paid on 3/4/2025; the roof was done in summer 2023."
    found = dates_in_text(text, NOW, "UTC", Customs("day_first", "southern"))
    assert [f"{date.start:%Y-%m-%d}" for date in found] == ["2025-04-03", "2023-12-01"]


@pytest.mark.parametrize(
    "config", [{"date_order": "dmy"}, {"seasons": "tropical"}, {"date_order": None}]
)
def test_unknown_customs_are_refused_by_name(config):
    with pytest.raises(ValidationError) as refused:
        BankConfig.model_validate(config)
    assert refused.value.errors()[0]["loc"] == tuple(config)
