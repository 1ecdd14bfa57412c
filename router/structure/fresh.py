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
) -> tuple[int, list[tuple[Placed, str]]]:
    """Close what the memories supersede, then see to copies and propose; how many are closed.

    `keys`: of every id that the memories name, and of their own. What was taken back from a memory
    does not come back because it is written again: those are returned, each with the id it named.
    """
    rewritten = [one.key for one in placed if one.replaces]
    if rewritten:
        await conn.execute(statement("drop_proposals"), {"bank": bank, "keys": rewritten})
    named = [(one, name) for one in placed for _, name in one.prepared.draft.replaced]
    undone = await taken_back(conn, bank, [(n, one.id) for one, n in named if one.replaces])
    back = [(one, name) for one, name in named if (name, one.id) in undone]
    pairs = [Replaced(keys[name], one.key) for one, name in named if (name, one.id) not in undone]
    closed = await close(conn, bank, pairs, deed)
    closed += await restate(conn, bank, [one.key for one in placed], deed)
    await propose_changes(conn, bank, placed, deed)
    return closed, back


async def taken_back(
    conn: Connection, bank: BankKey, pairs: Sequence[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those of the pairs (older id, newer id) whose last deed was to take the supersession back."""
    if not pairs:
        return set()
    older, newer = map(list, zip(*pairs, strict=True))
    values = {"bank": bank, "older": older, "newer": newer}
    rows = await (await conn.execute(statement("taken_back"), values)).fetchall()
    return {(row[0], row[1]) for row in rows}
