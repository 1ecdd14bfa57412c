import asyncio
from collections.abc import Sequence

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.errors import BadInput, Unavailable
from router.store.pool import bank_reading, bank_transaction, open_pool
from router.store.session import StorePool

SESSION = "select current_setting('fivefold.bank', true), current_setting('statement_timeout')"
Step = tuple[str, int | None, int | None]  # how the connection is taken, bank, timeout


async def _seen(pool: StorePool, step: Step) -> tuple[str, str]:
    how, bank, timeout = step
    if how == "reading":
        opened = bank_reading(pool, bank or 1, timeout_ms=timeout or 1)
    elif how == "transaction":
        opened = bank_transaction(pool, bank or 1, timeout_ms=timeout)
    else:
        opened = pool.connection()
    async with opened as connection:
        row = await (await connection.execute(SESSION)).fetchone()
    assert row is not None
    return (row[0] or "", row[1])


def _wanted(step: Step) -> tuple[str, str]:
    how, bank, timeout = step
    if how == "plain":
        return ("", "0")
    return (str(bank), f"{timeout}ms" if timeout else "0")


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("reading"), st.sampled_from([1, 2]), st.sampled_from([901, 902])),
        st.tuples(st.just("transaction"), st.sampled_from([1, 2]), st.sampled_from([None, 903])),
        st.tuples(st.just("plain"), st.none(), st.none()),
    ),
    min_size=2,
    max_size=12,
)


def test_whoever_comes_next_on_a_connection_sees_only_its_own_bank_and_limit(database: str) -> None:
    async def walk(steps: Sequence[Step]) -> list[tuple[str, str]]:
        async with await open_pool(database, size=1) as pool:
            return [await _seen(pool, step) for step in steps]

    @settings(max_examples=25, deadline=None)
    @given(STEPS)
    def check(steps: list[Step]) -> None:
        assert asyncio.run(walk(steps)) == [_wanted(step) for step in steps]

    check()


def test_second_reading_of_the_same_bank_sends_no_settings(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            pids = set()
            for _ in range(2):
                async with bank_reading(pool, 7, timeout_ms=500) as connection:
                    assert connection.bound == (7, 500)  # type: ignore[attr-defined] # ours
                    pids.add(connection.info.backend_pid)
                    assert connection.info.transaction_status.name == "IDLE"
            assert len(pids) == 1

    asyncio.run(check())


def test_statement_that_fails_leaves_the_reading_usable(database: str) -> None:
    async def check() -> None:
        async with (
            await open_pool(database, size=1) as pool,
            bank_reading(pool, 7, timeout_ms=500) as connection,
        ):
            with pytest.raises(psycopg.errors.DivisionByZero):
                await connection.execute("select 1 / 0")
            assert await (await connection.execute("select 1")).fetchone() == (1,)

    asyncio.run(check())


def test_reading_is_cancelled_by_the_server_at_its_limit(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            with pytest.raises(psycopg.errors.QueryCanceled):
                async with bank_reading(pool, 7, timeout_ms=30) as connection:
                    await connection.execute("select pg_sleep(5)")

    asyncio.run(check())


def test_reading_without_time_is_refused(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            with pytest.raises(BadInput, match="timeout_ms"):
                async with bank_reading(pool, 7, timeout_ms=0):
                    pass

    asyncio.run(check())


def test_connection_killed_while_idle_costs_no_failed_reading(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            async with bank_reading(pool, 7, timeout_ms=5_000) as connection:
                pid = connection.info.backend_pid
            with psycopg.connect(database, autocommit=True) as other:
                other.execute("select pg_terminate_backend(%s, 2000)", (pid,))
            async with bank_reading(pool, 7, timeout_ms=5_000) as connection:
                assert await (await connection.execute("select 1")).fetchone() == (1,)
                assert connection.info.backend_pid != pid

    asyncio.run(check())


def test_connection_lost_inside_a_reading_is_unavailable(database: str) -> None:
    async def lose(pool: StorePool) -> None:
        async with bank_reading(pool, 7, timeout_ms=5_000) as connection:
            with psycopg.connect(database, autocommit=True) as other:
                pid = connection.info.backend_pid
                other.execute("select pg_terminate_backend(%s, 2000)", (pid,))
            await connection.execute("select 1")

    async def check() -> None:
        async with await open_pool(database, size=1) as pool:
            with pytest.raises(Unavailable, match="connection lost"):
                await lose(pool)

    asyncio.run(check())


def test_behind_pgbouncer_a_reading_leaves_nothing_in_the_session(database: str) -> None:
    async def check() -> None:
        async with await open_pool(database, size=1, pgbouncer=True) as pool:
            async with bank_reading(pool, 7, timeout_ms=500) as connection:
                row = await (await connection.execute(SESSION)).fetchone()
                assert row == ("7", "500ms")
            async with pool.connection() as connection:
                row = await (await connection.execute(SESSION)).fetchone()
                assert row == ("", "0")

    asyncio.run(check())
