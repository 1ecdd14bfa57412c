"""One database for all tests of the lanes: banks do not see each other, nor need tests."""

import asyncio
from collections.abc import Iterator

import pytest

from router.store.pool import open_pool
from tests.channels.world import World
from tests.conftest import fresh_database


@pytest.fixture(scope="package")
def world(server: str, template: str) -> Iterator[World]:
    """A store without banks."""
    with fresh_database(server, template) as dsn, asyncio.Runner() as runner:
        pool = runner.run(open_pool(dsn, size=8, timeout_s=10.0))
        try:
            yield World(pool, runner, dsn)
        finally:
            runner.run(pool.close())
