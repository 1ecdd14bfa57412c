"""Summaries kept up behind the replies of a server."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict

import structlog
from psycopg import Error as DatabaseError

from channels.connection import Transaction
from channels.errors import RecallError
from router.store.banks import Bank, Banks
from router.structure.pyramids.making import Refreshed, Summariser
from router.structure.statements import statement

log = structlog.get_logger()


@asynccontextmanager
async def summarised(
    transaction: Transaction, banks: Banks, summariser: Summariser, *, every_s: int
) -> AsyncIterator[None]:
    """Refresh what is due at once and then every `every_s` seconds while open; 0: never."""
    if not every_s:
        yield
        return
    work = _run(transaction, banks, summariser, every_s)
    task = asyncio.create_task(work, name="summaries")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def due(transaction: Transaction, banks: Banks) -> list[Bank]:
    """Banks whose summaries are not as they should be."""
    async with transaction("all") as conn:
        rows = await (await conn.execute(statement("summary_due"))).fetchall()
    known = {row[0]: row[1:] for row in rows}
    return [bank for bank in await banks.list() if _is_due(bank, *known.get(bank.key, (False,)))]


def _is_due(
    bank: Bank, marked: bool, timezone: str | None = None, periods: list[str] | None = None
) -> bool:
    if not bank.config.summaries:
        return periods is not None
    return marked or (timezone, periods) != (bank.config.timezone, bank.config.summaries)


async def _run(
    transaction: Transaction, banks: Banks, summariser: Summariser, every_s: int
) -> None:
    while True:
        try:
            for bank in await due(transaction, banks):
                await _refresh(summariser, bank)
        except (DatabaseError, RecallError) as error:
            log.warning("summaries_failed", reason=str(error), next_try_s=every_s)
        await asyncio.sleep(every_s)


async def _refresh(summariser: Summariser, bank: Bank) -> None:
    """One bank; what is wrong with it does not keep the others waiting."""
    try:
        done = await summariser.refresh(bank)
    except (DatabaseError, RecallError) as error:
        log.warning("summaries_failed", bank=bank.name, reason=str(error))
    else:
        if done != Refreshed():
            log.info("summaries_refreshed", bank=bank.name, **asdict(done))
