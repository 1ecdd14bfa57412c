"""A question read in full: each part says by which rule it came about."""

import json
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.understand.read import Understanding, understand
from router.understand.shapes import shape_of

NOW = datetime(2025, 6, 11, 15, 30, tzinfo=UTC)


def read(text: str) -> Understanding:
    return understand(text, NOW, "UTC")


def test_every_part_names_its_rule() -> None:
    rules = read(
        "When was Mira not really happy with E_AUTH_404 and `make clean` last week, lately?"
    ).as_json()["rules"]
    assert rules["window"] == "last_unit"
    assert rules["asks_date"] == "when was"
    assert rules["recency"] == "lately"
    assert rules["identifiers"] == {"e_auth_404": "underscored"}
    assert rules["entities"] == {
        "e_auth_404": "identifier",
        "make clean": "quoted",
        "mira": "capitalised",
    }
    assert rules["affect"]["cues"] == [
        {"words": "happy", "labels": {"joy": 1.0}, "strength": 1.25, "negation": "turned round"}
    ]
    assert rules["affect"]["shape"] == "any"


def test_question_that_says_nothing_fires_no_rule() -> None:
    assert read("how does this work in general terms").as_json()["rules"] == {}


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("from angry to relieved", "turn"),
        ("relieved after being scared", "return"),
        ("increasingly anxious", "rising"),
        ("less and less anxious", "falling"),
        ("suddenly terrified", "spike"),
        ("no longer sad", "relief"),
        ("when did she calm down?", "relief"),
        ("when was I scared", "any"),
        ("zuerst war ich wütend, dann erleichtert", "turn"),
        ("d'abord furieux, puis soulagé", "turn"),
        ("al principio estaba triste y luego feliz", "turn"),
        ("他先害怕，后来高兴", "turn"),
        ("cada vez más triste", "rising"),
        ("de plus en plus anxieux", "rising"),
        ("她越来越焦虑", "rising"),
        ("plötzlich wütend", "spike"),
        ("突然生气", "spike"),
        ("nicht mehr traurig", "relief"),
        ("ya no estaba triste", "relief"),
    ],
)
def test_shape_of_a_feeling_is_named(text: str, shape: str) -> None:
    assert read(text).as_json()["rules"]["affect"]["shape"] == shape


def test_feeling_that_negation_takes_away_is_still_told() -> None:
    told = read("he was never angry").as_json()
    assert told["affect"] is None
    assert told["rules"]["affect"]["cues"][0]["negation"] == "taken away"


@pytest.mark.parametrize(
    ("text", "newest"),
    [
        ("when was the user frustrated with onboarding last week?", "none"),
        ("when was Ida here last summer?", "none"),
        ("when did it rain on last Friday?", "none"),
        ("when did we last meet?", "last"),
        ("when was the last deploy?", "last"),
        ("what was the last release?", "last"),
        ("the last 3 commits of Ben", "last"),
        ("what did the last 3 weeks bring", "none"),
    ],
)
def test_last_week_asks_for_a_week_and_not_for_the_newest(text: str, newest: str) -> None:
    assert read(text).recency == newest


@pytest.mark.parametrize(
    ("identifier", "shape"),
    [
        ("e_auth_404", "underscored"),
        ("cve-2024-1234", "hyphenated"),
        ("src/api/get.py", "address"),
        ("ana@example.org", "address"),
        ("#4711", "number_sign"),
        ("3.12.1", "version"),
        ("c++", "language"),
        ("3/4/2025", "date"),
        ("std::vector", "scoped"),
        ("numpy.linalg", "dotted"),
        ("sha256", "letters_and_digits"),
        ("getuserbyid", "inner_capitals"),
    ],
)
def test_identifier_is_told_by_its_shape(identifier: str, shape: str) -> None:
    assert shape_of(identifier) == shape


def test_names_of_a_model_are_added_with_their_kind() -> None:
    found = understand("what did aoife say to Mira", NOW, "UTC", names={"aoife": "person"})
    assert found.entities == ("mira", "aoife")
    assert found.fired["entities"]["aoife"] == "model:person"


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("Worüber hat sich Jonas letzten Montag geärgert?", ("jonas",)),
        ("what came up at Acme Corp before Christmas?", ("acme corp",)),
        ("how has Ana been since she moved to Berlin in 2021?", ("ana", "berlin")),
        ('who sang in "Blue Door" last week', ("blue door",)),
        ("我昨天下午为什么感到害怕？", ()),
        ("小明", ("小明",)),
        ("kubernetes", ("kubernetes",)),
        ("jules?", ("jules",)),
        ("how did the meeting end", ()),
    ],
)
def test_names_are_neither_times_nor_whole_sentences(text: str, entities: tuple[str, ...]) -> None:
    assert read(text).entities == entities


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_read_and_shown_as_json(text: str) -> None:
    shown = read(text).as_json()
    assert json.loads(json.dumps(shown)) == shown


@pytest.mark.shared
def test_every_messy_question_is_read_within_five_milliseconds(shared_data: Path) -> None:
    lines = (shared_data / "messy_queries.jsonl").read_text("utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    for text in texts[:50]:
        read(text)
    times = []
    for text in texts:
        best = []
        for _ in range(3):  # the best of three: the turns of other processes are not ours
            begun = time.process_time()
            read(text)
            best.append(time.process_time() - begun)
        times.append(min(best))
    assert statistics.quantiles(times, n=100)[98] <= 0.005
