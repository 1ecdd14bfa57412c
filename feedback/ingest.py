"""Feedback events into the store: durable, once each, joined to the recall they judge."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from psycopg.rows import class_row

from channels.connection import Transaction
from channels.errors import BadInput
from channels.sql_files import load
from feedback.events import event_id_of, read_event
from feedback.joining import WINDOW_S
from feedback.parking import ParkedEvents
from feedback.receipts import Outcome, Receipt, Rejection, StoredEvent
from feedback.sessions import book_hints
from feedback.values import DEFAULTS, ActionValue
from feedback.writing import Indexed, Request, recalls_elsewhere, recalls_of, write

__all__ = ["FeedbackStore", "Receipt", "Rejection", "StoredEvent"]


class FeedbackStore:
    """Stores the feedback of every bank. Safe to call concurrently; keeps nothing between calls.

    `transaction` opens a connection that sees one bank, or all of them; `window_s` is the time
    after which a recall closes by itself; `expired` hears how many events expired when some do.
    """

    def __init__(
        self,
        transaction: Transaction,
        *,
        window_s: float = WINDOW_S,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        expired: Callable[[int], None] = lambda count: None,
    ) -> None:
        self._transaction = transaction
        self._window_s = window_s
        self._clock = clock
        self._parked = ParkedEvents(transaction, window_s, clock, expired)

    async def ingest(
        self,
        bank: int,
        events: Sequence[object],
        *,
        api_key: str | None,
        trusted: bool,
        values: Mapping[str, ActionValue] = DEFAULTS,
    ) -> Receipt:
        """What became of each event; once this returns, everything accepted survives a crash.

        All of a request is judged as of one moment and stored in one transaction: an event beside
        the `recall_closed` of its recall is not late. An event id counts once in its bank, whatever
        arrives at the same time.
        """
        received = self._clock()
        read, invalid = _read(events, received, values)
        request = Request(bank, read, received, api_key, trusted)
        outcome = await self._store(request) if read else Outcome()
        if outcome.waiting:  # their recall may have been recorded since it was looked up
            await self.join_parked(bank, outcome.waiting)
        return outcome.receipt(invalid)

    async def recorded(self, bank: int, recall_ids: Sequence[str]) -> None:
        """Call it once recalls are committed: parked events join them, and they judge in turn.

        A recall that rephrases the one before it in its session, or opens with a complaint, is
        booked on that one. Safe to repeat.
        """
        await self.join_parked(bank, recall_ids)
        async with self._transaction(bank) as conn:
            await book_hints(conn, bank, recall_ids, self._clock(), self._window_s)

    async def join_parked(self, bank: int, recall_ids: Sequence[str]) -> int:
        """How many parked events joined these recalls; call it once the recalls are committed.

        Parked events that do not fit their recall (a memory or rank it did not show) expire.
        """
        return await self._parked.join(bank, recall_ids)

    async def expire_parked(self) -> int:
        """How many events have waited over 24 hours in vain, in all banks; they stay, as expired.

        Events whose recall exists after all are joined first.
        """
        return await self._parked.expire()

    async def events_of(self, bank: int, recall_id: str) -> list[StoredEvent]:
        """The events of a recall, parked and late ones too, in the order they happened."""
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=class_row(StoredEvent))
            await cursor.execute(
                load("feedback", "events_of_recall"), {"bank": bank, "recall_id": recall_id}
            )
            return await cursor.fetchall()

    async def _store(self, request: Request) -> Outcome:
        wanted = sorted({event.recall_id for _, event in request.events})
        async with self._transaction(request.bank) as conn:
            recalls = await recalls_of(conn, request.bank, wanted)
            if len(recalls) == len(wanted):
                return await write(conn, request, recalls, frozenset(), self._window_s)
        # Only now does anything look past the bank's wall, and never on a second connection.
        unknown = [recall_id for recall_id in wanted if recall_id not in recalls]
        async with self._transaction("all") as conn:
            elsewhere = await recalls_elsewhere(conn, request.bank, unknown)
        async with self._transaction(request.bank) as conn:
            recalls = await recalls_of(conn, request.bank, wanted)
            return await write(conn, request, recalls, elsewhere, self._window_s)


def _read(
    events: Sequence[object], now: datetime, values: Mapping[str, ActionValue]
) -> tuple[list[Indexed], list[Rejection]]:
    read: list[Indexed] = []
    invalid: list[Rejection] = []
    for index, raw in enumerate(events):
        try:
            read.append((index, read_event(raw, now=now, values=values)))
        except BadInput as error:
            invalid.append(Rejection(index, event_id_of(raw), "invalid", error.field, error.reason))
    return read, invalid
