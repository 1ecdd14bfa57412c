"""The walk of a memory: checked, embedded, read, and stored with all that follows from it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from channels import links
from channels.base import Embedded, MemoryKey
from channels.connection import Connection, Transaction
from channels.errors import BadInput
from channels.links import NewEdge
from channels.names import NameFinder
from router.items import MAX_ITEMS, Draft, ItemError, read_items
from router.reading import read_memory
from router.references import fitting
from router.store import derive
from router.store.banks import Bank
from router.store.memories import (
    Known,
    ModelChanged,
    Placed,
    Prepared,
    known_items,
    place,
    write_rows,
)
from router.store.statements import statement
from router.structure.consolidate import Consolidated, count, counted, merges
from router.structure.fresh import settle_fresh
from router.structure.pairs import Deed
from router.structure.pyramids.marking import mark
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
    consolidated: Sequence[Consolidated] = ()  # of the accepted, those that became evidence


@dataclass(frozen=True, slots=True)
class Manner:
    """How a request wants its items stored."""

    atomic: bool = False
    consolidate: bool = False  # near duplicates among observations become evidence
    author: str = "retain"  # for the audit of what they supersede


class Retainer:
    """Writes memories. Writers of one bank take turns; readers are never held up."""

    def __init__(
        self, transaction: Transaction, embed: Embed, names: NameFinder | None = None
    ) -> None:
        self._transaction = transaction
        self._embed = embed
        self.names = names  # beside those of the rules

    async def retain(
        self,
        bank: Bank,
        raw: Sequence[object],
        *,
        atomic: bool = False,
        consolidate: bool = False,
        timezone: str = "UTC",
        author: str = "retain",
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
        manner = Manner(atomic, consolidate, author)
        while True:
            prepared |= await self._prepare(bank, wanted, timezone)
            try:
                async with self._transaction(bank.key, timeout_ms=WRITE_TIMEOUT_MS) as conn:
                    await conn.execute(statement("lock_bank"), {"bank": bank.key})
                    done = await self._store(conn, bank, drafts, prepared, errors, manner)
            except ModelChanged as now:  # while the texts were being embedded
                bank = replace(bank, embedder=now.embedder, embedder_name=now.name, dim=now.dim)
                prepared, done = {}, [one.draft for one in prepared.values()]
            if isinstance(done, Receipt):
                return done
            wanted = done  # deleted since the first look: more to prepare, each item at most once

    async def _prepare(
        self, bank: Bank, drafts: Sequence[Draft], timezone: str
    ) -> dict[int, Prepared]:
        """Read and embed the drafts, outside any transaction; index of the item -> prepared."""
        readings = await asyncio.to_thread(
            lambda: [
                read_memory(draft, timezone, bank.config.customs(), self.names) for draft in drafts
            ]
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
        manner: Manner,
    ) -> Receipt | list[Draft]:
        """What became of the items, or those that must be prepared before anything is written."""
        known = await known_items(conn, bank.key, drafts)
        targets = await _targets(conn, bank, drafts)
        drafts, misfits = fitting(drafts, frozenset(targets), await _newer(conn, bank, drafts))
        evidence, clashes = await counted(conn, bank, drafts) if manner.consolidate else ({}, [])
        misfits += clashes
        told = sorted([*errors, *misfits], key=lambda error: error.index)
        if manner.atomic and misfits:
            return Receipt(0, [], 0, told, bank.live_rows)
        unfit = {error.index for error in clashes}
        drafts = [draft for draft in drafts if draft.index not in unfit]
        wanted = to_write([draft for draft in drafts if draft.index not in evidence], known)
        if missing := [draft for draft in wanted if draft.index not in prepared]:
            return missing
        ready = [prepared[draft.index] for draft in wanted]
        merging = await merges(conn, bank, known, ready) if manner.consolidate else []
        merged = {merge.item.draft.index for merge in merging}
        placed = await place(conn, known, [one for one in ready if one.draft.index not in merged])
        live, now = bank.live_rows, datetime.now(UTC)
        if placed:
            live = await _write(conn, bank, placed, targets, now, manner.author)
        done = await count(conn, bank, merging, placed, now)
        evidence |= {one.index: one.into for one in done}
        fresh = {
            memory.prepared.draft.content_hash: memory.id
            for memory in placed
            if memory.prepared.draft.item.id is None
        }
        ids = [
            evidence.get(draft.index)
            or draft.item.id
            or known.by_hash.get(draft.content_hash)
            or fresh[draft.content_hash]
            for draft in drafts
        ]
        stored = len(placed) + len(done)
        return Receipt(stored, ids, len(drafts) - stored, told, live, done)


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
    author: str,
) -> int:
    """Write rows and what follows from them; the bank's new number of live rows."""
    replaced = [memory.key for memory in placed if memory.replaces]
    await mark(conn, bank.key, replaced)
    left = await derive.neighbours_of(conn, bank.key, replaced)  # a replaced turn may move away
    await derive.forget(conn, bank.key, replaced)
    await conn.execute(statement("delete_given_edges"), {"bank": bank.key, "keys": replaced})
    await write_rows(conn, bank, placed, now)
    await derive.derive(conn, bank, placed, now)
    await mark(conn, bank.key, [memory.key for memory in placed])
    await derive.renew_neighbours(conn, bank.key, left, now)
    keys = {**targets, **{memory.id: memory.key for memory in placed}}
    await links.insert(conn, bank.key, _given_edges(placed, keys), now)
    closed = await settle_fresh(conn, bank.key, placed, keys, Deed(author, now))
    grown = sum(1 for memory in placed if not memory.replaces) - closed
    row = await (
        await conn.execute(statement("shift_live"), {"bank": bank.key, "count": grown})
    ).fetchone()
    return int(row[0]) if row else 0


def _given_edges(placed: Sequence[Placed], keys: Mapping[str, MemoryKey]) -> list[NewEdge]:
    return [
        NewEdge(memory.key, keys[edge.to], edge.type, edge.strength, "caller")
        for memory in placed
        for edge in memory.prepared.draft.item.edges
    ]
