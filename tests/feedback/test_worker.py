"""Closed recalls become better weights: claimed once, in order, in one transaction."""

import asyncio
import os
import socket
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import numpy as np
import pytest
from structlog.testing import capture_logs

from feedback import learners
from router.store.pool import bank_transaction, open_pool
from tests.feedback.lessons import Lessons, setup
from tests.feedback.pages import CHANNELS

BANK, OTHER = 1, 2
Told = Callable[[Lessons], Coroutine[Any, Any, None]]


@pytest.fixture
def learn(database):
    """Runs a coroutine on a fresh database."""

    @asynccontextmanager
    async def opened():
        pool = await open_pool(database, size=6)
        try:
            lessons = Lessons(partial(bank_transaction, pool))
            await lessons.bank(BANK)
            yield lessons
        finally:
            await pool.close()

    def run(story: Told) -> None:
        async def all_of_it() -> None:
            async with opened() as lessons:
                await story(lessons)

        asyncio.run(all_of_it())

    return run


def test_when_only_keyword_hits_are_cited_the_temporal_rows_keyword_weight_rises(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 300)
        await lessons.learn()
        live = await lessons.live(BANK)
        assert live is not None
        assert live.author == "learner"
        before = setup().settings.start.rows.weights[0]
        row = live.rows["temporal"]["weights"]
        assert row["keyword"] > before[3] + 0.1, (row, lessons.seen.steps)
        assert max(row.values()) == 1.0
        assert min(row.values()) >= 0.05
        [(todo,)] = await lessons.all("select count(*) from recalls where learned_batch is null", 1)
        assert todo == 0
        [(todo,)] = await lessons.all("select count(*) from events where learned_batch is null", 1)
        assert todo == 0

    learn(story)


async def bits(lessons: Lessons, bank: int = BANK) -> list[Any]:
    """All that learning changed, to be compared."""
    found = await lessons.all("select * from learner_batches order by batch", bank)
    found += await lessons.all("select * from learners", bank)
    found += await lessons.all("select * from matrices order by version", bank)
    found += await lessons.all(
        "select id, learned_batch, learned_as from recalls order by id", bank
    )
    found += await lessons.all("select event_id, learned_batch from events order by 1", bank)
    return found


def test_events_sent_again_change_nothing(learn) -> None:
    async def story(lessons: Lessons) -> None:
        rng = np.random.default_rng(3)
        sent = []
        for _ in range(30):
            await lessons.ask(BANK, rng)
            events = [
                lessons.event("memory_cited", lessons.last["page"][0]),
                lessons.event("recall_closed"),
            ]
            await lessons.send(BANK, *events)
            sent += events
        await lessons.learn()
        before = await bits(lessons)
        again = await lessons.send(BANK, *sent)
        assert (again.accepted, again.duplicate) == (0, 60)
        await lessons.learn()
        assert await bits(lessons) == before

    learn(story)


