"""Connections to the store: how each is set up, and one transaction bound to one bank."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal, LiteralString

import psycopg
from pgvector.psycopg import register_vector_async
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import PoolTimeout

from channels.errors import BadInput, Unavailable
from router.store.session import SessionConnection, StorePool, bind, check_quiet, unbind

APP_ROLE = "fivefold_app"
MIN_SIZE = 4
OPEN_TIMEOUT_S = 10.0
# Tries of one lost connection back off from 1 s, doubling. The default of 300 s lets the pool sleep
# for as long as the database was away; one given up is made anew by the next caller.
RECONNECT_S = 5.0

# On the sixth call of a prepared statement Postgres may flip to a plan that knows neither the
# bank's size nor the words' frequency: 0.6 -> 6.4 ms. jit compiles longer than our statements run.
SESSION: Mapping[str, str] = {
    "timezone": "UTC",
    "plan_cache_mode": "force_custom_plan",
    "jit": "off",
    "idle_in_transaction_session_timeout": "30s",
}
# An HNSW scan under a bank filter goes on until it has enough rows, over at most this many.
VECTOR_SESSION: Mapping[str, str] = {
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.max_scan_tuples": "40000",
}
LOGIN_FACTS = """
select coalesce((select string_to_array(substring(extversion, '[0-9.]+'), '.')::int[] >= '{0,8}'
                 from pg_extension where extname = 'vector'), false),
       exists (select from pg_roles login, pg_roles app
               where login.rolname = session_user and (login.rolsuper or login.rolbypassrls)
                 and app.rolname = %(role)s and pg_has_role(session_user, app.oid, 'member'))
