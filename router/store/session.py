"""Connections that stay set for one bank between statements: what a recall reads through.

A transaction costs a recall's look-up four round trips (check, BEGIN, settings, COMMIT) beside its
own. A reading needs none of them: each statement is a transaction of its own, the session keeps the
bank and the time limit, and a connection that was last set for the same pair is used as it is.
"""

import select
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

SET = sql.SQL("set fivefold.bank = {bank}; set statement_timeout = {timeout_ms}")
RESET = "reset fivefold.bank; reset statement_timeout"

Bound = tuple[int | Literal["all"], int]


class SessionConnection(AsyncConnection[TupleRow]):
    """A connection that knows which bank and limit (ms) its session is set for, if any."""

    bound: Bound | None = None


async def bind(connection: SessionConnection, bank: int | Literal["all"], timeout_ms: int) -> None:
    """Set the session for the bank; nothing is sent when it is so already."""
    if connection.bound == (bank, timeout_ms):
        return
    connection.bound = None  # unknown until the server has answered
    words = {"bank": sql.Literal(str(bank)), "timeout_ms": sql.Literal(timeout_ms)}
    await connection.execute(SET.format(**words))
    connection.bound = (bank, timeout_ms)


async def unbind(connection: SessionConnection) -> None:
    """Give the session back as it was made: no bank, the login's own limit."""
    if connection.bound is None:
        return
    await connection.execute(RESET)
    connection.bound = None


async def check_quiet(connection: AsyncConnection[TupleRow]) -> None:
    """Raise OperationalError when an idle connection is dead, without a round trip to a live one.

    A server that went away has closed the socket or said why: either makes it readable, and only
    then is the server asked.
    """
    poller = select.poll()
    poller.register(connection.fileno(), select.POLLIN)
    if poller.poll(0):
        await AsyncConnectionPool.check_connection(connection)


class StorePool(AsyncConnectionPool[SessionConnection]):
    """A pool whose connections may be set for a bank, and whose plain ones never are."""

    transaction_settings: dict[str, str]  # what each transaction sets for itself (pgbouncer)

    @asynccontextmanager
    async def connection(
        self,
        timeout: float | None = None,  # noqa: ASYNC109 - the same
    ) -> AsyncIterator[SessionConnection]:
        """As the library's; nothing of an earlier reading is left in the session."""
        async with super().connection(timeout) as connection:
            await unbind(connection)
            yield connection
