"""The watch over the embedded server: when it dies under us, it is started again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from channels.errors import ConfigError
from router.store.embedded import EmbeddedPostgres

PROBE_S = 0.5  # one look costs two small files of /proc; a dead server costs every request a 503
MOST_S = 30.0  # between tries while it does not start, such as on a full disk

log = structlog.get_logger()


@asynccontextmanager
async def watched(embedded: EmbeddedPostgres, *, probe_s: float = PROBE_S) -> AsyncIterator[None]:
    """Look after a started server every `probe_s` seconds, for as long as this is open.

    Leaving it waits for a restart that has begun, so that nothing starts after the owner's `stop`.
    Processes that share the server may all see it die; the first to take the lock starts it.
    """
    ending = asyncio.Event()
    task = asyncio.create_task(_watch(embedded, ending, probe_s), name="postgres-watch")
    try:
        yield
    finally:
        ending.set()
        await task


async def _watch(embedded: EmbeddedPostgres, ending: asyncio.Event, probe_s: float) -> None:
    wait_s = probe_s
    while not await _ended(ending, wait_s):
        try:
            if await asyncio.to_thread(embedded.is_running):
                wait_s = probe_s
                continue
            log.warning("embedded_postgres_lost", data_dir=str(embedded.data_dir))
            await asyncio.to_thread(embedded.restart)
        except ConfigError as error:  # says all there is to say, such as: stopped again meanwhile
            wait_s = min(2 * wait_s, MOST_S)
            reason = str(error)
            log.error("embedded_postgres_not_restarted", reason=reason, next_try_s=wait_s)
        except Exception:  # whatever keeps it from starting now may have passed at the next try
            wait_s = min(2 * wait_s, MOST_S)
            log.exception("embedded_postgres_not_restarted", next_try_s=wait_s)
        else:
            wait_s = probe_s
            log.warning("embedded_postgres_restarted", data_dir=str(embedded.data_dir))


async def _ended(ending: asyncio.Event, wait_s: float) -> bool:
    with suppress(TimeoutError):
        await asyncio.wait_for(ending.wait(), wait_s)
    return ending.is_set()
