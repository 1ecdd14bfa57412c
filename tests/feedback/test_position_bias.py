"""The position bias read from a stored log: shown beside the one in use, and used where nobody set
it."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from channels.connection import Connection
from feedback import checking, history, learners
from feedback.examination import EVERY, estimate_eta
from feedback.learner import shared_out
from feedback.replay import forget_actor, replay
from feedback.settings import Setup
from router.store.pool import bank_transaction, open_pool
from tests.feedback.lessons import Lessons, setup
from tests.feedback.pages import random_ranks

BANK = 1
ETA = 1.0

Story = Callable[[Lessons, Connection], Awaitable[None]]


async def clicked(lessons: Lessons, count: int, eta: float = ETA) -> None:
    """One question asked again and again in another order and clicked by position; others too."""
    rng = np.random.default_rng(3)
    ranks = random_ranks(rng)
    worth = rng.beta(2, 1, len(ranks))
    for at in range(count):
        page = (rng.permutation(8) + 1).tolist()
        shown = {"shown": page, "shown_ids": [f"m{key}" for key in page], "features": b""}
        question = "When was  the disk full?" if at % 2 else "when was the disk full?"
        await lessons.ask(BANK, rng, ranks=ranks, question=question, **shown)
        looked = rng.random(8) < np.arange(1, 9) ** -eta
        hits = [key for key, seen in zip(page, looked, strict=True)
                if seen and rng.random() < worth[key]]  # fmt: skip
        told = [lessons.event("memory_cited", key) for key in hits]
        await lessons.send(BANK, *told, lessons.event("recall_closed"))
        if at % 10 == 0:
            await lessons.ask(BANK, rng)
            await lessons.send(BANK, lessons.event("recall_closed"))


def test_estimate_from_the_store_is_that_of_the_whole_log(database: str) -> None:
    async def story() -> None:
        pool = await open_pool(database, size=6)
        try:
            lessons = Lessons(partial(bank_transaction, pool))
            await lessons.bank(BANK)
            await clicked(lessons, 250)
            await lessons.learn()
            settings = setup().settings
            async with lessons.transaction(BANK) as conn:
                found = await history.bias_of(conn, BANK, settings)
                log = await history.recent(conn, BANK, settings, limit=1_000)
                known = await checking.known(conn, BANK, setup())
        finally:
            await pool.close()
        assert found is not None
        asked = Counter(one.question for one in log)
        assert found == estimate_eta(shared_out([one for one in log if asked[one.question] > 1]))
        assert found.low <= ETA <= found.high
        assert known.position_bias["eta"] == settings.eta
        assert known.position_bias["estimate"]["eta"] == round(found.eta, 3)

    asyncio.run(story())


def measuring() -> Setup:
    """A bank whose owner set no exponent."""
    plain = setup()
    return replace(plain, settings=replace(plain.settings, measured_at=0))


def learned(database: str, eta: float, of: Callable[[], Setup], then: Story) -> None:
    """A bank learnt in batches of 50 from people who look by `eta`; then a look at it."""

    async def story() -> None:
        pool = await open_pool(database, size=6)
        try:
            lessons = Lessons(partial(bank_transaction, pool))
            lessons.setups = lambda config, embedder: of()
            await lessons.bank(BANK)
            await clicked(lessons, 2 * EVERY, eta)
            await lessons.learn(most=50)
            async with lessons.transaction(BANK) as conn:
                await then(lessons, conn)
        finally:
            await pool.close()

    asyncio.run(story())


def test_people_who_look_all_the_way_down_are_credited_so(database: str) -> None:
    async def look(lessons: Lessons, conn: Connection) -> None:
        bias = (await checking.known(conn, BANK, measuring())).position_bias
        assert bias["source"] == "measured"
        assert bias["eta"] < 0.6
        assert bias["estimate"]["low"] < 0.2
        told = checking.policy(await checking.observed(conn, BANK, measuring()), {})
        assert told["position_bias"]["eta"] == bias["eta"]
        found = await replay(conn, BANK)
        assert found.is_exact
        assert found.checked

    learned(database, 0.0, measuring, look)


def test_one_that_was_measured_outlives_a_deletion(database: str) -> None:
    async def look(lessons: Lessons, conn: Connection) -> None:
        before = (await checking.known(conn, BANK, measuring())).position_bias["eta"]
        await forget_actor(conn, BANK, "a1", measuring(), lessons.now, {})
        held = await settings_of(conn)
        assert held["eta"] == before
        assert held["measured_at"] >= EVERY
        assert (await replay(conn, BANK)).is_exact

    learned(database, 0.0, measuring, look)


def test_one_that_was_set_stays(database: str) -> None:
    async def look(lessons: Lessons, conn: Connection) -> None:
        bias = (await checking.known(conn, BANK, setup())).position_bias
        assert (bias["eta"], bias["source"]) == (ETA, "set")
        assert bias["estimate"]["high"] < ETA

    learned(database, 0.0, setup, look)


def test_people_as_assumed_move_nothing(database: str) -> None:
    async def look(lessons: Lessons, conn: Connection) -> None:
        bias = (await checking.known(conn, BANK, measuring())).position_bias
        assert (bias["eta"], bias["source"]) == (ETA, "assumed")
        assert bias["estimate"] is not None
        assert (await settings_of(conn))["measured_at"] >= EVERY

    learned(database, ETA, measuring, look)


async def settings_of(conn: Connection) -> dict[str, Any]:
    """The settings that the bank was last learnt with."""
    held = await learners.held(conn, BANK)
    assert held.settings is not None
    return dict(held.settings)
