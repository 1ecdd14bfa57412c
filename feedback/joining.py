"""Does an event fit the recall it names? Pure: recall and clock are arguments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from feedback.events import Event

State = Literal["joined", "parked", "late", "expired"]
Code = Literal["invalid", "conflict", "unknown_item", "wrong_position", "too_late", "cross_bank"]

CLOSING = "recall_closed"
WINDOW_S = 1800  # a recall closes by itself this long after it was answered
OLDEST = timedelta(days=30)  # feedback on older recalls is refused: their weights are long gone


@dataclass(frozen=True, slots=True)
class Shown:
    """What a recall showed, as far as its events must fit it."""

    recall_id: str
    at: datetime
    closed_at: datetime | None
    actor: str
    shown_from: int  # offset of the page
    shown_keys: Sequence[int]
    shown_ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where an event goes: its state, and the recall's actor and memory once that is known."""

    state: State
    actor: str | None = None
    memory_key: int | None = None


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why an event does not fit its recall."""

    code: Code
    field: str
    reason: str


PARKED = Placed("parked")


def place(event: Event, recall: Shown, received: datetime, window_s: float) -> Placed | Misfit:
    """The place of an event on its recall, or why it has none.

    A recall that was closed, or answered more than `window_s` before `received`, takes its events
    as `late`. Our clock decides, never the client's.
    """
    if received - recall.at > OLDEST:
        return Misfit("too_late", "query_id", f"was answered over {OLDEST.days} days ago: drop it")
    ids = recall.shown_ids
    key = None
    for field, memory in event.named:
        if memory not in ids:
            return _unknown(field, memory)
    if event.memory_id is not None:
        if event.memory_id not in ids:
            return _unknown("event_attributes.object.object_id", event.memory_id)
        key = recall.shown_keys[ids.index(event.memory_id)]
    if event.position is not None and (wrong := _misplaced(event, recall)):
        return wrong
    closed = recall.closed_at is not None or received - recall.at > timedelta(seconds=window_s)
    return Placed("late" if closed else "joined", recall.actor, key)


def _unknown(field: str, memory: str) -> Misfit:
    return Misfit("unknown_item", field, f"{memory!r} was not shown by this recall: check the id")


def _misplaced(event: Event, recall: Shown) -> Misfit | None:
    first, count = recall.shown_from + 1, len(recall.shown_ids)
    if event.memory_id is None:
        right = first <= (event.position or 0) < first + count
        reason = f"must be from {first} to {first + count - 1}, the ranks this recall showed"
    else:
        rank = first + recall.shown_ids.index(event.memory_id)
        right = event.position == rank
        reason = f"is {event.position}, but the memory was shown at rank {rank}"
    return None if right else Misfit("wrong_position", "event_attributes.position.ordinal", reason)
