"""What the database is and can do, and whether that is enough."""

import re
from dataclasses import dataclass

import structlog
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from channels.errors import ConfigError

SETTING = "FIVEFOLD_DATABASE_URL"
MIN_POSTGRES = 15
MIN_PGVECTOR = (0, 8, 0)  # iterative scans
SOUND_PGVECTOR = (0, 8, 4)  # 0.8.2 to 0.8.4 mended index corruption by vacuum and parallel builds

log = structlog.get_logger()

FACTS = """
select current_setting('server_version_num')::int / 10000,
       (select extversion from pg_extension where extname = 'vector'),
       (select rolsuper from pg_roles where rolname = session_user),
       coalesce((select row_security_active(oid)
                 from pg_class where oid = to_regclass('memories')), false)
"""


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """One connection's view of its server."""

    postgres: int  # major version
    pgvector: str | None  # None: the extension is not created in this database
    is_superuser: bool  # the login, whatever role it has switched to
    is_rls_enforced: bool  # row security binds the current role on `memories`


async def server_facts(connection: AsyncConnection[TupleRow]) -> ServerFacts:
    """Look up what `connection` is talking to, in one round trip."""
    row = await (await connection.execute(FACTS)).fetchone()
    assert row is not None  # noqa: S101 - a select without from always returns a row
    return ServerFacts(row[0], row[1], row[2], row[3])


def require_supported(facts: ServerFacts) -> None:
    """Raise ConfigError unless Postgres is 15 or later and pgvector 0.8.0 or later.

    A pgvector before 0.8.4, or row security that does not bind us, is logged as a warning.
    """
    require_postgres(facts.postgres)
    if facts.pgvector is None:
        raise ConfigError(SETTING, "the database lacks pgvector; run `fivefold migrate` first")
    numbers = [int(part) for part in re.findall(r"\d+", facts.pgvector)]
    version = tuple((*numbers, 0, 0, 0)[:3])
    if version < MIN_PGVECTOR:
        raise ConfigError(
            SETTING,
            f"pgvector {facts.pgvector} is too old, 0.8.0 is the least; upgrade it, then "
            "run `alter extension vector update`",
        )
    if version < SOUND_PGVECTOR:
        log.warning("pgvector_outdated", version=facts.pgvector, advised="0.8.4")
    if not facts.is_rls_enforced:
        log.warning(
            "row_security_off", advice="run `fivefold migrate` with a login that may create roles"
        )


def require_postgres(major: int) -> None:
    """Raise ConfigError for a Postgres older than we support."""
    if major < MIN_POSTGRES:
        raise ConfigError(SETTING, f"Postgres {major} is too old, {MIN_POSTGRES} is the least")
