"""Corrections of question types: recorded, learnt from, taken back, and replayed."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from channels.base import BankKey
from channels.connection import Connection, Transaction
from channels.errors import NotFound
from router.store.statements import statement
from router.understand.layer import (
    IDENTITY,
    MOST,
    Correction,
    Inputs,
    Layer,
    Shares,
    inputs_of,
)

LEARN_TIMEOUT_MS = 30_000


@dataclass(frozen=True, slots=True)
class Voice:
    """Who speaks."""

    author: str
    trusted: bool


@dataclass(frozen=True, slots=True)
class Deed:
    """One entry of the audit."""

    number: int
    deed: Literal["corrected", "retracted", "reset"]
    recall_id: str | None
    type: str | None
    author: str
    actor: str | None
    trusted: bool
    at: datetime
    base: Shares | None
    before: Shares | None
    after: Shares | None


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction did to its own question."""

    number: int | None  # None: nothing was said that did not stand already
    before: Shares
    after: Shares


@dataclass(frozen=True, slots=True)
class _Subject:
    actor: str
    base: Shares
    inputs: Inputs


class TypeCorrections:
    """Writers of one bank take turns; every deed is kept, and the layer follows from them alone."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def correct(
        self, bank: BankKey, recall_id: str, kind: str | None, voice: Voice
    ) -> Corrected:
        """Record what type a question had (None takes it back) and learn. Raises NotFound.

        What was said of the same recall before no longer counts; it stays in the audit.
        """
        async with self._transaction(bank, timeout_ms=LEARN_TIMEOUT_MS) as conn:
            await conn.execute(statement("lock_bank"), {"bank": bank})
            subject = await _subject(conn, bank, recall_id)
            await conn.execute(
                statement("correct_type"), {"bank": bank, "id": recall_id, "type": kind}
            )
            before = (await _layer(conn, bank)).adjust(subject.base, subject.inputs)
            if await _stands(conn, bank, recall_id, kind, voice):
                return Corrected(None, before, before)
            number = await _add(
                conn,
                bank,
                voice,
                "retracted" if kind is None else "corrected",
                recall=recall_id,
                type=kind,
                actor=subject.actor,
                base=Jsonb(subject.base),
                inputs=Jsonb(subject.inputs),
                before=Jsonb(before),
            )
            layer = await _learn(conn, bank, number)
            after = layer.adjust(subject.base, subject.inputs)
            values = {"bank": bank, "number": number, "after": Jsonb(after)}
            await conn.execute(statement("set_type_after"), values)
            return Corrected(number, before, after)

    async def reset(self, bank: BankKey, voice: Voice) -> int:
        """Let nothing said so far count any more; the number of the deed."""
        async with self._transaction(bank, timeout_ms=LEARN_TIMEOUT_MS) as conn:
            await conn.execute(statement("lock_bank"), {"bank": bank})
            number = await _add(conn, bank, voice, "reset")
            await _learn(conn, bank, number)
            return number

    async def rebuild(self, bank: BankKey) -> tuple[Layer, bool]:
        """The layer learnt anew from the stored corrections, and whether it was so already."""
        async with self._transaction(bank, timeout_ms=LEARN_TIMEOUT_MS) as conn:
            await conn.execute(statement("lock_bank"), {"bank": bank})
            held = await _layer(conn, bank)
            layer = await _learn(conn, bank, held.number)
            return layer, layer == held

    async def standing(self, bank: BankKey) -> tuple[Layer, Sequence[Correction]]:
        """The layer in force with the corrections it counts, the newest first."""
        async with self._transaction(bank) as conn:
            return await _layer(conn, bank), await _standing(conn, bank)

    async def page(self, bank: BankKey, *, before: int | None, limit: int) -> list[Deed]:
        """At most `limit` deeds older than `before`, the newest first."""
        values = {"bank": bank, "before": before, "limit": limit}
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=class_row(Deed))
            await cursor.execute(statement("type_corrections"), values)
            return await cursor.fetchall()


def layer_of(row: tuple[Any, ...] | None) -> Layer:
    """A stored layer, columns as in type_layer.sql; the identity for no row."""
    if row is None:
        return IDENTITY
    number, counted, evidence, weights, _ = row
    return Layer(weights, evidence, number, counted)


async def _subject(conn: Connection, bank: BankKey, recall_id: str) -> _Subject:
    values = {"bank": bank, "recall": recall_id}
    row = await (await conn.execute(statement("type_subject"), values)).fetchone()
    if row is None:
        raise NotFound("recall", recall_id)
    actor, types, noted = row
    # Decisions from before there were layers have no note; their types are the classifier's own.
    noted = noted or {"base": types, "fired": {}}
    return _Subject(actor, noted["base"], inputs_of(noted["fired"], noted["base"]))


async def _stands(
    conn: Connection, bank: BankKey, recall_id: str, kind: str | None, voice: Voice
) -> bool:
    """Whether just this has been said already, or there is nothing to take back."""
    values = {"bank": bank, "recall": recall_id}
    row = await (await conn.execute(statement("type_correction_of"), values)).fetchone()
    if kind is None:
        return row is None or row[0] == "retracted"
    return row is not None and row == ("corrected", kind, voice.author)


async def _add(conn: Connection, bank: BankKey, voice: Voice, deed: str, **parts: object) -> int:
    empty = dict.fromkeys(("recall", "type", "actor", "base", "inputs", "before"))
    values: Mapping[str, object] = {
        **empty,
        **parts,
        "bank": bank,
        "deed": deed,
        "author": voice.author,
        "trusted": voice.trusted,
        "now": datetime.now(UTC),
    }
    row = await (await conn.execute(statement("insert_type_correction"), values)).fetchone()
    assert row is not None  # noqa: S101 - an insert of one row returns it
    return int(row[0])


async def _learn(conn: Connection, bank: BankKey, number: int) -> Layer:
    """Replay all that stands and put the outcome in force."""
    from router.understand.online import learn  # river takes a second to load; recalls need none

    layer = await asyncio.to_thread(learn, await _standing(conn, bank), number)
    values: dict[str, Any] = {
        "bank": bank,
        "number": layer.number,
        "counted": layer.counted,
        "evidence": layer.evidence,
        "weights": Jsonb(layer.weights),
        "now": datetime.now(UTC),
    }
    await conn.execute(statement("set_type_layer"), values)
    return layer


async def _layer(conn: Connection, bank: BankKey) -> Layer:
    row = await (await conn.execute(statement("type_layer"), {"bank": bank})).fetchone()
    return layer_of(row)


async def _standing(conn: Connection, bank: BankKey) -> list[Correction]:
    cursor = conn.cursor(row_factory=class_row(Correction))
    await cursor.execute(statement("standing_type_corrections"), {"bank": bank, "limit": MOST})
    return await cursor.fetchall()
