"""The residual ranker of each bank in a recall: looked up, its features gathered, applied."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from psycopg import OperationalError
from psycopg.errors import QueryCanceled

from channels.base import BankKey, MemoryKey, Question
from channels.connection import Transaction
from channels.errors import ConfigError, RecallError
from feedback.residual import Array, ServedResidual
from router.describe import looked_up_of, surroundings
from router.facts import Facts
from router.features import FEATURE_VERSION, Surroundings, features, model_names
from router.fuse import Fused
from router.residual import Corrected, correct
from router.store.candidates import fetch_facts
from router.store.statements import statement
from router.weights import Row

log = structlog.get_logger()
FRESH_S = 2.0  # as of matrices: how long another process's learning may stay unseen


@dataclass(frozen=True, slots=True)
class _Known:
    """A bank's residual ranker as last looked up."""

    at: float  # monotonic seconds
    changed: datetime | None  # when its learner last did
    served: ServedResidual | None  # None: nothing is added, or it cannot be read


@dataclass(frozen=True, slots=True)
class Outcome:
    """The list to go on with, how it came about, and what kept it from being corrected."""

    fused: Sequence[Fused]
    corrected: Corrected | None = None
    degraded: tuple[str, ...] = ()
    facts: Mapping[MemoryKey, Facts] = field(default_factory=dict)  # read on the way, no texts


class Residuals:
    """Corrects fused lists of banks whose gate is open."""

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms
        self._known: dict[BankKey, _Known] = {}

    async def applied(
        self, question: Question, fused: Sequence[Fused], default: Row, patience_s: float
    ) -> Outcome:
        """The fused list by base plus residual; as it is while the gate is shut, or degraded."""
        try:
            async with asyncio.timeout(patience_s):
                known = await self._of(question.bank)
                weights = served_weights(known.served, tuple(default.weights))
                if weights is None or not fused:
                    return Outcome(fused)
                return await self._corrected(question, fused, default, weights)
        except (TimeoutError, QueryCanceled):
            reason = "timeout"
        except (RecallError, OperationalError) as error:
            reason = "unavailable"
            log.warning("residual_failed", reason=str(error))
        log.warning("residual_left_out", reason=reason)
        return Outcome(fused, None, (f"residual:{reason}",))

    def forget(self, bank: BankKey) -> None:
        """Look the bank's learner up anew at the next recall."""
        self._known.pop(bank, None)

    async def _corrected(
        self, question: Question, fused: Sequence[Fused], default: Row, weights: Array
    ) -> Outcome:
        keys = [item.key for item in fused]
        looked_up = await looked_up_of(question)
        facts, around = await asyncio.gather(
            fetch_facts(self._transaction, question.bank, keys, (), timeout_ms=self._timeout_ms),
            self._around(question, keys),
        )
        left = [item for item in fused if item.key in facts]
        gone = [item for item in fused if item.key not in facts]
        channels = tuple(default.weights)
        logged = features(question, left, facts, looked_up, around, channels)
        found = correct(left, channels, default, logged, model_names(channels), weights)
        return Outcome([*found.fused, *gone], found, facts=facts)

    async def _around(self, question: Question, keys: Sequence[MemoryKey]) -> Surroundings:
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            return await surroundings(conn, question, keys)

    async def _of(self, bank: BankKey) -> _Known:
        known = self._known.get(bank)
        if known is not None and time.monotonic() - known.at < FRESH_S:
            return known
        values = {"bank": bank, "known": known.changed if known else None}
        async with self._transaction(bank, timeout_ms=self._timeout_ms) as conn:
            row = await (await conn.execute(statement("learner_since"), values)).fetchone()
        changed, packed = row or (None, None)
        is_same = known is not None and known.changed == changed
        served = known.served if known and is_same else _read(packed)
        fresh = _Known(time.monotonic(), changed, served)
        self._known[bank] = fresh
        return fresh


def served_weights(served: ServedResidual | None, channels: Sequence[str]) -> Array | None:
    """What is added to the base, (F,); None while that is nothing, or of other features."""
    if served is None or (served.names, served.version) != (model_names(channels), FEATURE_VERSION):
        return None  # the learner starts anew with its next batch
    return served.weights


def _read(packed: bytes | None) -> ServedResidual | None:
    try:
        return None if packed is None else ServedResidual.load(bytes(packed))
    except ConfigError as error:
        log.warning("residual_unreadable", reason=str(error))
        return None
