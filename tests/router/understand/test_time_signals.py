"""Signs of asking for a date or the newest, time words, and cases D01 to D04, D06, D08."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from router.understand.time import (
    asks_for_date,
    dates_in_text,
    find_window,
    has_time_expression,
    recency_asked,
)

NOW = datetime(2025, 6, 11, 9, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    "text",
    [
        "When did we sign the lease?",
        "when is the dentist",
        "Do you know when Ida moved?",
        "how long ago did the build break",
        "How long have I lived here?",
        "how many days passed between the two visits",
        "What day was the concert?",
        "what time did I wake up",
        "Which year did I finish school?",
        "In what month did we start?",
        "since when do I work there",
        "Wann haben wir unterschrieben?",
        "Quand avons-nous signé ?",
        "¿Cuándo firmamos?",
        "我什么时候去的北京",
        "いつ会いましたか",
        "когда мы встретились",
        "how long is the drive",
        "how long was the fence broken",
        "how long was the car in the garage",
        "how long did the curtains last",
        "what time of day did she call",
        "what is the date of the talk",
    ],
)
def test_question_for_a_date_is_seen(text):
    assert asks_for_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "When I was at the lake, what did we eat?",
        "what do I like when it rains",
        "where did I live when the war began",
        "who is Ida",
        "what did I do yesterday",
        "what is my favourite film",
        "time series library",
        "update the calendar widget",
        "how long is the fence",
        "how long is the fence around the garden?",
        "how long is Lena's hair",
        "how long a rope do I need",
        "how long should the password be",
        "what time zone",
        "what's the time zone of the server",
        "what day care does Tom go to",
        "what date format do we use",
        "which season pass did I buy",
        "いつも何を食べますか",
        "いつか行きたい場所は",
        "",
    ],
)
def test_question_for_something_else_asks_for_no_date(text):
    assert not asks_for_date(text)


@pytest.mark.parametrize(
    ("text", "recency"),
    [
        ("what have I read recently", "recent"),
        ("what's the latest on the move", "recent"),
        ("where do I live now?", "recent"),
        ("最近我在看什么书", "recent"),
        ("the last thing about Rust", "last"),
        ("what did we talk about last?", "last"),
        ("last time we discussed the budget", "last"),
        ("which song did I play most recently", "last"),
        ("上次我们聊了什么", "last"),
        ("the last name of Ida", "none"),
        ("what did I do last week", "none"),
        ("who called last", "last"),
        ("which of my plants did I water last?", "last"),
        ("do you know which song we played last", "last"),
        ("how long does it last", "none"),
        ("how long did the siege last?", "none"),
        ("for how many days did the trip to Gent last", "none"),
        ("what did she say the illness would last", "none"),
        ("did the peace last?", "none"),
        ("what makes a friendship last", "none"),
        ("who came in last in the race", "none"),
        ("what now remains unknown of it", "none"),
        ("", "none"),
    ],
)
def test_recency_is_read(text, recency):
    assert recency_asked(text) == recency


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "we met last week",
        "on Friday",
        "see you tomorrow",
        "2022",
        "May 7",
        "昨天",
        "gestern",
    ],
)
def test_time_word_is_seen(text):
    assert has_time_expression(text)


@pytest.mark.parametrize("text", ["tea", "port 9077", "may I come", "the sun", "v3.12.1", ""])
def test_other_words_are_no_time_words(text):
    assert not has_time_expression(text)


def test_d01_short_words_set_no_window():
    window = find_window("tell me what we decided on 2025-03-10", NOW)
    assert window is not None
    assert (window.start, window.end) == (
        datetime(2025, 3, 10, tzinfo=UTC),
        datetime(2025, 3, 11, tzinfo=UTC),
    )
    for text in ("what did we discuss", "me", "did", "do", "so", "am", "we do so, did I, am I"):
        assert find_window(text, NOW) is None


@pytest.mark.parametrize(
    "text",
    [
        "is the indexer listening on port 9077",
        "ticket 2048 status",
        "release 3.12.1 notes",
        "top 10 errors",
    ],
)
def test_d02_bare_number_is_no_date(text):
    assert find_window(text, NOW) is None
    assert not has_time_expression(text)
    assert dates_in_text(text, NOW) == ()


def test_d03_months_and_days_as_other_words_are_no_dates():
    for text in (
        "I may need the token, where is it?",
        "Should we march ahead?",
        "Did April approve it?",
        "the sun theme",
        "Do you have a car",
    ):
        assert find_window(text, NOW) is None
    for text in ("in May", "on Sunday", "April 2024"):
        assert find_window(text, NOW) is not None


@pytest.mark.parametrize("server_zone", ["Pacific/Midway", "Pacific/Kiritimati"])
def test_d04_yesterday_is_the_callers_not_the_servers(server_zone):
    program = (
        "from datetime import UTC, datetime\n"
        "from router.understand.time import find_window\n"
        "now = datetime(2025, 6, 11, 9, tzinfo=UTC)\n"
        "for zone in ('UTC', 'Asia/Tokyo'):\n"
        "    window = find_window('what happened yesterday', now, zone)\n"
        "    print(window.start.isoformat(), window.end.isoformat())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "TZ": server_zone},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == [
        "2025-06-10T00:00:00+00:00 2025-06-11T00:00:00+00:00",
        "2025-06-09T15:00:00+00:00 2025-06-10T15:00:00+00:00",
    ]


def test_d06_what_did_we_talk_about_last_asks_for_order():
    text = "do you remember what we talked about last?"
    assert recency_asked(text) == "last"
    assert find_window(text, NOW) is None


@pytest.mark.parametrize(
    "text", ["change the new button colour", "update policy for current users"]
)
def test_d08_new_and_current_are_no_time_words(text):
    assert find_window(text, NOW) is None
    assert recency_asked(text) == "none"
    assert not has_time_expression(text)
    assert not asks_for_date(text)


@pytest.mark.shared
def test_flagged_questions_of_the_development_sets_get_windows(shared_data):
    shares = {}
    for name in ("locomo", "realtalk", "longmemeval_pool"):
        lines = (shared_data / "retrieval" / name / "queries.jsonl").read_text("utf-8").splitlines()
        flagged = [row for row in map(json.loads, lines) if row["meta"].get("time_expression")]
        found = [row for row in flagged if find_window(row["text"], NOW)]
        shares[name] = len(found) / len(flagged)
    assert min(shares.values()) >= 0.9, shares


MESSY_WINDOWS = """
4月27号 4月27日 4月28号 4月30号 5月1号 5月2号 5月3号 5月3日 5月6日
April_27th April_28th April_30th April_8,_2023 May_1st May_2nd May_4th May_6th
april 2018 Spring recently с_1924
"""  # each read in its line: all are dates, none a number, a name or an identifier


@pytest.mark.shared
def test_messy_questions_give_windows_only_for_dates(shared_data):
    lines = (shared_data / "messy_queries.jsonl").read_text("utf-8").splitlines()
    windows = [find_window(json.loads(line)["text"], NOW) for line in lines]
    found = {window.text for window in windows if window}
    assert found == {text.replace("_", " ") for text in MESSY_WINDOWS.split()}
