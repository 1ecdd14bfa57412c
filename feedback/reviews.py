"""Events that review a memory, written to its counters in the transaction that joins them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import tuple_row

from channels.decay import Decay, Kind
from channels.sql_files import load
from feedback.stability import GRADES, Grade, Held, reviewed

Review = tuple[int, str]  # key of the memory, action


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


def _held(row: tuple[Any, ...]) -> Held:
    key, kind, stability, since, decay = row
    return Held(key, kind, stability, since, _curve(decay or {}))


def _curve(config: Mapping[str, Any]) -> Decay:
    """The bank's curve, or the power law of FSRS v4.5 where it fades by another."""
    kind: Kind = "fsrs6" if config.get("kind") == "fsrs6" else "fsrs"
    return Decay(kind, half_life_by_kind=config.get("per_kind"))
