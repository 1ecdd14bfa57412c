"""The matrix each bank is served with, in memory; looked up anew after a notice or a moment."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from channels.base import BankKey
from channels.connection import Transaction
from router import metrics
from router.live_types import LiveTypes
from router.presets import NO_PRIORS, completed, default_matrix, stored_rows
from router.store.banks import Bank
from router.store.statements import statement
from router.weights import Matrix

FRESH_S = 2.0  # how long another process's new version may stay unseen
SLOW_S = 10.0  # the same while notices come in: a missed one costs no more


@dataclass(frozen=True, slots=True)
class _Known:
    asked: float
    matrix: Matrix
    is_heard: bool  # some event has come


class LiveMatrices:
    """Bank -> published matrix; its model's default, version 0, where none was published."""

    def __init__(self, transaction: Transaction, priors: Mapping[str, float] = NO_PRIORS) -> None:
        """`priors`: what the lanes of plug-ins weigh where a matrix has no weight for them."""
        self._transaction = transaction
        self.priors = priors
        self.types = LiveTypes(transaction)
        self.is_listening = False  # set by whoever hears the notices
        self._known: dict[BankKey, _Known] = {}
        self._changes = 0  # notices; what was asked for before one may be old

    def default(self, bank: Bank) -> Matrix:
        """What the bank is served with until rows are published for it, and what 0 stands for."""
        return completed(default_matrix(bank.embedder_name), self.priors)

    async def matrix(self, bank: Bank) -> Matrix:
        """The bank's matrix, up to date unless a notice is under way or was missed."""
        return (await self._of(bank)).matrix

    async def heard(self, bank: Bank) -> bool:
        """Whether the bank has received any event: before that nothing is explored."""
        return (await self._of(bank)).is_heard

    async def _of(self, bank: Bank) -> _Known:
        known = self._known.get(bank.key)
        if known is not None and time.monotonic() - known.asked < self._lasts(known):
            return known
        asked, changes = time.monotonic(), self._changes
        values = {"bank": bank.key}
        async with self._transaction(bank.key) as conn:
            row = await (await conn.execute(statement("live_matrix"), values)).fetchone()
            is_heard = known is not None and known.is_heard
            if not is_heard:
                found = await (await conn.execute(statement("any_event"), values)).fetchone()
                is_heard = found is not None and bool(found[0])
        matrix = self.default(bank)
        if row is not None:
            matrix = Matrix(stored_rows(row[1], self.priors), row[0])
        fresh = _Known(asked, matrix, is_heard)
        if changes == self._changes:  # else it may be older than the change
            self._known[bank.key] = fresh
        newest = max((one.matrix.version for one in self._known.values()), default=0)
        metrics.MATRIX_VERSION.set(newest)
        return fresh

    def _lasts(self, known: _Known) -> float:
        return SLOW_S if self.is_listening and known.is_heard else FRESH_S

    def forget(self, bank: BankKey) -> None:
        """Look matrix and layer up anew at the next recall."""
        self._changes += 1
        self._known.pop(bank, None)
        self.types.forget(bank)

    def forget_all(self) -> None:
        """Look every matrix up anew: notices may have been missed."""
        self._changes += 1
        self._known.clear()
