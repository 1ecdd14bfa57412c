"""Summaries written: rows, words and edges, and no more, so that they do not pass for memories.

No entity, rare word or likeness links a summary, and none of its words counts as its own: else
three summaries a memory would make every rare word common.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from channels import links, postings
from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.links import NewEdge
from channels.postings import Document, in_zone
from router.store import derive
from router.store.banks import Bank
from router.store.memories import Placed, Prepared, known_items, place, write_rows
from router.store.statements import statement as stored
from router.structure.pyramids.periods import Period
from router.structure.pyramids.wording import Summed
from router.structure.statements import statement
from router.timezone import zone

EDGE, MADE_BY = "DERIVED_FROM", "summary"


@dataclass(frozen=True, slots=True)
class Held:
    """What bears a summary's id."""

    key: MemoryKey
    made_hash: bytes | None  # None: a memory that somebody gave
    source_hash: bytes | None
    content_hash: bytes
    is_current: bool

    @property
    def is_ours(self) -> bool:
        """Whether it is as it was made: nobody edited or replaced it."""
        return self.is_current and self.made_hash == self.content_hash


async def held(conn: Connection, bank: BankKey, periods: Sequence[Period]) -> dict[str, Held]:
    """By id, what there is of the periods' summaries."""
    values = {"bank": bank, "ids": [period.id for period in periods]}
    rows = await (await conn.execute(statement("summary_held"), values)).fetchall()
    return {
        name: Held(MemoryKey(key), made, source, now, is_current)
        for name, key, made, source, now, is_current in rows
    }


async def write(
    conn: Connection,
    bank: Bank,
    ready: Sequence[tuple[Summed, Prepared]],
    now: datetime,
) -> None:
    """Write summaries anew, those of an id that is there in its place; under the bank's lock."""
    if not ready:
        return
    prepared = [one for _, one in ready]
    known = await known_items(conn, bank.key, [one.draft for one in prepared])
    placed = await place(conn, known, prepared)
    await derive.forget(conn, bank.key, [one.key for one in placed if one.replaces])
    await write_rows(conn, bank, placed, now)
    keys = [one.key for one in placed]
    periods = [summed.period for summed, _ in ready]
    values = {
        "bank": bank.key,
        "keys": keys,
        "periods": [period.name for period in periods],
        "starts": [period.starts for period in periods],
        "hashes": [one.draft.content_hash for one in prepared],
        "sources": [summed.source for summed, _ in ready],
        "members": [summed.members for summed, _ in ready],
        "now": now,
    }
    await conn.execute(statement("summary_stamp"), values)
    await _index(conn, bank, placed)
    fresh = sum(1 for one in placed if not one.replaces)
    await conn.execute(stored("shift_live"), {"bank": bank.key, "count": fresh})


async def link(
    conn: Connection,
    bank: BankKey,
    found: Sequence[Summed],
    keys: Mapping[str, MemoryKey],
    now: datetime,
) -> None:
    """Link summaries, by id, to the memories they quote and to the summaries they are made of."""
    mine = [(keys[one.period.id], one) for one in found if one.period.id in keys]
    if not mine:
        return
    ours = {"bank": bank, "keys": [key for key, _ in mine]}
    await conn.execute(statement("summary_unlink"), ours)
    values = {
        **ours,
        "below": [one.period.below for _, one in mine],
        "from": [one.period.starts for _, one in mine],
        "to": [one.period.ends for _, one in mine],
    }
    lower = await (await conn.execute(statement("summary_below"), values)).fetchall()
    pairs = [(key, member.key) for key, one in mine for member in one.quoted]
    edges = [NewEdge(src, MemoryKey(dst), EDGE, 1.0, MADE_BY) for src, dst in [*pairs, *lower]]
    await links.insert(conn, bank, edges, now)


async def refreshed(
    conn: Connection, bank: BankKey, counts: Mapping[MemoryKey, int], now: datetime
) -> None:
    """Show summaries again that stay as they are, each with the number of its members."""
    if counts:
        values = {"bank": bank, "keys": list(counts), "members": list(counts.values()), "now": now}
        await conn.execute(statement("summary_fresh"), values)


async def _index(conn: Connection, held: Bank, placed: Sequence[Placed]) -> None:
    bank, own_zone = held.key, zone(held.config.timezone)
    row = await (await conn.execute(stored("mean_length"), {"bank": bank})).fetchone()
    documents = [
        Document(
            one.key, one.prepared.draft.item.text, None, None,
            tuple(one.prepared.draft.item.tags), None,
            in_zone(one.prepared.reading.happened, own_zone),
            granularity=one.prepared.draft.item.granularity,
        )
        for one in placed
    ]  # fmt: skip
    await postings.add(conn, bank, documents, row[0] if row else 0.0)
    keys = [document.key for document in documents]
    await conn.execute(statement("summary_disown"), {"bank": bank, "keys": keys})
