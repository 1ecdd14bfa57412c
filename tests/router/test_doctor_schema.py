"""The doctor over a schema that was altered, over no schema at all, and over a small server."""

import asyncio

import pytest
from pydantic import SecretStr

from router.doctor import examine
from router.settings import Settings
from tests.router.test_doctor import look, owner, wrong


@pytest.mark.parametrize(
    ("break_it", "check", "word"),
    [
        ("alter table events disable row level security", "row_security", "events"),
        ("alter table memories no force row level security", "row_security", "memories"),
        ("drop policy own_bank on edges", "row_security", "edges"),
        ("alter table memories alter embedding set storage external", "vectors_inline",
         "memories.embedding"),
    ],
)  # fmt: skip
def test_altered_table_is_found_and_named(
    database: str, break_it: str, check: str, word: str
) -> None:
    assert wrong(look(database)) == {}
    owner(database, break_it)
    found = look(database)
    assert found[check].status == "fail"
    assert word in found[check].detail


@pytest.mark.parametrize(
    ("break_it", "word"),
    [
        ("delete from schema_migrations where version = 2", "missing: 0002_decisions.sql"),
        ("update schema_migrations set checksum = 'x' where version = 1", "0001_memories.sql"),
        ("insert into schema_migrations values (99, 'later.sql', 'x', now())", "newer"),
    ],
)
def test_migrations_are_compared_with_those_shipped(
    database: str, break_it: str, word: str
) -> None:
    owner(database, break_it)
    found = look(database)
    assert wrong(found) == {"migrations": "fail"}
    assert word in found["migrations"].detail
    assert "row_security" not in found


def test_database_without_tables_is_not_changed_by_looking(bare_database: str) -> None:
    assert wrong(look(bare_database)) == {"versions": "fail", "migrations": "fail"}
    assert owner(bare_database, "select to_regclass('schema_migrations')") == [(None,)]


def test_pool_larger_than_the_server_allows_is_warned_of(database: str) -> None:
    settings = Settings(database_url=SecretStr(database), pool_size=200)
    found = asyncio.run(examine(settings, database))
    assert [one.check for one in found if one.status != "ok"] == ["pool"]
