"""The position bias read from a stored log: what the matrix page shows beside the one in use."""

import asyncio
from functools import partial

import numpy as np

from feedback import checking, history
from feedback.examination import estimate_eta
from router.store.pool import bank_transaction, open_pool
from tests.feedback.lessons import Lessons, setup
from tests.feedback.pages import random_ranks

BANK = 1
ETA = 1.0


async def clicked(lessons: Lessons, count: int) -> None:
    """One question asked again and again in another order and clicked by position; others too."""
    rng = np.random.default_rng(3)
    ranks = random_ranks(rng)
    worth = rng.beta(2, 1, len(ranks))
    for at in range(count):
        page = (rng.permutation(8) + 1).tolist()
        shown = {"shown": page, "shown_ids": [f"m{key}" for key in page], "features": b""}
        question = "When was  the disk full?" if at % 2 else "when was the disk full?"
        await lessons.ask(BANK, rng, ranks=ranks, question=question, **shown)
        looked = rng.random(8) < np.arange(1, 9) ** -ETA
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
                whole = estimate_eta(await history.recent(conn, BANK, settings, limit=1_000))
                known = await checking.known(conn, BANK, setup())
        finally:
            await pool.close()
        assert found is not None
        assert found == whole
        assert found.low <= ETA <= found.high
        assert known.position_bias["eta"] == settings.eta
        assert known.position_bias["estimate"]["eta"] == round(found.eta, 3)

    asyncio.run(story())
