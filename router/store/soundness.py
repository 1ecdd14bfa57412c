"""What the store keeps counted, counted again; and set right where the two differ."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from channels.base import BankKey
from channels.connection import Connection
from router.store.banks import Bank
from router.store.statements import statement

ROUNDING = 1e-6  # of a sum of lengths, relative: it is kept by adding and taking off


@dataclass(frozen=True, slots=True)
class Counters:
    """A bank's counters, as kept or as counted."""

    docs: int  # memories with postings
    length: float  # sum of their weighted lengths
    live: int  # memories not superseded

    def same_index(self, other: "Counters") -> bool:
        """Whether docs and length agree, but for rounding."""
        is_close = math.isclose(self.length, other.length, rel_tol=ROUNDING, abs_tol=ROUNDING)
        return self.docs == other.docs and is_close


@dataclass(frozen=True, slots=True)
class Drift:
    """Where a bank's statistics and a recount differ."""

    terms: int  # of which the document frequencies differ
    entities: int  # of which the mentions differ
    kept: Counters
    counted: Counters


@dataclass(frozen=True, slots=True)
class Incomplete:
    """Memories of a bank, and how many of them lack something."""

    rows: int
    other_model: int
    no_vector: int
    no_tokens: int
    no_postings: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Events that wait for their recall, and recalls on record."""

    parked: int
    oldest: datetime | None
    recalls: int
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class VectorIndex:
    """One bank's HNSW index."""

    name: str
    is_valid: bool
    is_building: bool
    bank: str | None  # None: it serves no bank any more


async def drift(conn: Connection, bank: BankKey) -> Drift:
    """Compare every statistic of the bank with a recount."""
    values = {"bank": bank}
    docs, docs_counted, length, length_counted, live, live_counted = await _row(
        conn, "recount_bank", values
    )
    return Drift(
        (await _row(conn, "drift_terms", values))[0],
        (await _row(conn, "drift_entities", values))[0],
        Counters(docs, length, live),
        Counters(docs_counted, length_counted, live_counted),
    )


async def mend(conn: Connection, bank: BankKey) -> Drift:
    """Set every statistic of the bank to a recount; what differed before.

    Writers of the bank wait until the caller's transaction ends, or the count would be old.
    """
    values = {"bank": bank}
    await conn.execute(statement("lock_bank"), values)
    found = await drift(conn, bank)
    if found.terms:
        await conn.execute(statement("mend_terms"), values)
        await conn.execute(statement("mend_unused_terms"), values)
    if found.entities:
        await conn.execute(statement("mend_entities"), values)
    counted = found.counted
    if counted.live != found.kept.live or not counted.same_index(found.kept):
        await conn.execute(
            statement("mend_bank"),
            {**values, "docs": counted.docs, "length": counted.length, "live": counted.live},
        )
    return found


async def incomplete(conn: Connection, bank: Bank) -> Incomplete:
    """Count the bank's memories that lack what recall needs."""
    values = {"bank": bank.key, "embedder": bank.embedder}
    return Incomplete(*await _row(conn, "incomplete", values))


async def waiting(conn: Connection, bank: BankKey) -> Waiting:
    """Count the bank's parked events and its records."""
    return Waiting(*await _row(conn, "waiting", {"bank": bank}))


async def vector_indexes(conn: Connection) -> list[VectorIndex]:
    """Every bank's index; ask as the tables' owner, others do not see what is being built."""
    rows = await (await conn.execute(statement("vector_indexes"))).fetchall()
    return [VectorIndex(*row) for row in rows]


async def _row(conn: Connection, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = await (await conn.execute(statement(name), values)).fetchone()
    assert row is not None  # noqa: S101 - each of these statements returns one row
    return row
