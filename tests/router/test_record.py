"""The decision on record: whole, behind the reply, and kept through a restart of the database."""

import asyncio
from typing import Any

import numpy as np
import psycopg
import pytest

from channels.base import Hit
from channels.errors import Unavailable
from router import metrics
from router.features import FEATURE_VERSION, feature_names
from router.presets import CHANNELS
from router.record import Recorder
from router.store.decisions import Decisions
from tests.router.world import World, memory, shown

TURNS = [
    memory("m0", "We moved the staging cluster to eu-west", "2025-06-02T09:00:00Z",
           speaker="Ana", episode="e1", position=0),
    memory("m1", "The cluster bill doubled", "2025-06-03T09:00:00Z", episode="e1", position=1),
    memory("m2", "Billing runs on the old cluster until July", "2025-06-04T09:00:00Z"),
    memory("m3", "Lunch is at noon", "2025-06-10T09:00:00Z"),
]  # fmt: skip
QUESTION = "what did Ana say about the cluster last week?"


@pytest.fixture(scope="module")
def bank(world: World) -> str:
    return world.bank(*TURNS)


def decision(world: World, bank: str, recall_id: str) -> dict[str, Any]:
    async def read() -> dict[str, Any]:
        held = await world.service.banks.get(bank)
        return await Decisions(world.service.transaction).decision(held.key, recall_id)

    found: dict[str, Any] = world.run(read())
    return found


def recorder(world: World, *, size: int = 100) -> Recorder:
    feedback = world.service.feedback
    return Recorder(world.service.transaction, size=size, recorded=feedback.join_parked)


async def started(made: Recorder) -> None:
    made.start()


def test_decision_is_on_record_after_a_flush(world: World, bank: str) -> None:
    answer = world.ask(bank, QUESTION, k=3, user="ana", client="cli", session="s1")
    world.flush()
    row = decision(world, bank, answer.recall_id)
    assert row["question"] == QUESTION
    assert (row["actor"], row["session"]) == ("ana", "s1")
    assert row["channels"] == list(CHANNELS)
    assert row["weights"] == pytest.approx(list(answer.row.weights.values()))
    assert row["rrf_k"] == pytest.approx(answer.row.rrf_k)
    assert row["types"] == pytest.approx(dict(answer.types))
    assert (row["matrix_version"], row["policy"], row["propensity"]) == (0, "learned", 1.0)
    assert row["caller_weights"] is False
    assert row["shown_ids"] == shown(answer)
    assert row["analysis"]["window"]["text"] == "last week"
    assert row["degraded"] == []
    assert row["timings"]["total"] == answer.timings_ms["total"]


def test_ranks_and_scores_are_those_of_the_runs(world: World, bank: str) -> None:
    answer = world.ask(bank, QUESTION, k=2)
    world.flush()
    row = decision(world, bank, answer.recall_id)
    shape = (len(answer.fused), len(CHANNELS))
    ranks = np.array(row["ranks"]).reshape(shape)
    scores = np.array(row["scores"]).reshape(shape)
    assert row["candidate_ids"] == [answer.facts[item.key].id for item in answer.fused]
    assert row["fused"] == [item.score for item in answer.fused]
    for place, item in enumerate(answer.fused):
        for column, channel in enumerate(CHANNELS):
            vote = item.votes.get(channel)
            assert ranks[place, column] == (vote.rank if vote else 0)
            assert scores[place, column] == pytest.approx(vote.score if vote else 0.0, rel=1e-4)


@pytest.mark.parametrize(("k", "offset", "rows"), [(10, 0, 4), (2, 1, 2), (5, 100, 0)])
def test_features_are_half_floats_of_the_shown_centred_over_all(
    world: World, bank: str, k: int, offset: int, rows: int
) -> None:
    answer = world.ask(bank, QUESTION, k=k, offset=offset)
    world.flush()
    row = decision(world, bank, answer.recall_id)
    assert row["feature_version"] == FEATURE_VERSION
    names = feature_names(CHANNELS)
    table = np.frombuffer(row["features"], np.float16).reshape(-1, len(names))
    assert table.shape == (rows, len(names))
    assert np.isfinite(table).all()
    if rows == len(answer.fused):
        np.testing.assert_allclose(table.astype(float).sum(axis=0), 0.0, atol=0.02)


def test_recall_that_found_nothing_is_recorded_too(world: World) -> None:
    bank = world.bank()
    lost = metrics.RECORDS_LOST._value.get()
    answer = world.ask(bank, "anything?")
    world.flush()
    assert metrics.RECORDS_LOST._value.get() == lost
    row = decision(world, bank, answer.recall_id)
    assert (row["candidate_ids"], row["ranks"], bytes(row["features"])) == ([], [], b"")


def test_weights_of_the_caller_are_marked(world: World, bank: str) -> None:
    answers = [
        world.ask(bank, QUESTION, weights={"graph": 1.0}),
        world.ask(bank, QUESTION, rrf_k=7.0),
    ]
    world.flush()
    for answer in answers:
        row = decision(world, bank, answer.recall_id)
        assert row["caller_weights"] is True
        assert row["rrf_k"] == pytest.approx(answer.row.rrf_k)


