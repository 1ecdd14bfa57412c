"""What a bank's matrices are worth on the recalls that were answered, and what is learnt."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from channels.connection import Connection
from feedback import learners
from feedback.examination import estimate_eta
from feedback.history import recent
from feedback.impression import Impression
from feedback.learner import BankLearner
from feedback.learners import Batch, Held, Rows
from feedback.library import TypeRows
from feedback.offpolicy import compare
from feedback.posterior import FleetPrior
from feedback.settings import Setup
from feedback.showing import evidence_json, policy_json, residual_json, rows_from_json
from feedback.step import loaded

COMPARED = 2_000  # the last impressions that rows are compared on


@dataclass(frozen=True, slots=True)
class Known:
    """A learner as it stands, for people."""

    held: Held
    last: Batch | None
    evidence: Mapping[str, Any] | None  # None: nothing learnt
    residual: Mapping[str, Any]


async def known(conn: Connection, bank: int, setup: Setup) -> Known:
    """What the bank's learner knows."""
    held = await learners.held(conn, bank)
    last = await learners.last_batch(conn, bank)
    learner = _readable(held, setup)
    if learner is None:
        return Known(held, last, None, residual_json(None))
    start = setup.settings.start
    evidence = evidence_json(learner, start, FleetPrior.none(len(start.channels)))
    return Known(held, last, evidence, residual_json(learner))


async def policy(
    conn: Connection, bank: int, setup: Setup, given: Mapping[str, Rows], *, limit: int = COMPARED
) -> dict[str, Any]:
    """Each of the given matrices against the default rows, on the last closed recalls.

    DCG at 10 with 95 % intervals, doubly robust and by affine inverse propensity, how many recalls
    tell the two apart, how much of the rows' own top ranks anybody has seen, a verdict in words;
    and the position bias that the log speaks for.
    """
    held = await learners.held(conn, bank)
    seen = await recent(conn, bank, setup.settings, limit=limit)
    learner = _readable(held, setup) or BankLearner.empty(setup.settings.start)
    rows = {name: rows_from_json(one, setup.settings.start.channels) for name, one in given.items()}
    return await asyncio.to_thread(_compared, learner, setup, seen, rows)


def _readable(held: Held, setup: Setup) -> BankLearner | None:
    """The stored state; None when there is none, or it will be learnt anew with the next batch."""
    if held.state is None or held.settings is None:
        return None
    if not setup.settings.goes_on_from(held.settings):
        return None
    return loaded(held, setup.settings)


def _compared(
    learner: BankLearner, setup: Setup, seen: list[Impression], rows: Mapping[str, TypeRows]
) -> dict[str, Any]:
    default, eta = setup.settings.start.rows, setup.settings.eta
    rate = learner.matrix.accidents.rate
    told = {
        name: policy_json(compare(seen, one, default, learner.matrix.reward, rate, eta=eta))
        for name, one in rows.items()
    }
    found = estimate_eta(seen)
    return {
        "reference": "default",
        "impressions": len(seen),
        "policies": told,
        "position_bias": {
            "eta": eta,
            "estimate": None
            if found is None
            else {
                "eta": round(found.eta, 3),
                "low": round(found.low, 3),
                "high": round(found.high, 3),
                "clicks": round(found.clicks, 1),
            },
        },
        "accidental_engagement": round(rate, 5),
    }
