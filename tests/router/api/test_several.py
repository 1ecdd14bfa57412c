"""Several banks over HTTP: the reply's shape, whose result it is, and every refusal."""

from typing import Any

import pytest

from tests.router.api.conftest import Api, fill
from tests.router.api.test_auth import bearer
from tests.router.api.test_recall import REPLY, RESULT

QUESTION = {"question": "Where did the staging cluster go?", "asked_at": "2024-06-12T00:00:00Z"}


@pytest.fixture(scope="module")
def pair(shared_api: Api) -> list[str]:
    """Two banks with the same three turns."""
    for name in ("pair-a", "pair-b"):
        fill(shared_api, f"/v1/banks/{name}")
    return ["pair-a", "pair-b"]


def ask(api: Api, banks: Any, **more: Any) -> Any:
    return api.post("/v1/recall", {**QUESTION, "banks": banks, **more})


def test_each_result_carries_its_bank_and_that_banks_own_recall(api: Api, pair: list[str]) -> None:
    reply = ask(api, pair)
    assert reply.status_code == 200, reply.text
    answer = reply.json()
    assert set(answer) == {"rrf_k", "degraded", "results", "banks", "timings_ms"}
    added = {"bank", "recall_id", "bank_rank", "bank_score"}
    assert set(answer["results"][0]) == RESULT | added
    assert [(r["bank"], r["bank_rank"]) for r in answer["results"][:4]] == [
        ("pair-a", 1), ("pair-b", 1), ("pair-a", 2), ("pair-b", 2),
    ]  # fmt: skip
    assert [r["rank"] for r in answer["results"]] == list(range(1, len(answer["results"]) + 1))
    for bank in answer["banks"]:
        assert set(bank) == REPLY - {"results"} | {"bank", "bank_weight", "failure"}
        stored = api.get(f"/v1/banks/{bank['bank']}/recalls/{bank['recall_id']}")
        assert stored.status_code == 200
        own = {r["recall_id"] for r in answer["results"] if r["bank"] == bank["bank"]}
        assert own == {bank["recall_id"]}
    assert answer["degraded"] == []


def test_score_is_the_banks_weight_over_its_rank(api: Api, pair: list[str]) -> None:
    banks = [pair[0], {"bank": pair[1], "weight": 4}]
    results = ask(api, banks).json()["results"]
    weights = dict(zip(pair, (1, 4), strict=True))
    for result in results:
        expected = weights[result["bank"]] / (60 + result["bank_rank"])
        assert result["score"] == pytest.approx(expected)
    assert [r["bank"] for r in results] == [pair[1]] * 3 + [pair[0]] * 3


def test_bank_answers_as_it_does_alone(api: Api, pair: list[str]) -> None:
    alone = api.post(f"/v1/banks/{pair[0]}/recall", QUESTION).json()["results"]
    mine = [r for r in ask(api, pair).json()["results"] if r["bank"] == pair[0]]
    assert [(r["id"], r["bank_score"]) for r in mine] == [(r["id"], r["score"]) for r in alone]


def test_pages_by_offset_continue_each_other(api: Api, pair: list[str]) -> None:
    whole = [(r["rank"], r["bank"], r["id"]) for r in ask(api, pair).json()["results"]]
    page = ask(api, pair, k=2, offset=3).json()["results"]
    assert [(r["rank"], r["bank"], r["id"]) for r in page] == whole[3:5]


def test_feedback_on_a_result_goes_to_its_own_bank(api: Api, pair: list[str]) -> None:
    result = ask(api, pair).json()["results"][1]
    event = {
        "event_id": "several-1", "action_name": "memory_cited", "recall_id": result["recall_id"],
        "memory_id": result["id"], "position": result["bank_rank"],
        "timestamp": "2024-06-12T00:00:01Z",
    }  # fmt: skip
    receipt = api.post(f"/v1/banks/{result['bank']}/feedback", event).json()
    assert (receipt["accepted"], receipt["rejected"]) == (1, [])


def test_explained_answer_holds_the_trace_of_every_bank(api: Api, pair: list[str]) -> None:
    banks = ask(api, pair, explain=True).json()["banks"]
    assert all(bank["trace"]["fusion"]["candidates"] == 3 for bank in banks)


def test_arc_is_asked_of_the_bank_that_holds_the_memory(api: Api, pair: list[str]) -> None:
    api.post("/v1/banks/arc-only/memories", {"items": [{"id": "own", "text": "I am furious"}]})
    assert ask(api, [pair[0], "arc-only"], arc={"memory": "own"}).json()["degraded"] == []
    reply = ask(api, pair, arc={"memory": "own"})
    assert (reply.status_code, reply.json()["field"]) == (422, "arc.memory")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "banks"),
        ({"banks": []}, "banks"),
        ({"banks": "pair-a"}, "banks"),
        ({"banks": [f"b{n}" for n in range(21)]}, "banks"),
        ({"banks": ["pair-a", 7]}, "banks[1]"),
        ({"banks": ["pair-a", ""]}, "banks[1].bank"),
        ({"banks": [{"weight": 1}]}, "banks[0].bank"),
        ({"banks": [{"bank": "pair-a", "weight": 0}]}, "banks[0].weight"),
        ({"banks": [{"bank": "pair-a", "wieght": 1}]}, "banks[0].wieght"),
        ({"banks": ["pair-a", {"bank": "pair-a"}]}, "banks[1]"),
        ({"banks": ["pair-a"], "kk": 3}, "kk"),
        ({"banks": ["pair-a"], "question": " "}, "question"),
        ({"banks": ["pair-a"], "offset": 190, "k": 20}, "offset"),
        ({"banks": ["pair-a"], "weights": {"smell": 1}}, "weights.smell"),
    ],
)
def test_what_the_caller_can_mend_is_named(
    api: Api, pair: list[str], body: dict[str, Any], field: str
) -> None:
    reply = api.post("/v1/recall", {**QUESTION, **body})
    assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text


def test_unknown_bank_is_named_and_nothing_is_asked(api: Api, pair: list[str]) -> None:
    before = api.get(f"/v1/banks/{pair[0]}/recalls").json()["recalls"]
    reply = ask(api, [pair[0], "nowhere"])
    assert reply.status_code == 404
    assert "nowhere" in reply.json()["detail"]
    assert api.get(f"/v1/banks/{pair[0]}/recalls").json()["recalls"] == before


def test_key_must_cover_every_bank_whether_or_not_it_exists(own_api: Api) -> None:
    _, admin = own_api.key("admin")
    _, team = own_api.key("recall", banks="team-*")
    _, writer = own_api.key("retain")
    for name in ("team-a", "team-b", "other"):
        own_api.put(f"/v1/banks/{name}", {}, headers=bearer(admin))

    def asked(key: str, *banks: str) -> Any:
        return own_api.post("/v1/recall", {**QUESTION, "banks": banks}, headers=bearer(key))

    assert asked(team, "team-a", "team-b").status_code == 200
    for name in ("other", "nowhere"):
        reply = asked(team, "team-a", name)
        assert reply.status_code == 403
        assert repr(name) in reply.json()["detail"]
    assert asked(writer, "team-a").status_code == 403


def test_openapi_describes_both_forms_of_a_bank(api: Api) -> None:
    schemas = api.get("/openapi.json").json()["components"]["schemas"]
    forms = schemas["SeveralBody"]["properties"]["banks"]["items"]["anyOf"]
    assert [form["type"] for form in forms] == ["string", "object"]
