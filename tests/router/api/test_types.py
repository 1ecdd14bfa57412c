"""Corrections of types over HTTP: learnt from, shown, taken back, reset, rebuilt, shared."""

import time
from typing import Any

import pytest

from router.live_types import FRESH_S
from router.understand.layer import CAP, TYPES
from tests.router.api.conftest import Api, fill, running, settings_for

ASKED = "How many clusters has Ana moved so far?"


def ask(api: Api, path: str, question: str = ASKED, **more: Any) -> dict[str, Any]:
    reply = api.post(f"{path}/recall", {"question": question, **more})
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def correct(api: Api, path: str, recall_id: str, kind: str | None, **parts: Any) -> dict[str, Any]:
    reply = api.put(f"{path}/recalls/{recall_id}/type", {"type": kind}, **parts)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def taught(api: Api, path: str, kind: str = "general", times: int = 8) -> list[str]:
    """Recalls of one kind of question that were corrected."""
    ids = [ask(api, path, f"{ASKED} ({n})", user=f"u{n}")["recall_id"] for n in range(times)]
    for recall_id in ids:
        correct(api, path, recall_id, kind)
    return ids


def test_correction_moves_the_next_question_and_says_so(api: Api, filled: str) -> None:
    before = ask(api, filled)
    assert "type_layer" not in before
    done = correct(api, filled, before["recall_id"], "general")
    assert done["number"] == 1
    assert done["before"] == pytest.approx(before["types"])
    assert done["after"]["general"] > done["before"]["general"]
    after = ask(api, filled, explain=True)
    assert after["types"]["general"] > before["types"]["general"]
    assert after["type_layer"]["base"] == pytest.approx(before["types"])
    assert (after["type_layer"]["number"], after["type_layer"]["counted"]) == (1, 1)
    assert after["trace"]["question"]["types"]["layer"] == after["type_layer"]
    stored = api.get(f"{filled}/recalls/{after['recall_id']}").json()
    assert stored["types"] == pytest.approx(after["types"])
    assert stored["analysis"]["types"]["base"] == pytest.approx(before["types"])


def test_every_trace_names_the_features_that_spoke_for_the_type(api: Api, standing: str) -> None:
    trace = ask(api, standing, "When did we move the cluster?", explain=True)["trace"]
    types = trace["question"]["types"]
    assert set(types) == {"base", "read_from", "because", "fired", "layer"}
    assert "ask_when" in types["fired"]
    assert types["because"]["ask_when"] > 0
    assert types["layer"] is None
    assert sum(types["base"].values()) == pytest.approx(1.0)


def test_types_page_shows_bounds_voices_effect_and_weights(api: Api, filled: str) -> None:
    nothing = api.get(f"{filled}/types").json()
    assert (nothing["active"], nothing["number"], nothing["effect"]) == (False, 0, None)
    taught(api, filled)
    shown = api.get(f"{filled}/types").json()
    assert (shown["active"], shown["number"], shown["counted"]) == (True, 8, 8)
    assert shown["evidence"] == pytest.approx(8.0)
    assert shown["cap"] == CAP
    assert shown["room"] == pytest.approx(CAP * 8 / 18)
    assert shown["voices"] == [{"author": "local", "corrections": 8, "worth": 8.0}]
    assert shown["effect"]["questions"] == 8
    assert shown["effect"]["right_after"] >= shown["effect"]["right_before"]
    assert 0 < shown["effect"]["mean_shift"] < 1
    assert set(shown["weights"]) == set(TYPES)
    assert shown["weights"]["general"]["how_many"] > 0


def test_audit_holds_who_when_before_and_after_of_everything_said(api: Api, filled: str) -> None:
    recall_id = ask(api, filled, user="ana")["recall_id"]
    correct(api, filled, recall_id, "general")
    correct(api, filled, recall_id, "temporal")
    correct(api, filled, recall_id, None)
    page = api.get(f"{filled}/types/corrections?limit=2").json()
    rest = api.get(f"{filled}/types/corrections?cursor={page['next']}").json()
    deeds = [*page["corrections"], *rest["corrections"]]
    assert rest["next"] is None
    assert [(deed["number"], deed["deed"], deed["type"]) for deed in deeds] == [
        (3, "retracted", None), (2, "corrected", "temporal"), (1, "corrected", "general"),
    ]  # fmt: skip
    for deed in deeds:
        assert (deed["recall_id"], deed["author"], deed["actor"]) == (recall_id, "local", "ana")
        assert deed["at"].endswith("+00:00")
        assert set(deed["before"]) == set(deed["after"]) == set(deed["base"]) == set(TYPES)
    assert deeds[0]["after"] == deeds[0]["base"]


