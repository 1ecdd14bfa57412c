"""The layer over each bank's types, kept in memory and looked up again after a moment."""

import time

from channels.base import BankKey
from channels.connection import Transaction
from router.store.statements import statement
from router.store.type_corrections import layer_of
from router.understand.layer import Layer

FRESH_S = 2.0  # how long another process's correction may stay unseen


class LiveTypes:
    """Bank -> what its corrections add to the classifier; nothing before the first one."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._known: dict[BankKey, tuple[float, Layer]] = {}

    async def layer(self, bank: BankKey) -> Layer:
        """The bank's layer as of at most FRESH_S seconds ago."""
        known = self._known.get(bank)
        if known is not None and time.monotonic() - known[0] < FRESH_S:
            return known[1]
        asked = time.monotonic()
        async with self._transaction(bank) as conn:
            row = await (await conn.execute(statement("type_layer"), {"bank": bank})).fetchone()
        layer = layer_of(row)
        self._known[bank] = (asked, layer)
        return layer

    def forget(self, bank: BankKey) -> None:
        """Look the layer up anew at the next recall."""
        self._known.pop(bank, None)
