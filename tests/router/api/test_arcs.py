"""Courses of feeling drawn back over HTTP: of one memory, and of a whole episode."""

from typing import Any

import pytest

from channels.affect.combine import WINDOW
from tests.router.api.conftest import Api

FEAR, RELIEF = {"fear": 0.9}, {"relief": 0.8}
TURNS: tuple[dict[str, float], ...] = (FEAR, {}, *[RELIEF] * WINDOW)


@pytest.fixture
def told(api: Api, bank: str) -> str:
    """The path of a bank with an episode of ten turns: fear, a turn without feeling, relief."""
    path = f"/v1/banks/{bank}"
    api.put(path, {})
    items: list[dict[str, Any]] = [
        {
            "id": f"t{at}",
            "text": "a turn",
            "episode": "lease/1",
            "position": at,
            "affect": [{"label": name, "intensity": value} for name, value in labels.items()],
        }
        for at, labels in enumerate(TURNS)
    ]
    done = {"id": "done", "text": "a page", "behaviour": {"retries": 5, "errors": 4}}
    read = {"id": "read", "text": "Ben: I am so furious about that bill!", "speaker": "Ben"}
    plain = {"id": "plain", "text": "four pages", "episode": "plain"}
    reply = api.post(f"{path}/memories", {"items": [*items, done, read, plain]})
    assert reply.json()["errors"] == []
    return path


def test_a_memorys_arc_is_drawn_back_by_turn_and_with_its_sources(api: Api, told: str) -> None:
    arc = api.get(f"{told}/memories/t3/arc").json()
    assert (arc["id"], arc["episode"], arc["layout"]) == ("t3", "lease/1", "dct-33x4-v1")
    assert [turn["id"] for turn in arc["turns"]] == ["t0", "t2", "t3"]  # t1 shows no feeling
    assert (arc["read"], arc["of"]) == (4, 4)
    first, *_, last = arc["turns"]
    assert first["felt"]["fear"] == pytest.approx(0.9)
    assert first["labels"]["fear"] == pytest.approx(0.9, abs=0.15)  # four modes, so smoother
    assert last["labels"]["relief"] == pytest.approx(0.8, abs=0.15)
    assert last["labels"].get("fear", 0.0) < 0.2
    assert {source for turn in arc["turns"] for source in turn["sources"]} == {"told"}


@pytest.mark.parametrize(("memory", "source"), [("done", "behaviour"), ("read", "read")])
def test_an_arc_says_by_what_a_feeling_is_known(
    api: Api, told: str, memory: str, source: str
) -> None:
    arc = api.get(f"{told}/memories/{memory}/arc").json()
    [turn] = arc["turns"]
    assert turn["sources"] == [source]
    assert turn["labels"] == pytest.approx(turn["felt"], abs=0.01)  # one turn comes back whole


def test_only_values_from_the_threshold_up_are_shown(api: Api, told: str) -> None:
    labels = api.get(f"{told}/memories/read/arc?least=0").json()["turns"][0]["labels"]
    strong = api.get(f"{told}/memories/read/arc?least=0.5").json()["turns"][0]["labels"]
    assert 0 < len(strong) < len(labels)
    assert all(abs(value) >= 0.5 for value in strong.values())
    refused = api.get(f"{told}/memories/read/arc?least=2")
    assert (refused.status_code, refused.json()["field"]) == (422, "least")


def test_an_episodes_arc_reaches_over_all_its_turns(api: Api, told: str) -> None:
    whole = api.get(f"{told}/episodes/lease%2F1/arc").json()
    last = api.get(f"{told}/memories/t9/arc").json()
    assert whole["episode"] == "lease/1"
    assert (whole["read"], whole["of"]) == (10, 10)
    felt = [f"t{at}" for at in range(10) if at != 1]
    assert [turn["id"] for turn in whole["turns"]] == felt
    assert whole["turns"][0]["labels"]["fear"] > 0.3  # drawn smoother than it was felt
    assert "t0" not in {turn["id"] for turn in last["turns"]}  # a memory looks back on eight turns


@pytest.mark.parametrize("path", ["memories/plain/arc", "episodes/plain/arc"])
def test_where_nothing_is_felt_there_is_no_arc(api: Api, told: str, path: str) -> None:
    arc = api.get(f"{told}/{path}").json()
    assert (arc["layout"], arc["turns"]) == (None, [])


@pytest.mark.parametrize("path", ["memories/nobody/arc", "episodes/nowhere/arc"])
def test_an_arc_of_nothing_is_not_found(api: Api, told: str, path: str) -> None:
    assert api.get(f"{told}/{path}").status_code == 404


def test_an_episode_of_more_turns_than_are_read_says_so(
    api: Api, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("router.courses.MOST", 3)
    arc = api.get(f"{told}/episodes/lease%2F1/arc").json()
    assert (arc["read"], arc["of"]) == (3, 10)
    assert [turn["id"] for turn in arc["turns"]] == ["t7", "t8", "t9"]


def test_an_episodes_arc_can_be_the_query(api: Api, told: str) -> None:
    items = [
        {"id": f"o{at}", "text": "a turn", "episode": "other", "position": at,
         "affect": [{"label": label, "intensity": 0.9}]}
        for at, label in enumerate(("fear", "relief"))
    ]  # fmt: skip
    api.post(f"{told}/memories", {"items": items})
    asked = {"question": "what else went like that?", "arc": {"episode": "lease/1"}}
    reply = api.post(f"{told}/recall", {**asked, "explain": True}).json()
    hits = [hit["id"] for hit in reply["trace"]["channels"]["emotional"]["hits"]]
    assert hits[0] == "o1"
    assert not any(name.startswith("t") for name in hits)
    assert [one["why"] for one in reply["trace"]["fusion"]["adjustments"]] == ["arc"]
    kept = api.get(f"{told}/recalls/{reply['recall_id']}").json()
    assert kept["request"]["arc_episode"] == "lease/1"


def test_an_arc_of_an_unknown_episode_names_the_field(api: Api, told: str) -> None:
    bank = told.rpartition("/")[2]
    asked = {"question": "x", "arc": {"episode": "nowhere"}}
    for path, body in ((f"{told}/recall", asked), ("/v1/recall", {**asked, "banks": [bank]})):
        refused = api.post(path, body)
        assert (refused.status_code, refused.json()["field"]) == (422, "arc.episode"), path
    both = api.post(f"{told}/recall", {"question": "x", "arc": {"episode": "a", "memory": "t0"}})
    assert (both.status_code, both.json()["field"]) == (422, "arc")


def test_an_arc_of_a_memory_without_feeling_is_named_in_the_reply(api: Api, told: str) -> None:
    asked = {"question": "pages like that", "arc": {"memory": "plain"}, "explain": True}
    reply = api.post(f"{told}/recall", asked).json()
    assert reply["degraded"] == ["emotional:no_arc"]
    assert reply["trace"]["channels"]["emotional"]["outcome"] == "failed:no_arc"
