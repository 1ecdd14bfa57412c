"""What a bank's matrices are worth on the recalls that were answered, and what is learnt."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from channels.connection import Connection
from feedback import learners
from feedback.examination import EtaEstimate
from feedback.fleet import fleet_prior, on_probation
from feedback.history import bias_of, recent
from feedback.impression import Impression
from feedback.learner import BankLearner
from feedback.learners import Batch, Held, Rows
from feedback.offpolicy import COMPARED, compare
from feedback.posterior import FleetPrior, MatrixState, learned_rows
from feedback.settings import LearnerSettings, Setup
from feedback.showing import (
    evidence_json,
    policy_json,
    publishable,
    residual_json,
    rows_from_json,
    rows_json,
)
from feedback.step import loaded

NO_KIN: Mapping[int, MatrixState] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Known:
    """A learner as it stands, for people."""

    held: Held
    last: Batch | None
    evidence: Mapping[str, Any] | None  # None: nothing learnt
    residual: Mapping[str, Any]
    position_bias: Mapping[str, Any]  # configured and estimated
    prior: Rows  # what the bank's rows are drawn towards


async def known(
    conn: Connection, bank: int, setup: Setup, kin: Mapping[int, MatrixState] = NO_KIN
) -> Known:
    """What the bank's learner knows. `kin`: what banks of the same library share."""
    held = await learners.held(conn, bank)
    last = await learners.last_batch(conn, bank)
    learner = _readable(held, setup)
    settings = setup.settings.measured_as(held.settings)
    bias = bias_json(settings, await bias_of(conn, bank, settings))
    prior = prior_json(bank, learner, setup, kin)
    if learner is None:
        return Known(held, last, None, residual_json(None, held.served()), bias, prior)
    start = settings.start
    evidence = evidence_json(learner, start, FleetPrior.none(len(start.channels)))
    return Known(held, last, evidence, residual_json(learner, held.served()), bias, prior)


def prior_json(
    bank: int, learner: BankLearner | None, setup: Setup, kin: Mapping[int, MatrixState]
) -> Rows:
    """The rows that a bank's own evidence moves away from.

    The default, as far as other banks' sums have moved it and the bank's own comparison bears that
    out; the default itself where nothing is shared.
    """
    start = setup.settings.start
    fleet = FleetPrior.none(len(start.channels))
    if setup.shares:
        others = [one for other, one in sorted(kin.items()) if other != bank and one.count.any()]
        told = (learner.wins, learner.losses) if learner else (0.0, 0.0)
        fleet = on_probation(fleet_prior(others, len(start.channels)), *told)
    rows = learned_rows(MatrixState.empty(start.channels), start.rows, fleet)
    return rows_json(publishable(rows), start.channels)


def bias_json(settings: LearnerSettings, found: EtaEstimate | None) -> dict[str, Any]:
    """The exponent that credit is given with, and what the log says it is: null with too little.

    `clicks`: engagements with a memory that the same question showed at another position too.
    """
    told = {"eta": settings.eta, "source": settings.eta_source}
    if found is None:
        return {**told, "estimate": None}
    estimate = {
        "eta": round(found.eta, 3),
        "low": round(found.low, 3),
        "high": round(found.high, 3),
        "clicks": round(found.clicks, 1),
    }
    return {**told, "estimate": estimate}


@dataclass(frozen=True, slots=True)
class Observed:
    """What rows are compared on: the last impressions, and what the learner made of all."""

    learner: BankLearner
    settings: LearnerSettings
    seen: list[Impression]
    bias: EtaEstimate | None


async def observed(conn: Connection, bank: int, setup: Setup, *, limit: int = COMPARED) -> Observed:
    """The last closed recalls that are evidence, and the learner as it stands."""
    held = await learners.held(conn, bank)
    settings = setup.settings.measured_as(held.settings)
    seen = await recent(conn, bank, settings, limit=limit)
    learner = _readable(held, setup) or BankLearner.empty(settings.start)
    return Observed(learner, settings, seen, await bias_of(conn, bank, settings))


def _readable(held: Held, setup: Setup) -> BankLearner | None:
    """The stored state; None when there is none, or it will be learnt anew with the next batch."""
    if held.state is None or held.settings is None:
        return None
    if not setup.settings.goes_on_from(held.settings):
        return None
    return loaded(held, setup.settings)


def policy(known: Observed, given: Mapping[str, Rows]) -> dict[str, Any]:
    """Each of the given matrices against the default rows. Seconds of work: not in a transaction.

    DCG at 10 with 95 % intervals, doubly robust and by affine inverse propensity, how many recalls
    tell the two apart, how much of the rows' own top ranks anybody has seen, a verdict in words;
    and the position bias that the log speaks for.
    """
    start, eta = known.settings.start, known.settings.eta
    rate, reward = known.learner.matrix.accidents.rate, known.learner.matrix.reward
    told = {}
    for name, one in given.items():
        rows = rows_from_json(one, start)
        told[name] = policy_json(compare(known.seen, rows, start.rows, reward, rate, eta=eta))
    return {
        "reference": "default",
        "impressions": len(known.seen),
        "policies": told,
        "position_bias": bias_json(known.settings, known.bias),
        "accidental_engagement": round(rate, 5),
    }
