"""Placed memories written, with all that follows from it for those that were there."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from channels import links
from channels.base import MemoryKey
from channels.connection import Connection
from channels.links import NewEdge
from router.items import SUPERSEDES
from router.store import derive
from router.store.banks import Bank
from router.store.memories import Placed, write_rows
from router.store.statements import statement
from router.structure.closing import ended_with, renew_ends
from router.structure.fresh import settle_fresh
from router.structure.pairs import Deed
from router.structure.pyramids.marking import mark


async def write(
    conn: Connection,
    bank: Bank,
    placed: Sequence[Placed],
    targets: Mapping[str, MemoryKey],
    now: datetime,
    author: str,
) -> tuple[int, list[tuple[Placed, str]]]:
    """Write rows and what follows from them; the bank's new number of live rows, and what stays.

    These are memories that name what was taken back from them, each with the id that stays current.
    The caller holds the bank's lock.
    """
    own = [memory.key for memory in placed]
    replaced = [memory.key for memory in placed if memory.replaces]
    await mark(conn, bank.key, replaced)
    ended = await ended_with(conn, bank.key, replaced)
    moved = await derive.following(conn, bank.key, replaced)
    left = await derive.neighbours_of(conn, bank.key, replaced)  # a replaced turn may move away
    await derive.forget(conn, bank.key, replaced)
    await conn.execute(statement("delete_given_edges"), {"bank": bank.key, "keys": replaced})
    await write_rows(conn, bank, placed, now)
    await derive.derive(conn, bank, placed, now)
    await mark(conn, bank.key, own)
    await derive.renew_neighbours(conn, bank.key, left, now)
    moved += await derive.following(conn, bank.key, own)
    await derive.feel_again(conn, bank.key, sorted(set(moved) - set(own)))
    await renew_ends(conn, bank.key, ended)
    keys = {**targets, **{memory.id: memory.key for memory in placed}}
    await links.insert(conn, bank.key, _given_edges(placed, keys), now)
    closed, back = await settle_fresh(conn, bank.key, placed, keys, Deed(author, now))
    grown = sum(1 for memory in placed if not memory.replaces) - closed
    row = await (
        await conn.execute(statement("shift_live"), {"bank": bank.key, "count": grown})
    ).fetchone()
    return int(row[0]) if row else 0, back


def _given_edges(placed: Sequence[Placed], keys: Mapping[str, MemoryKey]) -> list[NewEdge]:
    return [
        NewEdge(memory.key, keys[edge.to], edge.type, edge.strength, "caller")
        for memory in placed
        for edge in memory.prepared.draft.item.edges
        if edge.type != SUPERSEDES  # written when the older one is closed
    ]
