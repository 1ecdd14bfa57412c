"""The walk of a memory: checked, embedded, read, and stored with all that follows from it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from channels import links
from channels.base import Embedded, MemoryKey
from channels.connection import Connection, Transaction
from channels.errors import BadInput
from channels.links import NewEdge
from router.items import MAX_ITEMS, Draft, ItemError, read_items
from router.reading import read_memory
from router.references import fitting
from router.store import derive
from router.store.banks import Bank
from router.store.memories import Known, Placed, Prepared, known_items, place, write_rows
from router.store.statements import statement
from router.timezone import zone

WRITE_TIMEOUT_MS = 120_000  # a thousand long memories in one transaction


class Embed(Protocol):
    """Texts to vectors with the bank's own model."""

    async def __call__(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]: ...


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a retain request. A memory named here is durable."""

    accepted: int
    ids: list[str]  # of every valid item, in the order given
    duplicates: int
    errors: list[ItemError]
    live_rows: int


class Retainer:
    """Writes memories. Writers of one bank take turns; readers are never held up."""

    def __init__(self, transaction: Transaction, embed: Embed) -> None:
        self._transaction = transaction
        self._embed = embed

    async def retain(
        self, bank: Bank, raw: Sequence[object], *, atomic: bool = False, timezone: str = "UTC"
    ) -> Receipt:
        """Store the valid items in one transaction and report the others; `atomic`: all or none.

        Raises BadInput when the list itself is unusable.
        """
        if not 1 <= len(raw) <= MAX_ITEMS:
            raise BadInput("items", f"holds {len(raw)} items; send 1 to {MAX_ITEMS} at a time")
        drafts, errors = await asyncio.to_thread(read_items, raw, zone(timezone))
        if atomic and errors:
            return Receipt(0, [], 0, errors, bank.live_rows)
        async with self._transaction(bank.key) as conn:
            wanted = to_write(drafts, await known_items(conn, bank.key, drafts))
        prepared: dict[int, Prepared] = {}
        while True:
            prepared |= await self._prepare(bank, wanted, timezone)
            async with self._transaction(bank.key, timeout_ms=WRITE_TIMEOUT_MS) as conn:
                await conn.execute(statement("lock_bank"), {"bank": bank.key})
                done = await self._store(conn, bank, drafts, prepared, errors, atomic=atomic)
            if isinstance(done, Receipt):
                return done
            wanted = done  # deleted since the first look: more to prepare, each item at most once

    async def _prepare(
        self, bank: Bank, drafts: Sequence[Draft], timezone: str
    ) -> dict[int, Prepared]:
        """Read and embed the drafts, outside any transaction; index of the item -> prepared."""
        readings = await asyncio.to_thread(
            lambda: [read_memory(draft, timezone) for draft in drafts]
        )
        embedded = await self._embed(bank, [reading.embed_text for reading in readings])
        return {
            draft.index: Prepared(draft, reading, found)
            for draft, reading, found in zip(drafts, readings, embedded, strict=True)
        }

    async def _store(
        self,
        conn: Connection,
        bank: Bank,
        drafts: Sequence[Draft],
        prepared: Mapping[int, Prepared],
        errors: Sequence[ItemError],
        *,
        atomic: bool,
    ) -> Receipt | list[Draft]:
        """What became of the items, or those that must be prepared before anything is written."""
        known = await known_items(conn, bank.key, drafts)
        targets = await _targets(conn, bank, drafts)
        drafts, misfits = fitting(drafts, frozenset(targets), await _newer(conn, bank, drafts))
        told = sorted([*errors, *misfits], key=lambda error: error.index)
        if atomic and misfits:
            return Receipt(0, [], 0, told, bank.live_rows)
        wanted = to_write(drafts, known)
        if missing := [draft for draft in wanted if draft.index not in prepared]:
            return missing
        placed = await place(conn, known, [prepared[draft.index] for draft in wanted])
        live = bank.live_rows
        if placed:
            live = await _write(conn, bank, placed, targets, datetime.now(UTC))
        fresh = {
            memory.prepared.draft.content_hash: memory.id
            for memory in placed
            if memory.prepared.draft.item.id is None
        }
        ids = [
            draft.item.id or known.by_hash.get(draft.content_hash) or fresh[draft.content_hash]
            for draft in drafts
        ]
        return Receipt(len(placed), ids, len(drafts) - len(placed), told, live)


def to_write(drafts: Sequence[Draft], known: Known) -> list[Draft]:
    """Drafts that change the bank: of one id (or, without id, one content) the last, if new."""
    last: dict[object, Draft] = {}
    for draft in drafts:
        identity = draft.item.id or draft.content_hash
        last.pop(identity, None)
        last[identity] = draft
    return [draft for draft in last.values() if known.holds(draft) is None]


async def _targets(conn: Connection, bank: Bank, drafts: Sequence[Draft]) -> dict[str, MemoryKey]:
    """Keys of the stored memories that the drafts refer to."""
    names = {name for draft in drafts for name in draft.item.supersedes}
    names |= {edge.to for draft in drafts for edge in draft.item.edges}
    if not names:
        return {}
    values = {"bank": bank.key, "ids": sorted(names)}
    rows = await (await conn.execute(statement("keys_of"), values)).fetchall()
    return {row[0]: MemoryKey(row[1]) for row in rows}


async def _newer(conn: Connection, bank: Bank, drafts: Sequence[Draft]) -> list[tuple[str, str]]:
    """Stored pairs (older id, newer id) that lead up from what the drafts would renew."""
    names = [draft.item.id for draft in drafts if draft.item.supersedes]
    names += [name for draft in drafts for name in draft.item.supersedes]
    values = {"bank": bank.key, "ids": sorted({name for name in names if name})}
    if not values["ids"]:
        return []
    return await (await conn.execute(statement("newer"), values)).fetchall()


async def _write(
    conn: Connection,
    bank: Bank,
    placed: Sequence[Placed],
    targets: Mapping[str, MemoryKey],
    now: datetime,
) -> int:
    """Write rows and what follows from them; the bank's new number of live rows."""
    replaced = [memory.key for memory in placed if memory.replaces]
    left = await derive.neighbours_of(conn, bank.key, replaced)  # a replaced turn may move away
    await derive.forget(conn, bank.key, replaced)
    await conn.execute(statement("delete_given_edges"), {"bank": bank.key, "keys": replaced})
    await write_rows(conn, bank, placed, now)
    await derive.derive(conn, bank, placed, now)
    await derive.renew_neighbours(conn, bank.key, left, now)
    keys = {**targets, **{memory.id: memory.key for memory in placed}}
    await links.insert(conn, bank.key, _given_edges(placed, keys), now)
    closed = await _supersede(conn, bank, placed, keys, now)
    grown = sum(1 for memory in placed if not memory.replaces) - closed
    row = await (
        await conn.execute(statement("shift_live"), {"bank": bank.key, "count": grown})
    ).fetchone()
    return int(row[0]) if row else 0


def _given_edges(placed: Sequence[Placed], keys: Mapping[str, MemoryKey]) -> list[NewEdge]:
    edges = []
    for memory in placed:
        item = memory.prepared.draft.item
        edges += [
            NewEdge(memory.key, keys[edge.to], edge.type, edge.strength, "caller")
            for edge in item.edges
        ]
        edges += [
            NewEdge(memory.key, keys[name], "SUPERSEDES", 1.0, "caller") for name in item.supersedes
        ]
    return edges


async def _supersede(
    conn: Connection,
    bank: Bank,
    placed: Sequence[Placed],
    keys: Mapping[str, MemoryKey],
    now: datetime,
) -> int:
    """Close the memories that these replace; how many were current until now."""
    closed = 0
    for memory in placed:
        for name in memory.prepared.draft.item.supersedes:
            values = {
                "bank": bank.key,
                "key": keys[name],
                "by": memory.key,
                "now": now,
                "at": memory.prepared.reading.happened or now,
            }
            closed += (await conn.execute(statement("supersede"), values)).rowcount
    return closed
