"""HNSW for banks past the exact bound: one partial index a bank, built behind the reply.

An index of its own keeps a large bank's recall from depending on its neighbours, and costs small
banks nothing: every row in an HNSW index takes about 3 ms to write.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import psycopg
import structlog
from psycopg import sql

from channels.semantic import EXACT_ROWS
from router import metrics
from router.store.banks import Bank
from router.store.statements import statement

log = structlog.get_logger()
LOOK_S = 1.0  # between two looks at how far a build is
BUILD_LOCK = 1179010633  # with the bank: whoever builds, builds alone
MAINTENANCE_MB = 512  # the build is several times slower once the graph does not fit
# Recall@20 of 100 questions over 100,000 memories, ef_search 400: 16 and 64 .88, 16 and 128 .95, 24
# and 128 .97, 24 and 200 .98; the build takes 32, 53, 78 and 112 s (bench/bulk.py, two busy cores).
LINKS, BUILD_EF = 24, 200


class VectorIndexes:
    """Builds missing indexes, one at a time, in the background."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._building: dict[int, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    def consider(self, bank: Bank, live_rows: int) -> None:
        """Start building the bank's index if it has grown past the bound and has none."""
        if not bank.dim or live_rows <= EXACT_ROWS or bank.indexed or bank.key in self._building:
            return
        task = asyncio.create_task(self._build(bank), name=f"index-{bank.key}")
        self._building[bank.key] = task
        task.add_done_callback(lambda _: self._building.pop(bank.key, None))

    def resume(self, banks: Iterable[Bank]) -> None:
        """Build what a stopped process left unbuilt."""
        for bank in banks:
            self.consider(bank, bank.live_rows)

    async def state(self, bank: Bank) -> "IndexState":
        """What there is of the bank's index, and how far its build is, whoever builds it."""
        if bank.indexed or not bank.dim:
            return IndexState("ready" if bank.indexed else "none")
        return await index_state(self._dsn, bank)

    async def drop_former(self, bank: int, embedder: int) -> None:
        """Remove a bank's index over vectors of a model that it has left."""
        await self._stop_build(bank)
        async with await psycopg.AsyncConnection.connect(self._dsn, autocommit=True) as conn:
            name = sql.Identifier(f"memories_hnsw_{bank}_{embedder}")
            await conn.execute(sql.SQL("drop index concurrently if exists {}").format(name))

    async def drop(self, bank: Bank) -> None:
        """Remove the index of a bank that is gone, and stop a build of it."""
        if await self._stop_build(bank.key) or bank.indexed:
            async with await psycopg.AsyncConnection.connect(self._dsn, autocommit=True) as conn:
                name = sql.Identifier(index_name(bank))
                await conn.execute(sql.SQL("drop index concurrently if exists {}").format(name))

    async def stop(self) -> None:
        """Abandon unfinished builds; the next retain past the bound starts them again."""
        for task in list(self._building.values()):
            task.cancel()
        await asyncio.gather(*self._building.values(), return_exceptions=True)

    async def _stop_build(self, bank: int) -> bool:
        """Whether there was a build of that bank's index to stop."""
        task = self._building.get(bank)
        if task is None:
            return False
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return True

    async def _build(self, bank: Bank) -> None:
        async with self._turn:
            log.info("vector_index_started", bank=bank.name)
            watching = asyncio.create_task(self._watch(bank))
            try:
                await build_index(self._dsn, bank)
            except psycopg.Error:
                log.exception("vector_index_failed", bank=bank.name)
            else:
                log.info("vector_index_built", bank=bank.name)
            finally:
                watching.cancel()
                await asyncio.gather(watching, return_exceptions=True)

    async def _watch(self, bank: Bank) -> None:
        """Keep the metrics of a running build up to date."""
        metrics.INDEX_BUILDS.inc()
        metrics.INDEX_BUILT_SHARE.set(0)
        try:
            while True:
                await asyncio.sleep(LOOK_S)
                found = await index_state(self._dsn, bank)
                metrics.INDEX_BUILT_SHARE.set(found.done / found.of if found.of else 0)
        except psycopg.Error as error:  # the build itself tells what is wrong with the database
            log.warning("vector_index_unwatched", bank=bank.name, reason=str(error))
        finally:
            metrics.INDEX_BUILDS.dec()
            metrics.INDEX_BUILT_SHARE.set(0)


@dataclass(frozen=True, slots=True)
class IndexState:
    """A bank's vector index: none, building, ready, or invalid (left half-built)."""

    state: str
    phase: str | None = None  # of a build, in Postgres's words
    done: int = 0  # blocks of the table read
    of: int = 0

    def as_json(self) -> dict[str, Any]:
        """As `GET /v1/banks/{bank}` shows it."""
        return {"state": self.state, "phase": self.phase, "done": self.done, "of": self.of}


async def index_state(dsn: str, bank: Bank) -> IndexState:
    """As the catalogue tells it; asked by the tables' owner, who alone sees the progress."""
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        values = {"name": index_name(bank)}
        row = await (await conn.execute(statement("index_progress"), values)).fetchone()
    return IndexState("none") if row is None else IndexState(*row)


def index_name(bank: Bank) -> str:
    """Name of the bank's index for its embedder; store/sql/bank.sql looks for it."""
    return f"memories_hnsw_{bank.key}_{bank.embedder}"


async def build_index(dsn: str, bank: Bank) -> bool:
    """Build the bank's HNSW index without holding writers up; a half-built one is replaced.

    False when somebody else is building it.
    """
    name = sql.Identifier(index_name(bank))
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as conn:
        await conn.execute(
            sql.SQL("set maintenance_work_mem = {}").format(sql.Literal(f"{MAINTENANCE_MB}MB"))
        )
        await conn.execute("set max_parallel_maintenance_workers = 0")
        await conn.execute("select set_config('fivefold.bank', 'all', false)")
        taken = await conn.execute("select pg_try_advisory_lock(%s, %s)", [BUILD_LOCK, bank.key])
        if await taken.fetchone() != (True,):
            log.info("vector_index_built_elsewhere", bank=bank.name)
            return False
        await conn.execute(sql.SQL("drop index concurrently if exists {}").format(name))
        await conn.execute(
            sql.SQL(
                "create index concurrently {} on memories using hnsw "
                "((embedding::halfvec({})) halfvec_cosine_ops) with (m = {}, ef_construction = {}) "
                "where bank_id = {} and embedder = {}"
            ).format(
                name,
                *map(sql.Literal, (bank.dim, LINKS, BUILD_EF, bank.key, bank.embedder)),
            )
        )
    return True