def test_correcting_again_replaces_what_was_said_before(api: Api, filled: str) -> None:
    recall_id = ask(api, filled)["recall_id"]
    correct(api, filled, recall_id, "general")
    correct(api, filled, recall_id, "temporal")
    shown = api.get(f"{filled}/types").json()
    assert (shown["number"], shown["counted"]) == (2, 1)
    assert shown["weights"]["temporal"]["how_many"] > 0 > shown["weights"]["general"]["how_many"]


def test_saying_the_same_twice_counts_once(api: Api, filled: str) -> None:
    recall_id = ask(api, filled)["recall_id"]
    first = correct(api, filled, recall_id, "general")
    again = correct(api, filled, recall_id, "general")
    assert again["number"] is None
    assert again["before"] == again["after"] == first["after"]
    assert api.get(f"{filled}/types").json()["number"] == 1


def test_taking_back_what_was_never_said_leaves_no_trace(api: Api, filled: str) -> None:
    recall_id = ask(api, filled)["recall_id"]
    assert correct(api, filled, recall_id, None)["number"] is None
    assert api.get(f"{filled}/types/corrections").json()["corrections"] == []


def test_taking_everything_back_gives_the_identity(api: Api, filled: str) -> None:
    before = ask(api, filled)
    for recall_id in taught(api, filled, times=3):
        correct(api, filled, recall_id, None)
    after = ask(api, filled)
    assert after["types"] == before["types"]
    assert "type_layer" not in after


def test_reset_gives_the_identity_and_stays_in_the_audit(api: Api, filled: str) -> None:
    before = ask(api, filled)
    ids = taught(api, filled, times=3)
    assert ask(api, filled)["types"] != before["types"]
    assert api.delete(f"{filled}/types").json() == {"number": 4, "active": False}
    assert ask(api, filled)["types"] == before["types"]
    newest = api.get(f"{filled}/types/corrections").json()["corrections"][0]
    assert (newest["deed"], newest["author"], newest["recall_id"]) == ("reset", "local", None)
    assert correct(api, filled, ids[0], "general")["number"] == 5
    assert api.get(f"{filled}/types").json()["counted"] == 1


def test_rebuilding_gives_the_stored_layer_bit_for_bit(api: Api, filled: str) -> None:
    ids = taught(api, filled, times=5)
    correct(api, filled, ids[2], "emotional")
    correct(api, filled, ids[3], None)
    held = api.get(f"{filled}/types").json()
    assert api.post(f"{filled}/types/rebuild").json() == {"number": 7, "counted": 4, "same": True}
    assert api.get(f"{filled}/types").json() == held


def test_other_banks_hear_nothing_of_a_correction(api: Api, filled: str) -> None:
    other = fill(api, f"{filled}-other")
    before = ask(api, other)
    taught(api, filled, times=3)
    assert ask(api, other)["types"] == before["types"]
    assert api.get(f"{other}/types").json()["active"] is False


def test_another_server_follows_within_two_seconds(own_api: Api, database: str) -> None:
    path = fill(own_api, "/v1/banks/shared")
    with running(settings_for(database)) as second:
        before = ask(second, path)
        correct(own_api, path, ask(own_api, path)["recall_id"], "general")
        deadline = time.monotonic() + FRESH_S + 1
        while (after := ask(second, path))["types"] == before["types"]:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert after["types"] == ask(own_api, path)["types"]
        own_api.delete(f"{path}/types")
        time.sleep(FRESH_S)
        assert ask(second, path)["types"] == before["types"]


def test_keys_are_the_authors_and_only_admins_reset(own_api: Api) -> None:
    judge_id, judge = own_api.key("recall", "feedback", "retain", trusted=True)
    _, admin = own_api.key("admin")
    as_judge = {"headers": {"Authorization": f"Bearer {judge}"}}
    path = "/v1/banks/keyed"
    own_api.post(f"{path}/memories", {"items": [{"text": "a"}]}, **as_judge)
    reply = own_api.post(f"{path}/recall", {"question": ASKED, "user": "ana"}, **as_judge)
    correct(own_api, path, reply.json()["recall_id"], "general", **as_judge)
    deed = own_api.get(f"{path}/types/corrections", **as_judge).json()["corrections"][0]
    assert (deed["author"], deed["actor"], deed["trusted"]) == (judge_id, "ana", True)
    assert own_api.delete(f"{path}/types", **as_judge).status_code == 403
    assert own_api.post(f"{path}/types/rebuild", **as_judge).status_code == 403
    as_admin = {"headers": {"Authorization": f"Bearer {admin}"}}
    assert own_api.delete(f"{path}/types", **as_admin).status_code == 200


def test_deleting_a_bank_deletes_what_was_said(api: Api, bank: str) -> None:
    path = fill(api, f"/v1/banks/{bank}")
    taught(api, path, times=2)
    assert api.delete(path).status_code in {200, 204}
    fill(api, path)
    assert api.get(f"{path}/types").json()["number"] == 0


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_types_of_an_unknown_bank_are_not_found(api: Api, method: str) -> None:
    assert api.call(method, "/v1/banks/nowhere/types").status_code == 404
