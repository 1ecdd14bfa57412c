"""What a bank's log taught and can teach again: impressions read back batch by batch."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from psycopg.rows import class_row, dict_row

from channels.connection import Connection
from channels.sql_files import load
from feedback.closing import Late, Told, by_recall, late, learned
from feedback.examination import EtaEstimate, estimate_eta, measured_eta
from feedback.impression import Impression
from feedback.learner import RECENT, shared_out
from feedback.offpolicy import COMPARED
from feedback.settings import LearnerSettings


async def rows_of(conn: Connection, statement: str, values: Mapping[str, Any]) -> list[Any]:
    """Stored recalls, as one of the statements of recalls gives them."""
    cursor = conn.cursor(row_factory=dict_row, binary=True)
    await cursor.execute(load("feedback", statement), values)
    return await cursor.fetchall()


async def events_of(conn: Connection, statement: str, values: Mapping[str, Any]) -> list[Told]:
    """Stored events, as one of the statements of events gives them."""
    cursor = conn.cursor(row_factory=class_row(Told))
    await cursor.execute(load("feedback", statement), values)
    return await cursor.fetchall()


async def joined(conn: Connection, bank: int, rows: Sequence[Any]) -> dict[str, list[Told]]:
    """The events that came in time, by recall."""
    values = {"bank": bank, "recall_ids": [row["id"] for row in rows]}
    return by_recall(await events_of(conn, "joined_events", values))


async def of_batch(
    conn: Connection, bank: int, batch: int, settings: LearnerSettings
) -> list[Impression]:
    """What a batch learnt from, in the order it did, under the given settings."""
    values = {"bank": bank, "batch": batch}
    rows = await rows_of(conn, "learned_recalls", values)
    events = await joined(conn, bank, rows)
    found = [learned(row, events.get(row["id"], []), settings) for row in rows]
    came_late = await events_of(conn, "learned_late_events", values)
    found += [one.impression for one in await of_late(conn, bank, came_late, batch, settings)]
    return in_order(found)


async def of_late(
    conn: Connection, bank: int, events: Sequence[Told], batch: int, settings: LearnerSettings
) -> list[Late]:
    """What late events that `batch` learns from add to what their recalls taught before it."""
    new = by_recall(events)
    values = {"bank": bank, "recall_ids": list(new), "batch": batch}
    if not new:
        return []
    rows = await rows_of(conn, "named_recalls", values)
    before = by_recall(await events_of(conn, "taught_events", values))
    found = [late(row, before.get(row["id"], []), new[row["id"]], settings) for row in rows]
    return [one for one in found if one is not None]


async def recent(
    conn: Connection, bank: int, settings: LearnerSettings, *, limit: int = RECENT
) -> list[Impression]:
    """The last impressions learnt from, the oldest first, without what came late."""
    rows = await rows_of(conn, "recent_recalls", {"bank": bank, "limit": limit})
    events = await joined(conn, bank, rows)
    return in_order([learned(row, events.get(row["id"], []), settings) for row in rows])


async def bias_of(conn: Connection, bank: int, settings: LearnerSettings) -> EtaEstimate | None:
    """The position bias that the last recalls speak for; None while they say too little."""
    return await asyncio.to_thread(estimate_eta, await _repeated(conn, bank, settings))


async def measured(
    conn: Connection, bank: int, settings: LearnerSettings, known: int
) -> LearnerSettings:
    """The settings with the position bias that the log speaks for, where it is time to ask.

    `known`: impressions learnt so far.
    """
    if not settings.is_to_measure(known):
        return settings
    eta = await asyncio.to_thread(measured_eta, await _repeated(conn, bank, settings))
    return replace(settings, eta=eta, measured_at=known)


async def _repeated(conn: Connection, bank: int, settings: LearnerSettings) -> list[Impression]:
    """Of the last recalls those whose question was asked more than once, no actor's beyond its
    share.
    """
    rows = await rows_of(conn, "repeated_recalls", {"bank": bank, "limit": COMPARED})
    events = await joined(conn, bank, rows)

    def read() -> list[Impression]:
        found = [learned(row, events.get(row["id"], []), settings) for row in rows]
        return shared_out(in_order(found))

    return await asyncio.to_thread(read)


def in_order(found: Sequence[Impression | None]) -> list[Impression]:
    """Canonical order: the time of the recall, then its id. Arrival plays no part."""
    return sorted(
        (one for one in found if one is not None), key=lambda one: (one.at, one.recall_id)
    )
