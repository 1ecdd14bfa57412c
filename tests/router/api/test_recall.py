"""Recall over HTTP: the reply's shape, the trace, and every refusal."""

import asyncio
from urllib.parse import quote

import httpx
import pytest

from channels.embedder import PACKAGED
from router.presets import CHANNELS
from router.understand.types import TYPES
from tests.router.api.conftest import Api, running, settings_for

REPLY = {
    "recall_id", "query_id", "types", "window", "weights", "rrf_k", "matrix_version", "policy",
    "propensity", "reranker", "confidence", "degraded", "results", "timings_ms",
}  # fmt: skip
RESULT = {
    "rank", "id", "text", "score", "kind", "occurred_at", "in_window", "state", "superseded_by",
    "channels", "residual", "rerank", "tags", "topic", "metadata",
}  # fmt: skip
ASKED = {"question": "Where did the staging cluster go?", "asked_at": "2024-06-12T00:00:00Z"}


def test_reply_has_exactly_the_fields_of_the_contract(api: Api, standing: str) -> None:
    reply = api.post(f"{standing}/recall", ASKED)
    assert reply.status_code == 200
    answer = reply.json()
    assert set(answer) == REPLY
    assert set(answer["types"]) == set(TYPES)
    assert set(answer["weights"]) == set(CHANNELS)
    assert answer["query_id"] == answer["recall_id"]
    assert (answer["policy"], answer["propensity"], answer["matrix_version"]) == ("learned", 1.0, 0)
    first = answer["results"][0]
    assert set(first) == RESULT
    assert first["id"] == "m1"
    assert set(first["channels"]["keyword"]) == {"rank", "score", "contribution"}
    named = {"understand", "embed", "channels", "fuse", "rerank", "record", "total"}
    assert named <= set(answer["timings_ms"])


def test_score_is_the_sum_of_the_channels_contributions(api: Api, standing: str) -> None:
    for result in api.post(f"{standing}/recall", ASKED).json()["results"]:
        parts = [vote["contribution"] for vote in result["channels"].values()]
        assert result["score"] == pytest.approx(sum(parts))


def test_window_read_from_the_words_is_answered_with_what_lies_in_it(
    api: Api, standing: str
) -> None:
    asked = {**ASKED, "question": "What did we move last week?"}
    window = api.post(f"{standing}/recall", asked).json()["window"]
    assert window["text"] == "last week"
    assert window["start"] == "2024-06-03T00:00:00+00:00"
    assert window["in_window"] == 3


def test_window_of_the_caller_replaces_that_of_the_words(api: Api, standing: str) -> None:
    asked = {**ASKED, "window": {"start": "2024-06-05T00:00:00Z", "end": None}}
    answer = api.post(f"{standing}/recall", asked).json()
    assert answer["window"]["in_window"] == 1
    assert {r["id"]: r["in_window"] for r in answer["results"]}["m3"] is True
    assert {r["id"]: r["in_window"] for r in answer["results"]}["m1"] is False


def test_time_without_zone_is_read_in_the_requests_zone(api: Api, standing: str) -> None:
    asked = {**ASKED, "timezone": "Asia/Tokyo", "window": {"start": "2024-06-05T00:00:00"}}
    assert (
        api.post(f"{standing}/recall", asked).json()["window"]["start"].startswith("2024-06-04T15")
    )


def test_pages_by_offset_continue_each_other(api: Api, standing: str) -> None:
    whole = api.post(f"{standing}/recall", {**ASKED, "k": 3, "explore": False}).json()["results"]
    second = api.post(f"{standing}/recall", {**ASKED, "k": 1, "offset": 1}).json()["results"]
    assert [result["rank"] for result in second] == [2]
    assert second[0]["id"] == whole[1]["id"]


