"""The table: each expression gives its window under three clocks in three zones, or none."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from channels.errors import BadInput
from router.understand.customs import Customs
from router.understand.time import dates_in_text, find_window
from tests.router.understand import form_rows, hour_rows, no_time_rows, time_rows

CLOCKS = {
    "midweek": (
        datetime(2025, 6, 11, 15, 30),
        "Europe/Berlin",
        time_rows.MIDWEEK + hour_rows.MIDWEEK,
    ),
    "sunday": (
        datetime(2025, 3, 9, 20),
        "America/New_York",  # whose clocks went forward that night
        time_rows.SUNDAY + hour_rows.SUNDAY,
    ),
    "new_year": (
        datetime(2024, 1, 1, 9),
        "Asia/Tokyo",
        time_rows.NEW_YEAR + hour_rows.NEW_YEAR,
    ),
    "thursday": (datetime(2026, 3, 12, 10, 20), "Europe/Berlin", form_rows.THURSDAY),
}
ZONES = sorted({zone for _, zone, _ in CLOCKS.values()})
POSITIVES = [
    (clock, *(cell.strip() for cell in row.split("|")))
    for clock, (_, _, rows) in CLOCKS.items()
    for row in filter(None, rows.splitlines())
]
NEGATIVES = (no_time_rows.NEGATIVES + hour_rows.NEGATIVES + form_rows.NEGATIVES).split("\n")
NEGATIVES = [row for row in NEGATIVES if row]
WEDNESDAY = datetime(2025, 6, 11, 15, 30, tzinfo=UTC)


def instant(written: str, zone: str) -> datetime | None:
    if written == "..":
        return None
    if len(written) == 13:
        written += ":00"
    return datetime.fromisoformat(written).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


def test_table_is_large_enough():
    assert len(POSITIVES) >= 520
    assert len(NEGATIVES) >= 220
    assert len(set(POSITIVES)) == len(POSITIVES)


@pytest.mark.parametrize(("clock", "text", "start", "end"), POSITIVES)
def test_expression_gives_its_window(clock, text, start, end):
    local, zone, _ = CLOCKS[clock]
    window = find_window(text, local.replace(tzinfo=ZoneInfo(zone)), zone)
    assert window is not None
    assert (window.start, window.end) == (instant(start, zone), instant(end, zone))
    assert window.text in text
    assert 0 < window.confidence <= 1


@pytest.mark.parametrize("zone", ZONES)
def test_expression_means_the_same_local_time_in_every_zone(zone):
    wrong = []
    for clock, text, start, end in POSITIVES:
        local = CLOCKS[clock][0].replace(tzinfo=ZoneInfo(zone))
        window = find_window(text, local, zone)
        read = window and (window.start, window.end)
        if read != (instant(start, zone), instant(end, zone)) and "Z" not in text:
            wrong.append(f"{clock}: {text}: {read}")
    assert wrong == []


@pytest.mark.parametrize("text", NEGATIVES)
@pytest.mark.parametrize("clock", CLOCKS)
def test_words_that_are_no_dates_give_no_window(clock, text):
    local, zone, _ = CLOCKS[clock]
    assert find_window(text, local.replace(tzinfo=ZoneInfo(zone)), zone) is None


QUESTION_SHAPED = """
What did I do last Monday? | 2025-06-09 | 2025-06-10
What did we decide two weeks ago? | 2025-05-26 | 2025-06-02
Which books did I read in March? | 2025-03-01 | 2025-04-01
What did the team ship the week before last? | 2025-05-26 | 2025-06-02
Who phoned yesterday evening? | 2025-06-10T17 | 2025-06-11
How did sales develop since Q3? | 2024-07-01 | ..
What was agreed on 3/4/2025? | 2025-03-04 | 2025-03-05
What was that film you named the other day? | 2025-05-28T15:30 | 2025-06-11T15:30
What did we change before the launch? | none | none
How much did I run between June and August 2023? | 2023-06-01 | 2023-09-01
Worüber haben wir letzten Montag gesprochen? | 2025-06-09 | 2025-06-10
I may need the key, who has it? | none | none
What went wrong last week? | 2025-06-02 | 2025-06-09
What did I spend last month? | 2025-05-01 | 2025-06-01
What did I eat this morning? | 2025-06-11T05 | 2025-06-11T12
Whom did I meet a couple of days ago? | 2025-06-09 | 2025-06-10
Where did we travel last summer? | 2024-06-01 | 2024-09-01
Where did I live in 2023? | 2023-01-01 | 2024-01-01
What happened on March 3rd? | 2025-03-03 | 2025-03-04
What have I learned over the past 10 days? | 2025-06-01T15:30 | 2025-06-11T15:30
What did we cook last weekend? | 2025-06-07 | 2025-06-09
What did the log say on 2025-05-17? | 2025-05-17 | 2025-05-18
How was I feeling at the end of April? | 2025-04-21 | 2025-05-01
What did Ida present three Fridays ago? | 2025-05-23 | 2025-05-24
Who visited on Friday? | 2025-06-06 | 2025-06-07
Which tasks were open until last Thursday? | .. | 2025-06-06
¿Qué compramos hace dos semanas? | 2025-05-26 | 2025-06-02
Qu'avons-nous mangé il y a trois jours ? | 2025-06-08 | 2025-06-09
我昨天吃了什么？ | 2025-06-10 | 2025-06-11
Is the second sun icon ours? | none | none
What does April like to drink? | none | none
Does v3.12.1 still listen on port 2024? | none | none
Do we march with them? | none | none
How many talks did I give in the first half of 2024? | 2024-01-01 | 2024-07-01
"""


@pytest.mark.parametrize("row", QUESTION_SHAPED.strip().splitlines())
def test_question_shaped_sentence_gives_its_window(row):
    text, start, end = (cell.strip() for cell in row.split("|"))
    window = find_window(text, WEDNESDAY)
    if start == "none":
        assert window is None
    else:
        assert window is not None
        assert (window.start, window.end) == (instant(start, "UTC"), instant(end, "UTC"))


def test_slash_date_follows_the_setting():
    window = find_window("on 3/4/2025", WEDNESDAY, "UTC", Customs("day_first"))
    assert window is not None
    assert window.start == datetime(2025, 4, 3, tzinfo=UTC)


def test_soft_words_are_guesses_and_give_way():
    soft = find_window("what have we done recently", WEDNESDAY)
    firm = find_window("what have we done recently, since March", WEDNESDAY)
    assert soft is not None
    assert soft.confidence <= 0.4
    assert firm is not None
    assert firm.start == datetime(2025, 3, 1, tzinfo=UTC)


def test_what_stands_between_a_day_and_its_hour_is_no_part_of_the_time():
    window = find_window("how was yesterday's call at 3pm?", WEDNESDAY)
    assert window is not None
    assert window.start == datetime(2025, 6, 10, 15, tzinfo=UTC)
    assert window.text == "yesterday"


def test_range_wins_over_a_single_date():
    window = find_window("yesterday you said: between June and August 2023", WEDNESDAY)
    assert window is not None
    assert window.start == datetime(2023, 6, 1, tzinfo=UTC)


def test_unknown_zone_is_named_as_bad_input():
    for zone in ("Mars/Olympus", "", "../etc", "America"):
        with pytest.raises(BadInput) as refused:
            find_window("yesterday", WEDNESDAY, zone)
        assert refused.value.field == "timezone"


def test_clock_without_offset_is_bad_input():
    with pytest.raises(BadInput) as refused:
        find_window("yesterday", datetime(2025, 6, 11))
    assert refused.value.field == "now"


def test_day_on_which_the_clocks_change_has_23_or_25_hours():
    for day, hours in (("2025-03-30", 23), ("2025-10-26", 25)):
        window = find_window(f"on {day}", WEDNESDAY, "Europe/Berlin")
        assert window is not None
        assert window.start is not None
        assert window.end is not None
        assert (window.end - window.start).total_seconds() == hours * 3600


@pytest.mark.parametrize(
    ("now", "zone", "text", "hours"),
    [
        ("2025-03-09T09:00", "America/New_York", "last night", 11),
        ("2025-11-02T09:00", "America/New_York", "last night", 13),
        ("2025-03-30T09:00", "Europe/Berlin", "yesterday night", 11),
        ("2025-10-26T09:00", "Europe/Berlin", "yesterday night", 13),
        ("2025-03-30T09:00", "Europe/Berlin", "last week", 7 * 24),
        ("2025-04-02T09:00", "Europe/Berlin", "last week", 7 * 24 - 1),
        ("2025-03-30T09:00", "Europe/Berlin", "between 1 and 4 am today", 2),
        ("2025-10-26T09:00", "Europe/Berlin", "between 1 and 4 am today", 4),
        ("2025-10-26T09:00", "Europe/Berlin", "at 2am today", 2),
        ("2025-06-11T09:00", "Asia/Tokyo", "last night", 12),
    ],
)
def test_night_on_which_the_clocks_change_is_as_long_as_it_was(now, zone, text, hours):
    local = datetime.fromisoformat(now).replace(tzinfo=ZoneInfo(zone))
    window = find_window(text, local, zone)
    assert window is not None
    assert window.start is not None
    assert window.end is not None
    assert (window.end - window.start).total_seconds() == hours * 3600


def test_hour_that_the_clocks_left_out_is_no_window():
    now = datetime(2025, 3, 30, 9, tzinfo=ZoneInfo("Europe/Berlin"))
    assert find_window("at 2am today", now, "Europe/Berlin") is None


def test_past_hours_are_real_hours_across_a_clock_change():
    now = datetime(2025, 3, 30, 3, tzinfo=UTC)  # 05:00 in Berlin, two hours after the change
    window = find_window("in the past 6 hours", now, "Europe/Berlin")
    assert window is not None
    assert window.start == datetime(2025, 3, 29, 21, tzinfo=UTC)
    assert window.end == now


def test_yesterday_follows_the_callers_zone():
    now = datetime(2025, 6, 11, 9, tzinfo=UTC)
    plain = find_window("what happened yesterday", now)
    tokyo = find_window("what happened yesterday", now, "Asia/Tokyo")
    assert plain is not None
    assert tokyo is not None
    assert (plain.start, plain.end) == (
        datetime(2025, 6, 10, tzinfo=UTC),
        datetime(2025, 6, 11, tzinfo=UTC),
    )
    assert (tokyo.start, tokyo.end) == (
        datetime(2025, 6, 9, 15, tzinfo=UTC),
        datetime(2025, 6, 10, 15, tzinfo=UTC),
    )


def test_memory_names_its_years_without_a_clock():
    text = "Born 18 September 1976, coach from 2004 to 2005 and again (2015-2017); retired in 1990."
    years = [(w.start.year, w.end.year) for w in dates_in_text(text, None) if w.start and w.end]
    assert years == [(1976, 1976), (2004, 2006), (2015, 2018), (1990, 1991)]


def test_memory_keeps_relative_words_only_when_its_date_is_known():
    text = "Yesterday I ran 10 km; in May 2023 I ran 2000 m."
    assert [window.text for window in dates_in_text(text, None)] == ["May 2023"]
    dated = dates_in_text(text, WEDNESDAY)
    assert [window.text for window in dated] == ["Yesterday", "May 2023"]
    assert dated[0].start == datetime(2025, 6, 10, tzinfo=UTC)


def test_memory_gives_at_most_32_dates():
    text = " ".join(f"{day} May 2023;" for day in range(1, 32)) * 3
    assert len(dates_in_text(text, None)) == 32


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        ("Tel. 0171 1987 2034", []),
        ("IBAN DE02 1203 2000 1999", []),
        ("Card 4111 1990 2000 1234", []),
        ("call +1 415 555 1999 or flight LH 2024", []),
        ("width 1920 height 1080", []),
        ("population 1987, 1650 m above sea", []),
        ("He ran 1500 in 4:10", []),
        ("sold 1800 last year", ["last year"]),
        ("Only 3 may attend, which of the 5 may fail", []),
        ("Das Passwort ist hier gespeichert.", []),
        ("Julio le dijo a Abril que no.", []),
        ("built in 1066, burnt 1666", ["1066", "1666"]),
        ("nurse 06/2014 - 09/2017", ["06/2014 - 09/2017"]),
        ("nurse, Jun-Sep 2014", ["Jun-Sep 2014"]),
        ("lived in Graz 2008, in Linz 2012-2013", ["2008", "2012-2013"]),
        ("2020年之前他在上海", ["2020年之前"]),
        ("2024年の夏に結婚した", ["2024年の夏"]),
    ],
)
def test_numbers_and_names_of_a_memory_are_no_dates(text, windows):
    assert [window.text for window in dates_in_text(text, WEDNESDAY)] == windows
