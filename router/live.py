"""The matrix each bank is served with, kept in memory and looked up again after a moment."""

import time

from channels.base import BankKey
from channels.connection import Transaction
from router import metrics
from router.presets import default_matrix, parse_rows
from router.store.statements import statement
from router.weights import Matrix

FRESH_S = 2.0  # how long another process's new version may stay unseen


class LiveMatrices:
    """Bank -> published matrix; the default, version 0, where none was published."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self.default = default_matrix()
        self._known: dict[BankKey, tuple[float, Matrix]] = {}

    async def matrix(self, bank: BankKey) -> Matrix:
        """The bank's matrix as of at most FRESH_S seconds ago."""
        known = self._known.get(bank)
        if known is not None and time.monotonic() - known[0] < FRESH_S:
            return known[1]
        async with self._transaction(bank) as conn:
            row = await (await conn.execute(statement("live_matrix"), {"bank": bank})).fetchone()
        matrix = self.default if row is None else Matrix(parse_rows(row[1]), row[0])
        self._known[bank] = (time.monotonic(), matrix)
        metrics.MATRIX_VERSION.set(max(m.version for _, m in self._known.values()))
        return matrix

    def forget(self, bank: BankKey) -> None:
        """Look the matrix up anew at the next recall."""
        self._known.pop(bank, None)
