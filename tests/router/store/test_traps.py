"""What Postgres, psycopg and pgvector were seen to do to the unwary, and that we are not."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import numpy as np
import psycopg
import pytest
from pgvector import HalfVector
from psycopg.types.json import Jsonb

from channels.errors import Unavailable
from router.store.pool import bank_transaction, open_pool
from router.store.session import StorePool

MEMORY = """
insert into memories (bank_id, key, id, text, kind, created_at, happened, embedder, analyser,
                      embedding, words, has_time, is_question, content_hash)
values (1, %(key)s, %(id)s, %(text)s, 'turn', %(at)s, %(at)s, 1, 1,
        %(embedding)s, 1, false, false, '')
"""
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def within(dsn: str, check: Callable[[StorePool], Awaitable[None]], **options: float) -> None:
    async def checked() -> None:
        async with await open_pool(dsn, **{"size": 3, **options}) as pool:  # type: ignore[arg-type] # numbers
            await check(pool)

    asyncio.run(checked())


async def remember(pool: StorePool, key: int = 1, **changed: object) -> None:
    row = {"key": key, "id": str(key), "text": "x", "at": NOW, "embedding": None, **changed}
    async with bank_transaction(pool, 1) as connection:
        await connection.execute(MEMORY, row)


def test_vectors_stay_in_their_row(database: str) -> None:
    statement = (
        "select attrelid::regclass::text, attname from pg_attribute a join pg_type t "
        "on t.oid = a.atttypid join pg_class c on c.oid = a.attrelid "
        "where t.typname in ('halfvec', 'vector') and c.relkind = 'r' and attstorage <> 'm'"
    )
    with psycopg.connect(database) as connection:
        assert connection.execute(statement).fetchall() == []
        stored = "select attstorage::text from pg_attribute where attname = 'embedding'"
        assert ("m",) in connection.execute(stored).fetchall()


def test_long_text_leaves_the_row_before_the_vector_does(database: str) -> None:
    async def check(pool: StorePool) -> None:
        noise = np.random.default_rng(5)
        text = "".join(chr(code) for code in noise.integers(33, 2000, 3000))
        vector = HalfVector(noise.standard_normal(384))
        await remember(pool, text=text, embedding=vector)
        async with bank_transaction(pool, 1) as connection:
            row = await connection.execute(
                "select pg_column_toast_chunk_id(embedding) is null, "
                "pg_column_toast_chunk_id(text) is null from memories"
            )
            assert await row.fetchone() == (True, False)

    within(database, check)


def test_plan_still_knows_the_values_after_many_runs(database: str) -> None:
    async def check(pool: StorePool) -> None:
        async with bank_transaction(pool, 1) as connection:
            for _ in range(12):
                await connection.execute("select key from memories where bank_id = %s", (1,))
            counts = await connection.execute(
                "select generic_plans, custom_plans > 0 from pg_prepared_statements "
                "where statement like 'select key from memories%'"
            )
            assert await counts.fetchall() == [(0, True)]

    within(database, check)


def test_two_commands_in_one_statement_are_refused_so_each_is_its_own(database: str) -> None:
    async def check(pool: StorePool) -> None:
        async with pool.connection() as connection:
            with pytest.raises(psycopg.errors.SyntaxError):
                await connection.execute("select 1; select %s", (2,))

    within(database, check)


def test_second_connection_asked_for_inside_the_first_fails_in_time_not_never(
    database: str,
) -> None:
    async def check(pool: StorePool) -> None:
        started = time.monotonic()
        async with bank_transaction(pool, 1):
            with pytest.raises(Unavailable, match="database pool"):
                async with bank_transaction(pool, 1):
                    pass
        assert time.monotonic() - started < 2
        async with bank_transaction(pool, 1) as connection:
            await connection.execute("select 1")

    within(database, check, size=1, timeout_s=0.2)


def test_full_pool_says_how_many_wait(database: str) -> None:
    async def check(pool: StorePool) -> None:
        async def hold() -> None:
            async with bank_transaction(pool, 1) as connection:
                await connection.execute("select pg_sleep(.6)")

        outcomes = await asyncio.gather(*(hold() for _ in range(4)), return_exceptions=True)
        refused = [outcome for outcome in outcomes if isinstance(outcome, Unavailable)]
        assert len(refused) == 2
        assert "requests_waiting" in refused[0].reason
        assert refused[0].part == "database pool"

    within(database, check, size=2, timeout_s=0.2)


def test_connections_that_died_in_the_pool_cost_no_failed_call(database: str) -> None:
    async def check(pool: StorePool) -> None:
        await asyncio.gather(*(remember(pool, key) for key in range(3)))
        with psycopg.connect(database, autocommit=True) as other:
            other.execute(
                "select pg_terminate_backend(pid, 2000) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()"
            )
        await asyncio.gather(*(remember(pool, key) for key in range(3, 9)))
        assert pool.get_stats().get("requests_errors", 0) == 0

    within(database, check)


def test_select_outside_a_transaction_leaves_none_open(database: str) -> None:
    async def check(pool: StorePool) -> None:
        async with pool.connection() as connection:
            await connection.execute("select 1")
            assert connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE

    within(database, check)


def test_statement_is_cancelled_by_the_server_at_its_budget(database: str) -> None:
    async def check(pool: StorePool) -> None:
        started = time.monotonic()
        with pytest.raises(psycopg.errors.QueryCanceled):
            async with bank_transaction(pool, 1, timeout_ms=100) as connection:
                await connection.execute("select pg_sleep(5)")
        assert time.monotonic() - started < 2

    within(database, check)


def test_caller_that_gives_up_gives_the_connection_back(database: str) -> None:
    async def check(pool: StorePool) -> None:
        async def slow() -> None:
            async with bank_transaction(pool, 1) as connection:
                await connection.execute("select pg_sleep(5)")

        for _ in range(3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(slow(), 0.05)
        await asyncio.gather(*(remember(pool, key) for key in range(3)))
        with psycopg.connect(database) as other:
            running = other.execute(
                "select count(*) from pg_stat_activity where query like '%%pg_sleep(5)%%' "
                "and state = 'active' and pid <> %s",
                (other.info.backend_pid,),
            )
            assert running.fetchone() == (0,)

    within(database, check, size=2)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_vector_that_is_not_finite_never_gets_in(database: str, value: float) -> None:
    async def check(pool: StorePool) -> None:
        with pytest.raises(psycopg.errors.DataException):
            await remember(pool, embedding=HalfVector([1.0, value, 0.0]))

    within(database, check)


def test_value_beyond_half_precision_never_gets_in(database: str) -> None:
    with pytest.raises(OverflowError):
        HalfVector([70_000.0, 0.0])

    async def check(pool: StorePool) -> None:
        with pytest.raises(psycopg.errors.NumericValueOutOfRange):
            async with bank_transaction(pool, 1) as connection:
                await connection.execute("select %s::halfvec", (np.array([70_000.0, 0.0]),))

    within(database, check)


def test_zero_vector_has_no_cosine_so_it_must_be_stored_as_null(database: str) -> None:
    async def check(pool: StorePool) -> None:
        await remember(pool, 1, embedding=HalfVector([0.0, 0.0]))
        await remember(pool, 2, embedding=None)
        await remember(pool, 3, embedding=HalfVector([1.0, 0.0]))
        async with bank_transaction(pool, 1) as connection:
            rows = await connection.execute(
                "select key, 1 - (embedding <=> %(q)s) from memories "
                "where (embedding <=> %(q)s) <> 'NaN' order by key",
                {"q": HalfVector([1.0, 0.0])},
            )
            assert await rows.fetchall() == [(3, 1.0)]

    within(database, check)


def test_question_of_another_dimension_is_refused_by_the_server(database: str) -> None:
    async def check(pool: StorePool) -> None:
        await remember(pool, embedding=HalfVector([1.0, 0.0]))
        with pytest.raises(psycopg.errors.DataException, match="different"):
            async with bank_transaction(pool, 1) as connection:
                await connection.execute(
                    "select embedding <=> %s from memories", (HalfVector([1.0, 0.0, 0.0]),)
                )

    within(database, check)


def test_vectors_go_in_and_out_as_values_not_text(database: str) -> None:
    async def check(pool: StorePool) -> None:
        vector = np.array([0.5, -0.25, 0.125], dtype=np.float32)
        await remember(pool, embedding=HalfVector(vector))
        async with bank_transaction(pool, 1) as connection:
            row = await (
                await connection.execute(
                    "select embedding, embedding <=> %s::halfvec from memories", (vector,)
                )
            ).fetchone()
            assert row is not None
            assert isinstance(row[0], HalfVector)
            assert row[0].to_list() == [0.5, -0.25, 0.125]
            assert row[1] == pytest.approx(0, abs=1e-6)

    within(database, check)


@pytest.mark.parametrize("text", ["a\0b", "lone \ud800 surrogate"])
def test_text_that_postgres_cannot_hold_raises_before_anything_is_written(
    database: str, text: str
) -> None:
    async def check(pool: StorePool) -> None:
        with pytest.raises((psycopg.DataError, UnicodeEncodeError)):
            await remember(pool, text=text)
        with pytest.raises((psycopg.DataError, UnicodeEncodeError)):
            async with bank_transaction(pool, 1) as connection:
                await connection.execute("select %s::jsonb", (Jsonb({"a": text}),))
        await remember(pool, text="fine")

    within(database, check)


def test_no_column_is_a_tsvector(database: str) -> None:
    # Its megabyte limit and its parser of questions cannot trouble us: words are our own postings.
    statement = "select count(*) from pg_attribute where atttypid = 'tsvector'::regtype"
    with psycopg.connect(database) as connection:
        assert connection.execute(statement + " and attrelid > 16383").fetchone() == (0,)


def test_times_come_back_in_utc_whatever_zone_they_were_given_in(database: str) -> None:
    async def check(pool: StorePool) -> None:
        given = datetime.fromisoformat("2026-05-04T14:00:00+02:00")
        await remember(pool, at=given)
        async with bank_transaction(pool, 1) as connection:
            row = await (await connection.execute("select happened from memories")).fetchone()
            assert row is not None
            assert row[0] == given
            assert row[0].utcoffset().total_seconds() == 0

    within(database, check)


@pytest.mark.parametrize("moment", ["infinity", "10001-01-01", "0044-03-15 BC"])
def test_time_outside_pythons_years_can_be_written_but_not_read(database: str, moment: str) -> None:
    async def check(pool: StorePool) -> None:
        async with pool.connection() as connection:
            with pytest.raises(psycopg.DataError):
                await (await connection.execute("select %s::timestamptz", (moment,))).fetchone()

    within(database, check)


def test_percent_sign_beside_a_value_must_be_doubled(database: str) -> None:
    async def check(pool: StorePool) -> None:
        async with pool.connection() as connection:
            with pytest.raises(psycopg.ProgrammingError):
                await connection.execute("select 'a%' like %s", ("b",))
            row = await connection.execute("select 'ab' like 'a%%' and %s", (True,))
            assert await row.fetchone() == (True,)

    within(database, check)
