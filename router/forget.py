"""A memory forgotten for good: its row, all derived from it, and its share in every count."""

from datetime import UTC, datetime

from channels.base import MemoryKey
from channels.connection import Transaction
from channels.errors import NotFound
from router.store import derive
from router.store.banks import Bank
from router.store.statements import statement
from router.structure.branches import family_of, renew_branches
from router.structure.closing import bridge
from router.structure.evidence import forget_evidence
from router.structure.pairs import Deed
from router.structure.pyramids.marking import delete, made, mark

WRITE_TIMEOUT_MS = 30_000
FORGET = "forget"  # the author, where a caller names none


async def forget_memory(
    transaction: Transaction, bank: Bank, memory_id: str, *, author: str = FORGET
) -> None:
    """Delete the memory and index its neighbours as if it had never stood between them.

    Summaries that quote it go with it, until they are made anew. Memories that it replaced stay
    superseded, by what replaced it if anything did: forgetting must not bring old facts back
    unasked. Evidence of an observation is taken off its count. Raises NotFound.
    """
    async with transaction(bank.key, timeout_ms=WRITE_TIMEOUT_MS) as conn:
        await conn.execute(statement("lock_bank"), {"bank": bank.key})
        held = await (
            await conn.execute(statement("held_memory"), {"bank": bank.key, "id": memory_id})
        ).fetchone()
        if held is None:
            if await forget_evidence(conn, bank.key, memory_id):
                return
            raise NotFound("memory", memory_id)
        key, is_current = MemoryKey(held[0]), held[1]
        await mark(conn, bank.key, [key])
        await delete(conn, bank.key, await made(conn, bank.key, quoting=key))
        neighbours = await derive.neighbours_of(conn, bank.key, [key])
        after = await derive.following(conn, bank.key, [key])
        await derive.forget(conn, bank.key, [key])
        values = {"bank": bank.key, "key": key}
        now = datetime.now(UTC)
        await bridge(conn, bank.key, key, memory_id, Deed(author, now))
        await conn.execute(statement("orphan_superseded"), values)
        tied = [one for one in await family_of(conn, bank.key, [key]) if one != key]
        await conn.execute(statement("delete_memory"), values)
        await derive.renew_neighbours(conn, bank.key, neighbours, now)
        await derive.feel_again(conn, bank.key, after)
        if tied:
            await renew_branches(conn, bank.key, tied, now)
        if is_current:
            await conn.execute(statement("shift_live"), {"bank": bank.key, "count": -1})
