"""Banks over HTTP: made, changed in part, described, deleted."""

import asyncio
from typing import Any

import pytest

from tests.router.api.conftest import HASHES, Api


def test_bank_is_made_once_and_then_changed(api: Api, bank: str) -> None:
    path = f"/v1/banks/{bank}"
    made = api.put(path, {"name": "Team", "config": {"timezone": "Europe/Berlin"}})
    assert (made.status_code, made.json()["name"]) == (201, "Team")
    changed = api.put(path, {"config": {"explore": False, "decay": {"half_life_days": 7}}})
    assert changed.status_code == 200
    config = changed.json()["config"]
    assert (config["timezone"], config["explore"]) == ("Europe/Berlin", False)
    assert config["decay"]["half_life_days"] == 7
    assert changed.json()["name"] == "Team"
    assert api.put(path, {"name": None}).json()["name"] is None
    assert api.put(path).json()["config"]["timezone"] == "Europe/Berlin"


def test_bank_is_described_with_counts_and_sizes(api: Api, filled: str) -> None:
    api.post(f"{filled}/recall", {"question": "cluster"})
    described = api.get(filled).json()
    counts = described["counts"]
    assert (counts["memories"], counts["episodes"], counts["recalls"]) == (3, 1, 1)
    assert described["embedder"] == {"name": HASHES, "dim": 384}
    assert described["matrix_version"] == 0
    assert described["bytes"]["texts"] > 100
    assert described["bytes"]["vectors"] >= 3 * 384 * 2


def test_list_names_every_bank(api: Api, filled: str) -> None:
    names = [bank["bank"] for bank in api.get("/v1/banks").json()["banks"]]
    assert filled.removeprefix("/v1/banks/") in names
    assert names == sorted(names)


def test_deleted_bank_is_gone_and_its_name_starts_empty(api: Api, filled: str) -> None:
    api.post(f"{filled}/recall", {"question": "cluster"})
    assert api.delete(filled).status_code == 204
    assert api.get(filled).status_code == 404
    assert api.delete(filled).status_code == 404
    api.put(filled, {})
    counts = api.get(filled).json()["counts"]
    assert set(counts.values()) == {0}


def test_zone_of_the_bank_reads_times_of_requests_without_one(api: Api, bank: str) -> None:
    path = f"/v1/banks/{bank}"
    api.put(path, {"config": {"timezone": "Asia/Tokyo"}})
    item = {"id": "a", "text": "noon", "occurred_at": "2024-06-03T12:00:00"}
    api.post(f"{path}/memories", {"items": [item]})
    stored = api.get(f"{path}/memories/a").json()["occurred_at"]
    assert stored == "2024-06-03T03:00:00+00:00"
    asked = {"question": "noon", "window": {"start": "2024-06-03T00:00:00"}}
    start = api.post(f"{path}/recall", asked).json()["window"]["start"]
    assert start == "2024-06-02T15:00:00+00:00"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"title": "x"}, "title"),
        ({"config": {"colour": 1}}, "config.colour"),
        ({"config": {"timezone": "Nowhere"}}, "config.timezone"),
        ({"config": {"recency": "never"}}, "config.recency"),
        ({"config": {"date_order": "dmy"}}, "config.date_order"),
        ({"config": {"seasons": "tropical"}}, "config.seasons"),
        ({"config": {"decay": {"half_life_days": 0}}}, "config.decay.half_life_days"),
        ({"config": {"event_values": {"memory_opened": 2}}}, "config.event_values.memory_opened"),
        ({"config": {"event_values": {"recall_closed": 1}}}, "config.event_values.recall_closed"),
        ({"name": "a\x00"}, "name"),
    ],
)
def test_bad_configuration_is_refused_and_changes_nothing(
    api: Api, bank: str, body: dict[str, Any], field: str
) -> None:
    path = f"/v1/banks/{bank}"
    for status in (404, 200):
        reply = api.put(path, body)
        assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text
        assert api.get(path).status_code == status
        api.put(path, {})


def test_bank_moves_to_another_embedder_behind_the_reply(api: Api, filled: str) -> None:
    before = api.get(filled).json()
    assert before["reembedding"] is None
    assert before["index"] == {"state": "none", "phase": None, "done": 0, "of": 0}
    reply = api.put(filled, {"config": {"embedder": "none"}})
    assert (reply.status_code, reply.json()["config"]["embedder"]) == (200, "none")
    for _ in range(200):
        described = api.get(filled).json()
        if described["embedder"]["name"] == "none" and described["reembedding"] is None:
            break
        api.run(asyncio.sleep(0.05))
    assert described["embedder"] == {"name": "none", "dim": 0}
    assert api.post(f"{filled}/recall", {"question": "cluster"}).json()["results"]
    api.put(filled, {"config": {"embedder": HASHES}})


