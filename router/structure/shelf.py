"""How memories stand to others, read from the store."""

from collections.abc import Iterable, Sequence
from typing import Any

from psycopg.rows import dict_row

from channels.base import BankKey, MemoryKey
from channels.connection import Connection, Transaction
from router.structure.branches import heads_of
from router.structure.evidence import Evidence, evidence_of
from router.structure.pairs import BRANCH
from router.structure.standing import Link, Standing
from router.structure.statements import statement

MOST = 2_000  # links of all chains of one reply
MOST_SOURCES = 1_000


async def standings(
    conn: Connection, bank: BankKey, keys: Sequence[MemoryKey], *, history: bool = False
) -> dict[MemoryKey, Standing]:
    """How each of the memories stands; `history` adds what each replaced, the oldest first."""
    heads = await heads_of(conn, bank, keys)
    found = await conn.execute(statement("quarrels"), {"bank": bank, "keys": list(keys)})
    rivals: dict[MemoryKey, list[str]] = {}
    copies: dict[MemoryKey, tuple[str | None, str]] = {}
    for key, rule, other, about in await found.fetchall():
        if rule == BRANCH:
            rivals.setdefault(key, []).append(other)
        else:
            copies.setdefault(key, (about, other))
    chains = await _chains(conn, bank, keys) if history else {}
    return {
        key: Standing(
            heads=tuple(head.id for head in heads.get(key, ())),
            conflicts_with=tuple(rivals.get(key, ())),
            copy_of=copies[key][0] if key in copies else None,
            copy_head=copies[key][1] if key in copies else None,
            history=tuple(chains.get(key, ())),
        )
        for key in keys
    }


async def _chains(
    conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]
) -> dict[MemoryKey, list[Link]]:
    values = {"bank": bank, "keys": list(keys), "limit": MOST}
    chains: dict[MemoryKey, list[Link]] = {}
    for row in await (await conn.execute(statement("chains"), values)).fetchall():
        chains.setdefault(MemoryKey(row[0]), []).append(Link(*row[1:]))
    return chains


class StandingShelf:
    """Reads how memories stand, for the doors."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def of(
        self, bank: BankKey, keys: Iterable[int], *, history: bool = False
    ) -> dict[MemoryKey, Standing]:
        """As `standings`, in a transaction of its own."""
        async with self._transaction(bank) as conn:
            wanted = [MemoryKey(key) for key in keys]
            return await standings(conn, bank, wanted, history=history)

    async def evidence(self, bank: BankKey, memory_id: str) -> Evidence | None:
        """What the id names when it became evidence of an observation, else None."""
        async with self._transaction(bank) as conn:
            return (await evidence_of(conn, bank, [memory_id])).get(memory_id)

    async def sources(self, bank: BankKey, key: MemoryKey) -> list[dict[str, Any]]:
        """The evidence behind an observation, the oldest first, columns as in sources.sql."""
        values = {"bank": bank, "key": key, "limit": MOST_SOURCES}
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("sources"), values)
            return await cursor.fetchall()