def test_two_workers_at_once_learn_each_recall_once(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.bank(OTHER)
        for bank in (BANK, OTHER):
            await lessons.keyword_lesson(bank, 40, seed=bank)
        lessons.now += lessons.now - lessons.now
        first, second = lessons.worker(most=7), lessons.worker(most=7)
        lessons.now = lessons.now.replace(hour=lessons.now.hour + 1)
        await asyncio.gather(*(one.turn() for one in (first, second) for _ in range(9)))
        await lessons.learn()
        for bank in (BANK, OTHER):
            found = await lessons.all(
                "select batch, recalls, impressions from learner_batches order by batch", bank
            )
            assert [row[0] for row in found] == list(range(1, len(found) + 1))
            assert sum(row[1] for row in found) == 40
            assert sum(row[2] for row in found) == 40
        alone = Lessons(lessons.transaction)
        assert (await alone.held(BANK)).batch == len(
            await lessons.all("select 1 from learner_batches", BANK)
        )
        assert lessons.seen.failures == 0

    learn(story)


def test_a_step_that_is_cut_off_before_its_commit_leaves_nothing(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 30)
        before = await bits(lessons)
        cut = Lessons(_cut_off(lessons.transaction))
        cut.now = lessons.now
        await cut.learn()
        assert cut.seen.failures == 1
        assert await bits(lessons) == before
        await lessons.learn()
        assert (await lessons.held(BANK)).batch == 1
        assert lessons.seen.steps[0].batch.impressions == 30

    learn(story)


def _cut_off(transaction: Any) -> Any:
    """As a process killed between claim and commit: the connection ends without one."""

    @asynccontextmanager
    async def opened(bank: Any, *, timeout_ms: int | None = None) -> Any:
        async with transaction(bank, timeout_ms=timeout_ms) as conn:
            yield conn
            if bank != "all":
                with socket.socket(fileno=os.dup(conn.fileno())) as wire:
                    wire.shutdown(socket.SHUT_RDWR)

    return opened


def test_a_store_that_goes_away_under_a_step_is_told_in_one_line(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 30)
        cut = Lessons(_cut_off(lessons.transaction))
        cut.now = lessons.now
        with capture_logs() as logs:
            await cut.learn()
        told = [(one["event"], one["log_level"], "exc_info" in one) for one in logs]
        assert told == [("learner_waits", "warning", False)]
        assert cut.seen.failures == 1

    learn(story)


def test_a_failing_bank_is_left_for_later_and_holds_up_nobody(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.bank(OTHER, embedder="broken")
        for bank in (OTHER, BANK):
            await lessons.keyword_lesson(bank, 25)

        def setups(config: Any, embedder: str) -> Any:
            if config.get("embedder") == "broken":
                raise ValueError("no such model")
            return setup()

        lessons.setups = setups
        await lessons.learn()
        assert lessons.seen.failures == 1
        assert (await lessons.held(BANK)).batch == 1
        assert (await lessons.held(OTHER)).batch == 0
        worker = lessons.worker()
        await worker.turn()
        await worker.turn()  # still within its pause
        assert lessons.seen.failures == 2

    learn(story)


def test_arrival_order_inside_a_batch_plays_no_part(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.bank(OTHER)
        rng = np.random.default_rng(11)
        asked = []
        for number in range(25):
            ranks = np.array(rng.permutation(200).reshape(40, 5) % 21, np.int16)
            ranks = ranks[ranks.any(axis=1)]
            at = lessons.now
            for bank in (BANK, OTHER):
                facts = {"id": f"r{number:03}", "actor": f"a{number % 6}", "question": "when?"}
                blank = np.zeros((10, 3), np.float16).tobytes()
                await lessons.ask(bank, np.random.default_rng(1), ranks=ranks, at=at,
                                  features=blank, **facts)  # fmt: skip
            asked.append(lessons.last)
        for bank, order in ((BANK, asked), (OTHER, asked[::-1])):
            for last in order:
                lessons.last = last
                cited = lessons.event("memory_cited", last["page"][1], event_id=f"c{last['id']}")
                closed = lessons.event("recall_closed", event_id=f"z{last['id']}")
                await lessons.send(bank, cited, closed)
        await lessons.learn()
        assert (await lessons.held(BANK)).state == (await lessons.held(OTHER)).state

    learn(story)


@pytest.mark.parametrize("status", ["frozen", "shadow"])
def test_a_held_learner_learns_on_and_publishes_nothing(learn, status) -> None:
    async def story(lessons: Lessons) -> None:
        async with lessons.transaction(BANK) as conn:
            await learners.lock(conn, BANK, lessons.now)
            await learners.set_status(conn, BANK, status, "by hand", lessons.now)
        await lessons.keyword_lesson(BANK, 60)
        await lessons.learn()
        assert await lessons.live(BANK) is None
        [(proposed, reason)] = await lessons.all("select proposed, reason from learner_batches", 1)
        assert (proposed is not None) == (status == "shadow")
        assert reason == ("frozen" if status == "frozen" else "learned")
        async with lessons.transaction(BANK) as conn:
            await learners.lock(conn, BANK, lessons.now)
            await learners.set_status(conn, BANK, "on", "by hand", lessons.now)
        await lessons.keyword_lesson(BANK, 1, seed=8)
        await lessons.learn()
        assert (await lessons.live(BANK)).version == 1

    learn(story)


def test_too_little_is_learnt_and_not_published(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 10)
        await lessons.learn()
        assert await lessons.live(BANK) is None
        [(reason, impressions)] = await lessons.all(
            "select reason, impressions from learner_batches", 1
        )
        assert impressions == 10
        assert "20 by 1 are needed" in reason

    learn(story)


def test_what_one_bank_learns_is_nothing_to_another(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.bank(OTHER)
        await lessons.keyword_lesson(BANK, 60)
        await lessons.ask(OTHER, np.random.default_rng(2))
        await lessons.send(OTHER, lessons.event("recall_closed"))
        await lessons.learn()
        assert await lessons.live(BANK) is not None
        assert await lessons.live(OTHER) is None
        for table in ("learners", "learner_batches", "learner_clients", "matrices"):
            found = await lessons.all(f"select distinct bank_id from {table}", OTHER)
            assert [row[0] for row in found] in ([], [OTHER])

    learn(story)


def test_matrix_of_another_author_holds_the_learner(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 40)
        await lessons.learn()
        async with lessons.transaction(BANK) as conn:
            rows = (await learners.live_matrix(conn, BANK)).rows
            await conn.execute(
                b"insert into matrices select bank_id, 9, version, rows, 'r', 'ana', '{}', at"
                b" from matrices where version = 1"
            )
            await conn.execute(b"update matrix_heads set version = 9")
        await lessons.keyword_lesson(BANK, 40, seed=9)
        await lessons.learn()
        live, held = await lessons.live(BANK), await lessons.held(BANK)
        assert (live.version, live.rows) == (9, rows)
        assert (held.status, held.why) == ("frozen", "version 9 was published by ana")

    learn(story)


def test_banks_of_different_traffic_end_with_different_matrices(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.bank(OTHER)
        await lessons.keyword_lesson(BANK, 120)
        await lessons.keyword_lesson(OTHER, 120, lane=CHANNELS.index("graph"))
        await lessons.learn()
        one, other = await lessons.live(BANK), await lessons.live(OTHER)
        weights = [live.rows["temporal"]["weights"] for live in (one, other)]
        assert weights[0]["keyword"] > weights[1]["keyword"] + 0.2, weights
        assert weights[1]["graph"] > weights[0]["graph"] + 0.2, weights

    learn(story)