def test_explained_answer_shows_every_channels_run(api: Api, standing: str) -> None:
    trace = api.post(f"{standing}/recall", {**ASKED, "explain": True}).json()["trace"]
    assert set(trace["channels"]) == set(CHANNELS)
    assert trace["channels"]["keyword"]["outcome"] == "ok"
    assert trace["channels"]["emotional"]["outcome"] == "silent"
    assert trace["channels"]["keyword"]["hits"][0]["id"] == "m1"
    assert set(trace["reach"]) == set(CHANNELS)
    assert (trace["residual"], trace["boosts"], trace["superseded"]) == (None, [], [])
    assert trace["fusion"]["candidates"] == 3


def test_paths_of_the_graph_name_memories_by_id(api: Api, bank: str) -> None:
    texts = ["the zebra crossed", "a wet road", "quiet evening"]
    items = [
        {"id": f"t/{n}", "text": text, "episode": "e", "position": n}
        for n, text in enumerate(texts)
    ]
    api.post(f"/v1/banks/{bank}/memories", {"items": items})
    asked = {"question": "zebra", "explain": True}
    hits = api.post(f"/v1/banks/{bank}/recall", asked).json()["trace"]["channels"]["graph"]["hits"]
    steps = [step for hit in hits for step in hit["detail"]["path"]]
    assert steps
    assert {step["from"] for step in steps} <= {"t/0", "t/1", "t/2"}


def test_weights_of_the_caller_change_the_order(api: Api, standing: str) -> None:
    def first(channel: str) -> float:
        weights = {name: float(name == channel) for name in CHANNELS}
        answer = api.post(f"{standing}/recall", {**ASKED, "weights": weights, "rrf_k": 5}).json()
        assert answer["weights"] == {name: 1.0 if name == channel else 0.05 for name in CHANNELS}
        assert answer["rrf_k"] == 5
        return answer["results"][0]["score"]

    assert first("keyword") != first("emotional")


def test_superseded_memory_is_shown_only_when_included(api: Api, filled: str) -> None:
    newer = {"id": "m4", "text": "The staging cluster is in us-east now", "supersedes": ["m1"]}
    api.post(f"{filled}/memories", {"items": [newer]})
    plain = api.post(f"{filled}/recall", ASKED).json()["results"]
    assert "m1" not in [result["id"] for result in plain]
    for word in ("superseded", "history"):
        shown = api.post(f"{filled}/recall", {**ASKED, "include": [word]}).json()["results"]
        old = next(result for result in shown if result["id"] == "m1")
        assert (old["state"], old["superseded_by"]) == ("superseded", "m4")


def test_arc_of_a_memory_can_be_the_query(api: Api, standing: str) -> None:
    assert api.post(f"{standing}/recall", {**ASKED, "arc": {"memory": "m2"}}).status_code == 200


def test_reranker_that_is_not_there_is_named(api: Api, standing: str) -> None:
    asked = {**ASKED, "rerank": True, "budget": "high", "min_score": 0.5, "deadline_ms": 60_000}
    answer = api.post(f"{standing}/recall", asked).json()
    assert answer["degraded"] == [
        "rerank:not_configured",
        "min_score:not_applied_without_reranker",
    ]
    assert answer["results"], "min_score is for the reranker's scores, not for fused ones"


def test_trace_says_whom_a_reranker_is_given(api: Api, standing: str) -> None:
    for budget, most in (("low", 50), ("mid", 100), ("high", 300)):
        asked = {**ASKED, "budget": budget, "explain": True, "explore": False}
        answer = api.post(f"{standing}/recall", asked).json()
        told = answer["trace"]["rerank"]
        assert told["most"] == most
        assert told["candidates"][: len(answer["results"])] == [
            result["id"] for result in answer["results"]
        ]
        assert told["reserved"] == {}  # all are candidates here


@pytest.mark.parametrize(
    "question",
    ["?", "!!! ... ---", "🎉", "🙈🙉🙊 💥", '"', "-", "a OR (b", "\x01", "%", "' or 1=1 --", "\\"],
)
def test_question_of_signs_alone_is_answered(api: Api, standing: str, question: str) -> None:
    assert api.post(f"{standing}/recall", {"question": question}).status_code == 200


