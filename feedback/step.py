"""One step of one bank's learner: claim, learn, judge, publish and save, in one transaction."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from psycopg.rows import tuple_row

from channels.connection import Connection
from channels.sql_files import load
from feedback import learners
from feedback.closing import Evidence, Late, Sealed, Told, client_of, sealed
from feedback.concluding import Done, conclude
from feedback.history import events_of, in_order, joined, measured, of_batch, of_late, rows_of
from feedback.impression import Impression
from feedback.learner import BankLearner
from feedback.learners import Batch, Held
from feedback.posterior import MatrixState
from feedback.settings import LearnerSettings, Setup

MOST = 200  # recalls of one step: a second of work at most, so that nobody waits long for a row
PAGE = 50  # batches read at a time when all is learnt anew


@dataclass(frozen=True, slots=True)
class Bounds:
    """Which recalls are sealed: closed, or answered, at these times or before."""

    now: datetime
    closed: datetime
    opened: datetime

    @classmethod
    def at(cls, now: datetime, *, window_s: float, grace_s: float) -> "Bounds":
        """As of now. The grace lets requests that were read before the closing be stored."""
        grace = timedelta(seconds=grace_s)
        return cls(now, now - grace, now - grace - timedelta(seconds=window_s))


@dataclass(frozen=True, slots=True)
class Step:
    """What a step did."""

    batch: Batch
    done: Done
    recalls: Mapping[Evidence, int]  # evidence -> recalls sealed as it
    is_full: bool  # more may be waiting


@dataclass(frozen=True, slots=True)
class _Claimed:
    sealed: Sequence[Sealed]
    late: Sequence[Told]
    event_ids: Sequence[str]
    heard: Sequence[str]  # those of the events that say something of what is learnt
    impressions: Sequence[Impression]

    @property
    def is_empty(self) -> bool:
        return not self.sealed and not self.late


async def step(
    conn: Connection,
    bank: int,
    setup: Setup,
    bounds: Bounds,
    kin: Mapping[int, MatrixState],
    *,
    most: int = MOST,
) -> Step | None:
    """Learn from what is sealed, at most `most` recalls; None when nothing is or another worker has
    the bank.

    `kin`: what banks of the same library share. Everything is undone if the transaction is.
    """
    known = await learners.claim(conn, bank, bounds.now)
    if known is None:
        return None
    settings = setup.settings.measured_as(known.settings)
    if known.settings is not None and not settings.goes_on_from(known.settings):
        return await rebuild(
            conn, bank, known, setup, bounds.now, kin, "learnt anew: other settings"
        )
    learner = await asyncio.to_thread(loaded, known, settings)
    settings = await measured(conn, bank, settings, learner.known)
    claimed = await _claim(conn, bank, known.batch + 1, settings, bounds, most)
    if claimed.is_empty:
        return None
    await asyncio.to_thread(learn_all, learner, claimed.impressions, settings)
    batch = Batch(
        known.batch + 1,
        bounds.now,
        "learned",
        recalls=len(claimed.sealed),
        impressions=len(claimed.impressions),
        events=len(claimed.event_ids),
    )
    await _mark_recalls(conn, bank, batch.batch, claimed)
    setup = replace(setup, settings=settings)
    done = await conclude(conn, bank, known, learner, setup, kin, batch)
    await _mark_events(conn, bank, batch.batch, claimed, done.serving)
    counted = Counter(one.learned_as for one in claimed.sealed)
    is_full = len(claimed.sealed) >= most or len(claimed.late) >= most
    return Step(batch, done, counted, is_full)


async def rebuild(
    conn: Connection,
    bank: int,
    known: Held,
    setup: Setup,
    now: datetime,
    kin: Mapping[int, MatrixState],
    why: str,
    *,
    is_ordered: bool = False,
) -> Step:
    """Learn all batches anew under the present settings, as a batch of its own.

    `is_ordered`: somebody decided it, so the outcome is published without passing the gate.
    """
    setup = replace(setup, settings=setup.settings.measured_as(known.settings))
    learner = await relearnt(conn, bank, known.batch, setup.settings)
    batch = Batch(known.batch + 1, now, "rebuilt", reason=why)
    done = await conclude(conn, bank, known, learner, setup, kin, batch, is_ordered=is_ordered)
    return Step(batch, done, {}, is_full=True)


async def relearnt(
    conn: Connection, bank: int, until: int, settings: LearnerSettings
) -> BankLearner:
    """The learner that batches up to and with `until` teach under these settings."""
    learner, after = BankLearner.empty(settings.start), 0
    while True:
        page = await learners.batches(conn, bank, after=after, limit=PAGE)
        for one in page:
            if one.batch <= until and one.kind == "learned":
                impressions = await of_batch(conn, bank, one.batch, settings)
                await asyncio.to_thread(learn_all, learner, impressions, settings)
        if len(page) < PAGE or page[-1].batch >= until:
            return learner
        after = page[-1].batch


def learn_all(
    learner: BankLearner, impressions: Sequence[Impression], settings: LearnerSettings
) -> None:
    """Take in impressions in the order given."""
    for one in impressions:
        learner.learn(one, settings.start, eta=settings.eta)


def loaded(known: Held, settings: LearnerSettings) -> BankLearner:
    """The stored state, or an empty one."""
    if known.state is None:
        return BankLearner.empty(settings.start)
    return BankLearner.load(bytes(known.state), settings.start)


async def _claim(
    conn: Connection, bank: int, batch: int, settings: LearnerSettings, bounds: Bounds, most: int
) -> _Claimed:
    # Late ones first: once recalls are claimed they would look as if their recall had been learnt.
    late = await events_of(conn, "late_events", {"bank": bank, "limit": most})
    values = {"bank": bank, "closed": bounds.closed, "opened": bounds.opened, "limit": most}
    rows = await rows_of(conn, "claim_recalls", values)
    events = await joined(conn, bank, rows)
    ids = {row["id"] for row in rows} | {one.recall_id for one in late}
    reported = await _reports(conn, bank, sorted(ids), rows)
    done = [sealed(row, events.get(row["id"], []), settings, reported) for row in rows]
    after = await of_late(conn, bank, late, batch, settings)
    taught: list[Sealed | Late] = [*done, *after]
    return _Claimed(
        sealed=done,
        late=late,
        event_ids=[one.event_id for told in [*events.values(), late] for one in told],
        heard=[name for one in taught for name in one.heard],
        impressions=in_order([one.impression for one in taught]),
    )


async def _reports(
    conn: Connection, bank: int, recall_ids: Sequence[str], rows: Sequence[Mapping[str, object]]
) -> dict[str, datetime]:
    """When the clients of these rows last sent anything, this batch's events among it.

    Late events too: a client whose answers take longer than the window does report.
    """
    cursor = conn.cursor(row_factory=tuple_row)
    values = {"bank": bank, "recall_ids": list(recall_ids)}
    await cursor.execute(load("feedback", "report_times"), values)
    if latest := await cursor.fetchall():
        told = {"clients": [one for one, _ in latest], "reported": [at for _, at in latest]}
        await conn.execute(load("feedback", "report_clients"), {"bank": bank, **told})
    asked = {"bank": bank, "clients": sorted({client_of(row) for row in rows})}
    found = await (await conn.execute(load("feedback", "clients"), asked)).fetchall()
    return dict(found)


async def _mark_recalls(conn: Connection, bank: int, batch: int, claimed: _Claimed) -> None:
    values = {
        "bank": bank,
        "batch": batch,
        "recall_ids": [one.recall_id for one in claimed.sealed],
        "learned_as": [one.learned_as for one in claimed.sealed],
    }
    await conn.execute(load("feedback", "mark_recalls"), values)


async def _mark_events(
    conn: Connection, bank: int, batch: int, claimed: _Claimed, version: int | None
) -> None:
    values = {
        "bank": bank,
        "batch": batch,
        "version": version,
        "event_ids": list(claimed.event_ids),
        "heard": list(claimed.heard),
    }
    await conn.execute(load("feedback", "mark_events"), values)
