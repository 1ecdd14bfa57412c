"""Memory rows: which of a batch are new, which replace, which are there; and writing them."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from pgvector import HalfVector
from psycopg.types.json import Jsonb

from channels.analyser import ANALYSER_VERSION
from channels.base import BankKey, Embedded, MemoryKey, Vector
from channels.connection import Connection
from channels.errors import Unavailable
from channels.tokens import pack
from router.items import Draft
from router.reading import Reading
from router.store.banks import Bank
from router.store.statements import statement


class ModelChanged(Unavailable):
    """The bank has moved to another model since its vectors were made: make them anew."""

    def __init__(self, embedder: int, name: str, dim: int) -> None:
        super().__init__("bank", f"it has just moved to the model {name!r}; try again")
        self.embedder, self.name, self.dim = embedder, name, dim


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft with all that costs time to compute."""

    draft: Draft
    reading: Reading
    embedded: Embedded


@dataclass(frozen=True, slots=True)
class Placed:
    """A prepared memory with its id and key; `replaces` when its key was there before."""

    prepared: Prepared
    id: str
    key: MemoryKey
    replaces: bool


@dataclass(frozen=True, slots=True)
class Known:
    """Memories the bank already has, by id and by content."""

    by_id: Mapping[str, tuple[MemoryKey, bytes]]
    by_hash: Mapping[bytes, str]

    def holds(self, draft: Draft) -> str | None:
        """Id of the memory that is already exactly this one, or None."""
        if draft.item.id is None:
            return self.by_hash.get(draft.content_hash)
        key_hash = self.by_id.get(draft.item.id)
        return draft.item.id if key_hash and key_hash[1] == draft.content_hash else None


async def known_items(conn: Connection, bank: BankKey, drafts: Sequence[Draft]) -> Known:
    """What the bank already has of these drafts."""
    values = {
        "bank": bank,
        "ids": [draft.item.id for draft in drafts if draft.item.id is not None],
        "hashes": [draft.content_hash for draft in drafts if draft.item.id is None],
    }
    rows = await (await conn.execute(statement("known_items"), values)).fetchall()
    return Known(
        {row[1]: (MemoryKey(row[0]), bytes(row[2])) for row in rows},
        {bytes(row[2]): row[1] for row in rows},
    )


async def place(conn: Connection, known: Known, prepared: Sequence[Prepared]) -> list[Placed]:
    """Give each memory its key: that of the id it replaces, else a fresh one, in order."""
    ids = [memory.draft.item.id or new_id() for memory in prepared]
    fresh = [name for name in ids if name not in known.by_id]
    rows = await (await conn.execute(statement("new_keys"), {"count": len(fresh)})).fetchall()
    keys = dict(zip(fresh, (MemoryKey(row[0]) for row in rows), strict=True))
    return [
        Placed(memory, name, keys.get(name) or known.by_id[name][0], name not in keys)
        for name, memory in zip(ids, prepared, strict=True)
    ]


async def write_rows(conn: Connection, bank: Bank, placed: Sequence[Placed], now: datetime) -> None:
    """Write the rows, counters and text intervals of the memories, under the bank's lock.

    Raises ModelChanged when the bank uses another model by now.
    """
    row = await (await conn.execute(statement("model_of"), {"bank": bank.key})).fetchone()
    if row is not None and row[0] != bank.embedder:
        raise ModelChanged(*row)
    async with conn.cursor() as cursor:
        await cursor.executemany(
            statement("insert_memory"), [_row(bank, memory, now) for memory in placed]
        )
    keys = [memory.key for memory in placed]
    proofs = [memory.prepared.draft.item.proof_count for memory in placed]
    await conn.execute(
        statement("insert_stats"), {"bank": bank.key, "keys": keys, "proofs": proofs}
    )
    await _write_tokens(conn, bank, placed)
    spans = [
        (memory.key, date.start, date.end)
        for memory in placed
        for date in memory.prepared.reading.dates
    ]
    if spans:
        await conn.execute(
            statement("insert_dates"),
            {
                "bank": bank.key,
                "keys": [span[0] for span in spans],
                "starts": [span[1] for span in spans],
                "ends": [span[2] for span in spans],
            },
        )


async def _write_tokens(conn: Connection, bank: Bank, placed: Sequence[Placed]) -> None:
    held = [
        (memory.key, pack(tokens))
        for memory in placed
        if (tokens := memory.prepared.embedded.tokens) is not None
    ]
    if held:
        await conn.execute(
            statement("insert_tokens"),
            {
                "bank": bank.key,
                "embedder": bank.embedder,
                "keys": [key for key, _ in held],
                "tokens": [packed for _, packed in held],
            },
        )


def new_id() -> str:
    """A UUIDv7 (RFC 9562): milliseconds first, so ids of one bank sort by arrival."""
    import secrets
    import time

    millis = time.time_ns() // 1_000_000
    value = millis << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=value))


def half(vector: Vector | None) -> HalfVector | None:
    """The vector as pgvector's half precision type."""
    return None if vector is None else HalfVector(np.asarray(vector, dtype=np.float32))


def _row(bank: Bank, memory: Placed, now: datetime) -> dict[str, Any]:
    item, reading = memory.prepared.draft.item, memory.prepared.reading
    plain = item.model_dump(
        include={
            "text",
            "context",
            "title",
            "description",
            "kind",
            "speaker",
            "episode",
            "position",
            "granularity",
            "tags",
            "topic",
        }
    )
    behaviour = item.behaviour.model_dump() if item.behaviour else None
    return (
        plain
        | dict(memory.prepared.draft.times)
        | {
            "bank": bank.key,
            "key": memory.key,
            "id": memory.id,
            "happened": reading.happened,
            "happened_end": reading.happened_end,
            "valid_at": memory.prepared.draft.happened,  # as given: a unit is no word on validity
            "now": now,
            "metadata": Jsonb(item.metadata),
            "entities": Jsonb([entity.model_dump() for entity in item.entities]),
            "affect_labels": Jsonb([label.model_dump() for label in item.affect]),
            "behaviour": Jsonb(behaviour) if behaviour else None,
            "embedder": bank.embedder,
            "analyser": ANALYSER_VERSION,
            "embedding": half(memory.prepared.embedded.vector),
            "words": reading.words,
            "has_time": reading.has_time,
            "is_question": reading.is_question,
            "content_hash": memory.prepared.draft.content_hash,
        }
    )
