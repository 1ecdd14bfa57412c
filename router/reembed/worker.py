"""Moves banks to other embedding models, behind the replies; a killed process's work is resumed."""

import asyncio
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import structlog
from psycopg import Error as DatabaseError

from channels.base import BankKey
from channels.connection import Transaction
from channels.errors import NotFound, RecallError
from channels.sql_files import load
from router import metrics
from router.embedders import Embedders
from router.reembed.job import PACKAGE, Job, jobs, progress
from router.reembed.moving import embed_some, link_some, swap
from router.store.banks import Bank, Banks
from router.store.vector_index import VectorIndexes

log = structlog.get_logger()
POLL_S = 5.0  # another process's request is seen by then; one of this process at once
CLAIM = timedelta(seconds=60)  # how long a killed process holds others up
REST = 0.25  # of a batch's time, left to questions before the next


class Reembedder:
    """Works off requests for another model, one bank at a time. Any number may share a store."""

    def __init__(
        self,
        transaction: Transaction,
        embedders: Embedders,
        banks: Banks,
        indexes: VectorIndexes,
        swapped: Callable[[BankKey], None] = lambda _: None,
        *,
        poll_s: float = POLL_S,
    ) -> None:
        self._transaction = transaction
        self._embedders = embedders
        self._banks = banks
        self._indexes = indexes
        self._swapped = swapped
        self._poll_s = poll_s
        self._me = secrets.token_hex(8)
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin with what is open, left by whoever."""
        self._task = asyncio.create_task(self._run(), name="reembed")

    def nudge(self) -> None:
        """Look at once: something was asked for."""
        self._asked.set()

    async def stop(self) -> None:
        """Leave off; what is kept is kept, and the next process goes on from there."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._asked.clear()
            try:
                for job in await jobs(self._transaction):
                    await self._guarded(job)
            except (DatabaseError, RecallError) as error:
                log.warning("reembedding_waits", reason=str(error), next_try_s=self._poll_s)
            try:
                async with asyncio.timeout(self._poll_s):
                    await self._asked.wait()
            except TimeoutError:
                continue

    async def _guarded(self, job: Job) -> None:
        """One bank's trouble must not hold up the others; it is told, and tried again."""
        try:
            await self.work(job)
        except NotFound:
            return  # the bank went away
        except (DatabaseError, RecallError, RuntimeError, OSError) as error:
            log.warning("reembedding_failed", bank=job.bank_name, reason=str(error))
            values = {"bank": job.bank, "embedder": job.embedder, "problem": str(error)[:500]}
            async with self._transaction(job.bank) as conn:
                await conn.execute(load(PACKAGE, "problem"), values)

    async def work(self, job: Job) -> None:
        """All that is left of a job, as long as no other process has it and it is still wanted."""
        bank = await self._banks.get(job.bank_name)
        if job.swapped_at is None:
            if not await self._embed_all(bank, job):
                return
            self._renewed(job)
            bank = await self._banks.get(job.bank_name)
        await self._indexes.drop_former(job.bank, job.former)
        self._indexes.consider(bank, bank.live_rows)
        after = job.linked
        while await self._claim(job, swapped=True):
            last = await link_some(self._transaction, job, after)
            if last is None:
                async with self._transaction(job.bank) as conn:
                    values = {"bank": job.bank, "embedder": job.embedder}
                    await conn.execute(load(PACKAGE, "finish"), values)
                log.info("bank_reembedded", bank=job.bank_name, embedder=job.embedder_name)
                return
            after = last

    async def _embed_all(self, bank: Bank, job: Job) -> bool:
        """Whether the bank now uses the new model."""
        log.info("reembedding_started", bank=job.bank_name, embedder=job.embedder_name)
        found = await progress(self._transaction, job.bank)
        waiting = found.of - found.done if found else 0
        while await self._claim(job, swapped=False):
            started = time.monotonic()
            done = await embed_some(self._transaction, self._embedders, bank, job)
            metrics.REEMBEDDED.inc(done)
            waiting = max(0, waiting - done)
            metrics.REEMBEDDING_WAITING.set(waiting)
            if not done and await swap(self._transaction, self._embedders, bank, job):
                return True
            await asyncio.sleep(REST * (time.monotonic() - started))
        return False

    def _renewed(self, job: Job) -> None:
        log.info("bank_swapped", bank=job.bank_name, embedder=job.embedder_name)
        metrics.REEMBEDDINGS.inc()
        self._banks.forget(job.bank_name)
        self._swapped(job.bank)

    async def _claim(self, job: Job, *, swapped: bool) -> bool:
        """Whether the job is still wanted, at this stage, and ours for another minute."""
        now = datetime.now(UTC)
        values = {
            "bank": job.bank, "embedder": job.embedder, "worker": self._me, "swapped": swapped,
        }  # fmt: skip
        async with self._transaction(job.bank) as conn:
            cursor = await conn.execute(
                load(PACKAGE, "claim"), values | {"now": now, "until": now + CLAIM}
            )
            return await cursor.fetchone() is not None
