"""Feedback over HTTP: accepted one by one, in every shape a body may have."""

import json
from typing import Any

import pytest

from feedback.bodies import MAX_LINES
from feedback.events import _HEX, _ROUTER_TEXTS, _TEXTS
from router import metrics
from tests.router.api.conftest import Api

AT = "2024-06-12T00:00:00Z"


def event(name: str, recall: str | None, memory: str = "m1", **more: Any) -> dict[str, Any]:
    return {
        "event_id": name, "action_name": "memory_opened", "timestamp": AT, "query_id": recall,
        "memory_id": memory, **more,
    }  # fmt: skip


@pytest.fixture
def recall_id(api: Api, filled: str) -> str:
    return str(api.post(f"{filled}/recall", {"question": "staging cluster"}).json()["recall_id"])


def test_event_joins_the_recall_that_was_just_answered(
    api: Api, filled: str, recall_id: str
) -> None:
    reply = api.post(f"{filled}/feedback", event("e1", recall_id, note="kept"))
    assert reply.json() == {
        "accepted": 1, "duplicate": 0, "late": 0, "parked": 0, "unknown": {}, "rejected": [],
    }  # fmt: skip
    events = api.get(f"{filled}/recalls/{recall_id}").json()["events"]
    assert [(e["event_id"], e["state"], e["memory_id"]) for e in events] == [("e1", "joined", "m1")]


def test_list_and_lines_are_read_alike(api: Api, filled: str, recall_id: str) -> None:
    first, second = event("e1", recall_id), event("e2", recall_id, "m2")
    reply = api.post(f"{filled}/feedback", {"events": [first, second]}).json()
    assert reply["accepted"] == 2
    lines = "\n".join(json.dumps(e) for e in (first, second, event("e3", recall_id)))
    headers = {"content-type": "application/x-ndjson"}
    reply = api.call("POST", f"{filled}/feedback", content=lines, headers=headers).json()
    assert (reply["accepted"], reply["duplicate"]) == (1, 2)


def test_events_that_do_not_fit_are_rejected_one_by_one(
    api: Api, filled: str, recall_id: str
) -> None:
    api.post(f"{filled}/feedback", event("e1", recall_id))
    batch = [
        event("e1", recall_id, "m2"),
        event("e2", recall_id, "nobody"),
        event("e3", recall_id, position=3_000),
        {"event_id": "e4"},
        event("e5", "not-yet-known"),
        event("e6", recall_id),
    ]
    reply = api.post(f"{filled}/feedback", {"events": batch})
    assert reply.status_code == 200
    answer = reply.json()
    assert (answer["accepted"], answer["parked"]) == (1, 1)
    codes = [(r["index"], r["event_id"], r["code"]) for r in answer["rejected"]]
    assert codes == [
        (0, "e1", "conflict"), (1, "e2", "unknown_item"), (2, "e3", "wrong_position"),
        (3, "e4", "invalid"),
    ]  # fmt: skip
    assert all(set(r) == {"index", "event_id", "code", "field", "reason"}
               for r in answer["rejected"])  # fmt: skip


def test_event_for_another_banks_recall_is_rejected(
    api: Api, filled: str, recall_id: str, bank: str
) -> None:
    other = f"/v1/banks/{bank}-other"
    api.put(other, {})
    reply = api.post(f"{other}/feedback", event("e1", recall_id)).json()
    assert [r["code"] for r in reply["rejected"]] == ["cross_bank"]


def test_value_of_an_action_follows_the_banks_configuration(
    api: Api, filled: str, recall_id: str
) -> None:
    api.put(filled, {"config": {"event_values": {"memory_opened": 0.9}}})
    api.post(f"{filled}/feedback", event("e1", recall_id))
    events = api.get(f"{filled}/recalls/{recall_id}").json()["events"]
    assert events[0]["value"] == pytest.approx(0.9)


def counted(outcome: str) -> float:
    return metrics.EVENTS.labels(outcome)._value.get()


