"""Data folders and processes for the tests of the embedded server."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from router.store.embedded import EmbeddedPostgres
from router.store.postmaster import postmaster

ROOT = Path(__file__).resolve().parents[3]
USER = """
import sys
from pathlib import Path
from router.store.embedded import EmbeddedPostgres
from router.store.postmaster import postmaster
EmbeddedPostgres(Path(sys.argv[1])).start()
print("ready", flush=True)
sys.stdin.readline()
"""


@pytest.fixture(scope="session")
def made_data_dir() -> Iterator[Path]:
    """A data folder that has been used once and is at rest; each test leaves it so."""
    folder = Path(tempfile.mkdtemp(prefix="fivefold-test-"))
    with EmbeddedPostgres(folder):
        pass
    # Processes are killed here, machines are not: nothing is lost without it, and time is won.
    with (folder / "pg" / "postgresql.conf").open("a") as conf:
        conf.write("fsync = off\n")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def data_dir(made_data_dir: Path) -> Iterator[Path]:
    """That folder; whatever still runs there is stopped after the test."""
    yield made_data_dir
    if postmaster(made_data_dir / "pg") is not None:
        last = EmbeddedPostgres(made_data_dir)
        last.start()
        last.stop()


@pytest.fixture
def seed(made_data_dir: Path) -> Callable[[Path], Path]:
    """Makes a data folder by copying a finished one: several times faster than initdb."""

    def copy(folder: Path) -> Path:
        shutil.copytree(made_data_dir / "pg", folder / "pg")
        return folder

    return copy


@pytest.fixture
def start_user() -> Iterator[Callable[[Path], subprocess.Popen[str]]]:
    """Starts another process that uses the server of a data folder until it reads a line."""
    started: list[subprocess.Popen[str]] = []

    def start(data_dir: Path) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", USER, str(data_dir)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in started:
        process.kill()
        with suppress(BrokenPipeError):
            process.communicate()
