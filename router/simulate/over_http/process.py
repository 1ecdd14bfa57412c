"""A server of our own while a simulation runs: `fivefold serve` in a process of its own."""

import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx

from channels.errors import Unavailable

OPEN_S = 120.0  # until its store and its door are open
MODEL_S = 300.0  # until its embedding model is loaded too
STOP_S = 60.0  # it finishes a step of its learner, then Postgres stops
LOOK_S = 0.2
SAID = re.compile(r"serves at (http://\S+)\n")

T = TypeVar("T")


@contextmanager
def own_server(data_dir: Path | None = None) -> Iterator[str]:
    """The address of a server with its worker, every part of it ready; it is ended at the end.

    Without `data_dir` its embedded Postgres lies in a folder that is deleted afterwards; a
    FIVEFOLD_DATABASE_URL in the environment is used as by any other server. Raises Unavailable with
    the last lines that it said when it does not come up.
    """
    with ExitStack() as closing:
        folder = Path(closing.enter_context(tempfile.TemporaryDirectory(prefix="fivefold-")))
        folder.chmod(0o755)  # as root Postgres runs under another account, which has to get in
        closing.enter_context(_ended_in_order())
        server = _Process.start(data_dir or folder / "data", folder / "serve.log")
        closing.callback(server.stop)
        url = server.wait_for(server.address, OPEN_S, "listening")
        server.wait_for(lambda: _is_ready(url), MODEL_S, "ready")
        yield url


@dataclass(frozen=True, slots=True)
class _Process:
    process: subprocess.Popen[bytes]
    log: Path

    @classmethod
    def start(cls, data_dir: Path, log: Path) -> "_Process":
        words = ("serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", str(data_dir))
        with log.open("ab") as file:
            process = subprocess.Popen(  # noqa: S603 - ourselves, and a folder's name
                [sys.executable, "-u", "-m", "router", *words], stdout=file, stderr=file
            )
        return cls(process, log)

    def address(self) -> str:
        """Where it says that it listens; nothing as long as it does not say so."""
        found = SAID.search(self._said())
        return found[1] if found else ""

    def wait_for(self, holds: Callable[[], T], seconds: float, state: str) -> T:
        """The first truthy answer. Raises Unavailable when it ends before, or is late."""
        end = time.monotonic() + seconds
        while not (found := holds()):
            if self.process.poll() is not None:
                raise self._failed(f"it ended with status {self.process.returncode}")
            if time.monotonic() > end:
                raise self._failed(f"it was not {state} within {seconds:.0f} s")
            time.sleep(LOOK_S)
        return found

    def stop(self) -> None:
        """Ask it to end, as a service manager does."""
        self.process.terminate()
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _failed(self, reason: str) -> Unavailable:
        last = " / ".join(self._said().splitlines()[-3:])
        return Unavailable("server", f"{reason}; it said: {last or 'nothing'}")

    def _said(self) -> str:
        return self.log.read_text("utf-8", errors="replace")


def _is_ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health/ready", timeout=MODEL_S).is_success
    except httpx.TransportError:  # it is ending, and says why in its log
        return False


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """A SIGTERM to us ends the server too: it is no child that dies with its parent."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
