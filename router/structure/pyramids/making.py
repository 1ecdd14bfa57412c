"""Summaries refreshed: of the days that are marked, and of the weeks and months they lie in."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from channels.base import BankKey, Embedded
from channels.connection import Connection, Transaction
from router.items import read_items
from router.reading import read_memory
from router.store.banks import Bank
from router.store.memories import Prepared
from router.store.statements import statement as stored
from router.structure.pyramids.looking import TIMEOUT_MS, Seen, look, marks_of
from router.structure.pyramids.marking import delete, made, mark_all
from router.structure.pyramids.periods import NAMES
from router.structure.pyramids.wording import Summed, item_of
from router.structure.pyramids.writing import Held, held, link, refreshed, write
from router.structure.statements import statement
from router.timezone import zone

TRIES: Final = 3  # days that change while they are summarised are left to the next refresh


class Embed(Protocol):
    """Texts to vectors with the bank's own model."""

    async def __call__(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]: ...


class Wording(Protocol):
    """Words a summary; None: the extract stays. `source` changes when the wording would."""

    async def word(self, summed: Summed, zone: ZoneInfo) -> Summed | None: ...

    def source(self, summed: Summed) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did."""

    days: int = 0  # marked ones that are done
    written: int = 0
    unchanged: int = 0
    removed: int = 0
    edited: int = 0  # somebody's own words, left alone
    fallen_back: int = 0  # the endpoint gave nothing, so that the extract stands

    def __add__(self, other: "Refreshed") -> "Refreshed":
        names = [field.name for field in fields(self)]
        return Refreshed(*(getattr(self, name) + getattr(other, name) for name in names))


class Summariser:
    """Keeps the summaries of banks. Safe beside writers and beside another one like it."""

    def __init__(
        self, transaction: Transaction, embed: Embed, wording: Wording | None = None
    ) -> None:
        self._transaction = transaction
        self._embed = embed
        self._wording = wording

    async def refresh(self, bank: Bank) -> Refreshed:
        """Make what is marked anew; in a bank that keeps none any more, remove what was made.

        Raises Unavailable when the database or the bank's model does not answer.
        """
        done = Refreshed(removed=await self._settle(bank))
        tries = 0
        while bank.config.summaries and tries < TRIES:
            seen = await look(self._transaction, bank)
            if seen is None:
                break
            batch = await self._batch(bank, seen)
            tries = tries + 1 if batch is None else 0
            done += batch or Refreshed()
        return done

    async def _settle(self, bank: Bank) -> int:
        """See to a changed configuration; how many summaries went with it."""
        periods = list(bank.config.summaries)
        values = {"bank": bank.key, "timezone": bank.config.timezone, "periods": periods}
        async with self._transaction(bank.key, timeout_ms=TIMEOUT_MS) as conn:
            known = await _state(conn, bank.key)
            if known == (bank.config.timezone, periods) or (known is None and not periods):
                return 0
            await conn.execute(stored("lock_bank"), {"bank": bank.key})
            has_moved = known is not None and known[0] != bank.config.timezone
            gone = [name for name in NAMES if has_moved or name not in periods]
            removed = await delete(conn, bank.key, await made(conn, bank.key, periods=gone))
            await conn.execute(statement("summary_keep"), {"bank": bank.key, "periods": gone})
            if periods:
                await mark_all(conn, bank.key)
                await conn.execute(statement("summary_set_state"), values)
            else:
                await conn.execute(statement("summary_drop_state"), values)
            return removed

    async def _batch(self, bank: Bank, seen: Seen) -> Refreshed | None:
        """Write what was found; None when something of it has changed meanwhile."""
        place = zone(bank.config.timezone)
        changed = [one for one in seen.wanted if self._is_new(one, seen.held.get(one.period.id))]
        worded, fallen_back = await self._word(changed, place)
        ready = await self._prepare(bank, worded, place)
        async with self._transaction(bank.key, timeout_ms=TIMEOUT_MS) as conn:
            await conn.execute(stored("lock_bank"), {"bank": bank.key})
            if await marks_of(conn, bank.key, seen.span) != seen.marks:
                return None
            done = await _store(conn, bank, seen, ready)
        return replace(done, fallen_back=fallen_back)

    def _is_new(self, one: Summed, known: Held | None) -> bool:
        if known is None:
            return True
        source = self._wording.source(one) if self._wording else one.source
        return known.is_ours and known.source_hash != source

    async def _word(self, wanted: Sequence[Summed], place: ZoneInfo) -> tuple[list[Summed], int]:
        """The summaries as they shall read, and how many the endpoint left as extracts."""
        if self._wording is None:
            return list(wanted), 0
        worded = [(await self._wording.word(one, place), one) for one in wanted]
        return [found or one for found, one in worded], sum(found is None for found, _ in worded)

    async def _prepare(
        self, bank: Bank, wanted: Sequence[Summed], place: ZoneInfo
    ) -> list[tuple[Summed, Prepared]]:
        """The summaries read and embedded."""
        drafts, _ = read_items([item_of(one, place) for one in wanted], place)
        customs, zone_name = bank.config.customs(), bank.config.timezone
        readings = await asyncio.to_thread(
            lambda: [read_memory(draft, zone_name, customs) for draft in drafts]
        )
        embedded = await self._embed(bank, [reading.embed_text for reading in readings])
        return [
            (wanted[draft.index], Prepared(draft, reading, vector))
            for draft, reading, vector in zip(drafts, readings, embedded, strict=True)
        ]


async def _store(
    conn: Connection, bank: Bank, seen: Seen, ready: Sequence[tuple[Summed, Prepared]]
) -> Refreshed:
    """Write what was made under the bank's lock, and take the marks off."""
    now = datetime.now(UTC)
    periods = [*(one.period for one in seen.wanted), *seen.empty]
    before = await held(conn, bank.key, periods)
    edited = {name for name, one in before.items() if not one.is_ours}
    ready = [one for one in ready if one[0].period.id not in edited]
    await write(conn, bank, ready, now)
    written = {summed.period.id for summed, _ in ready}
    same = [one for one in seen.wanted if one.period.id in before and one.period.id not in written]
    counts = {before[one.period.id].key: one.members for one in same}
    await refreshed(conn, bank.key, counts, now)
    after = await held(conn, bank.key, periods)
    ours = {name: one.key for name, one in after.items() if one.is_ours}
    await link(conn, bank.key, seen.wanted, ours, now)
    gone = [(ours[period.id], True) for period in seen.empty if period.id in ours]
    removed = await delete(conn, bank.key, gone)
    values = {"bank": bank.key, "days": list(seen.days)}
    await conn.execute(statement("summary_unmark"), values)
    unchanged = sum(one.period.id not in edited for one in same)
    return Refreshed(len(seen.days), len(written), unchanged, removed, len(edited))


async def _state(conn: Connection, bank: BankKey) -> tuple[str, list[str]] | None:
    row = await (await conn.execute(statement("summary_state"), {"bank": bank})).fetchone()
    return None if row is None else (row[0], list(row[1]))
