"""How far a bank's model has read a text, and reading on where an earlier release stopped."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from channels import links
from channels.base import Embedded, MemoryKey
from channels.connection import Connection, Transaction
from channels.sql_files import load
from channels.tokens import ROW_BYTES, pack
from channels.windows import TextWindow
from router.embedders import Embedders
from router.reading import embed_text
from router.store.banks import Bank
from router.store.memories import half
from router.store.statements import statement

BATCH = 32  # memories read on in one transaction, in which other writers of the bank wait
SHORT = 256  # bytes; no model in use reads less at once
WRITE_TIMEOUT_MS = 120_000


@dataclass(frozen=True, slots=True)
class Extent:
    """How many characters of a memory's text count for its vectors."""

    read: int
    of: int

    def as_json(self) -> dict[str, int]:
        """As a memory shows it."""
        return {"read": self.read, "of": self.of}


@dataclass(frozen=True, slots=True)
class _Half:
    key: MemoryKey
    text: str
    content_hash: bytes


def extent(text: str, spoken: str, read_to: int | None) -> Extent:
    """Of `spoken`, which ends with the text and is what the model gets, `read_to` was read."""
    lead = len(spoken) - len(text)
    return Extent(len(text) if read_to is None else max(0, read_to - lead), len(text))


class Meaning:
    """Knows how far texts are read by the models of their banks."""

    def __init__(self, transaction: Transaction, embedders: Embedders) -> None:
        self._transaction = transaction
        self._embedders = embedders

    async def of(self, bank: Bank, row: Mapping[str, Any]) -> Extent | None:
        """How far the text of a row of memory.sql is read; None where it has no vector."""
        values = {"bank": bank.key, "key": row["key"]}
        async with self._transaction(bank.key) as conn:
            found = await (await conn.execute(statement("vector_of"), values)).fetchone()
        if found is None or not found[0]:
            return None
        text, rows = row["text"], found[1]
        spoken = embed_text(text, row["speaker"], row["title"], row["context"])
        parts = await self._parts(bank, spoken)
        if len(parts) > 1 and rows is not None and rows <= self._reads(bank):
            parts = parts[:1]  # written by a release that stopped there
        end = parts[-1].end
        return extent(text, spoken, end if spoken[end:].strip() else None)

    async def half_read(self, bank: Bank) -> int:
        """How many memories are read at their beginning only, by an earlier release."""
        return len([one async for page in self._pages(bank) for one in page])

    async def read_on(self, bank: Bank) -> int:
        """Give those the vectors of all that can be read; how many there were.

        Safe to repeat and to stop. Known only of models with token vectors, which count.
        """
        read = 0
        async for page in self._pages(bank):
            made = await self._embedders.embed(bank, [one.text for one in page])
            async with self._transaction(bank.key, timeout_ms=WRITE_TIMEOUT_MS) as conn:
                await conn.execute(statement("lock_bank"), {"bank": bank.key})
                read += await _replace(conn, bank, page, made)
        return read

    async def _pages(self, bank: Bank) -> AsyncIterator[list[_Half]]:
        """Memories with as many token vectors as fit in one window, and whose text has more."""
        values: dict[str, Any] = {"bank": bank.key, "embedder": bank.embedder, "short": SHORT}
        values |= {"after": 0, "limit": BATCH, "bytes": None}
        while True:
            async with self._transaction(bank.key) as conn:
                if values["bytes"] is None:
                    any_long = await conn.execute(statement("any_long"), values)
                    if await any_long.fetchone() is None:
                        return  # no model is loaded for nothing
                    reads = await asyncio.to_thread(self._reads, bank)
                    values["bytes"] = ROW_BYTES * reads
                rows = await (await conn.execute(statement("cut_page"), values)).fetchall()
            if not rows:
                return
            values["after"] = rows[-1][0]
            page = [
                _Half(MemoryKey(key), embed_text(text, speaker, title, context), bytes(digest))
                for key, text, speaker, title, context, digest in rows
            ]
            kept = [one for one in page if len(await self._parts(bank, one.text)) > 1]
            if kept:
                yield kept

    async def _parts(self, bank: Bank, text: str) -> list[TextWindow]:
        model = self._embedders.named(bank.embedder_name)
        whole = [TextWindow(0, len(text))]
        if len(text.encode()) < SHORT or not hasattr(model, "windows"):
            return whole
        return await asyncio.to_thread(model.windows, text) or whole

    def _reads(self, bank: Bank) -> int:
        """Tokens that the bank's model reads at once; 0 where it does not tell."""
        return getattr(self._embedders.named(bank.embedder_name), "reads", None) or 0


async def _replace(
    conn: Connection, bank: Bank, page: Sequence[_Half], made: Sequence[Embedded]
) -> int:
    """Write the new vectors of memories that are as they were; renew what follows from them."""
    rows = [
        (
            one.key,
            {
                "bank": bank.key,
                "key": one.key,
                "embedder": bank.embedder,
                "hash": one.content_hash,
                "embedding": half(found.vector),
                "tokens": None if found.tokens is None else pack(found.tokens),
            },
        )
        for one, found in zip(page, made, strict=True)
        if found.vector is not None
    ]
    done = [key for key, row in rows if (await conn.execute(statement("read_on"), row)).rowcount]
    await conn.execute(statement("renew_episodes"), {"bank": bank.key, "keys": done})
    await conn.execute(load("router.reembed", "drop_similar"), {"bank": bank.key, "keys": done})
    await links.link_similar(conn, bank.key, done, bank.embedder, datetime.now(UTC))
    return len(done)
