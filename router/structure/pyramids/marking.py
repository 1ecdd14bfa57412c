"""What changed memories mean for the summaries of their days, in the transaction of the change.

A summary that quotes what has changed is hidden at once; one that quotes what was forgotten is
deleted at once. Both are made anew by the next refresh.
"""

from collections.abc import Sequence

from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from router.store import derive
from router.store.statements import statement as stored
from router.structure.statements import statement


async def mark(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> None:
    """Mark the days on which the memories lie; call before they move or go, and after they came.

    Nothing happens in a bank that keeps no summaries.
    """
    if keys:
        await conn.execute(statement("summary_mark"), {"bank": bank, "keys": list(keys)})


async def mark_all(conn: Connection, bank: BankKey) -> None:
    """Mark every day of the bank, where it keeps summaries."""
    await conn.execute(statement("summary_mark_all"), {"bank": bank})


async def made(
    conn: Connection,
    bank: BankKey,
    *,
    periods: Sequence[str] | None = None,
    quoting: MemoryKey | None = None,
) -> list[tuple[MemoryKey, bool]]:
    """Summaries that nobody edited, of the periods or (None) of all: key, whether current.

    `quoting`: of those, the ones that quote this memory.
    """
    values = {
        "bank": bank,
        "periods": None if periods is None else list(periods),
        "quoting": quoting,
    }
    rows = await (await conn.execute(statement("summary_made"), values)).fetchall()
    return [(MemoryKey(row[0]), row[1]) for row in rows]


async def delete(conn: Connection, bank: BankKey, found: Sequence[tuple[MemoryKey, bool]]) -> int:
    """Delete memories with all that was derived from them, and count them off; how many."""
    if not found:
        return 0
    keys = [key for key, _ in found]
    await derive.forget(conn, bank, keys)
    await conn.execute(statement("summary_delete"), {"bank": bank, "keys": keys})
    current = sum(1 for _, is_current in found if is_current)
    if current:
        await conn.execute(stored("shift_live"), {"bank": bank, "count": -current})
    return len(keys)
