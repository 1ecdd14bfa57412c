"""What freshly written memories mean for those that were there."""

from collections.abc import Mapping, Sequence

from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from router.store.memories import Placed
from router.structure.closing import close, restate
from router.structure.pairs import Deed, Replaced
from router.structure.proposer import propose_changes
from router.structure.statements import statement


async def settle_fresh(
    conn: Connection,
    bank: BankKey,
    placed: Sequence[Placed],
    keys: Mapping[str, MemoryKey],
    deed: Deed,
) -> int:
    """Close what the memories supersede, then see to copies and propose; how many are closed.

    `keys`: of every id that the memories name, and of their own.
    """
    rewritten = [one.key for one in placed if one.replaces]
    if rewritten:
        await conn.execute(statement("drop_proposals"), {"bank": bank, "keys": rewritten})
    pairs = [
        Replaced(keys[name], one.key)
        for one in placed
        for name in one.prepared.draft.item.supersedes
    ]
    closed = await close(conn, bank, pairs, deed)
    closed += await restate(conn, bank, [one.key for one in placed], deed)
    await propose_changes(conn, bank, placed, deed)
    return closed
