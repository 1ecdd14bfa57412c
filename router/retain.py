"""The walk of a memory: checked, embedded, read, and stored with all that follows from it."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Protocol

from channels.base import Embedded, MemoryKey
from channels.connection import Connection, Transaction
from channels.errors import BadInput
from channels.names import NameFinder
from router.items import MAX_ITEMS, Draft, ItemError, read_items
from router.meaning import extent
from router.patch import laid_over
from router.reading import read_memory
from router.references import fitting
from router.store.banks import Bank
from router.store.memories import (
    Known,
    ModelChanged,
    Placed,
    Prepared,
    known_items,
    place,
)
from router.store.statements import statement
from router.structure.absorb import absorb
from router.structure.consolidate import Consolidated, count, counted, merges
from router.structure.evidence import observed
from router.timezone import zone
from router.writing import write

WRITE_TIMEOUT_MS = 120_000  # a thousand long memories in one transaction


class Embed(Protocol):
    """Texts to vectors with the bank's own model."""

    async def __call__(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]: ...


@dataclass(frozen=True, slots=True)
class Overwritten:
    """An item that a later one of the same request and id replaced: it is not stored."""

    index: int
    by: int  # index of the later one


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What a rewritten memory named again, though it was taken back: it stays current."""

    index: int
    supersedes: str


@dataclass(frozen=True, slots=True)
class PartlyRead:
    """A stored text that is longer than the model reads: its end is found by words alone."""

    index: int
    read: int  # characters
    of: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a retain request. A memory named here is durable."""

    accepted: int
    ids: list[str]  # of every valid item, in the order given
    duplicates: int
    errors: list[ItemError]
    live_rows: int
    consolidated: Sequence[Consolidated] = ()  # of the accepted, those that became evidence
    overwritten: Sequence[Overwritten] = ()  # of the others, those that were no duplicates
    taken_back: Sequence[TakenBack] = ()
    partly_read: Sequence[PartlyRead] = ()


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

    async def patch(
        self, bank: Bank, memory_id: str, given: Mapping[str, object], *, timezone: str, author: str
    ) -> Receipt:
        """Lay the fields over the stored memory, which is read under the lock that writes it.

        So of patches at once none undoes another. Raises NotFound; BadInput naming the field.
        """
        where = zone(timezone)
        async with self._transaction(bank.key) as conn:
            wanted = [await laid_over(conn, bank.key, memory_id, given, where)]
        prepared: dict[int, Prepared] = {}
        while True:
            prepared |= await self._prepare(bank, wanted, timezone)
            try:
                async with self._transaction(bank.key, timeout_ms=WRITE_TIMEOUT_MS) as conn:
                    await conn.execute(statement("lock_bank"), {"bank": bank.key})
                    draft = await laid_over(conn, bank.key, memory_id, given, where)
                    done = await self._store(
                        conn, bank, [draft], prepared, [], Manner(True, False, author)
                    )
            except ModelChanged as now:
                bank = replace(bank, embedder=now.embedder, embedder_name=now.name, dim=now.dim)
                prepared, done = {}, wanted
            if not isinstance(done, Receipt):
                wanted = done  # changed by another since it was read: laid over that once more
            elif done.errors:
                raise BadInput(done.errors[0].field, done.errors[0].reason)
            else:
                return done

    async def _prepare(
        self, bank: Bank, drafts: Sequence[Draft], timezone: str
    ) -> dict[int, Prepared]:
        """Read and embed the drafts, outside any transaction; index of the item -> prepared."""
        readings = await asyncio.to_thread(
            lambda: [
                read_memory(
                    draft,
                    timezone,
                    bank.config.customs(),
                    self.names,
                    own_zone=bank.config.timezone,
                )
                for draft in drafts
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
        drafts = await observed(conn, bank.key, drafts)
        known = await known_items(conn, bank.key, drafts)
        targets = await _targets(conn, bank, drafts)
        drafts, misfits = fitting(drafts, frozenset(targets), await _newer(conn, bank, drafts))
        evidence, clashes = await counted(conn, bank, drafts, known)
        misfits += clashes
        told = sorted([*errors, *misfits], key=lambda error: error.index)
        if manner.atomic and misfits:
            return Receipt(0, [], 0, told, bank.live_rows)
        unfit = {error.index for error in clashes}
        drafts = [draft for draft in drafts if draft.index not in unfit]
        last, overwritten = last_words(drafts)
        wanted = to_write([draft for draft in last if draft.index not in evidence], known)
        if missing := [draft for draft in wanted if not _is_ready(draft, prepared)]:
            return missing
        ready = [replace(prepared[draft.index], draft=draft) for draft in wanted]
        merging = await merges(conn, bank, known, ready) if manner.consolidate else []
        merged = {merge.item.draft.index for merge in merging}
        placed = await place(conn, known, [one for one in ready if one.draft.index not in merged])
        live, now = bank.live_rows, datetime.now(UTC)
        back: list[tuple[Placed, str]] = []
        if placed:
            live, back = await write(conn, bank, placed, targets, now, manner.author)
        done = await count(conn, bank, merging, placed, now)
        await absorb(conn, bank.key, merging, placed, now)
        taken_back = [TakenBack(one.prepared.draft.index, name) for one, name in back]
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
        repeated = len(drafts) - stored - len(overwritten)
        cut = partly_read(placed)
        return Receipt(stored, ids, repeated, told, live, done, overwritten, taken_back, cut)


def partly_read(placed: Sequence[Placed]) -> list[PartlyRead]:
    """Of what was written, the texts that the model has not read to their end."""
    found = []
    for one in (memory.prepared for memory in placed):
        text, spoken = one.draft.item.text, one.reading.embed_text
        if one.embedded.read_to is not None:
            far = extent(text, spoken, one.embedded.read_to)
            found.append(PartlyRead(one.draft.index, far.read, far.of))
    return sorted(found, key=lambda one: one.index)


def last_words(drafts: Sequence[Draft]) -> tuple[list[Draft], list[Overwritten]]:
    """Of drafts of one id (or, without id, one content) the last, and the others that differ."""
    last: dict[object, Draft] = {}
    for draft in drafts:
        identity = draft.item.id or draft.content_hash
        last.pop(identity, None)
        last[identity] = draft
    overwritten = [
        Overwritten(draft.index, final.index)
        for draft in drafts
        if (final := last[draft.item.id or draft.content_hash]).content_hash != draft.content_hash
    ]
    return list(last.values()), overwritten


def to_write(drafts: Sequence[Draft], known: Known) -> list[Draft]:
    """Drafts that change the bank: the last word on each memory, if the bank has it not."""
    return [draft for draft in last_words(drafts)[0] if known.holds(draft) is None]


def _is_ready(draft: Draft, prepared: Mapping[int, Prepared]) -> bool:
    found = prepared.get(draft.index)
    return found is not None and found.draft.content_hash == draft.content_hash


async def _targets(conn: Connection, bank: Bank, drafts: Sequence[Draft]) -> dict[str, MemoryKey]:
    """Keys of the stored memories that the drafts refer to."""
    names = {name for draft in drafts for _, name in draft.replaced}
    names |= {edge.to for draft in drafts for edge in draft.item.edges}
    if not names:
        return {}
    values = {"bank": bank.key, "ids": sorted(names)}
    rows = await (await conn.execute(statement("keys_of"), values)).fetchall()
    return {row[0]: MemoryKey(row[1]) for row in rows}


async def _newer(conn: Connection, bank: Bank, drafts: Sequence[Draft]) -> list[tuple[str, str]]:
    """Stored pairs (older id, newer id) that lead up from what the drafts would renew."""
    names = [draft.item.id for draft in drafts if draft.replaced]
    names += [name for draft in drafts for _, name in draft.replaced]
    values = {"bank": bank.key, "ids": sorted({name for name in names if name})}
    if not values["ids"]:
        return []
    return await (await conn.execute(statement("newer"), values)).fetchall()
