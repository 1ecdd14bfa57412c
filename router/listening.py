"""Hears of new matrices: one connection that every publication sends its bank's number to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import structlog

from channels.base import BankKey
from router.live import LiveMatrices

log = structlog.get_logger()
TOPIC = "fivefold_matrix"
AGAIN_S = (0.2, 1.0, 5.0)  # after the connection was lost; the last one from then on
ASK_S = 30.0  # an idle connection is asked whether it lives


@asynccontextmanager
async def listening(dsn: str, live: LiveMatrices) -> AsyncIterator[None]:
    """Swap matrices as they are published, for as long as this is open.

    The connection is a session's own: behind pgbouncer in transaction mode use the slow poll alone.
    """
    task = asyncio.create_task(_run(dsn, live), name="listener")
    try:
        yield
    finally:
        live.is_listening = False
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _run(dsn: str, live: LiveMatrices) -> None:
    lost = 0
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(
                dsn, autocommit=True, application_name="fivefold listener"
            ) as conn:
                await conn.execute(f"listen {TOPIC}".encode())
                lost = 0
                await _hear(conn, live)
        except psycopg.Error as error:
            log.warning("listener_lost", reason=str(error).strip())
        finally:
            live.is_listening = False
        await asyncio.sleep(AGAIN_S[min(lost, len(AGAIN_S) - 1)])
        lost += 1


async def _hear(conn: psycopg.AsyncConnection, live: LiveMatrices) -> None:
    live.forget_all()  # what was published while nobody listened
    live.is_listening = True
    while True:
        async for notice in conn.notifies(timeout=ASK_S):
            if notice.payload.isdecimal():
                live.forget(BankKey(int(notice.payload)))
        await conn.execute("select 1")
