"""The log learnt again from nothing: does it give the stored state and every published version?"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from channels.connection import Connection
from channels.errors import BadInput
from channels.sql_files import load
from feedback import learners
from feedback.history import of_batch
from feedback.learner import BankLearner
from feedback.learners import Batch
from feedback.posterior import MatrixState
from feedback.reviews import logged, unreview
from feedback.settings import FORMATS, LearnerSettings, Setup
from feedback.showing import publishable, rows_json
from feedback.step import PAGE, Step, learn_all, rebuild, relearnt

FORGOTTEN = "without an actor's events"


@dataclass(frozen=True, slots=True)
class Replay:
    """What learning a bank's log anew showed."""

    batches: int
    impressions: int
    checked: Sequence[int]  # versions whose rows came out bit for bit
    differing: Sequence[int]  # versions that did not
    skipped: Sequence[
        int
    ]  # from before evidence was deleted, or learnt by rules of before an upgrade
    same_state: bool  # as stored, byte for byte

    @property
    def is_exact(self) -> bool:
        """Whether all that can be checked is as it was."""
        return self.same_state and not self.differing


async def replay(conn: Connection, bank: int) -> Replay:
    """Learn the bank's log anew, batch by batch, and compare; nothing is changed.

    The worker may go on meanwhile: batches after the one that the state is of are left out.
    """
    stored = await learners.held(conn, bank)
    learner: BankLearner | None = None
    settings: LearnerSettings | None = None
    batches = impressions = 0
    checked: list[int] = []
    differing: list[int] = []
    skipped: list[int] = []
    forgotten, by_rules = await _last_forgotten(conn, bank), True
    async for batch in _batches(conn, bank, stored.batch):
        if batch.settings is not None:
            settings = LearnerSettings.from_json(batch.settings)
            by_rules = batch.settings.get("formats") == [*FORMATS]
        assert settings is not None  # noqa: S101 - the first batch names them
        batches += 1
        impressions += batch.impressions
        if batch.kind == "rebuilt" or learner is None:
            learner = await relearnt(conn, bank, batch.batch - 1, settings)
        found = await of_batch(conn, bank, batch.batch, settings)
        await asyncio.to_thread(learn_all, learner, found, settings)
        if batch.version is None:
            continue
        if batch.batch < forgotten or not by_rules:
            skipped.append(batch.version)
        else:
            same = await _same_rows(conn, bank, batch, learner, settings)
            (checked if same else differing).append(batch.version)
    same_state = (learner.dump() if learner else None) == stored.state
    return Replay(batches, impressions, checked, differing, skipped, same_state)


async def forget_actor(
    conn: Connection,
    bank: int,
    actor: str,
    setup: Setup,
    now: datetime,
    kin: Mapping[int, MatrixState],
) -> tuple[int, int, Step]:
    """Delete an actor's events and learn the rest anew: events, recalls taken out, and the step.

    What comes out is published without passing the gate, unless the learner is held. Recalls of the
    actor stay on record; those so far are no evidence any more, whatever is said of them later, and
    their events' ids stay known, so that sent again they are duplicates. Memories that the events
    reviewed last as long as the others' reviews say.

    Raises BadInput naming the actor when there is nothing to delete.
    """
    known = await learners.lock(conn, bank, now)
    values = {"bank": bank, "actor": actor}
    recalls, asked = await _counted(conn, "forget_recalls", values)
    reviews = await logged(conn, bank, actor)
    (events,) = await _counted(conn, "forget_events", values)
    if not (recalls or events):
        gone = "is forgotten already" if asked else "has no recall and no event in this bank"
        raise BadInput("actor", f"{actor!r} {gone}: check the name; nothing was changed")
    await unreview(conn, bank, reviews)
    done = await rebuild(conn, bank, known, setup, now, kin, FORGOTTEN, is_ordered=True)
    return events, recalls, done


async def _counted(conn: Connection, statement: str, values: Mapping[str, Any]) -> tuple[int, ...]:
    row: Any = await (await conn.execute(load("feedback", statement), values)).fetchone()
    return tuple(row)


async def _batches(conn: Connection, bank: int, until: int) -> AsyncIterator[Batch]:
    after = 0
    while True:
        page = await learners.batches(conn, bank, after=after, limit=PAGE)
        for one in page:
            if one.batch <= until:
                yield one
        if len(page) < PAGE:
            return
        after = page[-1].batch


async def _last_forgotten(conn: Connection, bank: int) -> int:
    """The last batch that began by deleting evidence; 0 without one."""
    values = {"bank": bank, "reason": FORGOTTEN}
    row: Any = await (await conn.execute(load("feedback", "last_forgotten"), values)).fetchone()
    return int(row[0] or 0)


async def _same_rows(
    conn: Connection, bank: int, batch: Batch, learner: BankLearner, settings: LearnerSettings
) -> bool:
    start = settings.start
    fleet = learners.unpacked_fleet(batch.fleet, len(start.channels))
    rows = publishable(learner.rows(start, fleet))
    assert batch.version is not None  # noqa: S101 - asked only for such
    published = await learners.matrix_version(conn, bank, batch.version)
    return published is not None and published.rows == rows_json(rows, start.channels)
