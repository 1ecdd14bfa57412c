"""A memory superseded by another, and that taken back: atomic, repeatable, audited."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from psycopg.rows import dict_row

from channels.base import BankKey, MemoryKey
from channels.connection import Connection, Transaction
from channels.errors import BadInput, Conflict, NotFound
from router.references import circle, successors_of
from router.store.statements import statement as stored
from router.structure.closing import close, open_again
from router.structure.evidence import evidence_of
from router.structure.pairs import CALLER, Deed, Replaced
from router.structure.statements import statement

WRITE_TIMEOUT_MS = 30_000


@dataclass(frozen=True, slots=True)
class Changed:
    """What a request did."""

    changed: bool  # False: it was so already
    closed: int = 0  # memories that were current until now, copies included
    opened: int = 0  # memories that are current again


class Supersessions:
    """Writers of one bank take turns. A repeated request changes nothing and says so."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def supersede(
        self, bank: BankKey, older: str, by: str, *, reason: str | None, author: str
    ) -> Changed:
        """Let the memory `by` replace `older`.

        Raises NotFound, BadInput for an unknown or the same `by`, Conflict naming the circle that
        it would close.
        """
        deed = Deed(author, datetime.now(UTC))
        async with self._transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
            await conn.execute(stored("lock_bank"), {"bank": bank})
            return await replace_one(conn, bank, older, by, CALLER, deed, reason)

    async def undo(
        self, bank: BankKey, older: str, *, by: str | None, reason: str | None, author: str
    ) -> Changed:
        """Take back that `by` (None: anything) replaced the memory. Raises NotFound, BadInput."""
        deed = Deed(author, datetime.now(UTC))
        async with self._transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
            await conn.execute(stored("lock_bank"), {"bank": bank})
            older, *named = await _standing_for(conn, bank, [older, *([by] if by else [])])
            by = named[0] if named else None
            keys = await keys_of(conn, bank, [older, *named])
            if older not in keys:
                raise NotFound("memory", older)
            if by is not None and by not in keys:
                raise BadInput("by", f"no memory named {by!r} in this bank; leave it out for any")
            newer = keys[by] if by else None
            current = await open_again(conn, bank, keys[older], newer, deed, reason)
            await shift_live(conn, bank, len(current or ()))
            return Changed(current is not None, opened=len(current or ()))

    async def deeds(self, bank: BankKey, memory_id: str | None, limit: int) -> list[dict[str, Any]]:
        """The audit of one memory or (None) of all, the newest first, columns as in deeds.sql."""
        values = {"bank": bank, "id": memory_id, "limit": limit}
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("deeds"), values)
            return await cursor.fetchall()


async def replace_one(
    conn: Connection,
    bank: BankKey,
    older: str,
    by: str,
    rule: str,
    deed: Deed,
    reason: str | None,
) -> Changed:
    """As Supersessions.supersede, in the caller's transaction under the bank's lock."""
    older, by = await _standing_for(conn, bank, [older, by])
    keys = await keys_of(conn, bank, [older, by])
    if older not in keys:
        raise NotFound("memory", older)
    if by not in keys:
        raise BadInput("by", f"no memory named {by!r} in this bank; store it first")
    if older == by:
        raise BadInput("by", f"{by!r} is the memory itself; name the one that replaces it")
    values = {"bank": bank, "ids": [older, by]}
    newer = await (await conn.execute(stored("newer"), values)).fetchall()
    if (older, by) in newer and not await _is_current(conn, bank, older):
        return Changed(False)
    if found := circle(successors_of(newer), older, by):
        named = " is replaced by ".join(map(repr, found))
        raise Conflict("by", f"would close a circle: {named}; undo one of these first")
    pair = Replaced(keys[older], keys[by], reason, rule)
    closed = await close(conn, bank, [pair], deed)
    await shift_live(conn, bank, -closed)
    return Changed(True, closed=closed)


async def _standing_for(conn: Connection, bank: BankKey, ids: Sequence[str]) -> list[str]:
    """The ids, each that became evidence of an observation being that observation's."""
    found = await evidence_of(conn, bank, ids)
    return [found[name].into if name in found else name for name in ids]


async def _is_current(conn: Connection, bank: BankKey, memory_id: str) -> bool:
    values = {"bank": bank, "id": memory_id}
    row = await (await conn.execute(stored("held_memory"), values)).fetchone()
    return row is not None and bool(row[1])


async def keys_of(conn: Connection, bank: BankKey, ids: Sequence[str]) -> dict[str, MemoryKey]:
    """Keys of those of the ids that the bank holds."""
    rows = await (
        await conn.execute(stored("keys_of"), {"bank": bank, "ids": list(ids)})
    ).fetchall()
    return {row[0]: MemoryKey(row[1]) for row in rows}


async def shift_live(conn: Connection, bank: BankKey, count: int) -> None:
    """Add a difference to the bank's number of current memories."""
    if count:
        await conn.execute(stored("shift_live"), {"bank": bank, "count": count})
