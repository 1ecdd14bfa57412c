"""What a feedback request comes back with, and what lies in the store afterwards."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from feedback.events import Event
from feedback.joining import CLOSING, Code, Misfit, Placed


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why one event of a request was not stored."""

    index: int  # place in the request, from 0
    event_id: str | None
    code: Code
    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a request: accepted + duplicate + parked + rejected = the events sent."""

    accepted: int
    duplicate: int
    parked: int  # stored, waiting for their recall
    late: int  # those of `accepted` that came after their recall had closed
    rejected: tuple[Rejection, ...]  # by index
    unknown: Mapping[str, int] = field(default_factory=dict)  # action -> stored, never learnt from


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event as it lies in the store."""

    event_id: str
    action: str
    memory_id: str | None
    memory_key: int | None
    position: int | None
    value: float | None
    confidence: float
    annotator: str
    happened: datetime
    received: datetime
    state: str
    actor: str | None
    api_key: str | None
    trusted: bool
    applied_version: int | None
    body: Mapping[str, object]


class Outcome:
    """Counts and refusals of one request while it is being stored."""

    def __init__(self) -> None:
        self.accepted = self.duplicate = self.parked = self.late = 0
        self.refused: list[Rejection] = []
        self.waiting: list[str] = []  # recalls that parked events wait for
        self.closing: list[str] = []  # recalls that stored events close
        self.unknown: Counter[str] = Counter()

    def stored(self, event: Event, placed: Placed) -> None:
        if not event.is_known:
            self.unknown[event.action] += 1
        if placed.state == "parked":
            self.parked += 1
            self.waiting.append(event.recall_id)
            return
        self.accepted += 1
        self.late += placed.state == "late"
        if event.action == CLOSING:
            self.closing.append(event.recall_id)

    def refuse(self, index: int, event: Event, why: Misfit) -> None:
        self.refused.append(Rejection(index, event.event_id, why.code, why.field, why.reason))

    def receipt(self, invalid: Sequence[Rejection]) -> Receipt:
        rejected = sorted([*invalid, *self.refused], key=lambda rejection: rejection.index)
        counts = self.accepted, self.duplicate, self.parked, self.late
        return Receipt(*counts, tuple(rejected), dict(sorted(self.unknown.items())))
