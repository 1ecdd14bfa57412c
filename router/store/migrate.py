"""The schema brought up to date: numbered SQL files, forward only, each applied once."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import LiteralString

import psycopg
from psycopg import Connection, sql
from psycopg.rows import TupleRow

from channels.errors import ConfigError, Unavailable
from router.store.facts import require_postgres
from router.store.pool import APP_ROLE

LOCK = 0x6669766566  # the letters "fivef"; one migrator at a time in a database

LEDGER = """
create table if not exists schema_migrations (
  version int primary key, name text not null, checksum text not null,
  applied_at timestamptz not null
)
"""
ENTER = """
insert into schema_migrations (version, name, checksum, applied_at)
values (%(version)s, %(name)s, %(checksum)s, clock_timestamp())
"""
ROLE_FACTS = """
select exists (select from pg_roles where rolname = %(role)s), rolsuper or rolcreaterole, rolsuper
from pg_roles where rolname = current_user
"""
GRANTS: Sequence[LiteralString] = (
    "grant usage on schema {schema} to {role}",
    "grant select, insert, update, delete on all tables in schema {schema} to {role}",
    "grant usage, select on all sequences in schema {schema} to {role}",
    "revoke insert, update, delete on schema_migrations from {role}",
    "alter default privileges in schema {schema} "
    "grant select, insert, update, delete on tables to {role}",
    "alter default privileges in schema {schema} grant usage, select on sequences to {role}",
)


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered file. `checksum` is SHA-256 over its text with Unix line ends."""

    version: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrate(dsn: str, *, folder: Traversable | None = None) -> list[str]:
    """Apply what is missing, in order, each file in its own transaction; the names applied.

    Two migrators at once are safe: the second waits, then finds nothing to do. Afterwards the role
    `fivefold_app`, which row security binds, exists and may use every table, if the login may
    create roles. A file that changes rows must set `fivefold.bank` to `all` first: row security
    binds the tables' owner too.

    Raises Unavailable when the database cannot be reached; ConfigError when a file applied earlier
    has changed since, when the database is newer than we are, or when a file fails.
    """
    migrations = read_migrations(folder or files("router.store") / "migrations")
    try:
        connection = psycopg.connect(dsn, autocommit=True, application_name="fivefold migrate")
    except psycopg.OperationalError as error:
        raise Unavailable("database", f"{error}; is FIVEFOLD_DATABASE_URL right?") from error
    try:
        with connection:
            require_postgres(connection.info.server_version // 10_000)
            connection.execute("select pg_advisory_lock(%s)", (LOCK,))  # freed when we disconnect
            applied = _apply_missing(connection, migrations)
            _grant(connection)
    except psycopg.OperationalError as error:
        reason = f"lost while it was migrated ({error}); run `fivefold migrate` again"
        raise Unavailable("database", reason) from error
    return applied


def read_migrations(folder: Traversable) -> list[Migration]:
    """Return the files `NNNN_name.sql` in order. ConfigError when numbers repeat or leave a gap."""
    found = []
    for entry in folder.iterdir():
        match = re.fullmatch(r"(\d{4})_\w+\.sql", entry.name)
        if match:
            text = entry.read_text(encoding="utf-8").replace("\r\n", "\n")
            found.append(Migration(int(match[1]), entry.name, text))
    found.sort(key=lambda migration: migration.name)
    if [migration.version for migration in found] != list(range(1, len(found) + 1)):
        names = ", ".join(migration.name for migration in found)
        raise ConfigError(
            "migrations", f"numbers must run from 0001 without gap or repeat: {names}"
        )
    return found


def _apply_missing(connection: Connection[TupleRow], migrations: Sequence[Migration]) -> list[str]:
    connection.execute(LEDGER)
    rows = connection.execute("select version, name, checksum from schema_migrations").fetchall()
    _require_unchanged({row[0]: (row[1], row[2]) for row in rows}, migrations)
    known = {row[0] for row in rows}
    missing = [migration for migration in migrations if migration.version not in known]
    if missing:
        _require_pgvector(connection)
    for migration in missing:
        _apply(connection, migration)
    return [migration.name for migration in missing]


def _require_unchanged(
    applied: Mapping[int, tuple[str, str]], migrations: Sequence[Migration]
) -> None:
    ours = {migration.version: migration for migration in migrations}
    for version, (name, checksum) in sorted(applied.items()):
        if version not in ours:
            raise ConfigError(
                name, "the database was migrated by a newer fivefold; upgrade this one"
            )
        if ours[version].checksum != checksum:
            raise ConfigError(
                ours[version].name,
                "the file has changed since it was applied; restore it and put the change into "
                "a new migration",
            )


def _apply(connection: Connection[TupleRow], migration: Migration) -> None:
    facts = {"version": migration.version, "name": migration.name, "checksum": migration.checksum}
    try:
        with connection.transaction():
            # Several commands at once: only the unprepared simple protocol takes them.
            connection.execute(migration.text, prepare=False)
            connection.execute(ENTER, facts)
    except psycopg.Error as error:
        reason = f"failed and was rolled back: {error}"
        raise ConfigError(migration.name, reason) from error


def _require_pgvector(connection: Connection[TupleRow]) -> None:
    statement = "select from pg_available_extensions where name = 'vector'"
    if connection.execute(statement).fetchone() is None:
        raise ConfigError(
            "FIVEFOLD_DATABASE_URL", "the server has no pgvector; install it (0.8.0 or later) there"
        )


def _grant(connection: Connection[TupleRow]) -> None:
    row = connection.execute(ROLE_FACTS, {"role": APP_ROLE}).fetchone()
    exists, may_create, is_super = row if row is not None else (False, False, False)
    if not exists and not may_create:
        return  # a plain login is bound by row security itself and needs no second role
    role = sql.Identifier(APP_ROLE)
    if not exists:
        _create_role(connection, role)
    if may_create and not is_super:
        connection.execute(sql.SQL("grant {role} to current_user").format(role=role))
    schema = sql.Identifier(str(connection.execute("select current_schema()").fetchone()[0]))  # type: ignore[index] # always a row
    with connection.transaction():
        for grant in GRANTS:
            connection.execute(sql.SQL(grant).format(schema=schema, role=role))


def _create_role(connection: Connection[TupleRow], role: sql.Identifier) -> None:
    # Roles are the whole server's: another database's migrator may be faster.
    with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        connection.execute(sql.SQL("create role {role} nologin nobypassrls").format(role=role))
