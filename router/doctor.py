"""`fivefold doctor`: what runs, where, and whether it is sound. Looks, and changes nothing."""

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.resources import files
from typing import Literal

import psycopg
from psycopg.conninfo import conninfo_to_dict

from channels.connection import Connection
from channels.errors import ConfigError, Unavailable
from channels.semantic import EXACT_ROWS
from router.doctor_banks import MAINTAIN, examine_bank
from router.embedders import Embedders
from router.finding import Finding, judged
from router.settings import Settings
from router.store import soundness
from router.store.banks import CONTENT_TABLES, Banks
from router.store.facts import SOUND_PGVECTOR, require_supported, server_facts
from router.store.migrate import read_migrations
from router.store.pool import bank_transaction, open_pool
from router.store.session import StorePool
from router.store.statements import statement

MIGRATE = "run `fivefold migrate`"
APPLIED = "select version, checksum from schema_migrations order by version"


async def examine(
    settings: Settings,
    dsn: str,
    *,
    bank: str | None = None,
    embedders: Embedders | None = None,
    bound: int = EXACT_ROWS,
) -> list[Finding]:
    """What is found about the server, the schema and each bank, or the one named.

    Banks are only looked at once the schema is up to date. Raises NotFound for an unknown bank.
    """
    where = Finding("database", "ok", place(settings))
    try:
        async with _connected(settings, dsn) as (login, pool):
            found = [where, *await _server(login, pool, settings)]
            schema = await migrations(login)
            found.append(schema)
            if schema.status == "fail":
                return found
            found += await _schema(login, pool)
            models = embedders or Embedders.of(settings)
            try:
                return found + await _banks(login, pool, bank, models, bound)
            finally:
                if embedders is None:
                    models.close()
    except (Unavailable, psycopg.OperationalError) as error:
        detail = f"{where.detail}: {' '.join(str(error).split())}"
        hint = "is the server running, and FIVEFOLD_DATABASE_URL right?"
        return [Finding("database", "fail", detail, hint)]


def place(settings: Settings) -> str:
    """Where the database is, without any secret of its address."""
    if settings.dsn is None:
        return f"embedded, in {settings.data_dir}"
    try:
        parts: Mapping[str, object] = conninfo_to_dict(settings.dsn)
    except psycopg.ProgrammingError:
        return "external, at an address that cannot be read"
    known = [f"{name} {parts[name]}" for name in ("host", "port", "dbname") if parts.get(name)]
    return f"external, {', '.join(known) or 'at the default address'}"


async def migrations(login: Connection) -> Finding:
    """Whether exactly the migrations that we ship are applied, unchanged."""
    shipped = read_migrations(files("router.store") / "migrations")
    row = await (await login.execute("select to_regclass('schema_migrations')")).fetchone()
    rows = await (await login.execute(APPLIED)).fetchall() if row and row[0] else []
    applied = dict(rows)
    ours = {one.version: one for one in shipped}
    missing = [one.name for one in shipped if one.version not in applied]
    changed = [
        one.name for one in shipped if applied.get(one.version, one.checksum) != one.checksum
    ]
    detail = f"{len(applied)} applied, {len(shipped)} shipped"
    if applied.keys() - ours.keys():
        detail += "; the database was migrated by a newer fivefold"
        return Finding("migrations", "fail", detail, "upgrade this fivefold")
    if changed:
        detail += f"; changed since they were applied: {', '.join(changed)}"
        return Finding("migrations", "fail", detail, "restore these files")
    detail += f"; missing: {', '.join(missing)}" if missing else ""
    return judged("migrations", not missing, detail, MIGRATE)


@asynccontextmanager
async def _connected(settings: Settings, dsn: str) -> AsyncIterator[tuple[Connection, StorePool]]:
    """The login's own connection, which sees the catalogue whole, and the pool recalls use."""
    pool = await open_pool(
        dsn,
        size=settings.pool_size,
        timeout_s=settings.pool_timeout_s,
        pgbouncer=settings.pgbouncer,
    )
    async with (
        pool,
        await psycopg.AsyncConnection.connect(
            dsn, autocommit=True, application_name="fivefold doctor"
        ) as login,
    ):
        yield login, pool


async def _server(login: Connection, pool: StorePool, settings: Settings) -> list[Finding]:
    async with pool.connection() as conn:
        facts = await server_facts(conn)
    numbers = tuple(int(part) for part in re.findall(r"\d+", facts.pgvector or ""))
    version = login.info.parameter_status("server_version") or str(facts.postgres)
    detail = f"Postgres {version}, pgvector {facts.pgvector or 'none'}"
    try:
        require_supported(facts)
    except ConfigError as error:
        return [Finding("versions", "fail", detail, error.reason)]
    return [
        judged("versions", (*numbers, 0, 0)[:3] >= SOUND_PGVECTOR, detail,
               "upgrade pgvector to 0.8.4, which mends index corruption", otherwise="warn"),
        await _pool(login, settings),
    ]  # fmt: skip


async def _pool(login: Connection, settings: Settings) -> Finding:
    row = await (await login.execute(statement("connections"))).fetchone()
    allowed, held = row or (0, 0)
    detail = f"up to {settings.pool_size}; the server allows {allowed}, others hold {held}"
    hint = "lower FIVEFOLD_POOL_SIZE, or raise the server's max_connections"
    return judged("pool", settings.pool_size <= allowed - held, detail, hint, otherwise="warn")


async def _schema(login: Connection, pool: StorePool) -> list[Finding]:
    async with pool.connection() as conn:
        is_bound = (await server_facts(conn)).is_rls_enforced
    tables = {"tables": list(CONTENT_TABLES)}
    bare = await _names(login, "unguarded", tables)
    loose = await _names(login, "moved_out", {})
    orphans = [one.name for one in await soundness.vector_indexes(login) if one.bank is None]
    return [
        judged("row_security", not bare,
               f"on {len(CONTENT_TABLES) - len(bare)} of {len(CONTENT_TABLES)} tables"
               + (f", not on {', '.join(bare)}" if bare else ""),
               "restore the policies of 0004_row_security.sql"),
        judged("row_security_enforced", is_bound,
               "binds our role" if is_bound else "does not bind our role",
               "run `fivefold migrate` with a login that may create roles"),
        judged("vectors_inline", not loose,
               f"may leave their row: {', '.join(loose)}" if loose else "vectors stay in their row",
               "run `alter table … alter … set storage main`, then `vacuum full`"),
        judged("orphaned_indexes", not orphans, ", ".join(orphans) or "none", MAINTAIN,
               otherwise="warn"),
    ]  # fmt: skip


async def _names(login: Connection, name: str, values: Mapping[str, object]) -> list[str]:
    return [row[0] for row in await (await login.execute(statement(name), values)).fetchall()]


async def _banks(
    login: Connection, pool: StorePool, name: str | None, embedders: Embedders, bound: int
) -> list[Finding]:
    def transaction(
        bank: int | Literal["all"], *, timeout_ms: int | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        return bank_transaction(pool, bank, timeout_ms=timeout_ms, read_only=True)

    indexes = await soundness.vector_indexes(login)
    banks = Banks(transaction)
    found: list[Finding] = []
    for bank in await banks.list() if name is None else [await banks.get(name)]:
        found += await examine_bank(transaction, bank, embedders, indexes, bound=bound)
    return found
