"""Published matrices of a bank: listed, added by hand, and taken back."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from psycopg.rows import class_row
from psycopg.types.json import Jsonb

from channels.base import BankKey
from channels.connection import Connection, Transaction
from channels.errors import Conflict, NotFound
from feedback import learners
from router.store.statements import statement
from router.weights import Matrix, as_json

DEFAULT_VERSION = 0  # the rows that come with the program; never stored
Rows = Mapping[str, Mapping[str, Any]]  # type -> {"weights": {channel: w}, "rrf_k": k}


@dataclass(frozen=True, slots=True)
class Published:
    """One version of a bank's matrix and how it came about."""

    version: int
    parent: int | None  # None: it followed the default
    rows: Rows
    reason: str
    author: str
    evidence: Mapping[str, Any]
    at: datetime


class Matrices:
    """Reads and publishes. Publishers of one bank take turns; versions only grow."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def head(self, bank: BankKey) -> Published | None:
        """The live version, None while the default serves."""
        async with self._transaction(bank) as conn:
            return await _head(conn, bank)

    async def versions(self, bank: BankKey, *, before: int | None, limit: int) -> list[Published]:
        """At most `limit` versions older than `before`, the newest first."""
        values = {"bank": bank, "before": before, "limit": limit}
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=class_row(Published))
            await cursor.execute(statement("matrix_versions"), values)
            return await cursor.fetchall()

    async def rows(self, bank: BankKey, version: int, default: Matrix) -> Rows:
        """The rows of a version, those of `default` for 0. Raises NotFound."""
        async with self._transaction(bank) as conn:
            return await _rows(conn, bank, version, default)

    async def publish(
        self, bank: BankKey, matrix: Matrix, *, expected: int, reason: str, author: str
    ) -> int:
        """The new live version with these rows. Raises Conflict unless `expected` is live now.

        The bank's learner is held, so that it does not replace what a person chose.
        """
        async with self._transaction(bank) as conn:
            live = await _locked_version(conn, bank)
            if live != expected:
                raise Conflict(
                    "expected_version",
                    f"version {live} is live, not {expected}; read the matrix and decide anew",
                )
            version = await _publish(conn, bank, as_json(matrix), live, reason, author)
            await _hold(conn, bank, f"version {version} was published by {author}")
            return version

    async def roll_back(
        self, bank: BankKey, to: int, default: Matrix, *, reason: str | None, author: str
    ) -> int:
        """The new live version with the rows of version `to` (0: `default`). Raises NotFound.

        The bank's learner is held, or it would soon propose again what was taken back.
        """
        async with self._transaction(bank) as conn:
            live = await _locked_version(conn, bank)
            rows = await _rows(conn, bank, to, default)
            why = f"rollback to {to}" + (f": {reason}" if reason else "")
            version = await _publish(conn, bank, rows, live, why, author)
            await _hold(conn, bank, f"{why}, by {author}")
            return version


async def _head(conn: Connection, bank: BankKey) -> Published | None:
    cursor = conn.cursor(row_factory=class_row(Published))
    await cursor.execute(statement("matrix_head"), {"bank": bank})
    return await cursor.fetchone()


async def _rows(conn: Connection, bank: BankKey, version: int, default: Matrix) -> Rows:
    if version == DEFAULT_VERSION:
        return as_json(default)
    values = {"bank": bank, "version": version}
    row = await (await conn.execute(statement("matrix_rows"), values)).fetchone()
    if row is None:
        raise NotFound("matrix version", str(version))
    rows: Rows = row[0]
    return rows


async def _locked_version(conn: Connection, bank: BankKey) -> int:
    await learners.lock(conn, bank, datetime.now(UTC))  # the learner publishes under it too
    head = await _head(conn, bank)
    return head.version if head else DEFAULT_VERSION


async def _hold(conn: Connection, bank: BankKey, why: str) -> None:
    await learners.hold(conn, bank, why, datetime.now(UTC))


async def _publish(
    conn: Connection, bank: BankKey, rows: Rows, parent: int, reason: str, author: str
) -> int:
    values = {
        "bank": bank,
        "parent": parent,
        "rows": Jsonb(rows),
        "reason": reason,
        "author": author,
        "now": datetime.now(UTC),
    }
    row = await (await conn.execute(statement("insert_matrix"), values)).fetchone()
    assert row is not None  # noqa: S101 - an insert of one row returns it
    await conn.execute(statement("set_head"), {"bank": bank, "version": row[0]})
    return int(row[0])
