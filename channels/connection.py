"""How lanes and feedback reach the store, without knowing who keeps the pool."""

from contextlib import AbstractAsyncContextManager
from typing import Any, Literal, Protocol

from psycopg import AsyncConnection

Connection = AsyncConnection[Any]


class Transaction(Protocol):
    """Opens one pooled connection in a transaction that sees one bank ("all": maintenance).

    Statements are cancelled after `timeout_ms`. Raises Unavailable when no connection is free in
    time or the database does not answer. Never ask for a second connection inside.
    """

    def __call__(
        self, bank: int | Literal["all"], *, timeout_ms: int | None = None
    ) -> AbstractAsyncContextManager[Connection]: ...
