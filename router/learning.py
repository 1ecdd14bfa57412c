"""How banks are learnt: what a bank begins with, and the worker that learns, put together."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import structlog

from channels.connection import Transaction
from feedback.examination import ETA
from feedback.impression import TYPES
from feedback.learner import Gate, Start
from feedback.library import TypeRows
from feedback.settings import LearnerSettings, Setup
from feedback.step import Step
from feedback.worker import GRACE_S, STOP_S, SetupOf, Worker
from router import metrics
from router.features import FEATURE_VERSION, feature_names, model_names
from router.plugins import discover, priors
from router.presets import CHANNELS, NO_PRIORS, completed, default_matrix
from router.residual import shipped_prior
from router.settings import Settings
from router.store.banks import BankConfig

log = structlog.get_logger()


def start_of(embedder: str, priors: Mapping[str, float] = NO_PRIORS) -> Start:
    """What a bank of that model begins with: its default rows, and a weak prior for the features.

    `priors`: weights of the lanes of plug-ins, which come behind the built-in ones.
    """
    matrix = completed(default_matrix(embedder), priors)
    rows = [matrix.rows[kind] for kind in TYPES]
    channels = (*CHANNELS, *priors)
    names = model_names(channels)
    return Start(
        channels=channels,
        rows=TypeRows(
            np.array([[row.weights[name] for name in channels] for row in rows], np.float64),
            np.array([row.rrf_k for row in rows], np.float64),
        ),
        names=names,
        feature_version=FEATURE_VERSION,
        residual=shipped_prior(names),
    )


def setup_of(
    config: BankConfig,
    embedder: str,
    *,
    fleet: bool,
    priors: Mapping[str, float] = NO_PRIORS,
) -> Setup:
    """How a bank is learnt; `fleet`: this server lets banks share what they found."""
    plain = Gate()
    gate, eta = config.learner, config.position_bias_eta
    return Setup(
        settings=LearnerSettings(
            start=start_of(embedder, priors),
            logged=len(feature_names((*CHANNELS, *priors))),
            eta=ETA if eta is None else eta,
            measured_at=0 if eta is None else None,
            event_values=config.model_dump(mode="json")["event_values"],
        ),
        gate=Gate(
            impressions=gate.min_impressions or plain.impressions,
            actors=gate.min_actors or plain.actors,
            trusted=plain.trusted,
        ),
        shares=fleet and config.fleet_prior,
        waives_gate=gate.min_impressions is None,
    )


def setups(settings: Settings) -> SetupOf:
    """As `setup_of`, from a configuration as the store has it."""
    heard = priors(discover(settings))

    def of(config: Mapping[str, Any], embedder: str) -> Setup:
        held = BankConfig.model_validate(config)
        return setup_of(held, embedder, fleet=settings.fleet_prior, priors=heard)

    return of


class Counted:
    """Counts what the worker does."""

    def stepped(self, step: Step, seconds: float) -> None:
        """A bank took a step."""
        metrics.LEARNER_SECONDS.observe(seconds)
        metrics.LEARNER_BATCHES.labels(step.done.outcome).inc()
        for evidence, count in step.recalls.items():
            metrics.LEARNER_RECALLS.labels(evidence).inc(count)

    def failed(self) -> None:
        """A bank's step failed and was undone."""
        metrics.LEARNER_FAILURES.inc()


def worker_of(transaction: Transaction, settings: Settings, *, grace_s: float = GRACE_S) -> Worker:
    """The worker that these settings describe."""
    return Worker(
        transaction,
        setups(settings),
        Counted(),
        window_s=settings.feedback_window_seconds,
        grace_s=grace_s,
    )


@asynccontextmanager
async def learning(transaction: Transaction, settings: Settings) -> AsyncIterator[Worker]:
    """Learn for as long as this is open; a step under way is finished, or undone after STOP_S."""
    worker = worker_of(transaction, settings)
    task = asyncio.create_task(worker.run(), name="learner")
    try:
        yield worker
    finally:
        worker.stop()
        _, late = await asyncio.wait([task], timeout=STOP_S)
        if late:
            log.warning("learner_cut_short", waited_s=STOP_S)
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
