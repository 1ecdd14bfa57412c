"""The watch over the embedded server, against a real one."""

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest

from router.store.embedded import EmbeddedPostgres
from router.store.postmaster import postmaster
from router.store.watch import watched
from tests.faults.harness import within

RESTART_S = 20.0
PROBE_S = 0.05
pytestmark = pytest.mark.faults


@pytest.fixture
def embedded() -> Iterator[EmbeddedPostgres]:
    """A running server of this test's own."""
    folder = Path(tempfile.mkdtemp(prefix="fivefold-test-"))
    try:
        with EmbeddedPostgres(folder) as server:
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def kill(server: EmbeddedPostgres) -> None:
    found = postmaster(server.data_dir / "pg")
    assert found is not None
    os.kill(found.pid, signal.SIGKILL)


def running_again(server: EmbeddedPostgres, dead: int) -> bool:
    found = postmaster(server.data_dir / "pg")
    return found is not None and found.pid != dead


def test_killed_server_is_started_again_and_again_under_the_same_address(
    embedded: EmbeddedPostgres,
) -> None:
    dsn = embedded.start()

    async def work() -> None:
        async with watched(embedded, probe_s=PROBE_S):
            for _ in range(2):
                found = postmaster(embedded.data_dir / "pg")
                assert found is not None
                kill(embedded)
                again = partial(running_again, embedded, found.pid)
                await asyncio.to_thread(within, RESTART_S, again)

    asyncio.run(work())
    with psycopg.connect(dsn) as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_nothing_is_started_once_the_watch_is_over(embedded: EmbeddedPostgres) -> None:
    async def work() -> None:
        async with watched(embedded, probe_s=PROBE_S):
            pass
        kill(embedded)
        await asyncio.sleep(10 * PROBE_S)

    asyncio.run(work())
    assert not embedded.is_running()


def test_removed_data_is_not_replaced_by_an_empty_database(embedded: EmbeddedPostgres) -> None:
    async def work() -> None:
        async with watched(embedded, probe_s=PROBE_S):
            shutil.rmtree(embedded.data_dir / "pg")
            await asyncio.sleep(20 * PROBE_S)

    asyncio.run(work())
    assert not (embedded.data_dir / "pg").exists()