def test_embedder_that_cannot_be_loaded_moves_nothing(
    api: Api, filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    reply = api.put(filled, {"config": {"embedder": "./no-such-model"}})
    assert (reply.status_code, reply.json()["field"]) == (422, "config.embedder"), reply.text
    described = api.get(filled).json()
    assert (described["reembedding"], described["embedder"]["name"]) == (None, HASHES)


def test_embedder_that_cannot_be_loaded_is_named(
    api: Api, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    body = {"config": {"embedder": "./no-such-model"}}
    reply = api.put(f"/v1/banks/{bank}", body)
    assert (reply.status_code, reply.json()["field"]) == (422, "config.embedder"), reply.text
    assert api.get(f"/v1/banks/{bank}").status_code == 404


def configured(api: Api, bank: str, config: dict[str, Any]) -> Any:
    reply = api.put(f"/v1/banks/{bank}", {"config": config})
    assert reply.status_code in (200, 201), reply.text
    return reply.json()["config"]


def test_what_is_not_given_stays_however_deep_it_stands(api: Api, bank: str) -> None:
    configured(api, bank, {"decay": {"kind": "fsrs", "per_kind": {"fact": 90}}})
    configured(api, bank, {"learner": {"min_impressions": 50}})
    found = configured(api, bank, {"decay": {"half_life_days": 20}})
    assert found["decay"] == {"kind": "fsrs", "half_life_days": 20, "per_kind": {"fact": 90}}
    found = configured(api, bank, {"decay": {"per_kind": {"decision": 300}}})
    assert found["decay"]["per_kind"] == {"fact": 90, "decision": 300}
    found = configured(api, bank, {"learner": {"min_actors": 3}})
    assert found["learner"] == {"min_impressions": 50, "min_actors": 3}


def test_one_action_after_another_is_given_its_value(api: Api, bank: str) -> None:
    configured(api, bank, {"event_values": {"memory_opened": 0.9}})
    found = configured(api, bank, {"event_values": {"memory_copied": 0.9}})
    assert found["event_values"] == {"memory_opened": 0.9, "memory_copied": 0.9}
    configured(api, bank, {"event_values": {"memory_opened": {"value": 0.5}}})
    found = configured(api, bank, {"event_values": {"memory_opened": {"trust": 0.4}}})
    assert found["event_values"]["memory_opened"] == {"value": 0.5, "trust": 0.4}


def test_null_takes_a_value_back_to_its_default_and_a_name_away(api: Api, bank: str) -> None:
    configured(api, bank, {"timezone": "Asia/Tokyo", "event_values": {"memory_opened": 0.9},
                           "decay": {"kind": "linear", "half_life_days": 9,
                                     "per_kind": {"fact": 90}}})  # fmt: skip
    found = configured(api, bank, {"decay": {"per_kind": {"fact": None}, "half_life_days": None}})
    assert found["decay"] == {"kind": "linear", "half_life_days": None, "per_kind": {}}
    found = configured(api, bank, {"decay": None, "timezone": None, "event_values": None})
    assert (found["decay"]["kind"], found["timezone"]) == ("exponential", "UTC")
    assert found["event_values"] == {}
    assert configured(api, bank, {"event_values": {"memory_opened": None}})["event_values"] == {}


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"colour": None}, "config.colour"),
        ({"decay": {"colour": None}}, "config.decay.colour"),
        ({"decay": {"colour": 1}}, "config.decay.colour"),
        ({"decay": 5}, "config.decay"),
        ({"decay": {"kind": "none", "half_life_days": 20}}, "config.decay.half_life_days"),
        ({"decay": {"kind": "none", "per_kind": {"fact": 2}}}, "config.decay.per_kind"),
        ({"decay": {"per_kind": {"fact": 0}}}, "config.decay.per_kind.fact"),
    ],
)
def test_a_part_that_is_no_setting_or_means_nothing_is_refused(
    api: Api, bank: str, config: dict[str, Any], field: str
) -> None:
    reply = api.put(f"/v1/banks/{bank}", {"config": config})
    assert (reply.status_code, reply.json()["field"]) == (422, field), reply.text


@pytest.mark.parametrize("kind", ["exponential", "linear", "fsrs", "fsrs6"])
def test_a_half_life_that_is_given_is_kept_even_where_it_is_the_old_default(
    api: Api, bank: str, kind: str
) -> None:
    found = configured(api, bank, {"decay": {"kind": kind, "half_life_days": 30}})
    assert found["decay"]["half_life_days"] == 30
    api.app.state.service.banks.forget(bank)
    stored = api.get(f"/v1/banks/{bank}").json()["config"]["decay"]
    assert stored == {"kind": kind, "half_life_days": 30, "per_kind": {}}


@pytest.mark.parametrize(("model", "orders"), [(HASHES, False), ("none", False)])
def test_a_bank_says_whether_token_vectors_order_its_meaning(
    api: Api, bank: str, model: str, orders: bool
) -> None:
    api.put(f"/v1/banks/{bank}", {"config": {"embedder": model}})
    assert api.get(f"/v1/banks/{bank}").json()["late_interaction"] is orders