"""
SET: LiteralString = "set_config(%s, %s, %s)"


async def open_pool(
    dsn: str, *, size: int = 16, timeout_s: float = 2.0, pgbouncer: bool = False
) -> StorePool:
    """Open a pool of at most `size` connections; a caller waits `timeout_s` for one.

    Every connection is in autocommit (a select leaves no transaction behind), has the session
    profile above, knows pgvector's types and, when its login would pass by row security, works as
    `fivefold_app`. It is looked at when handed out, so a restarted server costs no failed call.

    With `pgbouncer` (transaction mode) nothing may outlive a transaction on the server: there are
    no prepared statements, and each `bank_transaction` sets profile and role for itself. Statements
    outside one then run with the login's own rights and settings.

    Migrate first: types and role are looked up when a connection is made. Raises Unavailable when
    the database cannot be reached.
    """
    kwargs = _connect_options(dsn, pgbouncer)
    needed = await _probe(dsn, kwargs)
    pool = StorePool(
        dsn,
        connection_class=SessionConnection,
        kwargs=kwargs,
        min_size=min(MIN_SIZE, size),
        max_size=size,
        timeout=timeout_s,
        reconnect_timeout=RECONNECT_S,
        check=check_quiet,
        configure=_register_types if pgbouncer else _configure,
        open=False,
        name="fivefold",
    )
    pool.transaction_settings = {**SESSION, **needed} if pgbouncer else {}
    try:
        await pool.open(wait=True, timeout=OPEN_TIMEOUT_S)
    except PoolTimeout as error:
        await pool.close()
        raise Unavailable("database", f"{error}; does it allow {size} connections?") from error
    return pool


@asynccontextmanager
async def bank_transaction(
    pool: StorePool,
    bank: int | Literal["all"],
    *,
    timeout_ms: int | None = None,
    read_only: bool = False,
) -> AsyncIterator[AsyncConnection[TupleRow]]:
    """One connection in one transaction that sees one bank's rows, or every bank's for `"all"`.

    Each statement is cancelled by the server after `timeout_ms`. Never ask for a second one inside:
    with every connection held and waiting for another, all would time out.

    Raises Unavailable when no connection is free in time or the server goes away.
    """
    settings = {**pool.transaction_settings, "fivefold.bank": str(bank)}
    if timeout_ms is not None:
        settings["statement_timeout"] = str(_positive(timeout_ms))
    if read_only:
        settings["transaction_read_only"] = "on"
    async with _connection(pool) as connection:
        if timeout_ms is None:
            await unbind(connection)  # else the limit of an earlier reading would hold
        try:
            # BEGIN, settings, COMMIT: .28 ms; pipeline mode costs more than the trip it saves.
            async with connection.transaction():
                await _set(connection, settings, local=True)
                yield connection
        except psycopg.OperationalError as error:
            if connection.closed:
                raise Unavailable("database", f"connection lost: {error}") from error
            raise


@asynccontextmanager
async def bank_reading(
    pool: StorePool, bank: int | Literal["all"], *, timeout_ms: int
) -> AsyncIterator[AsyncConnection[TupleRow]]:
    """One connection that sees one bank's rows, each statement a transaction of its own.

    For selects that need no common snapshot; behind pgbouncer they get a transaction all the same,
    because its sessions keep nothing. Otherwise as `bank_transaction`.
    """
    if pool.transaction_settings:
        async with bank_transaction(
            pool, bank, timeout_ms=timeout_ms, read_only=True
        ) as connection:
            yield connection
        return
    async with _connection(pool) as connection:
        try:
            await bind(connection, bank, _positive(timeout_ms))
            yield connection
        except psycopg.OperationalError as error:
            if connection.closed:
                raise Unavailable("database", f"connection lost: {error}") from error
            raise


@asynccontextmanager
async def _connection(pool: StorePool) -> AsyncIterator[SessionConnection]:
    try:
        connection = await pool.getconn()
    except PoolTimeout as error:
        facts = pool.get_stats()
        told = ", ".join(
            f"{name} {facts.get(name, 0)}"
            for name in ("pool_size", "pool_available", "requests_waiting", "connections_errors")
        )
        raise Unavailable("database pool", f"{error} ({told})") from error
    try:
        yield connection
    finally:
        await pool.putconn(connection)


def _connect_options(dsn: str, pgbouncer: bool) -> dict[str, Any]:
    kwargs: dict[str, Any] = {"autocommit": True, "application_name": "fivefold"}
    if pgbouncer:
        return {**kwargs, "prepare_threshold": None}
    own = conninfo_to_dict(dsn).get("options") or ""
    profile = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
    return {**kwargs, "options": f"{own} {profile}".strip()}


async def _probe(dsn: str, kwargs: Mapping[str, Any]) -> Mapping[str, str]:
    # One connection by hand first: a pool that cannot connect only says that it waited too long.
    try:
        async with await AsyncConnection.connect(dsn, **kwargs) as connection:
            return await _login_settings(connection)
    except psycopg.OperationalError as error:
        raise Unavailable("database", f"{error}; is FIVEFOLD_DATABASE_URL right?") from error


async def _login_settings(connection: AsyncConnection[TupleRow]) -> Mapping[str, str]:
    row = await (await connection.execute(LOGIN_FACTS, {"role": APP_ROLE})).fetchone()
    assert row is not None  # noqa: S101 - a select without from always returns a row
    knows_scans, passes_row_security = row
    settings = dict(VECTOR_SESSION) if knows_scans else {}
    return {**settings, "role": APP_ROLE} if passes_row_security else settings


async def _configure(connection: AsyncConnection[TupleRow]) -> None:
    await _register_types(connection)
    await _set(connection, await _login_settings(connection), local=False)


async def _register_types(connection: AsyncConnection[TupleRow]) -> None:
    found = await connection.execute("select to_regtype('vector') is not null")
    if await found.fetchone() == (True,):
        await register_vector_async(connection)


async def _set(
    connection: AsyncConnection[TupleRow], settings: Mapping[str, str], *, local: bool
) -> None:
    if not settings:
        return
    values = [part for name, value in settings.items() for part in (name, value, local)]
    # One call per setting in one select: over unnest(%s, %s) it takes .2 ms more, all planning.
    await connection.execute("select " + ", ".join([SET] * len(settings)), values)


def _positive(timeout_ms: int) -> int:
    # Postgres reads 0 as no limit, the opposite of a budget that is used up.
    if timeout_ms <= 0:
        raise BadInput("timeout_ms", f"{timeout_ms} leaves no time; give at least 1")
    return timeout_ms
