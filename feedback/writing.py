"""One request's events into the store, inside a transaction that the caller holds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import class_row, tuple_row

from channels.sql_files import load
from feedback.deriving import derived
from feedback.events import Event
from feedback.joining import PARKED, Misfit, Placed, Shown, place
from feedback.receipts import Outcome
from feedback.reviews import Review, review

ELSEWHERE = Misfit("cross_bank", "query_id", "belongs to another bank: send the event there")
CONFLICT = Misfit(
    "conflict", "event_id", "was used for an event with other content: give each its own id"
)

Connection = AsyncConnection[Any]
Indexed = tuple[int, Event]


@dataclass(frozen=True, slots=True)
class Request:
    """The checked events of one request, with their places in it."""

    bank: int
    events: Sequence[Indexed]
    received: datetime
    api_key: str | None
    trusted: bool


async def recalls_of(conn: Connection, bank: int, recall_ids: Sequence[str]) -> dict[str, Shown]:
    """Those of the recalls that the bank has, locked until the transaction ends."""
    if not recall_ids:
        return {}
    cursor = conn.cursor(row_factory=class_row(Shown), binary=True)
    await cursor.execute(
        load("feedback", "recalls_of_events"), {"bank": bank, "recall_ids": list(recall_ids)}
    )
    return {recall.recall_id: recall for recall in await cursor.fetchall()}


async def recalls_elsewhere(
    conn: Connection, bank: int, recall_ids: Sequence[str]
) -> frozenset[str]:
    """Those of the recalls that another bank has; `conn` must see all banks."""
    cursor = conn.cursor(row_factory=tuple_row)
    await cursor.execute(
        load("feedback", "recalls_elsewhere"), {"bank": bank, "recall_ids": list(recall_ids)}
    )
    return frozenset([row[0] for row in await cursor.fetchall()])


async def close(conn: Connection, bank: int, recall_ids: Sequence[str], now: datetime) -> None:
    """Close the recalls that are still open, so that they can be learnt from."""
    if recall_ids:
        await conn.execute(
            load("feedback", "close_recalls"),
            {"bank": bank, "recall_ids": list(recall_ids), "now": now},
        )


async def write(
    conn: Connection,
    request: Request,
    recalls: Mapping[str, Shown],
    elsewhere: frozenset[str],
    window_s: float,
) -> Outcome:
    """Store what fits and say what became of each event of the request."""
    first: dict[str, tuple[int, Event, Placed]] = {}  # of several with one id the first counts
    misfits: dict[int, Misfit] = {}
    for index, event in request.events:
        verdict = _judge(event, recalls, elsewhere, request.received, window_s)
        if isinstance(verdict, Misfit):
            misfits[index] = verdict
        else:
            first.setdefault(event.event_id, (index, event, verdict))
    new = await insert(conn, request, [(event, placed) for _, event, placed in first.values()])
    outcome = Outcome()
    for event_id in new:
        outcome.stored(*first[event_id][1:])
    pairs = [first[event_id][1:] for event_id in new]
    pairs += await insert_derived(conn, request, pairs, recalls)
    await review(conn, request.bank, _reviews(pairs), request.received)
    await close(conn, request.bank, outcome.closing, request.received)
    stored = {first[event_id][0] for event_id in new}
    rest = [(index, event) for index, event in request.events if index not in stored]
    await _account(conn, request.bank, rest, misfits, outcome)
    return outcome


async def insert_derived(
    conn: Connection,
    request: Request,
    stored: Sequence[tuple[Event, Placed]],
    recalls: Mapping[str, Shown],
) -> list[tuple[Event, Placed]]:
    """What follows from the events just stored, stored too; those that were new."""
    found = await derived(conn, request.bank, stored, recalls)
    new = set(await insert(conn, request, found))
    return [pair for pair in found if pair[0].event_id in new]


def _reviews(stored: Iterable[tuple[Event, Placed]]) -> list[Review]:
    """What the stored events say of single memories, in the order they happened."""
    ordered = sorted(stored, key=lambda one: (one[0].happened, one[0].event_id))
    return [(where.memory_key, event.action) for event, where in ordered if where.memory_key]


def _judge(
    event: Event,
    recalls: Mapping[str, Shown],
    elsewhere: frozenset[str],
    received: datetime,
    window_s: float,
) -> Placed | Misfit:
    recall = recalls.get(event.recall_id)
    if recall is not None:
        return place(event, recall, received, window_s)
    return ELSEWHERE if event.recall_id in elsewhere else PARKED


async def insert(
    conn: Connection, request: Request, placed: list[tuple[Event, Placed]]
) -> list[str]:
    """Ids of the events that were new to the bank; `placed` is put in order."""
    if not placed:
        return []
    # In one order everywhere: two requests with the same ids wait for each other, never crosswise.
    placed.sort(key=lambda pair: pair[0].event_id)
    events = [event for event, _ in placed]
    places = [where for _, where in placed]
    cursor = conn.cursor(row_factory=tuple_row)
    await cursor.execute(
        load("feedback", "insert_events"),
        {
            "bank": request.bank,
            "received": request.received,
            "api_key": request.api_key,
            "trusted": request.trusted,
            "event_ids": [event.event_id for event in events],
            "recall_ids": [event.recall_id for event in events],
            "actions": [event.action for event in events],
            "memory_ids": [event.memory_id for event in events],
            "memory_keys": [where.memory_key for where in places],
            "positions": [event.position for event in events],
            "values": [event.value for event in events],
            "confidences": [event.confidence for event in events],
            "annotators": [event.annotator for event in events],
            "happened": [event.happened for event in events],
            "states": [where.state for where in places],
            "actors": [where.actor for where in places],
            "bodies": [event.body for event in events],
            "hashes": [event.content_hash for event in events],
        },
    )
    return [row[0] for row in await cursor.fetchall()]


async def _account(
    conn: Connection,
    bank: int,
    rest: Sequence[Indexed],
    misfits: Mapping[int, Misfit],
    outcome: Outcome,
) -> None:
    """Tell duplicates, conflicts and misfits apart among the events that were not inserted.

    A statement of its own, after the insert: only then does it see what another request committed
    meanwhile. An event sent again is a duplicate even when it would not be taken any more, or was
    deleted since, of which only the id is known.
    """
    if not rest:
        return
    cursor = conn.cursor(row_factory=tuple_row, binary=True)
    await cursor.execute(
        load("feedback", "event_hashes"),
        {"bank": bank, "event_ids": [event.event_id for _, event in rest]},
    )
    known: dict[str, bytes | None] = dict(await cursor.fetchall())
    for index, event in rest:
        content_hash = known.get(event.event_id)
        is_deleted = event.event_id in known and content_hash is None
        if is_deleted or content_hash == event.content_hash:
            outcome.duplicate += 1
        elif content_hash is None and index in misfits:
            outcome.refuse(index, event, misfits[index])
        else:
            outcome.refuse(index, event, CONFLICT)
