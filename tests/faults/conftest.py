"""Servers for the faults, and a note of what each fault did, for the dated report."""

import os
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from router.store.embedded import EmbeddedPostgres
from router.store.migrate import migrate
from tests.faults import report
from tests.faults.harness import Kit, Server, make_model, served, temporary
from tests.faults.zygote import Zygote

NOTES = pytest.StashKey[report.Notes]()
STARTED = pytest.StashKey[float]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[NOTES] = report.Notes()
    config.stash[STARTED] = time.monotonic()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count what ran, and name what failed."""
    found = yield
    notes = item.config.stash[NOTES]
    notes.ran += found.when == "call" and not found.skipped
    if found.failed and item.name not in notes.failed:
        notes.failed.append(item.name)
    return found


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Keep the notes if FIVEFOLD_FAULTS_NOTES names a file for them."""
    path = os.environ.get("FIVEFOLD_FAULTS_NOTES")
    notes = session.config.stash[NOTES]
    if path and notes.facts:
        notes.minutes = (time.monotonic() - session.config.stash[STARTED]) / 60
        report.keep(notes, Path(path))


@pytest.fixture(scope="session")
def observed(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Notes what was seen under a fault: `observed("title", "one fact", ...)`."""
    return request.config.stash[NOTES].add


@pytest.fixture(scope="session")
def kit() -> Iterator[Kit]:
    """The zygote, a small real model, and a migrated data folder to copy."""
    with temporary() as folder, ExitStack() as cleanup:
        zygote = Zygote()
        cleanup.callback(zygote.close)
        with EmbeddedPostgres(folder / "made") as embedded:
            migrate(embedded.start())
        for name in ("lock", "leases.json", "run"):
            shutil.rmtree(folder / "made" / name, ignore_errors=True)
            (folder / "made" / name).unlink(missing_ok=True)
        yield Kit(zygote, make_model(folder), folder / "made")


@pytest.fixture
def server(kit: Kit, temp_dir: Path) -> Iterator[Server]:
    """A started server with an empty bank."""
    with served(kit, temp_dir) as one:
        one.start()
        one.make_bank()
        yield one
