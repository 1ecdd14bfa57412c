"""A bank walked without a question: its topics, episodes, entities and days, counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from psycopg.errors import InvalidParameterValue
from psycopg.rows import dict_row

from channels.base import BankKey
from channels.connection import Transaction
from channels.entities import entity_keys
from channels.errors import BadInput
from router.structure.statements import statement
from router.structure.topics import Topic, grown
from router.timezone import zone

STATES: Final = ("current", "superseded", "all")
TIMEOUT_MS: Final = 10_000
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Walked:
    """A page of a list, and whether another follows."""

    rows: list[Row]
    has_next: bool


class Browser:
    """Reads the structure of banks; nothing needs a model."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def topics(
        self, bank: BankKey, *, prefix: str | None, levels: int, after: str | None, limit: int,
        state: str,
    ) -> tuple[Topic, str | None]:  # fmt: skip
        """What lies below a dotted path (None: everything), and the name to go on after.

        At most `limit` topics of the next level, each with `levels` levels in all.
        """
        values = {
            "bank": bank,
            "prefix": prefix,
            "depth": len(prefix.split(".")) if prefix else 0,
            "levels": levels,
            "after": after,
            "limit": limit + 1,
            "state": state,
        }
        async with self._transaction(bank, timeout_ms=TIMEOUT_MS) as conn:
            root = await (await conn.execute(statement("browse_root"), values)).fetchone()
            rows = await (await conn.execute(statement("browse_topics"), values)).fetchall()
        own, total, first, last = root or (0, 0, None, None)
        tree = grown(Topic(prefix, own, total, first, last), [Topic(*row) for row in rows])
        tree.topics, beyond = tree.topics[:limit], tree.topics[limit:]
        name = (tree.topics[-1].path or "").rpartition(".")[2] if beyond else None
        return tree, name

    async def episodes(
        self, bank: BankKey, *, topic: str | None, entity: str | None,
        after: tuple[datetime, str] | None, limit: int, state: str,
    ) -> Walked:  # fmt: skip
        """Episodes, the latest first: episode, memories, first, last, place (for the cursor)."""
        before, name = after or (None, None)
        values = {
            "topic": topic,
            "entities": None if entity is None else entity_keys([entity]),
            "before": before,
            "after": name,
            "state": state,
        }
        return await self._page("browse_episodes", bank, values, limit)

    async def entities(
        self, bank: BankKey, *, prefix: str | None, kind: str | None,
        after: tuple[int, int] | None, limit: int, state: str,
    ) -> Walked:  # fmt: skip
        """Entities, the most mentioned first: entity, name, kind, df, memories, first, last."""
        before, key = after or (None, None)
        values = {"prefix": prefix, "kind": kind, "before": before, "after": key, "state": state}
        return await self._page("browse_entities", bank, values, limit)

    async def days(
        self, bank: BankKey, *, timezone: str, own_timezone: str, topic: str | None,
        before: date | None, start: datetime | None, end: datetime | None, limit: int, state: str,
    ) -> Walked:  # fmt: skip
        """Days in the time zone, the latest first: day, memories, first, last, id of its summary.

        Raises BadInput for a time zone that the database does not know.
        """
        values = {
            "zone": timezone,
            "own_zone": timezone == own_timezone,
            "topic": topic,
            "before": _midnight(before, timezone),
            "from": start,
            "to": end,
            "state": state,
        }
        try:
            return await self._page("browse_days", bank, values, limit)
        except InvalidParameterValue as error:
            reason = f"the database does not know {timezone!r}; name another, such as UTC"
            raise BadInput("timezone", reason) from error

    async def _page(
        self, name: str, bank: BankKey, values: Mapping[str, Any], limit: int
    ) -> Walked:
        async with self._transaction(bank, timeout_ms=TIMEOUT_MS) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            asked = {**values, "bank": bank, "limit": limit + 1}
            await cursor.execute(statement(name), asked)
            rows = await cursor.fetchall()
        return Walked(rows[:limit], len(rows) > limit)


def _midnight(day: date | None, timezone: str) -> datetime | None:
    if day is None:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=zone(timezone))
