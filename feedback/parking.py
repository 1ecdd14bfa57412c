"""Events that came before their recall: joined when it appears, given up after a day."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from psycopg.rows import class_row, tuple_row

from channels.connection import Transaction
from channels.errors import BadInput
from channels.sql_files import load
from feedback.events import Event, read_event
from feedback.joining import CLOSING, Misfit, Placed, Shown, place
from feedback.reviews import review
from feedback.values import ActionValue
from feedback.writing import Connection, Request, close, insert_derived, recalls_of

PARKING = timedelta(hours=24)
EXPIRED = Placed("expired")
NO_VALUES: Mapping[str, ActionValue] = {}

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Parked:
    event_id: str
    recall_id: str
    received: datetime
    body: Any
    api_key: str | None
    trusted: bool


class ParkedEvents:
    """The waiting events of all banks."""

    def __init__(
        self,
        transaction: Transaction,
        window_s: float,
        clock: Callable[[], datetime],
        expired: Callable[[int], None],
    ) -> None:
        self._transaction = transaction
        self._window_s = window_s
        self._clock = clock
        self._expired = expired

    async def join(self, bank: int, recall_ids: Sequence[str]) -> int:
        """How many events joined; those that do not fit their recall expire."""
        wanted = sorted(set(recall_ids))
        async with self._transaction(bank) as conn:
            recalls = await recalls_of(conn, bank, wanted)
            if not recalls:
                return 0
            joined, expired = await self._join(conn, bank, recalls)
        if expired:  # said once it is committed
            self._expired(expired)
            log.warning("events_expired", reason="do not fit their recall", count=expired)
        return joined

    async def expire(self) -> int:
        """How many events had waited over 24 hours for a recall that never came."""
        async with self._transaction("all") as conn:
            cursor = conn.cursor(row_factory=tuple_row)
            await cursor.execute(load("feedback", "parked_with_recall"))
            strays = await cursor.fetchall()
        for bank, recall_ids in strays:
            await self.join(bank, recall_ids)
        async with self._transaction("all") as conn:
            done = await conn.execute(
                load("feedback", "expire_parked"), {"before": self._clock() - PARKING}
            )
        if done.rowcount:
            self._expired(done.rowcount)
            log.warning("events_expired", reason="their recall never came", count=done.rowcount)
        return done.rowcount

    async def _join(
        self, conn: Connection, bank: int, recalls: Mapping[str, Shown]
    ) -> tuple[int, int]:
        """How many events joined, and how many expired because they do not fit."""
        cursor = conn.cursor(row_factory=class_row(_Parked))
        await cursor.execute(
            load("feedback", "parked_events"), {"bank": bank, "recall_ids": list(recalls)}
        )
        waiting = await cursor.fetchall()
        if not waiting:
            return 0, 0
        places = [self._place(parked, recalls[parked.recall_id]) for parked in waiting]
        await conn.execute(
            load("feedback", "place_parked"),
            {
                "bank": bank,
                "event_ids": [parked.event_id for parked in waiting],
                "states": [where.state for where, _ in places],
                "actors": [where.actor for where, _ in places],
                "memory_keys": [where.memory_key for where, _ in places],
            },
        )
        derived = await self._derive(conn, bank, waiting, places, recalls)
        joined = [
            (where.memory_key, event.action)
            for where, event in [*places, *derived]
            if event and where.memory_key
        ]
        await review(conn, bank, joined, self._clock())
        closing = [
            event.recall_id
            for where, event in places
            if event and event.action == CLOSING and where is not EXPIRED
        ]
        await close(conn, bank, closing, self._clock())
        expired = sum(where is EXPIRED for where, _ in places)
        return len(places) - expired, expired

    async def _derive(
        self,
        conn: Connection,
        bank: int,
        waiting: Sequence[_Parked],
        places: Sequence[tuple[Placed, Event | None]],
        recalls: Mapping[str, Shown],
    ) -> list[tuple[Placed, Event]]:
        """What follows from the events that joined, stored under the key that sent each."""
        by_voice: dict[tuple[str | None, bool], list[tuple[Event, Placed]]] = {}
        for parked, (where, event) in zip(waiting, places, strict=True):
            if event is not None and where is not EXPIRED:
                by_voice.setdefault((parked.api_key, parked.trusted), []).append((event, where))
        found: list[tuple[Placed, Event]] = []
        for (api_key, trusted), pairs in by_voice.items():
            request = Request(bank, (), self._clock(), api_key, trusted)
            new = await insert_derived(conn, request, pairs, recalls)
            found += [(where, event) for event, where in new]
        return found

    def _place(self, parked: _Parked, recall: Shown) -> tuple[Placed, Event | None]:
        try:
            # The bank's own table told its value when it came; now only its place is asked for.
            event = read_event(parked.body, now=parked.received, values=NO_VALUES)
        except BadInput:  # checked by an older version with other rules
            return EXPIRED, None
        found = place(event, recall, parked.received, self._window_s)
        return (EXPIRED if isinstance(found, Misfit) else found), event
