"""What the system knows about a process: whether it lives, since when, and what it runs."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

PROC = Path("/proc")
HAS_PROC = (PROC / "self" / "stat").exists()


def start_mark(pid: int) -> str | None:
    """Return a text that tells this process from every other that had or will have its number.

    None when no such process lives; a zombie does not live.
    """
    return _mark_from_proc(pid) if HAS_PROC else _mark_from_ps(pid)


def runs_cluster(pid: int, cluster: Path) -> bool:
    """Whether the process is alive and a postmaster over that data folder (`-D <folder>`)."""
    if start_mark(pid) is None:
        return False
    if not HAS_PROC:
        return f"-D {cluster}" in _ps(pid, "command=")
    words = _read(PROC / str(pid) / "cmdline").split(b"\0")
    return b"-D" in words and os.fsencode(cluster) in words


def working_in(folder: Path) -> list[int]:
    """Living processes whose working folder is `folder`, so far as we may look.

    Postgres' children rename themselves but stay in the data folder: this finds those that outlive
    a killed postmaster. Empty where the system has no /proc; there Postgres' own check must do.
    """
    found = []
    for entry in PROC.iterdir() if HAS_PROC else ():
        if not entry.name.isdigit():
            continue
        try:
            inside = os.readlink(entry / "cwd") == str(folder)
        except OSError:  # gone meanwhile, a zombie, or another account's
            continue
        if inside:
            found.append(int(entry.name))
    return found


def is_postgres_child(pid: int) -> bool:
    """Whether the process bears the title that Postgres gives to each child of a server."""
    return _read(PROC / str(pid) / "cmdline").startswith(b"postgres: ")


def _mark_from_proc(pid: int) -> str | None:
    # The command's name stands in brackets and may hold spaces; the fields follow the last bracket.
    fields = _read(PROC / str(pid) / "stat").rpartition(b")")[2].split()
    if not fields or fields[0] in (b"Z", b"X"):
        return None
    boot = _read(PROC / "sys" / "kernel" / "random" / "boot_id").decode().strip()
    return f"{boot}:{fields[19].decode()}"


def _mark_from_ps(pid: int) -> str | None:
    state, _, started = _ps(pid, "state=,lstart=").partition(" ")
    return None if not started or state.startswith("Z") else started.strip()


def _ps(pid: int, columns: str) -> str:
    command: Sequence[str] = ("/bin/ps", "-ww", "-o", columns, "-p", str(pid))
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed words and a number
    return done.stdout.strip()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # the process ended between two looks
        return b""
