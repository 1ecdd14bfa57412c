"""What marked days and their weeks and months need: who lies in them, and what stands there."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from channels.base import BankKey, MemoryKey
from channels.connection import Connection, Transaction
from router.store.banks import Bank
from router.structure.pyramids.periods import Period, touched
from router.structure.pyramids.wording import Member, Summed, extract
from router.structure.pyramids.writing import Held, held
from router.structure.statements import statement
from router.timezone import zone

TIMEOUT_MS: Final = 120_000
DAYS: Final = 31  # marked days worked on at a time
MARKS: Final = 100_000  # days of one look: more than the months around DAYS of them have
MEMBERS: Final = 4_000  # memories compared for one summary; more are thinned out evenly
Marks = Mapping[date, int]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a batch of marked days was found to need."""

    days: Sequence[date]
    span: tuple[date, date]  # of everything they touch
    marks: Marks  # in that span, as they stood before anything was read
    held: Mapping[str, Held]
    wanted: Sequence[Summed]  # extracts
    empty: Sequence[Period]  # nothing lies in them any more


async def look(transaction: Transaction, bank: Bank) -> Seen | None:
    """Read and sum up the periods that the earliest marked days touch; None without any."""
    place = zone(bank.config.timezone)
    async with transaction(bank.key) as conn:
        days = list(await marks_of(conn, bank.key, None, limit=DAYS))
        if not days:
            return None
        periods = touched(days, bank.config.summaries, place)
        edge = timedelta(days=1)
        starts, ends = (period.starts for period in periods), (period.ends for period in periods)
        span = min(starts, default=days[0]) - edge, max(ends, default=days[-1]) + edge
        marks = await marks_of(conn, bank.key, span)
        known = await held(conn, bank.key, periods)
    wanted: list[Summed] = []
    empty: list[Period] = []
    for period in periods:
        summed = await _summed(transaction, bank, period, place)
        if summed is None:
            empty.append(period)
        else:
            wanted.append(summed)
    return Seen(days, span, marks, known, wanted, empty)


async def marks_of(
    conn: Connection, bank: BankKey, span: tuple[date, date] | None, *, limit: int = MARKS
) -> dict[date, int]:
    """Marked days of the span, or (None) the earliest of all, with their marks."""
    first, last = span or (None, None)
    values = {"bank": bank, "from": first, "to": last, "limit": limit}
    return dict(await (await conn.execute(statement("summary_marked"), values)).fetchall())


async def _summed(
    transaction: Transaction, bank: Bank, period: Period, place: ZoneInfo
) -> Summed | None:
    start, end = period.bounds(place)
    values = {
        "bank": bank.key,
        "embedder": bank.embedder,
        "start": start,
        "end": end,
        "limit": MEMBERS,
    }
    async with transaction(bank.key, timeout_ms=TIMEOUT_MS) as conn:
        rows = await (await conn.execute(statement("summary_members"), values)).fetchall()
    if not rows:
        return None
    members = [
        Member(
            MemoryKey(key), name, text, speaker, words, happened,
            None if vector is None else vector.to_numpy().astype(np.float32),
        )
        for key, name, text, speaker, words, happened, vector, _ in rows
    ]  # fmt: skip
    summed = await asyncio.to_thread(extract, period, members, place)
    return replace(summed, members=rows[0][-1])
