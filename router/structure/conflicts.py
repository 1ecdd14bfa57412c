"""What waits for somebody's word: branches, copies of the past, and what rules propose."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from psycopg.rows import dict_row

from channels.base import BankKey
from channels.connection import Connection, Transaction
from channels.errors import BadInput, Conflict, NotFound
from router.store.statements import statement as stored
from router.structure.pairs import Deed
from router.structure.statements import statement
from router.structure.supersede import WRITE_TIMEOUT_MS, Changed, replace_one

Row = dict[str, Any]
STATES = ("open", "accepted", "dismissed", "withdrawn", "all")


@dataclass(frozen=True, slots=True)
class _Pair:
    older: str
    newer: str
    are_current: bool
    state: str
    kept: str | None
    rule: str


class Conflicts:
    """Proposals of one bank. Nothing is superseded before somebody accepts."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def page(self, bank: BankKey, *, state: str, before: int | None, limit: int) -> list[Row]:
        """At most `limit` of them, the newest first, columns as in proposals.sql.

        `state`: open, accepted, dismissed, withdrawn, all.
        """
        values = {"bank": bank, "state": state, "before": before, "limit": limit}
        async with self._transaction(bank) as conn:
            cursor = conn.cursor(row_factory=dict_row)
            await cursor.execute(statement("proposals"), values)
            return await cursor.fetchall()

    async def settle(
        self,
        bank: BankKey,
        number: int,
        *,
        accept: bool,
        keep: str | None = None,
        reason: str | None = None,
        author: str,
    ) -> Changed:
        """Accept: the one kept (None: the newer) supersedes the other; else both stay.

        Raises NotFound; BadInput for a `keep` that is neither; Conflict when it was settled
        otherwise, is no question any more, or would close a circle.
        """
        deed = Deed(author, datetime.now(UTC))
        async with self._transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
            await conn.execute(stored("lock_bank"), {"bank": bank})
            pair = await _pair(conn, bank, number)
            kept = _kept(pair, accept, keep)
            wanted = "accepted" if accept else "dismissed"
            if pair.state in ("accepted", "dismissed"):
                if (pair.state, pair.kept) == (wanted, kept):
                    return Changed(False)
                raise Conflict(
                    "accept", f"conflict {number} was {pair.state} already; {_next(pair)}"
                )
            if not pair.are_current or pair.state == "withdrawn":
                raise Conflict("accept", f"conflict {number} is settled by other means; see GET")
            values = {"bank": bank, "number": number, "state": wanted, "kept": kept}
            who = {"now": deed.now, "author": author, "reason": reason}
            await conn.execute(statement("settle"), values | who)
            if kept is None:
                return Changed(True)
            other = pair.older if kept == pair.newer else pair.newer
            done = await replace_one(conn, bank, other, kept, pair.rule, deed, reason)
            return Changed(True, closed=done.closed)


async def _pair(conn: Connection, bank: BankKey, number: int) -> _Pair:
    values = {"bank": bank, "number": number}
    row = await (await conn.execute(statement("proposal"), values)).fetchone()
    if row is None:
        raise NotFound("conflict", str(number))
    return _Pair(row[2], row[3], row[4] and row[5], row[6], row[7], row[8])


def _kept(pair: _Pair, accept: bool, keep: str | None) -> str | None:
    if not accept:
        if keep is not None:
            raise BadInput("keep", "goes with accept true; leave it out to let both stand")
        return None
    if keep not in (None, pair.older, pair.newer):
        raise BadInput("keep", f"is neither {pair.older!r} nor {pair.newer!r}; name one of them")
    return keep or pair.newer


def _next(pair: _Pair) -> str:
    if pair.state == "accepted":
        return f"undo it with DELETE …/memories/{pair.older}/supersede"
    return f"supersede with POST …/memories/{pair.older}/supersede"
