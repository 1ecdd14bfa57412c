"""A second account of the machine: it gets nothing of the first one's, and may run its own."""

import os
import pwd
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from router.store.account import server_account
from router.store.binaries import find_binaries, reachable
from tests.faults.harness import BANK, ROOT, Kit, Server, full_only, temporary, within
from tests.faults.load import items

SECOND = "nobody"
START_S = 90.0  # a process that imports everything itself, on a busy machine
TITLE = "Second user"
pytestmark = [
    pytest.mark.faults,
    pytest.mark.timeout(400),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as a second account"),
]


def as_second(*words: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run one program as the second account."""
    command = [str(word) for word in words]
    return subprocess.run(
        command,
        cwd="/",
        env={"PATH": os.environ["PATH"], **environment},
        user=SECOND,
        group=pwd.getpwnam(SECOND).pw_gid,
        extra_groups=(),
        capture_output=True,
        text=True,
        check=False,
        timeout=START_S,
    )


def test_second_account_reads_no_file_and_gets_no_connection(
    server: Server, observed: Callable[..., None]
) -> None:
    server.post("/memories", items=items(5)).raise_for_status()
    psql = reachable(find_binaries(), server_account(), server.data_dir).folder / "psql"
    asked = as_second(psql, *server_words(server), "-c", "select text from memories")
    assert asked.returncode != 0
    assert "Permission denied" in asked.stderr
    for path in ("pg/PG_VERSION", "run", "postgres.log"):
        looked = as_second("/bin/ls", server.data_dir / path, server.data_dir / path / ".")
        read = as_second("/bin/cat", server.data_dir / path)
        assert read.returncode != 0, path
        assert looked.returncode != 0, path
    assert server.is_ready()
    observed(TITLE, f"`{SECOND}` cannot connect to the socket, list its folder, or read the data "
             "or the log of a server that root runs")  # fmt: skip


def server_words(server: Server) -> tuple[str, ...]:
    return ("-h", str(server.data_dir / "run"), "-U", "postgres", "-d", "fivefold")


def interpreter() -> Path:
    """A Python of our version that the second account may run; ours often lies in a closed home."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for one in (Path(sys.executable), Path("/usr/bin") / name, Path("/usr/local/bin") / name):
        if one.exists():
            try:
                done = as_second(one, "-c", "import psycopg, uvicorn", **paths())
            except PermissionError:
                continue
            if done.returncode == 0:
                return one
    pytest.skip(f"{SECOND} cannot run any Python of this version")


def paths() -> dict[str, str]:
    return {"PYTHONPATH": f"{ROOT}:{sysconfig.get_path('purelib')}"}


def serve_as_second(second: Server, folder: Path) -> None:
    """Start `fivefold serve` as a process of the second account; it prints into the folder."""
    log = folder / "second.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [interpreter(), "-m", "router", "serve", "--port", "0"],
            cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            env={**second.environment, **paths(), "FIVEFOLD_DATA_DIR": str(second.data_dir)},
            user=SECOND, group=pwd.getpwnam(SECOND).pw_gid, extra_groups=(),
        )  # fmt: skip
    second.adopt(process, log)


def test_second_account_that_serves_the_same_folder_is_refused_in_one_line(
    server: Server, kit: Kit, observed: Callable[..., None]
) -> None:
    before = server.postgres()
    with temporary() as folder:
        intruder = Server(kit, folder, "intruder")
        intruder.data_dir = server.data_dir
        serve_as_second(intruder, folder)
        code = intruder.process.wait(START_S)
        said = intruder.output
        intruder.close()
    assert code == 1, said
    assert said.startswith("fivefold: FIVEFOLD_DATA_DIR")
    assert "Traceback" not in said
    assert server.is_ready()
    assert server.postgres() == before
    observed(TITLE, f"`fivefold serve` of `{SECOND}` over root's folder: refused in one line that "
             "names FIVEFOLD_DATA_DIR, exit code 1; root's server went on")  # fmt: skip


@full_only
def test_second_account_runs_a_server_of_its_own_beside_the_first(
    server: Server, kit: Kit, observed: Callable[..., None]
) -> None:
    entry = pwd.getpwnam(SECOND)
    with temporary() as folder, closing(Server(kit, folder, "second")) as second:
        second.data_dir.mkdir()
        os.chown(second.data_dir, entry.pw_uid, entry.pw_gid)
        serve_as_second(second, folder)
        second.wait_open(START_S)
        within(2 * START_S, second.is_ready, poll_s=0.1)  # its own import of the model's library
        second.make_bank()
        second.post("/memories", items=items(5)).raise_for_status()
        server.post("/memories", items=items(7)).raise_for_status()
        assert second.postgres() != server.postgres()
        assert (second.data_dir / "pg").stat().st_uid == entry.pw_uid
        assert counted(second) == 5
        assert counted(server) == 7
        assert second.terminate() == 0
        assert second.postgres() is None
    assert server.is_ready()
    observed(TITLE, f"`{SECOND}` with a folder of its own, beside root's server: two servers, two "
             "Postgres, each with its own memories")  # fmt: skip


def counted(server: Server) -> int:
    page = server.http.get(f"{server.url}{BANK}/memories", params={"limit": 50})
    return len(page.raise_for_status().json()["memories"])
