"""HNSW for banks past the exact bound: one partial index a bank, built behind the reply.

An index of its own keeps a large bank's recall from depending on its neighbours, and costs small
banks nothing: every row in an HNSW index takes about 3 ms to write.
"""

import asyncio

import psycopg
import structlog
from psycopg import sql

from channels.semantic import EXACT_ROWS
from router.store.banks import Bank

log = structlog.get_logger()
MAINTENANCE_MB = 512  # the build is several times slower once the graph does not fit


class VectorIndexes:
    """Builds missing indexes, one at a time, in the background."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._building: dict[int, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    def consider(self, bank: Bank, live_rows: int) -> None:
        """Start building the bank's index if it has grown past the bound and has none."""
        if live_rows <= EXACT_ROWS or bank.indexed or bank.key in self._building:
            return
        task = asyncio.create_task(self._build(bank), name=f"index-{bank.key}")
        self._building[bank.key] = task
        task.add_done_callback(lambda _: self._building.pop(bank.key, None))

    async def drop(self, bank: Bank) -> None:
        """Remove the index of a bank that is gone, and stop a build of it."""
        task = self._building.get(bank.key)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if bank.indexed or task is not None:
            async with await psycopg.AsyncConnection.connect(self._dsn, autocommit=True) as conn:
                name = sql.Identifier(index_name(bank))
                await conn.execute(sql.SQL("drop index concurrently if exists {}").format(name))

    async def stop(self) -> None:
        """Abandon unfinished builds; the next retain past the bound starts them again."""
        for task in list(self._building.values()):
            task.cancel()
        await asyncio.gather(*self._building.values(), return_exceptions=True)

    async def _build(self, bank: Bank) -> None:
        async with self._turn:
            log.info("vector_index_started", bank=bank.name)
            try:
                await build_index(self._dsn, bank)
            except psycopg.Error:
                log.exception("vector_index_failed", bank=bank.name)
            else:
                log.info("vector_index_built", bank=bank.name)


def index_name(bank: Bank) -> str:
    """Name of the bank's index for its embedder; store/sql/bank.sql looks for it."""
    return f"memories_hnsw_{bank.key}_{bank.embedder}"


async def build_index(dsn: str, bank: Bank) -> None:
    """Build the bank's HNSW index without holding writers up; a half-built one is replaced."""
    name = sql.Identifier(index_name(bank))
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        await conn.execute(
            sql.SQL("set maintenance_work_mem = {}").format(sql.Literal(f"{MAINTENANCE_MB}MB"))
        )
        await conn.execute("set max_parallel_maintenance_workers = 0")
        await conn.execute("select set_config('fivefold.bank', 'all', false)")
        await conn.execute(sql.SQL("drop index concurrently if exists {}").format(name))
        await conn.execute(
            sql.SQL(
                "create index concurrently {} on memories using hnsw "
                "((embedding::halfvec({})) halfvec_cosine_ops) with (m = 16, ef_construction = 64) "
                "where bank_id = {} and embedder = {}"
            ).format(name, sql.Literal(bank.dim), sql.Literal(bank.key), sql.Literal(bank.embedder))
        )
