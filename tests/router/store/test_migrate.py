import threading
from pathlib import Path

import psycopg
import pytest

from channels.errors import ConfigError, Unavailable
from router.store.migrate import migrate, read_migrations

ONE = "create table one (bank_id int primary key);\n"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.sql").write_text(text)
    return folder


def names(dsn: str, statement: str) -> list[object]:
    with psycopg.connect(dsn) as connection:
        return [row[0] for row in connection.execute(statement)]


def test_every_migration_is_applied_once_and_in_order(bare_database: str) -> None:
    first = migrate(bare_database)
    assert first[0] == "0001_memories.sql"
    assert first == sorted(first)
    assert migrate(bare_database) == []


def test_two_migrators_at_once_apply_each_file_once(bare_database: str) -> None:
    applied: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: applied.append(migrate(bare_database))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(done) > 0 for done in applied) == [False, False, True]


def test_changed_file_is_refused_by_name(bare_database: str, tmp_path: Path) -> None:
    migrate(bare_database, folder=write(tmp_path, **{"0001_one": ONE}))
    write(tmp_path, **{"0001_one": ONE + "-- afterthought\n"})
    with pytest.raises(ConfigError, match=r"0001_one\.sql") as raised:
        migrate(bare_database, folder=tmp_path)
    assert "new migration" in raised.value.reason


def test_windows_line_ends_are_not_a_change(bare_database: str, tmp_path: Path) -> None:
    migrate(bare_database, folder=write(tmp_path, **{"0001_one": ONE}))
    (tmp_path / "0001_one.sql").write_bytes(ONE.replace("\n", "\r\n").encode())
    assert migrate(bare_database, folder=tmp_path) == []


def test_failing_file_leaves_nothing_behind_and_the_earlier_ones_stay(
    bare_database: str, tmp_path: Path
) -> None:
    broken = "create table two (id int);\nselect no_such_column from two;\n"
    write(tmp_path, **{"0001_one": ONE, "0002_two": broken})
    with pytest.raises(ConfigError, match=r"0002_two\.sql"):
        migrate(bare_database, folder=tmp_path)
    assert names(bare_database, "select name from schema_migrations") == ["0001_one.sql"]
    assert names(bare_database, "select to_regclass('two')::text") == [None]
    write(tmp_path, **{"0002_two": "create table two (id int);\n"})
    assert migrate(bare_database, folder=tmp_path) == ["0002_two.sql"]


def test_database_of_a_newer_release_is_refused(bare_database: str, tmp_path: Path) -> None:
    write(tmp_path, **{"0001_one": ONE, "0002_two": "create table two (id int);\n"})
    migrate(bare_database, folder=tmp_path)
    (tmp_path / "0002_two.sql").unlink()
    with pytest.raises(ConfigError, match="newer"):
        migrate(bare_database, folder=tmp_path)


@pytest.mark.parametrize("second", ["0001_again", "0003_three"])
def test_numbers_with_a_gap_or_a_repeat_are_refused(tmp_path: Path, second: str) -> None:
    write(tmp_path, **{"0001_one": ONE, second: ONE})
    with pytest.raises(ConfigError, match="without gap"):
        read_migrations(tmp_path)


def test_data_migration_reaches_every_banks_rows(database: str, tmp_path: Path) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("insert into bank_stats (bank_id, docs) values (1, 1), (2, 1)")
    source = Path(__file__).parents[3] / "router" / "store" / "migrations"
    for path in source.glob("*.sql"):
        (tmp_path / path.name).write_text(path.read_text())
    number = len(list(source.glob("*.sql"))) + 1
    write(
        tmp_path,
        **{
            f"{number:04}_recount": "set local role fivefold_app;\n"
            "set local fivefold.bank = 'all';\nupdate bank_stats set docs = 7;\nreset role;\n"
        },
    )
    assert len(migrate(database, folder=tmp_path)) == 1
    assert names(database, "select docs from bank_stats") == [7, 7]


def test_app_role_may_change_rows_but_not_pass_by_row_security(database: str) -> None:
    with psycopg.connect(database) as connection:
        row = connection.execute(
            "select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole from pg_roles "
            "where rolname = 'fivefold_app'"
        ).fetchone()
        assert row == (False, False, False, False)
        connection.execute("set role fivefold_app")
        connection.execute("select nextval('memory_keys')")
        connection.execute("insert into embedders values (1, 'one', 3)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("delete from schema_migrations")


def test_tables_of_later_migrations_are_granted_too(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("create table later (id int generated always as identity)")
        connection.execute("set role fivefold_app")
        connection.execute("insert into later default values")
        assert connection.execute("select id from later").fetchone() == (1,)


def test_server_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="FIVEFOLD_DATABASE_URL"):
        migrate(f"host={tmp_path} dbname=none")
