"""Notes that a crash left behind, and that lie: the server starts all the same."""

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from router.store.account import server_account
from tests.faults.harness import BANK, FULL, Server, within

TITLE = "Stale pid files"
CASES = {
    "a dead process": FULL,
    "another living process": True,
    "a process of another user": FULL,
    "nothing, being cut short": FULL,
    "words that are no number": FULL,
}
pytestmark = [pytest.mark.faults, pytest.mark.timeout(120)]


@pytest.fixture
def stranger() -> Iterator["subprocess.Popen[bytes]"]:
    """A living process under the account of Postgres, which is nobody's server."""
    account = server_account()
    process = subprocess.Popen(["/bin/sleep", "300"], user=account.uid if account else None)
    yield process
    process.kill()
    process.wait()


def crash(server: Server) -> None:
    """Server and Postgres killed at once; what they noted stays."""
    postgres = server.postgres()
    server.kill()
    assert postgres is not None
    os.kill(postgres, signal.SIGKILL)
    within(10, lambda: server.postgres() is None)


def note(case: str, stranger: int, data_dir: Path) -> str:
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    pid = {
        "a dead process": str(ended.pid),
        "another living process": str(stranger),
        "a process of another user": "1",
        "nothing, being cut short": "",
        "words that are no number": "x",
    }[case]
    rest = f"\n{data_dir / 'pg'}\n1700000000\n5432\n{data_dir / 'run'}\n\n0 0\nready   \n"
    return pid + rest if pid else ""


@pytest.mark.parametrize("case", [case for case, runs in CASES.items() if runs])
def test_server_starts_over_a_note_that_names(
    server: Server,
    stranger: "subprocess.Popen[bytes]",
    case: str,
    observed: Callable[..., None],
) -> None:
    server.post("/memories", items=[{"id": "kept", "text": "tala more"}]).raise_for_status()
    crash(server)
    lie = note(case, stranger.pid, server.data_dir)
    (server.data_dir / "pg" / "postmaster.pid").write_text(lie)
    lease = {"gone": {"pid": stranger.pid, "started": "another start"}}
    (server.data_dir / "leases.json").write_text(json.dumps(lease))
    (server.data_dir / "run" / ".s.PGSQL.5432.lock").write_text(lie)
    seconds = server.start()
    assert server.http.get(f"{server.url}{BANK}/memories/kept").status_code == 200
    assert stranger.poll() is None
    assert server.terminate() == 0
    assert server.postgres() is None, "the lie in the leases kept Postgres running"
    with suppress(FileNotFoundError):
        assert json.loads((server.data_dir / "leases.json").read_text()) == {}
    observed(
        TITLE,
        f"`postmaster.pid` and the socket's lock name {case}, a lease names a stranger: started in "
        f"{seconds:.1f} s with every memory, and the stranger went on undisturbed",
    )
