import json
from pathlib import Path

import psycopg
import pytest

from tests.router.cli.conftest import Call

TOWNS = ("Vienna", "Oslo", "Porto", "Turin", "Lyon", "Basel", "Ghent", "Bergen", "Graz", "Split")
THINGS = ("cluster", "backup", "router", "invoice")
RECALLS, PEOPLE = 90, 45  # half of them engage; twenty that do let rows be published


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two banks of forty turns, in which each town and thing come together once.

    Another town is named beside it: rows differ in what they put second, or none were published.
    """
    memories, queries = [], []
    for bank in ("b0", "b1"):
        for at in range(40):
            town, thing = TOWNS[at % 10], THINGS[at // 10]
            other, speaker = TOWNS[(at * 3 + 1) % 10], "Ana" if at % 2 else "Ben"
            memories.append({
                "id": f"{bank}m{at}", "bank": bank, "speaker": speaker, "session": f"s{at // 8}",
                "text": f"{speaker}: The {thing} of {town} was seen before {other}'s was.",
                "occurred_at": f"2024-06-{1 + at % 28:02}T{9 + at // 28:02}:00:00",
            })  # fmt: skip
            queries.append({
                "id": f"{bank}q{at}", "bank": bank, "relevant": [f"{bank}m{at}"],
                "text": f"What about the {thing} in {town}?",
            })  # fmt: skip
    for name, rows in (("memories", memories), ("queries", queries)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    return tmp_path


@pytest.mark.timeout(300)  # a server starts, and learns by the clock
def test_people_teach_a_real_server_over_http(
    call: Call, stored: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEFOLD_EMBEDDER", "none")  # no model is loaded: the other lanes will do
    words = ("--banks", 2, "--recalls", RECALLS, "--people", PEOPLE)
    profiles = ("--profile", "natural", "--profile", "terse")
    done = call("simulate-http", folder, *words, *profiles, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)

    assert [bank["profile"] for bank in found["banks"]] == ["natural", "terse"]
    assert (found["pooled"]["questions"], found["recalls"]) == (40, RECALLS)
    for bank in found["banks"]:
        told, change = bank["told"], bank["change"]
        assert (bank["asked"], bank["unseen"]) == (20, 20)
        assert told["accepted"] == told["clicks"] + told["recalls"]
        assert told["rejected"] == told["parked"] == told["duplicate"] == 0
        assert told["recalls"] == RECALLS  # those that wait for a change are not among them
        assert told["explored"] > told["holdback"]
        # Every recall of the people is learnt from, and none that only measured.
        assert bank["learnt_from"] == RECALLS
        assert bank["version"] >= 1
        assert 0 < change["seconds"] < 60
        assert bank["parts"]["lanes"]["delta"] == 0.0
        assert bank["rows"] != bank["default"]
    assert found["verdicts"]["closing_changes_what_is_served"]
    with psycopg.connect(stored) as connection:
        assert connection.execute("select count(*) from banks").fetchone() == (0,)


def test_a_server_that_does_not_come_up_says_why(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIVEFOLD_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    found = call("simulate-http", folder, "--banks", 1)
    assert found.exit_code == 1
    assert "database is unavailable" in found.stderr


def test_a_server_that_is_not_there_is_told_by_its_address(call: Call, folder: Path) -> None:
    found = call("simulate-http", folder, "--banks", 1, "--url", "http://127.0.0.1:1")
    assert found.exit_code == 1
    assert "server is unavailable: PUT http://127.0.0.1:1/v1/banks/" in found.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--profile", "weak_embedder"), "choose from natural, terse, dated, masked"),
        (("--person", "nobody"), "choose from"),
        (("--banks", "3"), "which has 2"),
    ],
)
def test_what_cannot_be_simulated_is_wrong_usage(
    call: Call, folder: Path, words: tuple[str, ...], said: str
) -> None:
    found = call("simulate-http", folder, *words)
    assert found.exit_code == 2
    assert said in found.stderr
