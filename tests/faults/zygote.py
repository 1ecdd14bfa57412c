"""A process that has imported the heavy libraries and forks commands: a start costs no import.

Each command is a process of its own, in a session of its own, as if a shell had started it.
"""

import json
import os
import runpy
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LOOK_S = 0.02
ENDED = ".code"  # beside a log: the exit code of the process that wrote it


class Forked:
    """One command that the zygote forked; as much of Popen as the tests need."""

    def __init__(self, pid: int, log: Path) -> None:
        self.pid = pid
        self._ended = log.with_name(log.name + ENDED)

    def poll(self) -> int | None:
        """Its exit code, negative for a signal; None while it lives."""
        with suppress(FileNotFoundError):
            return int(self._ended.read_text())
        return None

    def wait(self, timeout: float) -> int:
        """Its exit code, once it has ended. Raises TimeoutExpired."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("fivefold", timeout)
            time.sleep(LOOK_S / 4)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Zygote:
    """The handle on it. Close it last: what still lives then is killed."""

    def __init__(self) -> None:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.zygote"],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self._line() == "ready"

    def fork(self, words: Sequence[str], environment: Mapping[str, str], log: Path) -> Forked:
        """Start `fivefold` with these words; what it prints goes into the log."""
        order = {"words": list(words), "environment": dict(environment), "log": str(log)}
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return Forked(int(self._line()), log)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def _preload() -> None:
    import sentence_transformers  # noqa: F401
    import torch
    import uvicorn
    from sentence_transformers.sentence_transformer import modules  # noqa: F401

    import router.api.app
    import router.cli.doctor
    import router.cli.serve
    import router.doctor
    import router.wiring  # noqa: F401

    torch.set_num_threads(1)
    uvicorn.Config(lambda: None).load()  # it imports its protocols only now


def _serve_orders() -> dict[str, Any] | None:
    """The order to carry out, in the child; None in the zygote itself, once nobody orders more."""
    logs: dict[int, Path] = {}
    waiting = b""
    while True:
        _note_ends(logs)
        if not select.select([0], [], [], LOOK_S)[0]:
            continue
        piece = os.read(0, 65_536)
        if not piece:
            break
        waiting += piece
        while b"\n" in waiting:
            line, waiting = waiting.split(b"\n", 1)
            order: dict[str, Any] = json.loads(line)
            pid = os.fork()
            if pid == 0:
                return order
            logs[pid] = Path(order["log"])
            os.write(1, f"{pid}\n".encode())
    for pid in logs:
        os.kill(pid, signal.SIGKILL)
    return None


def _note_ends(logs: dict[int, Path]) -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = ended
            log = logs.pop(pid)
            fresh = log.with_name(log.name + ".new")
            fresh.write_text(str(os.waitstatus_to_exitcode(status)))
            fresh.replace(log.with_name(log.name + ENDED))


def _become(order: Mapping[str, Any]) -> None:
    os.setsid()
    null = os.open(os.devnull, os.O_RDONLY)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for target, source in ((0, null), (1, log), (2, log)):
        os.dup2(source, target)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = ["fivefold", *order["words"]]


def main() -> None:
    _preload()
    os.write(1, b"ready\n")
    order = _serve_orders()
    if order is not None:
        _become(order)
        runpy.run_module("router", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
