"""A sealed recall and its events, as the store has them, made into what learners read. Pure."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from feedback.credit import EXPLICIT, Credit, Signal, added, credit, worth
from feedback.impression import TYPES, Impression
from feedback.settings import LearnerSettings
from feedback.values import BOOKKEEPING

REPORTS_FOR = timedelta(days=7)  # how long after an event of its client a silence means something

Row = Mapping[str, Any]
Evidence = Literal["engaged", "reported", "client", "none"]


@dataclass(frozen=True, slots=True)
class Told:
    """A stored event of a recall."""

    event_id: str
    recall_id: str
    action: str
    memory_key: int | None
    value: float | None
    confidence: float
    trusted: bool
    api_key: str | None
    received: datetime
    used_ids: Any
    is_derived: bool  # by us; nobody sent it
    is_late: bool


@dataclass(frozen=True, slots=True)
class Sealed:
    """A recall whose evidence is whole: why it counts, and what it teaches if it does."""

    recall_id: str
    at: datetime
    client: str
    learned_as: Evidence
    impression: Impression | None  # None: no evidence, weighed by its caller, or other lanes
    heard: Sequence[str] = ()  # ids of the events that say something of what was learnt


@dataclass(frozen=True, slots=True)
class Late:
    """What came too late and adds to what its recall has taught."""

    impression: Impression
    heard: Sequence[str]  # ids of the events that add it


def by_recall(events: Iterable[Told]) -> dict[str, list[Told]]:
    """Events, sorted by recall, under the recall they belong to."""
    return {name: list(group) for name, group in groupby(events, key=lambda one: one.recall_id)}


def client_of(row: Row) -> str:
    """Who would report on a recall: its client, else the key it was asked with."""
    return str(row["client"] or row["api_key"] or "")


def sealed(
    row: Row,
    events: Sequence[Told],
    settings: LearnerSettings,
    reported: Mapping[str, datetime],
) -> Sealed:
    """A recall closed just now, judged. `reported`: when clients last sent any event."""
    told = _credit(row, events, settings)
    why = _evidence(row, told, reported.get(client_of(row)))
    known = dict(row) | {"learned_type": row["corrected_type"]}
    counts = why != "none" and not _is_left_out(row) and len(row["shown_keys"]) > 0
    impression = _impression(known, told, events, settings) if counts else None
    if impression is None:
        return Sealed(row["id"], row["at"], client_of(row), "none", None)
    heard = [one.event_id for one in events if _says_something(row, one, settings)]
    return Sealed(row["id"], row["at"], client_of(row), why, impression, heard)


def learned(row: Row, events: Sequence[Told], settings: LearnerSettings) -> Impression | None:
    """A recall that counted as evidence before, read again; None when its lanes are others now."""
    return _impression(row, _credit(row, events, settings), events, settings)


def late(
    row: Row, before: Sequence[Told], events: Sequence[Told], settings: LearnerSettings
) -> Late | None:
    """What deliberate signals that came too late add to `before`: what the recall has taught, by
    the events that came in time and by late ones of earlier batches. Of just those memories.

    None when they add nothing: what is seen in passing was counted as not there when the recall
    closed, and one action on a memory of a recall is rewarded once.
    """
    if _is_left_out(row):
        return None
    spoken = [one for one in events if one.action in EXPLICIT]
    # Of earlier late events only deliberate ones have taught anything.
    taught = [one for one in before if one.action in EXPLICIT or not one.is_late]
    told = added(
        [_signal(row, one) for one in taught],
        [_signal(row, one) for one in spoken],
        [int(key) for key in row["shown_keys"]],
        _positions(row),
        settings.values,
        eta=settings.eta,
    )
    if not (told.engagement.any() or told.vouched.any()):
        return None
    found = _impression(row, told, spoken, settings)
    if found is None:
        return None
    moved = {int(key) for key in found.keys[(told.engagement != 0) | (told.vouched != 0)]}
    heard = [
        one.event_id
        for one in spoken
        if _says_something(row, one, settings) and (one.memory_key in moved or not one.memory_key)
    ]
    return Late(replace(found, teams=None), heard)


def _is_left_out(row: Row) -> bool:
    """Weighed by its caller, or of an actor whose events were deleted."""
    return bool(row["caller_weights"] or row["is_forgotten"])


def _says_something(row: Row, one: Told, settings: LearnerSettings) -> bool:
    return one.action in BOOKKEEPING or worth(_signal(row, one), settings.values) != 0


def _credit(row: Row, events: Sequence[Told], settings: LearnerSettings) -> Credit:
    keys = [int(key) for key in row["shown_keys"]]
    return credit(
        [_signal(row, one) for one in events], keys, _positions(row), settings.values,
        eta=settings.eta,
    )  # fmt: skip


def _signal(row: Row, one: Told) -> Signal:
    used = one.used_ids if isinstance(one.used_ids, list) else []
    places = {name: at for at, name in enumerate(row["shown_ids"])} if used else {}
    return Signal(
        one.action,
        one.memory_key,
        one.value,
        one.confidence,
        one.trusted,
        tuple(sorted(places[name] for name in used if name in places)),
    )


def _positions(row: Row) -> NDArray[np.int64]:
    first = int(row["shown_from"]) + 1
    return np.arange(first, first + len(row["shown_keys"]), dtype=np.int64)


def _evidence(row: Row, told: Credit, reported: datetime | None) -> Evidence:
    if told.engagement.any():
        return "engaged"
    if told.is_reported:
        return "reported"
    if reported is not None and reported >= row["at"] - REPORTS_FOR:
        return "client"
    return "none"


def _impression(
    row: Row, told: Credit, events: Sequence[Told], settings: LearnerSettings
) -> Impression | None:
    channels = settings.start.channels
    if set(row["channels"]) != set(channels):
        return None
    columns = [row["channels"].index(name) for name in channels]
    candidates = np.array(row["candidate_keys"], np.int64)
    order = np.argsort(candidates, kind="stable")  # the fusion's last tie-break is the key
    table = np.array(row["ranks"], np.int16).reshape(len(candidates), len(channels))
    keys = np.array(row["shown_keys"], np.int64)
    ordered = candidates[order]
    keyed = [one.api_key for one in events if one.api_key]
    return Impression(
        recall_id=row["id"],
        at=row["at"],
        actor=row["actor"],
        api_key=row["api_key"] or next(iter(keyed), None),
        trusted=told.is_trusted,
        policy=row["policy"],
        propensity=float(row["propensity"]),
        version=int(row["matrix_version"]),
        channels=channels,
        types=_types(row),
        weights=np.array([row["weights"][column] for column in columns], np.float64),
        rrf_k=float(row["rrf_k"]),
        ranks=table[order][:, columns],
        question=_hash(row["question"]),
        keys=keys,
        page=np.searchsorted(ordered, keys),
        positions=_positions(row),
        exposed=told.exposed,
        engagement=told.engagement,
        explicit=told.explicit,
        vouched=told.vouched,
        teams=None if row["teams"] is None else np.array(row["teams"], np.int8),
        features=_features(row, settings),
        feature_version=int(row["feature_version"]),
        factors=_factors(row["adjustments"], channels),
    )


def _types(row: Row) -> NDArray[np.float64]:
    if row["learned_type"] is not None:
        return np.array([float(kind == row["learned_type"]) for kind in TYPES])
    found = np.array([float(row["types"].get(kind, 0.0)) for kind in TYPES])
    if not found.any():  # never read: as good as any
        found[:] = 1.0
    shares: NDArray[np.float64] = found / found.sum()
    return shares


def _factors(told: Any, channels: Sequence[str]) -> NDArray[np.float64] | None:
    """By what each lane's weight was multiplied for the question; None when by nothing."""
    if not told:
        return None
    by_channel = {str(one["channel"]): float(one["factor"]) for one in told}
    return np.array([by_channel.get(name, 1.0) for name in channels])


def _hash(question: str) -> int:
    plain = " ".join(question.casefold().split())
    return int.from_bytes(hashlib.sha256(plain.encode()).digest()[:8], "big") >> 1


def _features(row: Row, settings: LearnerSettings) -> NDArray[np.float32] | None:
    """The logged features of the page; None when the recall was degraded or logged another list."""
    if int(row["feature_version"]) != settings.start.feature_version:
        return None
    table = np.frombuffer(row["features"], np.float16)
    shown = len(row["shown_keys"])
    if table.size != shown * settings.logged or not np.isfinite(table).all():
        return None
    return table.reshape(shown, settings.logged).astype(np.float32)
