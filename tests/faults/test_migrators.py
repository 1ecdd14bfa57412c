"""Several migrators at once, and migrators killed half way: each file is applied once."""

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from router.store.embedded import EmbeddedPostgres
from router.store.migrate import migrate, read_migrations
from tests.faults.harness import ROOT, Kit, Server, full_only, served, temporary, within

SHIPPED = ROOT / "router" / "store" / "migrations"
NAMES = [one.name for one in read_migrations(SHIPPED)]
OLD = 2  # files that the old database knows
END_S = 60.0
TITLE = "Migrations"
STUCK = (
    "select pid from pg_stat_activity where application_name = 'fivefold migrate' "
    "and wait_event_type = 'Lock' and wait_event = 'relation'"
)
LEDGER = "select name from schema_migrations order by version"
pytestmark = [pytest.mark.faults, pytest.mark.timeout(200)]


@pytest.fixture
def old(kit: Kit) -> Iterator[tuple[Server, str]]:
    """A folder whose database is two migrations old and holds rows, its Postgres running."""
    with temporary() as folder, served(kit, folder) as server:
        (folder / "old").mkdir()
        for name in NAMES[:OLD]:
            shutil.copy(SHIPPED / name, folder / "old" / name)
        with EmbeddedPostgres(server.data_dir) as embedded:
            dsn = embedded.start()
            main = dsn.replace("dbname=fivefold", "dbname=postgres")
            with psycopg.connect(main, autocommit=True) as connection:
                connection.execute("drop database fivefold")
                connection.execute("create database fivefold")
            migrate(dsn, folder=folder / "old")
            with psycopg.connect(dsn) as connection:
                connection.execute("insert into bank_stats (bank_id, live) values (1, 7), (2, 9)")
            yield server, dsn


def applied(output: str) -> list[str]:
    found: list[str] = json.loads(output)["applied"]
    return found


def run_both(server: Server) -> list[str]:
    """What two migrators, started together, print; both must end well."""
    both = [server.command("migrate", "--json") for _ in range(2)]
    logs = server.outputs[-2:]
    assert [one.wait(END_S) for one in both] == [0, 0], [log.read_text() for log in logs]
    return [log.read_text() for log in logs]


def last_lines(text: str) -> str:
    return text[text.index("{") :]


@full_only
def test_two_migrators_on_an_empty_folder_make_one_database(
    kit: Kit, observed: Callable[..., None]
) -> None:
    with temporary() as folder, served(kit, folder, copied=False) as server:
        found = [applied(last_lines(text)) for text in run_both(server)]
        assert sorted(found) == [[], NAMES]
        with (
            EmbeddedPostgres(server.data_dir) as embedded,
            psycopg.connect(embedded.start()) as connection,
        ):
            assert [row[0] for row in connection.execute(LEDGER)] == NAMES
    observed(TITLE, "two migrators on an empty folder: one made the database and applied all "
             f"{len(NAMES)} files, the other found nothing to do; both ended with 0")  # fmt: skip


def test_two_migrators_on_an_old_database_bring_it_up_to_date_once(
    old: tuple[Server, str], observed: Callable[..., None]
) -> None:
    server, dsn = old
    found = [applied(last_lines(text)) for text in run_both(server)]
    assert sorted(found) == [[], NAMES[OLD:]]
    assert_whole(dsn)
    observed(TITLE, f"two migrators on a database at {NAMES[OLD - 1]} with rows in it: each of the "
             f"{len(NAMES) - OLD} missing files applied once, every row kept")  # fmt: skip


def test_migrator_killed_half_way_leaves_nothing_and_the_next_one_finishes(
    old: tuple[Server, str], observed: Callable[..., None]
) -> None:
    server, dsn = old
    with psycopg.connect(dsn) as holder, psycopg.connect(dsn, autocommit=True) as other:
        holder.execute("lock table bank_stats in access share mode")
        killed = server.command("migrate", "--json")
        within(END_S, lambda: other.execute(STUCK).fetchone() is not None)
        killed.kill()
        killed.wait(END_S)
        following = server.command("migrate", "--json")
        holder.rollback()
        assert following.wait(END_S) == 0, server.outputs[-1].read_text()
    assert_whole(dsn)
    observed(TITLE, "a migrator killed inside a file: its transaction was undone, the next one "
             "waited for the lock of the dead one's connection and finished")  # fmt: skip


@full_only
def test_postgres_killed_during_a_migration_fails_it_in_one_line_and_it_can_be_repeated(
    old: tuple[Server, str], observed: Callable[..., None]
) -> None:
    server, dsn = old
    holder = psycopg.connect(dsn)
    holder.execute("lock table bank_stats in access share mode")
    migrators = [server.command("migrate", "--json") for _ in range(2)]
    logs = server.outputs[-2:]
    with psycopg.connect(dsn, autocommit=True) as other:
        within(END_S, lambda: other.execute(STUCK).fetchone() is not None)
        statement = "select count(*) from pg_stat_activity where wait_event = 'advisory'"
        within(END_S, lambda: other.execute(statement).fetchone() == (1,))
    postgres = server.postgres()
    assert postgres is not None
    os.kill(postgres, signal.SIGKILL)
    assert [one.wait(END_S) for one in migrators] == [1, 1]
    holder.close()
    for log in logs:
        assert "Traceback" not in log.read_text()
        assert log.read_text().startswith("fivefold: ")
    again = server.command("migrate", "--json")
    assert again.wait(END_S) == 0, server.outputs[-1].read_text()
    assert_whole(EmbeddedPostgres(server.data_dir).start())
    observed(TITLE, "Postgres killed while one migrator was inside a file and another waited: both "
             "failed in one line with exit code 1, and a third brought it up to date")  # fmt: skip


def assert_whole(dsn: str) -> None:
    with psycopg.connect(dsn) as connection:
        assert [row[0] for row in connection.execute(LEDGER)] == NAMES
        connection.execute("select set_config('fivefold.bank', 'all', false)")
        rows = connection.execute("select bank_id, live from bank_stats order by 1").fetchall()
    assert rows == [(1, 7), (2, 9)]


def test_migrations_are_where_this_test_looks_for_them() -> None:
    assert len(NAMES) > OLD
    assert Path(SHIPPED / NAMES[0]).exists()
