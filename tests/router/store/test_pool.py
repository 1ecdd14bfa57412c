import asyncio
from pathlib import Path

import psycopg
import pytest

from channels.errors import BadInput, ConfigError, Unavailable
from router.store.facts import ServerFacts, require_supported, server_facts
from router.store.pool import bank_transaction, open_pool
from router.store.session import StorePool

SETTINGS = (
    "TimeZone",
    "plan_cache_mode",
    "jit",
    "idle_in_transaction_session_timeout",
    "hnsw.iterative_scan",
    "hnsw.max_scan_tuples",
    "role",
)
PROFILE = ("UTC", "force_custom_plan", "off", "30s", "relaxed_order", "40000", "fivefold_app")
READ = "select " + ", ".join(f"current_setting('{name}')" for name in SETTINGS)


def test_every_connection_has_the_profile(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=2) as pool, pool.connection() as connection:
            assert await (await connection.execute(READ)).fetchone() == PROFILE
            assert connection.autocommit

    asyncio.run(check())


def test_options_of_the_dsn_are_kept(database: str) -> None:
    async def check() -> None:
        dsn = psycopg.conninfo.make_conninfo(database, options="-c work_mem=5MB")
        async with await open_pool(dsn, size=2) as pool, pool.connection() as connection:
            assert await (await connection.execute("show work_mem")).fetchone() == ("5MB",)
            assert await (await connection.execute("show jit")).fetchone() == ("off",)

    asyncio.run(check())


def test_behind_pgbouncer_the_profile_lives_in_the_transaction_and_nowhere_else(
    database: str,
) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1, pgbouncer=True) as pool:
            async with bank_transaction(pool, 1) as connection:
                assert await (await connection.execute(READ)).fetchone() == PROFILE
                assert connection.prepare_threshold is None
                for _ in range(8):
                    await connection.execute("select %s::int", (1,))
            async with pool.connection() as connection:
                left = await connection.execute(
                    "select current_setting('role'), current_setting('fivefold.bank', true), "
                    "current_setting('plan_cache_mode'), "
                    "(select count(*) from pg_prepared_statements)"
                )
                assert await left.fetchone() == ("none", "", "auto", 0)

    asyncio.run(check())


def test_bank_transaction_commits_and_leaves_no_bank_behind(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            async with bank_transaction(pool, 5, timeout_ms=900) as connection:
                await connection.execute("insert into bank_stats (bank_id) values (5)")
            async with bank_transaction(pool, 5) as connection:
                row = await connection.execute(
                    "select count(*), current_setting('statement_timeout') from bank_stats"
                )
                assert await row.fetchone() == (1, "0")
            async with pool.connection() as connection:
                row = await connection.execute("select current_setting('fivefold.bank', true)")
                assert await row.fetchone() == ("",)

    asyncio.run(check())


def test_bank_transaction_that_fails_keeps_nothing(database: str) -> None:
    async def fail(pool: StorePool) -> None:
        async with bank_transaction(pool, 5) as connection:
            await connection.execute("insert into bank_stats (bank_id) values (5)")
            await connection.execute("select 1 / 0")

    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            with pytest.raises(psycopg.errors.DivisionByZero):
                await fail(pool)
            async with bank_transaction(pool, "all") as connection:
                row = await connection.execute("select count(*) from bank_stats")
                assert await row.fetchone() == (0,)

    asyncio.run(check())


def test_read_only_transaction_refuses_to_write(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
                async with bank_transaction(pool, 5, read_only=True) as connection:
                    await connection.execute("insert into bank_stats (bank_id) values (5)")

    asyncio.run(check())


@pytest.mark.parametrize("timeout_ms", [0, -3])
def test_budget_that_is_used_up_is_not_read_as_no_limit(database: str, timeout_ms: int) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            with pytest.raises(BadInput, match="timeout_ms"):
                async with bank_transaction(pool, 1, timeout_ms=timeout_ms):
                    pass

    asyncio.run(check())


def test_database_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="FIVEFOLD_DATABASE_URL"):
        asyncio.run(open_pool(f"host={tmp_path} dbname=none"))


def test_connection_lost_inside_a_transaction_is_unavailable_and_the_next_one_works(
    database: str,
) -> None:
    async def lose(pool: StorePool) -> None:
        async with bank_transaction(pool, 1) as connection:
            with psycopg.connect(database, autocommit=True) as other:
                pid = connection.info.backend_pid
                other.execute("select pg_terminate_backend(%s, 2000)", (pid,))
            await connection.execute("select 1")

    async def check() -> None:
        async with await open_pool(database, size=2) as pool:
            with pytest.raises(Unavailable, match="connection lost"):
                await lose(pool)
            async with bank_transaction(pool, 1) as connection:
                assert await (await connection.execute("select 1")).fetchone() == (1,)

    asyncio.run(check())


def test_facts_name_the_server(database: str) -> None:
    async def check() -> ServerFacts:
        async with await open_pool(database, size=1) as pool, pool.connection() as connection:
            return await server_facts(connection)

    facts = asyncio.run(check())
    assert facts.postgres >= 15
    assert facts.is_rls_enforced
    require_supported(facts)


@pytest.mark.parametrize(
    ("postgres", "pgvector", "words"),
    [
        (14, "0.8.5", "Postgres 14 is too old"),
        (18, None, "lacks pgvector"),
        (18, "0.7.4", "pgvector 0.7.4 is too old"),
        (18, "0.8", None),
        (15, "0.8.0", None),
        (18, "0.10.1", None),
    ],
)
def test_too_old_a_server_is_refused(
    postgres: int, pgvector: str | None, words: str | None
) -> None:
    facts = ServerFacts(postgres, pgvector, is_superuser=False, is_rls_enforced=True)
    if words is None:
        require_supported(facts)
        return
    with pytest.raises(ConfigError, match=words):
        require_supported(facts)


def test_database_before_its_first_migration_is_told_to_migrate(bare_database: str) -> None:
    async def check() -> ServerFacts:
        async with await open_pool(bare_database, size=1) as pool, pool.connection() as connection:
            return await server_facts(connection)

    with pytest.raises(ConfigError, match="migrate"):
        require_supported(asyncio.run(check()))
