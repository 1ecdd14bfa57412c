"""Stored decisions as they are read back."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row

from channels.base import BankKey
from channels.connection import Transaction
from channels.errors import NotFound
from router.store.statements import statement

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DecisionsAsked:
    """Which decisions a listing wants; None means any."""

    limit: int
    before: tuple[datetime, str] | None = None  # time and id of the last one seen
    type: str | None = None  # the corrected type, else the most probable one
    start: datetime | None = None
    end: datetime | None = None


class Decisions:
    """Reads the recalls of a bank. Flush the recorder first to see what was just answered."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def decision(self, bank: BankKey, recall_id: str) -> Row:
        """One decision, columns as in recall.sql. Raises NotFound."""
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("recall"), {"bank": bank, "id": recall_id})
            row = await cursor.fetchone()
        if row is None:
            raise NotFound("recall", recall_id)
        return row

    async def page(self, bank: BankKey, asked: DecisionsAsked) -> list[Row]:
        """Decisions, the latest first, columns as in recall_page.sql."""
        at, recall_id = asked.before or (None, None)
        values = {
            "bank": bank,
            "before_at": at,
            "before_id": recall_id,
            "type": asked.type,
            "from": asked.start,
            "to": asked.end,
            "limit": asked.limit,
        }
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("recall_page"), values)
            return await cursor.fetchall()
