import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from router.store.facts import server_facts
from router.store.migrate import migrate
from router.store.pool import bank_transaction, open_pool
from router.store.session import StorePool

INSERT = "insert into bank_stats (bank_id, docs) values (%s, %s)"


@asynccontextmanager
async def two_banks(dsn: str, *, pgbouncer: bool = False) -> AsyncIterator[StorePool]:
    async with await open_pool(dsn, size=3, pgbouncer=pgbouncer) as pool:
        for bank in (1, 2):
            async with bank_transaction(pool, bank) as connection:
                await connection.execute(INSERT, (bank, 10 * bank))
        yield pool


async def banks_seen(pool: StorePool, bank: int | str) -> list[int]:
    async with bank_transaction(pool, bank) as connection:  # type: ignore[arg-type] # str tried too
        found = await connection.execute("select bank_id from bank_stats order by bank_id")
        return [row[0] for row in await found.fetchall()]


@pytest.mark.parametrize("pgbouncer", [False, True])
def test_statement_that_forgets_the_bank_sees_only_its_own(database: str, pgbouncer: bool) -> None:
    async def check() -> None:
        async with two_banks(database, pgbouncer=pgbouncer) as pool:
            assert await banks_seen(pool, 1) == [1]
            assert await banks_seen(pool, 2) == [2]
            assert await banks_seen(pool, 3) == []
            assert await banks_seen(pool, "all") == [1, 2]

    asyncio.run(check())


def test_without_a_bank_nothing_is_seen_even_on_a_used_connection(database: str) -> None:
    async def check() -> None:
        async with two_banks(database) as pool, pool.connection() as connection:
            found = await connection.execute("select count(*) from bank_stats")
            assert await found.fetchone() == (0,)

    asyncio.run(check())


def test_row_of_another_bank_cannot_be_written(database: str) -> None:
    async def check() -> None:
        async with two_banks(database) as pool:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                async with bank_transaction(pool, 1) as connection:
                    await connection.execute(INSERT, (3, 1))
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                async with bank_transaction(pool, 1) as connection:
                    await connection.execute("update bank_stats set bank_id = 3")

    asyncio.run(check())


def test_update_and_delete_without_the_bank_leave_other_banks_alone(database: str) -> None:
    async def check() -> None:
        async with two_banks(database) as pool:
            async with bank_transaction(pool, 1) as connection:
                await connection.execute("update bank_stats set docs = 0")
                await connection.execute("delete from bank_stats")
            async with bank_transaction(pool, "all") as connection:
                found = await connection.execute("select bank_id, docs from bank_stats")
                assert await found.fetchall() == [(2, 20)]

    asyncio.run(check())


def test_every_table_with_a_bank_is_behind_the_wall(database: str) -> None:
    # banks itself is the map of names to numbers that is read before a bank is known.
    statement = """
        select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relkind = 'r' and a.attname = 'bank_id' and c.relnamespace = 'public'::regnamespace
          and not (c.relrowsecurity and c.relforcerowsecurity)"""
    with psycopg.connect(database) as connection:
        assert connection.execute(statement).fetchall() == [("banks",)]


def test_superuser_login_is_bound_once_it_comes_through_the_pool(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=2) as pool, pool.connection() as connection:
            facts = await server_facts(connection)
            assert facts.is_superuser
            assert facts.is_rls_enforced

    asyncio.run(check())


@pytest.fixture
def plain_login(bare_database: str) -> Iterator[str]:
    """The DSN of a login without any right but on its own, empty database with pgvector."""
    name = f"plain_{uuid.uuid4().hex[:8]}"
    dbname = str(conninfo_to_dict(bare_database)["dbname"])
    words: dict[str, sql.Composable] = {
        "name": sql.Identifier(name),
        "secret": sql.Literal(name),
        "database": sql.Identifier(dbname),
    }
    with psycopg.connect(bare_database, autocommit=True) as connection:
        connection.execute("create extension vector")
        connection.execute(sql.SQL("create role {name} login password {secret}").format(**words))
        connection.execute(sql.SQL("alter database {database} owner to {name}").format(**words))
        yield make_conninfo(bare_database, user=name, password=name)
        connection.execute(sql.SQL("drop owned by {name} cascade").format(**words))
        connection.execute(sql.SQL("reassign owned by {name} to current_user").format(**words))
        connection.execute(sql.SQL("drop role {name}").format(**words))


def test_plain_login_that_owns_the_tables_is_bound_without_another_role(plain_login: str) -> None:
    async def check() -> None:
        async with two_banks(plain_login) as pool:
            assert await banks_seen(pool, 1) == [1]
            assert await banks_seen(pool, "all") == [1, 2]
            async with pool.connection() as connection:
                facts = await server_facts(connection)
                assert (facts.is_superuser, facts.is_rls_enforced) == (False, True)
                found = await connection.execute("select count(*) from bank_stats")
                assert await found.fetchone() == (0,)

    assert migrate(plain_login)
    asyncio.run(check())


def test_second_tenant_reuses_a_connection_and_inherits_no_bank(database: str) -> None:
    async def check() -> None:
        async with two_banks(database) as pool:
            seen = await asyncio.gather(*(banks_seen(pool, 1 + turn % 2) for turn in range(40)))
            assert seen == [[1 + turn % 2] for turn in range(40)]

    asyncio.run(check())


def test_filtered_statement_still_uses_the_primary_key(database: str) -> None:
    async def check() -> None:
        async with two_banks(database) as pool, bank_transaction(pool, 1) as connection:
            await connection.execute("set local enable_seqscan = off")
            plan = await connection.execute("explain select from bank_stats where bank_id = 1")
            text = "\n".join(row[0] for row in await plan.fetchall())
            assert "bank_stats_pkey" in text

    asyncio.run(check())
