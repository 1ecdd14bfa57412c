"""A bank that the planner's statistics do not know yet is written by key, never read whole."""

from collections.abc import Iterator

import psycopg
import pytest

from router.store.statements import statement

KNOWN, NEW = 1, 2
COUNT = 1_000  # memories of the new bank
MEMORIES = """
insert into memories (bank_id, key, id, text, kind, happened, valid_at, created_at, embedder,
  analyser, words, has_time, is_question, content_hash, episode, position)
select %(bank)s, %(bank)s * 100000 + n, 'm' || n, 'text ' || n, 'turn', now(), now(), now(), 1,
  1, 2, false, false, 'x', 'e' || n / 20, n %% 20
from generate_series(1, %(count)s) n
"""
POSTINGS = """
insert into postings (bank_id, key, term, tf, length, impact, own)
select %(bank)s, %(bank)s * 100000 + n, 7, 1, 1, 1, true from generate_series(1, %(count)s) n
"""
TOUCHED = """
select sum(pg_stat_get_xact_tuples_returned(indexrelid))::int from pg_index
where indrelid = 'memories'::regclass
"""


@pytest.fixture
def connection(database: str) -> Iterator[psycopg.Connection]:
    """As a writer sees it in the middle of a bulk load into a new bank."""
    with psycopg.connect(database, autocommit=True) as made:
        made.execute("set plan_cache_mode = force_custom_plan")  # as in every session of the pool
        made.execute(MEMORIES, {"bank": KNOWN, "count": 3_000})
        made.execute("vacuum analyze memories")
        with made.transaction():
            made.execute(MEMORIES, {"bank": NEW, "count": COUNT})
            made.execute(statement("lock_bank"), {"bank": NEW})
            yield made


def touched(connection: psycopg.Connection) -> int:
    """Entries of the indexes of memories that this transaction has read."""
    row = connection.execute(TOUCHED).fetchone()
    assert row is not None
    return int(row[0])


def test_windows_of_a_new_bank_are_sought_by_key_and_episode(
    connection: psycopg.Connection,
) -> None:
    keys = list(range(NEW * 100_000 + 1, NEW * 100_000 + COUNT + 1))
    before = touched(connection)
    found = connection.execute(statement("episode_windows"), {"bank": NEW, "keys": keys}).fetchall()
    assert len(found) == COUNT
    assert COUNT <= touched(connection) - before <= 4 * COUNT


def test_foreign_keys_of_a_new_bank_are_checked_by_key(connection: psycopg.Connection) -> None:
    before = touched(connection)
    connection.execute(POSTINGS, {"bank": NEW, "count": COUNT})
    assert COUNT <= touched(connection) - before <= 2 * COUNT
