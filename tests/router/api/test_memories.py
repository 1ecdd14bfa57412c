"""Memories over HTTP: stored with an error for each bad item, listed, changed, forgotten."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import quote

import pytest

from channels.base import Embedded
from tests.router.api.conftest import Api

FULL: dict[str, Any] = {
    "id": "full", "text": "Ana moved the staging cluster", "context": "a stand-up", "title": "Move",
    "description": "what was moved", "kind": "turn", "speaker": "Ana", "episode": "e1",
    "position": 3,
    "occurred_at": "2024-06-03T09:12:00+00:00", "granularity": "minute", "tags": ["infra", "eu"],
    "topic": "infra.staging", "entities": [{"text": "staging cluster", "type": "thing"}],
    "affect": [{"label": "valence", "intensity": -0.7}],
    "behaviour": {
        "retries": 3, "errors": 2, "duration_s": 640.0, "abandoned": False, "success": False,
    },
    "proof_count": 2, "edges": [{"type": "REFERS_TO", "to": "before", "strength": 0.8}],
    "supersedes": ["old"], "metadata": {"source": "slack", "n": [1, None]},
}  # fmt: skip


def put(api: Api, bank: str, *items: Any, **more: Any) -> Any:
    return api.post(f"/v1/banks/{bank}/memories", {"items": list(items), **more})


def test_memory_comes_back_as_it_was_given(api: Api, bank: str) -> None:
    put(api, bank, {"id": "before", "text": "first"}, {"id": "old", "text": "older"})
    assert put(api, bank, FULL).json() == {
        "accepted": 1, "ids": ["full"], "duplicates": 0, "errors": [],
    }  # fmt: skip
    stored = api.get(f"/v1/banks/{bank}/memories/full").json()
    assert {name: stored[name] for name in FULL} == FULL
    assert (stored["state"], stored["superseded_by"]) == ("current", None)
    assert api.get(f"/v1/banks/{bank}/memories/old").json()["superseded_by"] == "full"


def test_same_content_is_a_duplicate_and_other_content_replaces(api: Api, bank: str) -> None:
    assert put(api, bank, {"id": "a", "text": "one"}).json()["accepted"] == 1
    again = put(api, bank, {"id": "a", "text": "one"}).json()
    assert (again["accepted"], again["duplicates"], again["ids"]) == (0, 1, ["a"])
    assert put(api, bank, {"id": "a", "text": "two"}).json()["accepted"] == 1
    assert api.get(f"/v1/banks/{bank}/memories/a").json()["text"] == "two"


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({"text": "  "}, "text"),
        ({"text": "a\x00"}, "text"),
        ({"text": "x" * 100_001}, "text"),
        ({}, "text"),
        (7, "item"),
        (None, "item"),
        ({"text": "a", "colour": "red"}, "colour"),
        ({"text": "a", "occurred_at": "12024-01-01T00:00:00Z"}, "occurred_at"),
        ({"text": "a", "metadata": {"deep": ["\x00"]}}, "metadata.deep[0]"),
        ({"text": "a", "supersedes": ["nobody"]}, "supersedes[0]"),
        ({"text": "a", "edges": [{"type": "REFERS_TO", "to": "nobody"}]}, "edges[0].to"),
        ({"text": "a", "edges": [{"type": "LOVES", "to": "good"}]}, "edges[0].type"),
    ],
)
def test_bad_item_costs_only_itself(api: Api, bank: str, item: Any, field: str) -> None:
    reply = put(api, bank, {"id": "good", "text": "kept"}, item, {"text": "kept too"})
    assert reply.status_code == 200, reply.text
    assert reply.json()["accepted"] == 2
    assert [(e["index"], e["field"]) for e in reply.json()["errors"]] == [(1, field)], reply.text


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999"])
def test_number_that_is_not_finite_costs_only_its_item(api: Api, bank: str, number: bytes) -> None:
    raw = b'{"items": [{"text": "a"}, {"text": "b", "metadata": {"n": %s}}]}' % number
    reply = api.call("POST", f"/v1/banks/{bank}/memories", content=raw)
    assert reply.json()["accepted"] == 1
    assert [error["field"] for error in reply.json()["errors"]] == ["metadata.n"]


@pytest.mark.parametrize("depth", [120, 300, 900])
def test_nesting_without_end_costs_only_its_item(api: Api, bank: str, depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    raw = b'{"items": [{"text": "a"}, {"text": "b", "metadata": {"n": %s}}]}' % nested
    reply = api.call("POST", f"/v1/banks/{bank}/memories", content=raw)
    assert reply.json()["accepted"] == 1, reply.text
    assert reply.json()["errors"][0]["field"].startswith("metadata.n")


def test_nesting_of_ninety_levels_is_kept(api: Api, bank: str) -> None:
    nested: Any = "core"
    for _ in range(90):
        nested = [nested]
    put(api, bank, {"id": "a", "text": "b", "metadata": {"n": nested}})
    assert api.get(f"/v1/banks/{bank}/memories/a").json()["metadata"] == {"n": nested}


def test_half_a_surrogate_pair_costs_only_its_item(api: Api, bank: str) -> None:
    raw = b'{"items": [{"text": "a\\udc00"}, {"text": "b"}]}'
    reply = api.call("POST", f"/v1/banks/{bank}/memories", content=raw)
    assert [error["field"] for error in reply.json()["errors"]] == ["text"]
    assert reply.json()["accepted"] == 1


def test_atomic_request_stores_all_or_none(api: Api, bank: str) -> None:
    reply = put(api, bank, {"id": "a", "text": "fine"}, {"text": "b\x00"}, atomic=True).json()
    assert (reply["accepted"], reply["ids"], reply["errors"][0]["index"]) == (0, [], 1)
    assert api.get(f"/v1/banks/{bank}/memories/a").status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "items"),
        ({"items": []}, "items"),
        ({"items": [{"text": "a"}] * 1_001}, "items"),
        ({"items": {"text": "a"}}, "items"),
        ({"items": [{"text": "a"}], "atomic": "yes"}, "atomic"),
        ({"items": [{"text": "a"}], "timezone": "Nowhere"}, "timezone"),
        ({"memories": []}, "items"),
        ([{"text": "a"}], "body"),
    ],
)
def test_bad_request_stores_nothing_and_makes_no_bank(
    api: Api, bank: str, body: Any, field: str
) -> None:
    reply = api.post(f"/v1/banks/{bank}/memories", body)
    assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text
    assert api.get(f"/v1/banks/{bank}").status_code == 404


@pytest.mark.parametrize(
    "name", ["a/b", "a%2Fb", "ключ", "x/neighbours", "neighbours", "a b?c=d#e", "🦊", "/", "a//b"]
)
def test_id_of_any_printable_characters_is_found_by_its_path(
    api: Api, bank: str, name: str
) -> None:
    put(api, bank, {"id": name, "text": "one"}, {"id": "other", "text": "two"})
    path = f"/v1/banks/{bank}/memories/{quote(name, safe='')}"
    assert api.get(path).json()["id"] == name
    assert api.get(f"{path}/neighbours").json()["id"] == name
    assert api.patch(path, {"text": "changed"}).json()["text"] == "changed"
    assert api.delete(path).status_code == 204
    assert api.get(path).status_code == 404
    assert api.get(f"/v1/banks/{bank}/memories/other").status_code == 200


def test_patch_keeps_what_it_does_not_name(api: Api, bank: str) -> None:
    put(api, bank, {"id": "before", "text": "first"}, {"id": "old", "text": "older"}, FULL)
    path = f"/v1/banks/{bank}/memories/full"
    reply = api.patch(path, {"tags": ["new"], "occurred_at": "2024-07-01T00:00:00"})
    changed = {"tags": ["new"], "occurred_at": "2024-07-01T00:00:00+00:00"}
    assert {name: reply.json()[name] for name in FULL} == {**FULL, **changed}
    assert api.get(path).json() == reply.json()


def test_later_item_of_the_same_id_is_said_to_replace_the_earlier(api: Api, bank: str) -> None:
    first, second = {"id": "a", "text": "first"}, {"id": "a", "text": "second"}
    told = put(api, bank, first, second, second).json()
    assert told["overwritten"] == [{"index": 0, "by": 2}]
    assert (told["accepted"], told["duplicates"]) == (1, 1)
    assert "overwritten" not in put(api, bank, second).json()


def test_patches_at_once_each_keep_what_they_were_told(api: Api, bank: str) -> None:
    put(api, bank, {"id": "m", "text": "one"})
    path = f"/v1/banks/{bank}/memories/m"
    given: dict[str, Any] = {
        "title": "t", "description": "d", "context": "c", "topic": "a.b", "tags": ["x"],
        "metadata": {"k": 1}, "speaker": "Ana", "episode": "e",
    }  # fmt: skip
    with ThreadPoolExecutor(len(given)) as pool:
        replies = list(pool.map(lambda one: api.patch(path, dict([one])), given.items()))
    assert [reply.status_code for reply in replies] == [200] * len(given)
    stored = api.get(path).json()
    assert {name: stored[name] for name in given} == given


def test_patch_that_changes_nothing_rewrites_nothing(api: Api, bank: str) -> None:
    put(api, bank, {"id": "before", "text": "first"}, {"id": "old", "text": "older"}, FULL)
    again = put(api, bank, api.get(f"/v1/banks/{bank}/memories/full").json() | {}).json()
    assert again["errors"], "fields of the store are none of an item"
    api.patch(f"/v1/banks/{bank}/memories/full", {})
    assert put(api, bank, FULL).json()["duplicates"] == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": "other"}, "id"),
        ({"text": ""}, "text"),
        ({"text": None}, "text"),
        ({"colour": "red"}, "colour"),
        ({"metadata": {"a": "\x00"}}, "metadata.a"),
        ({"timezone": "Nowhere"}, "timezone"),
    ],
)
def test_bad_patch_changes_nothing(api: Api, bank: str, change: dict[str, Any], field: str) -> None:
    put(api, bank, {"id": "a", "text": "one"})
    path = f"/v1/banks/{bank}/memories/a"
    reply = api.patch(path, change)
    assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text
    assert api.get(path).json()["text"] == "one"


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_unknown_memory_is_not_found(api: Api, standing: str, method: str) -> None:
    reply = api.call(method, f"{standing}/memories/nobody", content=b"{}")
    assert (reply.status_code, reply.json()["type"]) == (404, "urn:fivefold:problem:no-memory")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["m3", "m2", "m1"]),
        ("tag=infra", ["m3", "m2", "m1"]),
        ("tag=none", []),
        ("topic=infra", ["m3", "m2", "m1"]),
        ("topic=infra.staging", ["m3", "m2", "m1"]),
        ("topic=infra.stag", []),
        ("kind=turn", ["m3", "m2", "m1"]),
        ("kind=fact", []),
        ("episode=standup", ["m3", "m2", "m1"]),
        ("entity=Staging%20Cluster", ["m1"]),
        ("from=2024-06-04T00:00:00Z", ["m3", "m2"]),
        ("to=2024-06-04T00:00:00Z", ["m1"]),
        ("from=2024-06-04&to=2024-06-05", ["m2"]),
        ("state=superseded", []),
        ("state=all", ["m3", "m2", "m1"]),
    ],
)
def test_list_holds_what_was_asked_for(
    api: Api, standing: str, query: str, found: list[str]
) -> None:
    listed = api.get(f"{standing}/memories?{query}").json()
    assert [memory["id"] for memory in listed["memories"]] == found
    assert listed["next"] is None


def test_pages_of_a_list_meet_without_gap_or_overlap(api: Api, standing: str) -> None:
    seen: list[str] = []
    cursor = ""
    while True:
        page = api.get(f"{standing}/memories?limit=2{cursor}").json()
        seen += [memory["id"] for memory in page["memories"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert seen == ["m3", "m2", "m1"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("cursor=abc", "cursor"),
        ("cursor=WyJhIl0", "cursor"),
        ("cursor=%F0%9F%A6%8A", "cursor"),
        ("state=gone", "state"),
        ("from=soon", "from"),
        ("from=2024-06-05&to=2024-06-04", "to"),
        ("colour=red", "colour"),
        ("tag=a%00b", "tag"),
    ],
)
def test_bad_query_is_refused_by_its_parameter(
    api: Api, standing: str, query: str, field: str
) -> None:
    reply = api.get(f"{standing}/memories?{query}")
    assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text


def test_neighbours_are_shown_both_ways(api: Api, standing: str) -> None:
    found = api.get(f"{standing}/memories/m2/neighbours").json()["neighbours"]
    following = {(n["id"], n["direction"]) for n in found if n["type"] == "NEXT"}
    assert following == {("m1", "in"), ("m3", "out")}


def test_neighbours_say_when_an_edge_is_valid_and_can_be_asked_as_of_a_day(
    api: Api, bank: str
) -> None:
    old = {"id": "old", "text": "zebra one", "occurred_at": "2024-03-01T00:00:00Z"}
    edge = {"type": "CAUSES", "to": "old"}
    other = {"id": "other", "text": "heron", "occurred_at": "2024-04-01T00:00:00Z", "edges": [edge]}
    new = {
        "id": "new",
        "text": "zebra two",
        "occurred_at": "2024-05-01T00:00:00Z",
        "supersedes": ["old"],
    }
    put(api, bank, old, other)
    put(api, bank, new)

    def shown(query: str = "") -> dict[str, dict[str, Any]]:
        reply = api.get(f"/v1/banks/{bank}/memories/old/neighbours{query}").json()
        return {edge["id"]: edge for edge in reply["neighbours"] if edge["type"] != "SIMILAR_TO"}

    causes = shown()["other"]
    assert (causes["type"], causes["direction"], causes["made_by"]) == ("CAUSES", "in", "caller")
    assert causes["valid_from"].startswith("2024-04-01")
    assert causes["valid_to"].startswith("2024-05-01")
    assert shown()["new"]["type"] == "SUPERSEDES"
    assert set(shown("?as_of=2024-04-15")) == {"other", "new"}
    for outside in ("2024-03-15", "2024-05-15"):
        assert set(shown(f"?as_of={outside}")) == {"new"}


def test_forgotten_memory_leaves_no_trace_in_counts_and_answers(api: Api, bank: str) -> None:
    def state() -> tuple[Any, ...]:
        described = api.get(f"/v1/banks/{bank}").json()
        asked = {"question": "zebra crossing", "explain": True}
        trace = api.post(f"/v1/banks/{bank}/recall", asked).json()["trace"]["channels"]
        return (
            described["counts"]["memories"],
            described["counts"]["edges"],
            described["counts"]["entities"],
            [(hit["id"], round(hit["score"], 6)) for hit in trace["keyword"]["hits"]],
        )

    turns = [{"id": f"t{n}", "text": f"zebra {word}", "episode": "e", "position": n * 2}
             for n, word in enumerate(["crossing", "stripes", "herd"])]  # fmt: skip
    put(api, bank, *turns)
    before = state()
    extra = {"id": "gone", "text": "zebra crossing with Doctor Quux", "episode": "e", "position": 1}
    put(api, bank, extra)
    assert state()[0] == 4
    assert api.delete(f"/v1/banks/{bank}/memories/gone").status_code == 204
    assert state() == before
    assert "gone" not in str(api.post(f"/v1/banks/{bank}/recall", {"question": "Quux"}).json())


def test_forgetting_the_successor_does_not_bring_the_old_fact_back(api: Api, bank: str) -> None:
    put(api, bank, {"id": "old", "text": "the door is red"})
    put(api, bank, {"id": "new", "text": "the door is blue", "supersedes": ["old"]})
    api.delete(f"/v1/banks/{bank}/memories/new")
    old = api.get(f"/v1/banks/{bank}/memories/old").json()
    assert (old["state"], old["superseded_by"]) == ("superseded", None)
    assert api.get(f"/v1/banks/{bank}").json()["counts"]["memories"] == 0


def test_time_without_zone_is_read_in_the_requests_zone(api: Api, bank: str) -> None:
    item = {"id": "a", "text": "lunch", "occurred_at": "2024-06-03T12:00:00"}
    put(api, bank, item, timezone="America/New_York")
    stored = api.get(f"/v1/banks/{bank}/memories/a").json()
    assert stored["occurred_at"] == "2024-06-03T16:00:00+00:00"


def test_neighbours_are_paged_to_the_last(api: Api, bank: str) -> None:
    path = f"/v1/banks/{bank}"
    others = [{"id": f"n{number:03}", "text": f"other {number}"} for number in range(240)]
    put(api, bank, *others)
    edges = [
        {"type": kind, "to": f"n{number:03}", "strength": (number % 7 + 1) / 10}
        for number in range(240)
        for kind in ("REFERS_TO", "CAUSES")[: 1 + number % 2]
    ]
    put(api, bank, {"id": "hub", "text": "hub", "edges": edges})

    def listed(limit: int) -> list[tuple[str, str, str]]:
        found, cursor = [], ""
        while True:
            reply = api.get(f"{path}/memories/hub/neighbours?limit={limit}{cursor}").json()
            assert len(reply["neighbours"]) <= limit
            found += reply["neighbours"]
            if reply["next"] is None:
                break
            cursor = f"&cursor={reply['next']}"
        strengths = [edge["strength"] for edge in found]
        assert strengths == sorted(strengths, reverse=True)
        assert "via" not in found[0]
        return [(edge["id"], edge["type"], edge["direction"]) for edge in found]

    whole = listed(200)
    assert {(to, kind, "out") for to, kind in ((one["to"], one["type"]) for one in edges)} <= set(
        whole
    )
    for limit in (7, 50):
        assert listed(limit) == whole


@pytest.mark.parametrize("cursor", ["x", "WzFd", "WyJuYW4iLCJhIiwiYiIsImMiLDFd"])
def test_a_cursor_of_another_list_is_refused(api: Api, filled: str, cursor: str) -> None:
    reply = api.get(f"{filled}/memories/m1/neighbours?cursor={cursor}")
    assert (reply.status_code, reply.json()["field"]) == (422, "cursor")


def test_a_text_that_is_longer_than_the_model_reads_is_told_and_stored(
    api: Api, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut(_model: object, texts: list[str]) -> list[Embedded]:
        return [Embedded(None, read_to=40 if len(text) > 40 else None) for text in texts]

    monkeypatch.setattr("tests.router.api.conftest.WordHashes.embed_tokens", cut)
    items = [{"id": "short", "text": "a page"}, {"id": "long", "text": "a page " * 20}]
    told = put(api, bank, *items).json()
    assert told["accepted"] == 2
    assert told["partly_read"] == [{"index": 1, "read": 40, "of": 140}]
    assert "partly_read" not in put(api, bank, {"id": "third", "text": "a page more"}).json()
    assert api.get(f"/v1/banks/{bank}/memories/long").json()["meaning"] is None  # has no vector


def test_a_memory_says_how_far_its_text_is_read_by_meaning(api: Api, bank: str) -> None:
    put(api, bank, {"id": "a", "text": "a page"})
    assert api.get(f"/v1/banks/{bank}/memories/a").json()["meaning"] == {"read": 6, "of": 6}
