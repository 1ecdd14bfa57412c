"""What every test may ask for: a migrated database of its own, and the development data."""

import asyncio
import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from router.store.embedded import EmbeddedPostgres
from router.store.migrate import migrate

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LEFT_OUT = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out, and count, the tests whose data is not there."""
    absent = [item for item in items if item.get_closest_marker("shared")]
    config.stash[LEFT_OUT] = 0
    if not SHARED_DATA.is_dir():
        config.stash[LEFT_OUT] = len(absent)
        for item in absent:
            item.add_marker(pytest.mark.skip(reason="the development data is not here"))


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say aloud how much was not tested."""
    if left_out := config.stash.get(LEFT_OUT, 0):
        terminalreporter.section("development data")
        terminalreporter.write_line(f"{left_out} tests left out: no data at {SHARED_DATA}")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the development data."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the development data is not here")
    return SHARED_DATA


@pytest.fixture(scope="session")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `onnx` of a data folder: a model is exported once for all tests."""
    return tmp_path_factory.mktemp("data") / "onnx"


@pytest.fixture(scope="session")
def run() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Runs one coroutine to its end."""
    return asyncio.run


@pytest.fixture
def temp_dir() -> Iterator[Path]:
    """A folder that another account may be given; pytest's own lies below a closed one."""
    folder = Path(tempfile.mkdtemp(prefix="fivefold-test-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The DSN of a superuser on one server for all tests."""
    given = os.environ.get("FIVEFOLD_TEST_DATABASE_URL")
    if given:
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="fivefold-test-"))
    try:
        with EmbeddedPostgres(folder) as embedded:
            dsn = embedded.start()
            # The data lives as long as the session: no test here needs it to survive a crash.
            with psycopg.connect(dsn, autocommit=True) as connection:
                connection.execute("alter system set fsync = off")
                connection.execute("select pg_reload_conf()")
            yield dsn
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def fresh_database(server: str, template: str = "template1") -> Iterator[str]:
    """The DSN of a new database; it is dropped at the end, whoever is still connected."""
    name = f"test_{uuid.uuid4().hex[:16]}"
    words = {"name": sql.Identifier(name), "template": sql.Identifier(template)}
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("create database {name} template {template}").format(**words))
        try:
            yield make_conninfo(server, dbname=name)
        finally:
            connection.execute(sql.SQL("drop database {name} with (force)").format(**words))


@pytest.fixture(scope="session")
def template(server: str) -> Iterator[str]:
    """The name of a migrated database that the tests' own are copied from."""
    with fresh_database(server) as dsn:
        migrate(dsn)
        yield str(conninfo_to_dict(dsn)["dbname"])


@pytest.fixture
def database(server: str, template: str) -> Iterator[str]:
    """The DSN of a migrated, empty database for this test alone."""
    with fresh_database(server, template) as dsn:
        yield dsn


@pytest.fixture
def bare_database(server: str) -> Iterator[str]:
    """The DSN of a database without any table."""
    with fresh_database(server) as dsn:
        yield dsn
