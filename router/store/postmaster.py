"""Postgres' own note of who serves a data folder (postmaster.pid), and what to do when it lies."""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from channels.errors import ConfigError
from router.store.processes import is_postgres_child, runs_cluster, start_mark, working_in
from router.store.socket_dir import SOCKET

ORPHANS_TIMEOUT_S = 15
ORPHANS_TOLD_S, ORPHANS_KILLED_S = 0.5, 5.0  # the others have left by then, in .3 s
POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Postmaster:
    """A living server. `is_ready` as it says itself; it may still be recovering."""

    pid: int
    socket_dir: Path | None
    is_ready: bool

    @property
    def is_reachable(self) -> bool:
        """False once a cleaner has removed the socket: a running server never makes a new one."""
        return self.socket_dir is not None and (self.socket_dir / SOCKET).exists()


def postmaster(cluster: Path) -> Postmaster | None:
    """Return the server that runs over `cluster`, or None, whatever the note says."""
    lines = _note(cluster)
    pid = _pid(lines)
    if pid is None or not runs_cluster(pid, cluster):
        return None
    socket = lines[4].strip() if len(lines) > 4 else ""
    is_ready = len(lines) > 7 and lines[7].strip() == "ready"
    return Postmaster(pid, Path(socket) if socket else None, is_ready)


def clear_stale_note(cluster: Path) -> None:
    """Remove a note that would keep Postgres from starting: cut short, or naming a stranger.

    A note that names a dead process stays: Postgres reads from it the shared memory of the crashed
    server and refuses while a child of it lives. Call it only under the lock and only when no
    postmaster runs. Raises ConfigError while processes that are not Postgres' work in the folder.
    """
    _end_orphans(cluster)
    note = cluster / "postmaster.pid"
    pid = _pid(_note(cluster))
    if note.exists() and (pid is None or start_mark(pid) is not None or _is_zombie(pid)):
        note.unlink()


def _end_orphans(cluster: Path) -> None:
    """Return when no child of a killed server lives.

    A child notices when it next waits for something; one that builds an index may compute for
    minutes. It is told to quit at once, as the server itself tells all when one of them crashes.
    """
    started = time.monotonic()
    while orphans := working_in(cluster):
        waited_s = time.monotonic() - started
        if waited_s > ORPHANS_TIMEOUT_S:
            raise ConfigError(
                "FIVEFOLD_DATA_DIR",
                f"processes {orphans} of a killed server still work in {cluster}; end them first",
            )
        if waited_s > ORPHANS_TOLD_S:
            number = signal.SIGQUIT if waited_s < ORPHANS_KILLED_S else signal.SIGKILL
            for pid in filter(is_postgres_child, orphans):
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
        time.sleep(POLL_S)


def _note(cluster: Path) -> list[str]:
    try:
        return (cluster / "postmaster.pid").read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return []


def _pid(lines: list[str]) -> int | None:
    word = lines[0].strip() if lines else ""
    return int(word) if word.isdecimal() and int(word) > 1 else None


def _is_zombie(pid: int) -> bool:
    # Dead, but it keeps its number until its parent asks: Postgres would take it for alive.
    return start_mark(pid) is None and Path(f"/proc/{pid}").exists()
