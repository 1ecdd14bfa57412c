"""Facts of fused candidates, fetched in one statement."""

from collections.abc import Sequence
from typing import Any

from channels.base import BankKey, MemoryKey
from channels.connection import Transaction
from channels.statements import key_array
from router.facts import Facts
from router.store.statements import statement
from router.structure.standing import PLAIN


async def fetch_facts(
    transaction: Transaction,
    bank: BankKey,
    keys: Sequence[MemoryKey],
    page: Sequence[MemoryKey],
    *,
    timeout_ms: int,
) -> dict[MemoryKey, Facts]:
    """Facts of those of the keys that still exist."""
    if not keys:
        return {}
    values = {"bank": bank, "keys": key_array(keys), "page": key_array(page)}
    async with transaction(bank, timeout_ms=timeout_ms) as conn:
        rows = await (await conn.execute(statement("facts"), values)).fetchall()
    return {MemoryKey(row[0]): _facts(*row) for row in rows}


def _facts(*row: Any) -> Facts:
    spans = zip(row[13] or (), row[14] or (), strict=True)
    disputed = row[15] or row[16]
    return Facts(*(*row[:13], tuple(spans), row[15], disputed, PLAIN, row[17]))
