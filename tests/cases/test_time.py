"""Development cases on time: what is a window, whose yesterday, and what it does to the order."""

import os
import time
from datetime import UTC, datetime

import pytest

from tests.router.world import World, heard, memory, shown, trace, votes

FILLERS = [
    memory(f"f{number}", text, f"2025-{month:02d}-{day:02d}T09:00:00Z")
    for number, (text, month, day) in enumerate(
        [
            ("Bought a second monitor for the office", 1, 14),
            ("The lease for the coffee machine was renewed", 1, 20),
            ("Nadia joined the support team", 1, 28),
            ("Moved the backups to another region", 2, 4),
            ("Wrote a guide for new colleagues", 2, 11),
            ("The login page got a dark theme", 2, 18),
            ("Discussed salaries with the finance team", 2, 25),
            ("Fixed a leak in the image cache", 3, 3),
            ("The customer in Graz asked for a discount", 3, 10),
            ("Tried a new recipe with lentils", 3, 17),
            ("Upgraded the database driver", 3, 24),
            ("Planned the summer outing to the lake", 3, 31),
            ("The printer on the second floor is broken", 4, 7),
            ("Reviewed the draft of the privacy policy", 4, 14),
            ("Interviewed two candidates for operations", 4, 21),
            ("Removed the old payment provider", 4, 28),
            ("The certificate of the mail server expired", 5, 2),
            ("Sent flowers to Oskar after his surgery", 5, 6),
            ("Compared three queue systems", 5, 12),
            ("Load test of the search page went well", 5, 15),
            ("Changed the colour of the buttons", 5, 19),
            ("The intern presented her results", 5, 21),
            ("Cleaned up unused feature flags", 5, 23),
            ("Ordered new chairs", 5, 26),
            ("Talked with legal about the archive", 5, 28),
            ("Rewrote the deployment notes", 5, 30),
            ("Checked the alarm thresholds", 6, 2),
            ("Booked the train to Linz", 6, 4),
            ("The newsletter went out with a typo", 6, 5),
            ("Paid the invoice of the electrician", 6, 6),
        ]
    )
]


def window_of(world: World, question: str, **options: object) -> tuple[str, str] | None:
    answer = world.ask(world.bank(), question, **options)
    window = answer.read.window
    if window is None:
        return None
    return str(window.start)[:16], str(window.end)[:16]


def test_everyday_word_that_abbreviates_a_weekday_sets_no_window(world: World) -> None:
    """D01, table."""
    bank = world.bank()
    dated = world.ask(bank, "tell me what we decided on 2025-03-10").read.window
    assert dated is not None
    assert (str(dated.start)[:10], str(dated.end)[:10]) == ("2025-03-10", "2025-03-11")
    for question in ("what did we discuss", "tell me more", "what did it do", "so am I right"):
        answer = world.ask(bank, question)
        assert answer.read.window is None
        assert answer.types["temporal"] < 0.5, question


@pytest.mark.parametrize(
    "question",
    [
        "is the indexer listening on port 9077",
        "ticket 2048 status",
        "release 3.12.1 notes",
        "top 10 errors",
    ],
)
def test_bare_number_is_no_date(world: World, question: str) -> None:
    """D02, table."""
    assert window_of(world, question) is None


@pytest.mark.parametrize(
    "question",
    [
        "I may need the token, where is it?",
        "Should we march ahead?",
        "Did April approve it?",
        "the sun theme",
        "Do you have a car",
    ],
)
def test_month_and_day_words_used_otherwise_set_no_window(world: World, question: str) -> None:
    """D03, table."""
    assert window_of(world, question) is None


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("what broke in May?", "2025-05-01"),
        ("what broke on Sunday?", "2025-06-08"),
        ("what broke in April 2024?", "2024-04-01"),
    ],
)
def test_month_and_day_words_used_as_times_set_one(world: World, question: str, start: str) -> None:
    """D03, table."""
    window = window_of(world, question)
    assert window is not None
    assert window[0].startswith(start)


