"""`fivefold maintain`: sets right what `fivefold doctor` finds and a program can mend."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass

import psycopg
from psycopg import sql

from channels.connection import Connection, Transaction
from channels.semantic import EXACT_ROWS
from channels.tokens import gives_tokens
from router.embedders import Embedders
from router.meaning import Meaning
from router.store import soundness
from router.store.backfill import backfill
from router.store.banks import CONTENT_TABLES, Bank, Banks
from router.store.pool import bank_transaction, open_pool
from router.store.soundness import Drift, VectorIndex
from router.store.vector_index import build_index, index_name

POOL = 4  # one bank is mended at a time


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that was done."""

    # statistics_mended, names_and_words_added, texts_read_on, index_built, index_rebuilt,
    # index_dropped, tables_vacuumed
    action: str
    detail: str
    bank: str | None = None

    def as_json(self) -> dict[str, str | None]:
        """The deed as `fivefold maintain --json` prints it."""
        return asdict(self)


async def maintain(
    dsn: str,
    *,
    bank: str | None = None,
    bound: int = EXACT_ROWS,
    embedders: Embedders | None = None,
) -> list[Deed]:
    """Mend every bank, or the one named, and the tables all share; what was done, in order.

    Without embedders no text is read on that an earlier release has read at its beginning only.

    Safe beside a running server: only writers of the bank whose statistics are recounted wait. An
    index that is being built is left alone. Raises NotFound for an unknown bank.
    """
    deeds: list[Deed] = []
    async with _transactions(dsn) as transaction, _login(dsn) as login:
        banks = Banks(transaction)
        for one in await banks.list() if bank is None else [await banks.get(bank)]:
            async with transaction(one.key) as conn:
                found = await soundness.mend(conn, one.key)
            deeds += mended(one, found)
            if read := await backfill(transaction, one.key):
                deeds.append(Deed("names_and_words_added", f"{read} memories read", one.name))
            deeds += await _read_on(transaction, one, embedders)
            indexes = await soundness.vector_indexes(login)
            deeds += await _index(dsn, one, found.counted.live, indexes, bound)
        deeds += await _drop_orphans(login)
        deeds += await _vacuum(login)
    return deeds


def mended(bank: Bank, found: Drift) -> list[Deed]:
    """What a recount has changed."""
    kept, counted = found.kept, found.counted
    parts = []
    if found.terms:
        parts.append(f"{found.terms} terms")
    if found.entities:
        parts.append(f"{found.entities} entities")
    if not kept.same_index(counted):
        parts.append(f"documents {kept.docs} -> {counted.docs}")
        parts.append(f"length {kept.length:.1f} -> {counted.length:.1f}")
    if kept.live != counted.live:
        parts.append(f"memories in force {kept.live} -> {counted.live}")
    return [Deed("statistics_mended", ", ".join(parts), bank.name)] if parts else []


async def _read_on(transaction: Transaction, bank: Bank, embedders: Embedders | None) -> list[Deed]:
    if embedders is None or not gives_tokens(bank.embedder_name):
        return []
    read = await Meaning(transaction, embedders).read_on(bank)
    return [Deed("texts_read_on", f"{read} memories", bank.name)] if read else []


async def _index(
    dsn: str, bank: Bank, live: int, indexes: list[VectorIndex], bound: int
) -> list[Deed]:
    mine = next((index for index in indexes if index.bank == bank.name), None)
    if mine is None and live > bound and bank.dim:
        deed = Deed("index_built", f"{index_name(bank)} over {live} memories", bank.name)
        return [deed] if await build_index(dsn, bank) else []
    if mine is not None and not mine.is_valid and not mine.is_building:
        deed = Deed("index_rebuilt", mine.name, bank.name)
        return [deed] if await build_index(dsn, bank) else []
    return []


async def _drop_orphans(login: Connection) -> list[Deed]:
    orphans = [one for one in await soundness.vector_indexes(login) if one.bank is None]
    for one in orphans:
        name = sql.Identifier(one.name)
        await login.execute(sql.SQL("drop index concurrently if exists {}").format(name))
    return [Deed("index_dropped", one.name) for one in orphans]


async def _vacuum(login: Connection) -> list[Deed]:
    tables = sorted({*CONTENT_TABLES, "banks"})
    for table in tables:
        await login.execute(sql.SQL("vacuum (analyze) {}").format(sql.Identifier(table)))
    return [Deed("tables_vacuumed", ", ".join(tables))]


@asynccontextmanager
async def _transactions(dsn: str) -> AsyncIterator[Transaction]:
    async with await open_pool(dsn, size=POOL) as pool:
        yield lambda bank, *, timeout_ms=None: bank_transaction(pool, bank, timeout_ms=timeout_ms)


@asynccontextmanager
async def _login(dsn: str) -> AsyncIterator[Connection]:
    """The tables' owner, in autocommit: indexes are dropped and tables vacuumed outside of any."""
    async with await psycopg.AsyncConnection.connect(
        dsn, autocommit=True, application_name="fivefold maintain"
    ) as login:
        yield login