@pytest.mark.parametrize(
    ("who", "actor"),
    [
        ({"user": "u", "client": "c", "api_key": "k"}, "u"),
        ({"client": "c", "api_key": "k"}, "c"),
        ({"api_key": "k"}, "k"),
        ({}, "anonymous"),
    ],
)
def test_actor_is_user_else_client_else_key(
    world: World, bank: str, who: dict[str, str], actor: str
) -> None:
    answer = world.ask(bank, QUESTION, **who)
    world.flush()
    assert decision(world, bank, answer.recall_id)["actor"] == actor


def test_degraded_recall_says_so_on_record_and_carries_no_features(world: World, bank: str) -> None:
    class NoModel:
        async def embed_question(self, bank: Any, text: str) -> Any:
            raise Unavailable("embedder", "gone")

    answer = world.ask(bank, QUESTION, world.recaller(embedders=NoModel()))
    world.flush()
    row = decision(world, bank, answer.recall_id)
    assert set(row["degraded"]) >= {"embedder:unavailable", "semantic:dependency"}
    assert (row["feature_version"], bytes(row["features"])) == (0, b"")


def test_full_queue_is_named_in_the_reply_and_counted(world: World, bank: str) -> None:
    waiting = recorder(world, size=1)  # not started: nothing leaves the queue
    recaller = world.recaller(recorder=waiting)
    lost = metrics.RECORDS_LOST._value.get()
    assert world.ask(bank, QUESTION, recaller).degraded == ()
    assert world.ask(bank, QUESTION, recaller).degraded == ("record:queue_full",)
    assert metrics.RECORDS_LOST._value.get() == lost + 1


def test_many_decisions_of_several_banks_are_all_written(world: World, bank: str) -> None:
    other = world.bank(*TURNS)
    answers = [(name, world.ask(name, QUESTION)) for _ in range(20) for name in (bank, other)]
    world.flush()
    for name, answer in answers:
        assert decision(world, name, answer.recall_id)["shown_ids"] == shown(answer)


def test_record_waits_for_a_database_that_restarts(world: World, bank: str) -> None:
    retried = recorder(world)
    answer = world.ask(bank, QUESTION, world.recaller(recorder=retried))
    lost = metrics.RECORDS_LOST._value.get()
    with psycopg.connect(world.dsn, autocommit=True) as admin:
        admin.execute("alter table recalls rename to recalls_away")  # every write fails
        world.run(started(retried))
        world.run(asyncio.sleep(0.05))
        admin.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
        admin.execute("alter table recalls_away rename to recalls")
    world.run(retried.stop())
    assert metrics.RECORDS_LOST._value.get() == lost
    assert decision(world, bank, answer.recall_id)["question"] == QUESTION


def test_record_that_can_never_be_written_is_counted_as_lost(
    world: World, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("router.record.RETRY_S", (0.01, 0.01))
    failing = recorder(world)
    answer = world.ask(bank, QUESTION, world.recaller(recorder=failing))
    lost = metrics.RECORDS_LOST._value.get()
    with psycopg.connect(world.dsn, autocommit=True) as admin:
        admin.execute("alter table recalls rename to recalls_away")
        try:
            world.run(started(failing))
            world.run(failing.flush())
        finally:
            admin.execute("alter table recalls_away rename to recalls")
    world.run(failing.stop())
    assert metrics.RECORDS_LOST._value.get() == lost + 1
    count = world.rows(bank, f"select count(*) from recalls where id = '{answer.recall_id}'")
    assert count == [(0,)]


def test_one_bad_record_costs_no_other_bank_its_own(world: World, bank: str) -> None:
    gone = world.bank(*TURNS)
    both = recorder(world)
    recaller = world.recaller(recorder=both)
    world.ask(gone, QUESTION, recaller)
    kept = world.ask(bank, QUESTION, recaller)

    async def delete() -> None:
        await world.service.banks.delete(await world.service.banks.get(gone))

    world.run(delete())
    world.run(started(both))
    world.run(both.stop())
    assert decision(world, bank, kept.recall_id)["question"] == QUESTION


def test_events_that_came_first_are_joined_once_the_recall_is_on_record(
    world: World, bank: str
) -> None:
    late = recorder(world)
    answer = world.ask(bank, QUESTION, world.recaller(recorder=late))
    event = {
        "event_id": f"e-{answer.recall_id}", "action_name": "memory_cited",
        "timestamp": "2025-06-11T15:31:00.000Z", "query_id": answer.recall_id,
        "memory_id": shown(answer)[0], "position": 1,
    }  # fmt: skip

    async def send() -> Any:
        key = (await world.service.banks.get(bank)).key
        return await world.service.feedback.ingest(key, [event], api_key="k", trusted=False)

    assert world.run(send()).parked == 1
    world.run(started(late))
    world.run(late.stop())
    rows = world.rows(
        bank, "select state, memory_key from events where bank_id = %(bank)s and event_id = %s",
        event["event_id"],
    )  # fmt: skip
    assert rows == [("joined", answer.page[0].key)]


def test_hit_details_do_not_burden_the_record(world: World, bank: str) -> None:
    answer = world.ask(bank, QUESTION)
    assert any(isinstance(hit, Hit) and hit.detail for hit in answer.found.outcomes["graph"].hits)
    world.flush()
    assert "path" not in str(decision(world, bank, answer.recall_id))
