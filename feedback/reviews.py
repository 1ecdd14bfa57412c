"""Events that review a memory, written to its counters in the transaction that joins them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import tuple_row

from channels.decay import Decay, Kind, stated_half_life
from channels.sql_files import load
from feedback.stability import GRADES, LEAST_DAYS, MOST_DAYS, Grade, Held, reviewed

Review = tuple[int, str]  # key of the memory, action
SAME = 1e-3  # relative; the store keeps four bytes of a stability


async def review(
    conn: AsyncConnection[Any], bank: int, reviews: Sequence[Review], now: datetime
) -> None:
    """Let memories last longer or shorter by what was said of them; in the order given.

    Called once for each event, when it joins its recall: an event sent again is no further review.
    A memory that is gone is passed over.
    """
    grades: dict[int, list[Grade]] = defaultdict(list)
    for key, action in reviews:
        if action in GRADES:
            grades[key].append(GRADES[action])
    if not grades:
        return
    cursor = conn.cursor(row_factory=tuple_row)
    await cursor.execute(load("feedback", "reviewed"), {"bank": bank, "keys": sorted(grades)})
    held = [_held(row) for row in await cursor.fetchall()]
    await conn.execute(
        load("feedback", "review"),
        {
            "bank": bank,
            "now": now,
            "keys": [one.key for one in held],
            "uses": [sum(grade > 1 for grade in grades[one.key]) for one in held],
            "stability": [reviewed(one, grades[one.key], now) for one in held],
        },
    )


@dataclass(frozen=True, slots=True)
class Logged:
    """A review on record."""

    key: int
    grade: Grade
    at: datetime
    is_leaving: bool  # of the actor whose events are being deleted


async def logged(conn: AsyncConnection[Any], bank: int, actor: str) -> list[Logged]:
    """All reviews of the memories that the actor has reviewed, in the order they came."""
    cursor = conn.cursor(row_factory=tuple_row)
    values = {"bank": bank, "actor": actor, "actions": sorted(GRADES)}
    await cursor.execute(load("feedback", "review_log"), values)
    return [
        Logged(key, GRADES[action], at, own) for key, action, at, own in await cursor.fetchall()
    ]


async def unreview(conn: AsyncConnection[Any], bank: int, log: Sequence[Logged]) -> None:
    """Make memories what the reviews that stay would have made of them.

    Where the log is not all that made them (their use came with an import), what the leaving
    reviews changed is taken out as a factor.
    """
    by_key: dict[int, list[Logged]] = defaultdict(list)
    for one in log:
        by_key[one.key].append(one)
    if not by_key:
        return
    cursor = conn.cursor(row_factory=tuple_row)
    await cursor.execute(load("feedback", "review_origins"), {"bank": bank, "keys": sorted(by_key)})
    found = [(row[0], *_without(row, by_key[row[0]])) for row in await cursor.fetchall()]
    await conn.execute(
        load("feedback", "unreview"),
        {
            "bank": bank,
            "keys": [key for key, _, _, _ in found],
            "uses": [uses for _, uses, _, _ in found],
            "used": [used for _, _, used, _ in found],
            "stability": [stability for _, _, _, stability in found],
        },
    )


def _without(
    row: tuple[Any, ...], log: Sequence[Logged]
) -> tuple[int, datetime | None, float | None]:
    """Uses, last use and stability of a memory without the reviews that leave."""
    key, kind, stability, uses, last_used, origin, decay = row
    begun = Held(key, kind, None, origin, _curve(decay or {}))
    kept = [one for one in log if not one.is_leaving]
    whole, rest = _grown(begun, log), _grown(begun, kept)
    left = max(0, uses - sum(one.is_leaving and one.grade > 1 for one in log))
    used = max((one.at for one in kept if one.grade > 1), default=last_used if left else None)
    if stability is None or whole is None:
        return left, used, stability
    if abs(whole - stability) <= SAME * stability:
        return left, used, rest
    base = begun.decay.stability(kind)
    share = (rest or base) / whole
    return left, used, min(MOST_DAYS, max(LEAST_DAYS, stability * share))


def _grown(begun: Held, log: Sequence[Logged]) -> float | None:
    """The stability that reviews make of a new memory; None without any. As `review` does it."""
    held = begun
    for at, group in groupby(log, key=lambda one: one.at):
        grades = [one.grade for one in group]
        days = reviewed(held, grades, at)
        was_used = any(grade > 1 for grade in grades)
        held = replace(held, stability_days=days, since=at if was_used else held.since)
    return held.stability_days


def _held(row: tuple[Any, ...]) -> Held:
    key, kind, stability, since, decay = row
    return Held(key, kind, stability, since, _curve(decay or {}))


def _curve(config: Mapping[str, Any]) -> Decay:
    """The bank's curve, or the power law of FSRS v4.5 where it fades by another."""
    kind: Kind = "fsrs6" if config.get("kind") == "fsrs6" else "fsrs"
    return Decay(kind, stated_half_life(config.get("half_life_days")), config.get("per_kind"))
