"""The audit, the proposals and the evidence behind observations, restored as they were."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb
from pydantic import BaseModel

from channels.base import BankKey
from channels.connection import Transaction
from router.store.statements import statement
from router.transfer.manifest import PROPOSALS, SOURCES, SUPERSESSIONS

WRITE_TIMEOUT_MS = 120_000
TABLES: Mapping[str, tuple[str, str]] = {  # file -> its table, and the name of its statements
    SUPERSESSIONS: ("supersessions", "supersessions"),
    PROPOSALS: ("proposals", "proposals"),
    SOURCES: ("observation_sources", "sources"),
}


async def restore_structure(
    transaction: Transaction, bank: BankKey, name: str, lines: Sequence[BaseModel]
) -> None:
    """Give the bank exactly the lines of one file, in one transaction; nothing if it has them."""
    table, statements = TABLES[name]
    wanted = [_plain(line.model_dump()) for line in lines]
    async with transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
        await conn.execute(statement("lock_bank"), {"bank": bank})
        cursor = conn.cursor(row_factory=dict_row)
        await cursor.execute(statement(f"export_{statements}"), {"bank": bank})
        if [_plain(row) for row in await cursor.fetchall()] == wanted:
            return
        text = statement("delete_from").replace("{table}", table)
        await conn.execute(text.encode(), {"bank": bank})
        rows = [{**_stored(line.model_dump()), "bank": bank} for line in lines]
        async with conn.cursor() as writing:
            await writing.executemany(statement(f"import_{statements}"), rows)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with its times in UTC, so that equal moments are equal."""
    return {
        name: value.astimezone(UTC) if isinstance(value, datetime) else value
        for name, value in row.items()
    }


def _stored(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: Jsonb(value) if isinstance(value, dict) else value for name, value in row.items()}