@pytest.mark.parametrize("server_zone", ["Pacific/Midway", "Pacific/Kiritimati"])
def test_yesterday_is_the_callers_not_the_servers(
    world: World, server_zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D04, table."""
    at = {"asked_at": datetime(2025, 6, 11, 9, tzinfo=UTC)}
    monkeypatch.setenv("TZ", server_zone)
    time.tzset()
    try:
        question = "what happened yesterday"
        assert window_of(world, question, **at) == ("2025-06-10 00:00", "2025-06-11 00:00")
        there = window_of(world, question, timezone="Asia/Tokyo", **at)
        assert there == ("2025-06-09 15:00", "2025-06-10 15:00")
    finally:
        monkeypatch.undo()
        time.tzset()
        assert os.environ.get("TZ") != server_zone


def test_memory_is_found_by_when_it_happened_though_its_text_has_no_date(world: World) -> None:
    """D05, table."""
    bank = world.bank(
        memory("a", "Refactored the invoice parser", "2025-06-09T10:00Z"),
        memory("b", "Refactored the invoice parser tests", "2025-02-03"),
        *FILLERS,
    )
    answer = world.ask(bank, "what did I do last Monday?")
    found = shown(answer)
    assert found[0] == "a", trace(answer)
    assert "b" not in found or found.index("b") > 0
    assert all(answer.facts[item.key].happened for item in answer.page)
    assert answer.read.window is not None
    assert str(answer.read.window.start)[:10] == "2025-06-09"


CHAT = [
    ("Shall we repaint the kitchen in green?", "2025-05-01"),
    ("My sister got the job in Lyon", "2025-05-05"),
    ("The bike needs new brakes", "2025-05-09"),
    ("I finished the novel about the lighthouse", "2025-05-14"),
    ("Our cat is afraid of the vacuum cleaner", "2025-05-19"),
    ("The dentist moved to another street", "2025-05-23"),
    ("I want to learn the cello", "2025-05-28"),
    ("Rain ruined the strawberries", "2025-06-02"),
    ("The neighbours are building a sauna", "2025-06-06"),
    ("We should invite Tomas for dinner", "2025-06-10"),
]


def test_question_for_what_came_last_is_answered_by_order(world: World) -> None:
    """D06, table: the order and the type."""
    items = [memory(f"c{n}", text, when) for n, (text, when) in enumerate(CHAT)]
    answer = world.ask(world.bank(*items), "do you remember what we talked about last?")
    assert shown(answer)[0] == "c9", trace(answer)
    assert max(answer.types, key=answer.types.__getitem__) == "temporal", answer.types


def test_word_last_in_a_memory_does_not_make_it_the_last(world: World) -> None:
    """D06, table: the words of recency are no content, however many memories say them."""
    items = [memory(f"c{n}", text, when) for n, (text, when) in enumerate(CHAT)]
    old = memory("old", "At last we remember what we talked about last time", "2025-01-03")
    answer = world.ask(world.bank(*items, old), "do you remember what we talked about last?")
    assert heard(answer, "temporal")[0] == "c9", trace(answer)


def test_question_when_finds_the_memory_about_it_however_old(world: World) -> None:
    """D07, table."""
    bank = world.bank(
        memory("a", "We signed the Harbour lease", "2023-02-14"),
        *(
            memory(name, "Lease admin chores this week", f"2025-06-0{day}")
            for day, name in enumerate("bcdef", 2)
        ),
    )
    answer = world.ask(bank, "when did we sign the Harbour lease?")
    assert shown(answer)[0] == "a", trace(answer)
    assert "temporal" in votes(answer, "a")


@pytest.mark.parametrize(
    "question", ["change the new button colour", "update policy for current users"]
)
def test_words_of_change_are_no_times(world: World, question: str) -> None:
    """D08, table."""
    answer = world.ask(world.bank(), question)
    assert answer.read.window is None
    assert answer.types["temporal"] < 0.5
