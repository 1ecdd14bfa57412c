"""What a strict window lets in by a date in the text: looked up once for all lanes.

Were it part of their shared condition, every lane would hang on the table of dates.
"""

from channels.base import BankKey, MemoryKey, Window
from channels.connection import Transaction
from channels.statements import statement

MOST_DATED = 20_000  # memories; of more the last to arrive


async def dated_in(
    transaction: Transaction, bank: BankKey, window: Window, *, timeout_ms: int
) -> tuple[MemoryKey, ...]:
    """Memories of which a date in the text meets the window, at most MOST_DATED."""
    values = {"bank": bank, "start": window.start, "end": window.end, "limit": MOST_DATED}
    async with transaction(bank, timeout_ms=timeout_ms) as conn:
        rows = await (await conn.execute(statement("dated_in"), values)).fetchall()
    return tuple(MemoryKey(row[0]) for row in rows)
