"""Starting, sharing, crashing: every way an embedded server was seen to fail."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from router.store.account import server_account
from router.store.embedded import EmbeddedPostgres
from router.store.postmaster import postmaster
from router.store.processes import start_mark

StartUser = Callable[[Path], "subprocess.Popen[str]"]
pytestmark = pytest.mark.faults


def server_pid(data_dir: Path) -> int:
    found = postmaster(data_dir / "pg")
    assert found is not None
    return found.pid


def is_running(data_dir: Path) -> bool:
    return postmaster(data_dir / "pg") is not None


def answers(dsn: str) -> bool:
    with psycopg.connect(dsn) as connection:
        return connection.execute("select 1").fetchone() == (1,)


def leave(process: "subprocess.Popen[str]") -> None:
    process.communicate("\n", timeout=20)
    assert process.returncode == 0


def write_note(data_dir: Path, text: str) -> None:
    (data_dir / "pg" / "postmaster.pid").write_text(text)


def note_of(pid: int, data_dir: Path) -> str:
    return f"{pid}\n{data_dir / 'pg'}\n1700000000\n5432\n{data_dir / 'run'}\n\n0 0\nready   \n"


def test_start_answers_and_a_second_start_changes_nothing(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        dsn, pid = server.start(), server_pid(data_dir)
        assert answers(dsn)
        assert (server.start(), server_pid(data_dir)) == (dsn, pid)


def test_stop_ends_the_server_and_may_be_repeated(data_dir: Path) -> None:
    server = EmbeddedPostgres(data_dir)
    server.start()
    server.stop()
    assert not is_running(data_dir)
    server.stop()
    assert answers(server.start())
    server.stop()


def test_server_killed_under_us_is_recovered_with_every_committed_row(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        dsn = server.start()
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("create table kept (id int)")
            connection.execute("insert into kept select generate_series(1, 100)")
            os.kill(server_pid(data_dir), signal.SIGKILL)
            dsn = (
                server.start()
            )  # at once, with a client still connected to the dead server's child
        with psycopg.connect(dsn, autocommit=True) as connection:
            assert connection.execute("select count(*) from kept").fetchone() == (100,)
            connection.execute("drop table kept")


def test_stale_note_of_a_dead_process_is_no_server(data_dir: Path) -> None:
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    write_note(data_dir, note_of(ended.pid, data_dir))
    with EmbeddedPostgres(data_dir) as server:
        assert answers(server.start())


@pytest.mark.parametrize("text", ["", "12", "x\ny\n", "-5\n"])
def test_note_cut_short_is_no_server(data_dir: Path, text: str) -> None:
    write_note(data_dir, text)
    with EmbeddedPostgres(data_dir) as server:
        assert answers(server.start())


def test_number_that_another_process_has_got_since_is_no_server(data_dir: Path) -> None:
    account = server_account()
    # Under the server's own account: of other accounts' processes Postgres thinks nothing anyway.
    stranger = subprocess.Popen(["/bin/sleep", "60"], user=account.uid if account else None)
    try:
        write_note(data_dir, note_of(stranger.pid, data_dir))
        with EmbeddedPostgres(data_dir) as server:
            assert answers(server.start())
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_zombie_is_no_server(data_dir: Path) -> None:
    account = server_account()
    zombie = subprocess.Popen(["/bin/true"], user=account.uid if account else None)
    os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
    try:
        write_note(data_dir, note_of(zombie.pid, data_dir))
        assert start_mark(zombie.pid) is None
        with EmbeddedPostgres(data_dir) as server:
            assert answers(server.start())
    finally:
        zombie.wait()


def test_two_processes_share_one_server_and_the_last_one_out_stops_it(
    data_dir: Path, start_user: StartUser
) -> None:
    first, second = start_user(data_dir), start_user(data_dir)
    pid = server_pid(data_dir)
    leave(first)
    assert server_pid(data_dir) == pid
    leave(second)
    assert not is_running(data_dir)


def test_two_handles_in_one_process_count_as_two(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as first:
        with EmbeddedPostgres(data_dir):
            pass
        assert answers(first.start())
    assert not is_running(data_dir)


def test_killed_user_does_not_keep_the_server_for_ever(
    data_dir: Path, start_user: StartUser
) -> None:
    killed = start_user(data_dir)
    killed.kill()
    killed.wait()
    assert is_running(data_dir)
    with EmbeddedPostgres(data_dir):
        pass
    assert not is_running(data_dir)


def test_lease_whose_number_was_given_to_another_process_counts_no_more(data_dir: Path) -> None:
    stale = {"gone": {"pid": os.getpid(), "started": "another start"}}
    (data_dir / "leases.json").write_text(json.dumps(stale))
    with EmbeddedPostgres(data_dir):
        pass
    assert not is_running(data_dir)
    assert json.loads((data_dir / "leases.json").read_text()) == {}


def test_leases_cut_short_by_a_full_disk_do_not_stop_us(data_dir: Path) -> None:
    (data_dir / "leases.json").write_text('{"a": ')
    with EmbeddedPostgres(data_dir) as server:
        assert answers(server.start())


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, -2)])
def test_signal_to_a_user_stops_the_server_too(
    data_dir: Path, start_user: StartUser, number: signal.Signals, code: int
) -> None:
    process = start_user(data_dir)
    os.killpg(process.pid, number)  # as a terminal does: to the whole foreground group
    assert process.wait(timeout=20) == code
    assert not is_running(data_dir)
    last = (data_dir / "postgres.log").read_text().splitlines()[-1]
    assert last.endswith("database system is shut down")


def test_handle_of_the_parent_is_left_alone_by_a_fork(data_dir: Path) -> None:
    script = (
        "import os, sys\nfrom pathlib import Path\n"
        "from router.store.embedded import EmbeddedPostgres\n"
        "from router.store.postmaster import postmaster\n"
        "server = EmbeddedPostgres(Path(sys.argv[1])); server.start()\n"
        "child = os.fork()\n"
        "if child == 0:\n    server.stop(); sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
        "assert postmaster(Path(sys.argv[1]) / 'pg') is not None\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", script, str(data_dir)], cwd=root, timeout=30)
    assert done.returncode == 0
    assert not is_running(data_dir)


def test_threads_that_start_together_get_one_server(data_dir: Path) -> None:
    servers = [EmbeddedPostgres(data_dir) for _ in range(4)]
    found: list[str] = []
    threads = [threading.Thread(target=lambda s=s: found.append(s.start())) for s in servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1
    for server in servers:
        assert is_running(data_dir)
        server.stop()
    assert not is_running(data_dir)


def test_start_after_the_socket_was_cleaned_away_works(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir) as server:
        server.start()
        for path in (data_dir / "run").iterdir():
            path.unlink()
        (data_dir / "run").rmdir()
        assert answers(server.start())
