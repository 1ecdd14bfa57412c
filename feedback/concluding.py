"""What a batch taught: judged, published where it may be, and saved."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from channels.connection import Connection
from feedback import learners
from feedback.fleet import fleet_prior, on_probation
from feedback.history import recent
from feedback.learner import BankLearner, Verdict, judge, same_rows
from feedback.learners import Batch, Held, Live
from feedback.library import TypeRows
from feedback.posterior import FleetPrior, MatrixState
from feedback.settings import Setup
from feedback.showing import evidence_json, publishable, rows_from_json, rows_json, verdict_json

Outcome = Literal["published", "refused", "unchanged", "held", "nothing"]


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a batch."""

    outcome: Outcome
    reason: str
    version: int | None  # published
    serving: int  # version in force, 0 the default


async def conclude(
    conn: Connection,
    bank: int,
    known: Held,
    learner: BankLearner,
    setup: Setup,
    kin: Mapping[int, MatrixState],
    batch: Batch,
    *,
    is_ordered: bool = False,
) -> Done:
    """Judge what was learnt, publish what may be, and save all of it."""
    settings = setup.settings
    live = await learners.live_matrix(conn, bank)
    serving = live.version if live else 0
    status = await _status(conn, bank, known, live, batch.at)
    fleet = _fleet(bank, learner, setup, kin)
    proposed = publishable(learner.rows(settings.start, fleet))
    now = rows_from_json(live.rows, settings.start) if live else settings.start.rows
    if not batch.impressions and batch.kind == "learned":
        outcome, verdict = _plain("nothing", "nothing in it was evidence")
    elif status == "frozen":
        outcome, verdict = _plain("held", "frozen")
    elif is_ordered:  # a version that says so, even where the rows hardly move
        outcome, verdict = _allowed(status, Verdict(True, batch.reason))
    elif same_rows(proposed, now):
        outcome, verdict = _plain("unchanged")
    else:
        gate = setup.gate_with(fleet)
        seen = await recent(conn, bank, settings)
        verdict = await asyncio.to_thread(
            judge, learner, proposed, now, seen, gate, eta=settings.eta
        )
        outcome, verdict = _allowed(status, verdict)
    version = None
    if outcome == "published":
        version = await _publish(
            conn, bank, learner, setup, fleet, proposed, verdict, batch, serving
        )
    changed = known.settings is None or known.settings != settings.as_json()
    finished = replace(
        batch,
        version=version,
        reason=batch.reason if is_ordered else f"{batch.reason}; {verdict.reason}".lstrip("; "),
        verdict=verdict_json(verdict),
        proposed=rows_json(proposed, settings.start.channels)
        if outcome == "held" and verdict.publish
        else None,
        settings=settings.as_json() if changed else None,
        fleet=learners.packed_fleet(fleet) if version else None,
    )
    await learners.save(
        conn, bank, finished, learner, setup, version or known.version, publishes=status == "on"
    )
    return Done(outcome, finished.reason, version, version or serving)


def _plain(outcome: Outcome, reason: str | None = None) -> tuple[Outcome, Verdict]:
    return outcome, Verdict(False, reason or outcome)


def _allowed(status: learners.Status, verdict: Verdict) -> tuple[Outcome, Verdict]:
    if not verdict.publish:
        return "refused", verdict
    return ("published" if status == "on" else "held"), verdict


async def _publish(
    conn: Connection,
    bank: int,
    learner: BankLearner,
    setup: Setup,
    fleet: FleetPrior,
    proposed: TypeRows,
    verdict: Verdict,
    batch: Batch,
    parent: int,
) -> int:
    start = setup.settings.start
    return await learners.publish(
        conn,
        bank,
        rows_json(proposed, start.channels),
        parent=parent,
        reason=f"batch {batch.batch}: {batch.reason or verdict.reason}",
        evidence={
            **evidence_json(learner, start, fleet),
            "batch": batch.batch,
            "verdict": verdict_json(verdict),
        },
        at=batch.at,
    )


async def _status(
    conn: Connection, bank: int, known: Held, live: Live | None, now: datetime
) -> learners.Status:
    """The learner's status; a matrix that it did not publish holds it."""
    if known.status != "on" or live is None or live.version == (known.version or 0):
        return known.status
    why = f"version {live.version} was published by {live.author}"
    await learners.hold(conn, bank, why, now)
    return "frozen"


def _fleet(
    bank: int, learner: BankLearner, setup: Setup, kin: Mapping[int, MatrixState]
) -> FleetPrior:
    """What the others found, for a bank that has some evidence of its own."""
    channels = len(setup.settings.start.channels)
    if not setup.shares or not learner.matrix.count.any():
        return FleetPrior.none(channels)
    others = [state for other, state in sorted(kin.items()) if other != bank and state.count.any()]
    return on_probation(fleet_prior(others, channels), learner.wins, learner.losses)