def test_question_of_the_greatest_length_is_answered(api: Api, standing: str) -> None:
    asked = {"question": "cluster " * 2_500}
    assert api.post(f"{standing}/recall", asked).status_code == 200


@pytest.mark.parametrize("year", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
@pytest.mark.parametrize(
    "words", ["last week", "next decade", "three years ago", "yesterday", "in 20 years", "now"]
)
def test_edges_of_the_calendar_are_answered(api: Api, standing: str, year: str, words: str) -> None:
    asked = {"question": f"What happened {words}?", "asked_at": year}
    assert api.post(f"{standing}/recall", asked).status_code == 200


REFUSED = [
    ({"question": ""}, "question"),
    ({"question": " \n\t "}, "question"),
    ({"question": "a\x00b"}, "question"),
    ({"question": "x" * 20_001}, "question"),
    ({"question": 7}, "question"),
    ({"question": None}, "question"),
    ({}, "question"),
    ({"k": 0}, "k"),
    ({"k": 201}, "k"),
    ({"k": 1.5}, "k"),
    ({"k": True}, "k"),
    ({"k": "10"}, "k"),
    ({"k": 200, "offset": 1}, "offset"),
    ({"offset": -1}, "offset"),
    ({"offset": 10**30}, "offset"),
    ({"depth": 0}, "depth"),
    ({"depth": 1_001}, "depth"),
    ({"deadline_ms": 0}, "deadline_ms"),
    ({"deadline_ms": 60_001}, "deadline_ms"),
    ({"deadline_ms": 10.5}, "deadline_ms"),
    ({"asked_at": "10000-01-01T00:00:00Z"}, "asked_at"),
    ({"asked_at": "0000-01-01T00:00:00Z"}, "asked_at"),
    ({"asked_at": "0001-01-01T00:00:00+14:00"}, "asked_at"),
    ({"asked_at": "yesterday"}, "asked_at"),
    ({"asked_at": 1_718_150_400}, "asked_at"),
    ({"timezone": "Mars/Olympus"}, "timezone"),
    ({"timezone": "../../etc/passwd"}, "timezone"),
    ({"window": {"start": None, "end": None}}, "window"),
    ({"window": {"start": "2024-06-02T00:00:00Z", "end": "2024-06-01T00:00:00Z"}}, "window.end"),
    ({"window": {"start": "2024-06-02T00:00:00Z", "end": "2024-06-02T00:00:00Z"}}, "window.end"),
    ({"window": {"start": "2024-06-02T00:00:00Z", "to": None}}, "window.to"),
    ({"window": {"start": "9999-12-31T23:59:59-01:00"}}, "window.start"),
    ({"as_of": "nope"}, "as_of"),
    ({"include": ["all"]}, "include[0]"),
    ({"budget": "huge"}, "budget"),
    ({"filters": {"tags": "infra"}}, "filters.tags"),
    ({"filters": {"tags": ["a", 3]}}, "filters.tags[1]"),
    ({"filters": {"topic": "a\x00"}}, "filters.topic"),
    ({"filters": {"colour": "red"}}, "filters.colour"),
    ({"weights": {"smell": 1.0}}, "weights.smell"),
    ({"weights": {"keyword": -1}}, "weights.keyword"),
    ({"weights": dict.fromkeys(CHANNELS, 0)}, "weights"),
    ({"rrf_k": 0}, "rrf_k"),
    ({"arc": {"memory": "nobody"}}, "arc.memory"),
    ({"arc": "m1"}, "arc"),
    ({"user": "a" * 201}, "user"),
    ({"explain": "yes"}, "explain"),
    ({"top_k": 5}, "top_k"),
]


@pytest.mark.parametrize(("change", "field"), REFUSED)
def test_bad_value_is_refused_by_its_field(
    api: Api, standing: str, change: dict[str, object], field: str
) -> None:
    asked = {**ASKED, **change} if change else {}
    reply = api.post(f"{standing}/recall", asked)
    assert reply.status_code == 422, reply.text
    assert reply.json()["field"] == field, reply.text
    assert reply.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b'{"question": "\\ud800"}', "question"),
        (b'{"question": "\\u0000"}', "question"),
        (b'{"question": "a", "weights": {"keyword": NaN}}', "weights.keyword"),
        (b'{"question": "a", "weights": {"keyword": Infinity}}', "weights.keyword"),
        (b'{"question": "a", "rrf_k": 1e999}', "rrf_k"),
        (b'{"question": "a", "min_score": -Infinity}', "min_score"),
        (b'{"question": "a", "k": 1' + b"0" * 5_000 + b"}", "body"),
        (b'{"question": "a"', "body"),
        (b'{"question": "\xff"}', "body"),
        (b"[1, 2]", "body"),
        (b"null", "body"),
        (b"[" * 100_000, "body"),
        (b'{"question": "a", "weights": ' + b"[" * 400 + b"]" * 400 + b"}", "weights[0]"),
        (b'{"question": "a", "\\ud800": 1}', "?"),
    ],
)
def test_malformed_body_is_refused_by_its_field(
    api: Api, standing: str, raw: bytes, field: str
) -> None:
    reply = api.call("POST", f"{standing}/recall", content=raw)
    assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text


