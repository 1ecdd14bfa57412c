"""Who uses a data folder: a lock around every change, and a lease for each user."""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog

from channels.errors import ConfigError
from router.store.processes import start_mark

LOCK_TIMEOUT_S = 300  # a start may wait 120 s for recovery and a stop 60 s, one after the other
POLL_S = 0.02

log = structlog.get_logger()


@contextmanager
def locked(path: Path, *, timeout_s: float = LOCK_TIMEOUT_S) -> Iterator[None]:
    """Hold the lock file, alone among threads and processes. The system frees it when we die.

    Raises ConfigError when another process keeps it longer than `timeout_s`.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _acquire(handle, path, time.monotonic() + timeout_s)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, path: Path, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                reason = f"another process holds {path} for too long; end it, then try again"
                raise ConfigError("FIVEFOLD_DATA_DIR", reason) from error
            time.sleep(POLL_S)
        else:
            return


class Leases:
    """The users of one data folder, by handle. Call it only under the lock.

    A lease names its process by number and start, so one whose process was killed counts no more,
    even when another process has got the number since.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, handle: str) -> None:
        """Enter `handle` for this process; entering it twice is the same as once."""
        lease: dict[str, object] = {"pid": os.getpid(), "started": start_mark(os.getpid())}
        self._write({**self.living(), handle: lease})

    def drop(self, handle: str) -> int:
        """Take `handle` out; how many living leases remain."""
        kept = {name: lease for name, lease in self.living().items() if name != handle}
        try:
            self._write(kept)
        except OSError as error:  # a full disk must not keep the server from being stopped
            log.warning("lease_not_dropped", path=str(self._path), error=str(error))
        return len(kept)

    def living(self) -> dict[str, dict[str, object]]:
        """Return the leases whose process is the one that took them, and still lives."""
        return {
            handle: lease
            for handle, lease in self._read().items()
            if isinstance(lease["pid"], int) and start_mark(lease["pid"]) == lease["started"]
        }

    def _read(self) -> dict[str, dict[str, object]]:
        try:
            leases: dict[str, dict[str, object]] = json.loads(self._path.read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError:  # a disk that filled up while it was written
            log.warning("leases_unreadable", path=str(self._path))
            return {}
        return leases

    def _write(self, leases: dict[str, dict[str, object]]) -> None:
        fresh = self._path.with_suffix(".new")
        fresh.write_text(json.dumps(leases))
        fresh.replace(self._path)