def test_what_came_late_is_said_and_counted(api: Api, filled: str, recall_id: str) -> None:
    closing = event("c1", recall_id, action_name="recall_closed", memory_id=None)
    api.post(f"{filled}/feedback", closing)
    late, accepted = counted("late"), counted("accepted")
    batch = [event("e1", recall_id), event("e2", recall_id, action_name="memory_thumbs_up")]
    reply = api.post(f"{filled}/feedback", {"events": batch}).json()
    assert (reply["accepted"], reply["late"]) == (2, 2)
    assert (counted("late") - late, counted("accepted") - accepted) == (2, 0)


def test_events_that_fit_no_recall_are_counted_as_expired(
    api: Api, filled: str, recall_id: str
) -> None:
    store = api.service.feedback
    bank = api.run(api.service.banks.get(filled.rpartition("/")[2])).key

    async def park() -> None:
        async with api.service.transaction(bank) as conn:
            await conn.execute("update events set state = 'parked', memory_id = 'gone', "
                               "body = jsonb_set(body, '{memory_id}', '\"gone\"')")  # fmt: skip
        await store.join_parked(bank, [recall_id])

    api.post(f"{filled}/feedback", event("e1", recall_id))
    before = counted("expired")
    api.run(park())
    assert counted("expired") - before == 1


def test_unknown_action_is_named_in_the_reply(api: Api, filled: str, recall_id: str) -> None:
    typo = event("e1", recall_id, action_name="memory_sited")
    assert api.post(f"{filled}/feedback", typo).json()["unknown"] == {"memory_sited": 1}


def test_a_bad_line_leaves_the_rest_of_the_lines(api: Api, filled: str, recall_id: str) -> None:
    lines = "\n".join([json.dumps(event("e1", recall_id)), "{", json.dumps({"events": []})])
    headers = {"content-type": "application/x-ndjson"}
    reply = api.call("POST", f"{filled}/feedback", content=lines, headers=headers)
    assert reply.status_code == 200
    told = reply.json()
    assert told["accepted"] == 1
    assert [(one["index"], one["field"]) for one in told["rejected"]] == [
        (1, "line 2"), (2, "events"),
    ]  # fmt: skip


def test_openapi_names_every_field_that_an_event_may_carry(api: Api) -> None:
    document = api.get("/openapi.json").json()
    event_schema = document["components"]["schemas"]["FeedbackEvent"]
    fields = event_schema["properties"]
    assert set(fields) >= {
        "event_id", "action_name", "timestamp", "query_id", "recall_id", "event_attributes",
        "object_id", "memory_id", "position", "value", "confidence", "annotator", "dwell_ms",
        "used_ids", "unused_ids", "answer", "tool_arguments", "reply", "router", *_TEXTS,
    }  # fmt: skip
    assert set(fields["router"]["properties"]) >= {
        "memory_id", "position", "value", "confidence", "annotator", "dwell_ms", "used_ids",
        "unused_ids", *_ROUTER_TEXTS, *_HEX,
    }  # fmt: skip
    for name, most in _TEXTS.items():
        assert fields[name].get("maxLength") == most
    body = document["paths"]["/v1/banks/{bank}/feedback"]["post"]["requestBody"]["content"]
    assert str(MAX_LINES) in body["application/x-ndjson"]["schema"]["description"]


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b'{"events": 1}', b"{\n{"])
def test_body_that_cannot_be_parsed_is_refused(api: Api, standing: str, raw: bytes) -> None:
    reply = api.call("POST", f"{standing}/feedback", content=raw)
    assert reply.status_code == 422
    assert reply.json()["field"]


def test_number_that_is_not_finite_rejects_its_event_alone(
    api: Api, filled: str, recall_id: str
) -> None:
    good = json.dumps(event("e1", recall_id))
    bad = good.replace('"e1"', '"e2", "value": NaN')
    raw = f'{{"events": [{bad}, {good}]}}'
    reply = api.call("POST", f"{filled}/feedback", content=raw).json()
    assert (reply["accepted"], [r["code"] for r in reply["rejected"]]) == (1, ["invalid"])


def test_feedback_to_an_absent_bank_is_not_found(api: Api, bank: str) -> None:
    assert api.post(f"/v1/banks/{bank}/feedback", event("e", "r")).status_code == 404
