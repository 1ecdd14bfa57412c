"""Stored memories as they are read back: one, a page of them, and what each is linked to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row

from channels.base import BankKey, MemoryKey
from channels.connection import Transaction
from channels.entities import entity_keys
from channels.errors import NotFound
from router.store.statements import statement

Row = dict[str, Any]
EdgePlace = tuple[float, str, str, str, int]  # in the list of a memory's edges
EDGE_PLACE = ("strength", "type", "id", "direction", "via")


@dataclass(frozen=True, slots=True)
class PageAsked:
    """Which memories a listing wants; None means any."""

    limit: int
    before: int | None = None  # key of the last one seen
    tag: str | None = None
    topic: str | None = None  # this dotted path or below it
    kind: str | None = None
    episode: str | None = None
    entity: str | None = None  # a name, in any spelling
    start: datetime | None = None  # happened at or after
    end: datetime | None = None  # happened before
    state: str = "current"  # current, superseded or all


class Shelf:
    """Reads the memories of a bank."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def memory(self, bank: BankKey, memory_id: str) -> Row:
        """One memory, columns as in memory.sql. Raises NotFound."""
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("memory"), {"bank": bank, "id": memory_id})
            row = await cursor.fetchone()
        if row is None:
            raise NotFound("memory", memory_id)
        return row

    async def page(self, bank: BankKey, asked: PageAsked) -> list[Row]:
        """Memories in order of arrival, the newest first, columns as in memory_page.sql."""
        values = {
            "bank": bank,
            "before": asked.before,
            "limit": asked.limit,
            "tag": asked.tag,
            "topic": asked.topic,
            "kind": asked.kind,
            "episode": asked.episode,
            "entities": None if asked.entity is None else entity_keys([asked.entity]),
            "from": asked.start,
            "to": asked.end,
            "state": asked.state,
        }
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("memory_page"), values)
            return await cursor.fetchall()

    async def neighbours(
        self,
        bank: BankKey,
        key: MemoryKey,
        limit: int,
        as_of: datetime | None = None,
        after: EdgePlace | None = None,
    ) -> list[Row]:
        """The strongest edges of a memory, both ways, columns as in neighbours.sql."""
        place = dict(zip(EDGE_PLACE, after or [None] * len(EDGE_PLACE), strict=True))
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(
                statement("neighbours"),
                {"bank": bank, "key": key, "limit": limit, "as_of": as_of, **place},
            )
            return await cursor.fetchall()

    async def exists(self, bank: BankKey, memory_id: str) -> bool:
        """Whether the bank holds a memory of that id."""
        async with self._transaction(bank) as conn:
            found = await conn.execute(statement("keys_of"), {"bank": bank, "ids": [memory_id]})
            return await found.fetchone() is not None

    async def has_episode(self, bank: BankKey, episode: str) -> bool:
        """Whether a memory of the bank belongs to an episode of that name."""
        async with self._transaction(bank) as conn:
            asked = {"bank": bank, "episode": episode}
            found = await conn.execute(statement("has_episode"), asked)
            return await found.fetchone() is not None

    async def ids_of(self, bank: BankKey, keys: Sequence[MemoryKey]) -> dict[MemoryKey, str]:
        """Ids of those of the keys that still exist."""
        if not keys:
            return {}
        async with self._transaction(bank) as conn:
            found = await conn.execute(statement("ids_of"), {"bank": bank, "keys": list(keys)})
            return {MemoryKey(key): name for key, name in await found.fetchall()}

    async def byte_sizes(self, bank: BankKey) -> Row:
        """Bytes of the bank's texts and vectors."""
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("bank_bytes"), {"bank": bank})
            return await cursor.fetchone() or {}