def test_more_questions_than_connections_are_all_answered(api: Api, standing: str) -> None:
    async def ask_all() -> list[httpx.Response]:
        transport = httpx.ASGITransport(api.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            asked = (client.post(f"{standing}/recall", json=ASKED) for _ in range(30))
            return await asyncio.gather(*asked)

    replies = api.run(ask_all())
    assert {reply.status_code for reply in replies} == {200}
    assert {tuple(reply.json()["degraded"]) for reply in replies} == {()}


def test_packaged_model_finds_what_is_said_in_other_words(database: str) -> None:
    with running(settings_for(database, embedder=PACKAGED)) as api:
        texts = ["My dog is called Rex", "Taxes are due in April", "The car needs new tyres"]
        items = [{"id": f"t{n}", "text": text} for n, text in enumerate(texts)]
        assert api.post("/v1/banks/b/memories", {"items": items}).json()["accepted"] == 3
        answer = api.post("/v1/banks/b/recall", {"question": "name of the pet puppy"}).json()
        assert answer["results"][0]["id"] == "t0"
        assert answer["results"][0]["channels"]["semantic"]["rank"] == 1
        api.run(asyncio.wait_for(api.app.state.warm, 10))
        assert api.get("/health/ready").status_code == 200


def test_recall_from_an_absent_bank_is_not_found(api: Api, bank: str) -> None:
    reply = api.post(f"/v1/banks/{bank}/recall", ASKED)
    assert (reply.status_code, reply.json()["type"]) == (404, "urn:fivefold:problem:no-bank")


@pytest.mark.parametrize("name", ["ключ", "a b", "50%", "a?b#c", "日本", "🦊", "..a", "a%2Fb"])
def test_bank_may_bear_any_printable_name(api: Api, name: str) -> None:
    path = f"/v1/banks/{quote(name, safe='')}"
    assert api.put(path, {}).json()["bank"] == name
    assert api.get(path).json()["bank"] == name
    assert api.delete(path).status_code == 204


@pytest.mark.parametrize("segment", ["a%2Fb", "a%00b", "a%0Ab", "%FF", "x" * 201, "a%C2%85"])
def test_bank_name_of_other_characters_is_refused(api: Api, segment: str) -> None:
    reply = api.put(f"/v1/banks/{segment}", {})
    assert (reply.status_code, reply.json()["field"]) == (422, "bank"), reply.text


def test_arc_told_turn_by_turn_can_be_the_query(api: Api, bank: str) -> None:
    path = f"/v1/banks/{bank}"
    courses = {"up": ("fear", "relief"), "down": ("relief", "fear"), "flat": ("joy", "joy")}
    items = [
        {
            "id": f"{name}{place}",
            "text": "a turn",
            "episode": name,
            "position": place,
            "affect": [{"label": label, "intensity": 0.9}],
        }
        for name, labels in courses.items()
        for place, label in enumerate(labels)
    ]
    api.put(path, {})
    api.post(f"{path}/memories", {"items": items})
    told = [[{"label": "fear", "intensity": 0.8}], [{"label": "relief", "intensity": 0.8}]]
    asked = {"question": "a turn like that", "arc": {"turns": told}, "explain": True}
    reply = api.post(f"{path}/recall", asked).json()
    hits = [hit["id"] for hit in reply["trace"]["channels"]["emotional"]["hits"]]
    assert hits[0] == "up1"
    assert not {"flat0", "flat1"} & set(hits)
    wrong = {"question": "x", "arc": {"turns": [[{"label": "hunger", "intensity": 1}]]}}
    refused = api.post(f"{path}/recall", wrong)
    assert (refused.status_code, refused.json()["field"]) == (422, "arc.turns[0][0].label")
    for arc in ({}, {"memory": "up1", "turns": told}):
        assert api.post(f"{path}/recall", {"question": "x", "arc": arc}).status_code == 422


def test_a_strict_window_without_a_window_is_said_to_do_nothing(api: Api, filled: str) -> None:
    asked = {"question": "cluster", "strict_window": True}
    reply = api.post(f"{filled}/recall", asked).json()
    assert (reply["window"], reply["degraded"]) == (None, ["strict_window:no_window"])
    dated = api.post(f"{filled}/recall", {**asked, "question": "cluster in June 2024"}).json()
    assert dated["degraded"] == []


def test_a_strict_window_keeps_just_what_is_marked_as_in_it(api: Api, bank: str) -> None:
    items = [
        {"id": "then", "text": "the printer broke", "occurred_at": "2024-06-03T09:00:00Z"},
        {"id": "told", "text": "the printer broke on 3 June 2024", "occurred_at": "2024-09-01"},
        {"id": "named", "text": "the printer broke on 3 June 2024"},
        {"id": "month", "text": "a printer month", "occurred_at": "2024-06"},
        {"id": "before", "text": "the printer worked", "occurred_at": "2024-06-02",
         "granularity": "day"},
        {"id": "after", "text": "the printer was fixed", "occurred_at": "2024-06-04T00:00:00Z"},
        {"id": "never", "text": "printers need paper"},
    ]  # fmt: skip
    api.post(f"/v1/banks/{bank}/memories", {"items": items})
    asked = {"question": "printer on 3 June 2024"}
    loose = api.post(f"/v1/banks/{bank}/recall", asked).json()["results"]
    inside = {one["id"] for one in loose if one["in_window"]}
    assert inside == {"then", "told", "named", "month"}
    strict = api.post(f"/v1/banks/{bank}/recall", {**asked, "strict_window": True}).json()
    assert {one["id"] for one in strict["results"]} == inside
    assert all(one["in_window"] for one in strict["results"])


def test_quotes_that_are_no_operator_are_told(api: Api, filled: str) -> None:
    asked = {"question": '"staging cluster" and "incid* review"', "explain": True}
    reply = api.post(f"{filled}/recall", asked).json()
    assert reply["degraded"] == ["quotes:star_inside"]
    assert reply["trace"]["question"]["rules"]["quotes"] == {
        "applied": ["staging cluster"], "read_as_words": {"incid* review": "star_inside"},
    }  # fmt: skip
    plain = api.post(f"{filled}/recall", {"question": 'the "staging cluster"'}).json()
    assert plain["degraded"] == []
