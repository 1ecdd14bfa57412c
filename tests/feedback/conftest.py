"""Runs stories on a fresh database, through the pool that the server uses."""

import asyncio
from contextlib import asynccontextmanager
from functools import partial

import pytest

from router.store.pool import bank_transaction, open_pool
from tests.feedback.world import Story, World


@pytest.fixture
def play(database):
    """Runs a coroutine on a fresh database through the pool that the server uses."""

    @asynccontextmanager
    async def opened():
        pool = await open_pool(database, size=6)
        try:
            yield World(partial(bank_transaction, pool))
        finally:
            await pool.close()

    def run(story: Story) -> None:
        async def all_of_it() -> None:
            async with opened() as world:
                await story(world)

        asyncio.run(all_of_it())

    return run
