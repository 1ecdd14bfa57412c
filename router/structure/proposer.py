"""Fresh memories held against what they are linked to: what they may replace is proposed."""

import asyncio
from collections.abc import Sequence

from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from router.store.memories import Placed
from router.structure.branches import propose
from router.structure.change.rules import Said, change, may_change
from router.structure.pairs import Deed, Proposed
from router.structure.statements import statement

NEAR = 12  # linked memories looked at for each fresh one
MOST = 3  # proposals of one fresh memory: one that would retire more is no correction

Row = tuple[MemoryKey, MemoryKey, str, str | None, bool]  # as near.sql gives them


async def propose_changes(
    conn: Connection, bank: BankKey, placed: Sequence[Placed], deed: Deed
) -> int:
    """Propose what the memories' words say no longer holds; how many pairs. Changes nothing else.

    A memory that names what it supersedes has said all it wants to.
    """
    texts = {
        one.key: Said(one.prepared.reading.body, one.prepared.draft.item.speaker)
        for one in placed
        if not (one.prepared.draft.replaced or one.prepared.reading.is_question)
    }
    rows = await _near(conn, bank, sorted(texts))
    return await propose(conn, bank, await asyncio.to_thread(judged, texts, rows), deed.now)


def judged(texts: dict[MemoryKey, Said], rows: Sequence[Row]) -> list[Proposed]:
    """Pairs of which a rule says that the later replaces the earlier, at most MOST a fresh one."""
    found: list[Proposed] = []
    count: dict[MemoryKey, int] = {}
    for key, other, text, speaker, is_later in rows:
        fresh, known = texts[key], Said(text, speaker)
        older, newer = (known, fresh) if is_later else (fresh, known)
        if count.get(key, 0) >= MOST or not may_change(newer.text):
            continue
        if told := change(older, newer):
            ends = (other, key) if is_later else (key, other)
            found.append(Proposed(*ends, told.rule, told.evidence))
            count[key] = count.get(key, 0) + 1
    return found


async def _near(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> list[Row]:
    if not keys:
        return []
    values = {"bank": bank, "keys": list(keys), "limit": NEAR}
    return await (await conn.execute(statement("near"), values)).fetchall()
