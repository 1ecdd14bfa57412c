"""Feedback over HTTP: accepted one by one, in every shape a body may have."""

import json
from typing import Any

import pytest

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
    assert reply.json() == {"accepted": 1, "duplicate": 0, "parked": 0, "rejected": []}
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


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b'{"events": 1}', b'{"a": 1}\n{'])
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
