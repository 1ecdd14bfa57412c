"""A real server over a data folder: started, watched, killed, ended, any number of times."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from router.store.account import run_as, server_account
from router.store.binaries import find_binaries
from router.store.embedded import EmbeddedPostgres
from router.store.postmaster import postmaster
from router.store.processes import HAS_PROC, PROC
from tests.faults.zygote import ROOT as ROOT
from tests.faults.zygote import Forked, Zygote

KILLS = int(os.environ.get("FIVEFOLD_KILLS", "6"))
LEARNING_KILLS = int(os.environ.get("FIVEFOLD_LEARNING_KILLS", "4"))
FULL = KILLS >= 100  # `make faults`; `make test` runs a short cut
full_only = pytest.mark.skipif(not FULL, reason="takes long: `make faults` runs it")
SEED = 20_250_611
BANK = "/v1/banks/storm"
DIM = 32
STORE_S = 20.0  # from the start of the process until its store and its door are open
MODEL_S = 60.0  # importing the library alone takes 20 s where two cores are shared with others
ANSWER_S = 30.0
GRACE_S = 10.0  # container managers kill what has not ended by then
WORDS = tuple(f"{a}{b}" for a in ("tal", "mor", "ves", "kin", "dra") for b in "aeiounrstlmk")


def make_model(folder: Path) -> Path:
    """Save a small real sentence-transformers model, one random vector a word; returns its path."""
    import numpy as np
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = ("[UNK]", *WORDS)
    places = {word: place for place, word in enumerate(words)}
    tokenizer = Tokenizer(WordLevel(places, unk_token="[UNK]"))  # noqa: S106 - a word, no secret
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.random.default_rng(7).normal(size=(len(words), DIM)).astype(np.float32)
    module = StaticEmbedding(tokenizer, embedding_weights=weights)
    path = folder / "model"
    SentenceTransformer(modules=[module], device="cpu").save(str(path))
    for file in path.iterdir():  # another account's server loads it too
        file.chmod(0o644)
    return path


def processes_of(folder: Path) -> list[int]:
    """Living processes, ours excluded, that work in the folder or name it on their command line."""
    if not HAS_PROC:
        words = ("/bin/ps", "-axww", "-o", "pid=,command=")
        lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return [int(line.split()[0]) for line in lines.splitlines() if str(folder) in line]
    found = []
    for entry in PROC.iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            inside = str((entry / "cwd").readlink()).startswith(str(folder))
        except OSError:  # gone meanwhile, or a zombie
            continue
        if inside or os.fsencode(folder) in command:
            found.append(int(entry.name))
    return found


def within(seconds: float, holds: Callable[[], object], *, poll_s: float = 0.02) -> float:
    """Seconds until it holds. Fails when that takes too long."""
    started = time.monotonic()
    while not holds():
        waited = time.monotonic() - started
        assert waited < seconds, f"{holds} not within {seconds} s"
        time.sleep(poll_s)
    return time.monotonic() - started


Process = Forked | subprocess.Popen[bytes]


@dataclass(frozen=True)
class Kit:
    """What every server of these tests is started with."""

    zygote: Zygote
    model: Path
    made: Path  # a migrated data folder at rest, to be copied


class Server:
    """`fivefold serve` over one data folder, started and ended any number of times."""

    def __init__(
        self, kit: Kit, folder: Path, name: str = "server", *, model: str = "", **settings: str
    ) -> None:
        """`settings` by their name without the prefix, in small letters."""
        self.data_dir = folder / "data"
        self.url = ""
        self.outputs: list[Path] = []
        self.http = httpx.Client(timeout=ANSWER_S)
        self._kit, self._logs, self._name = kit, folder, name
        self._numbers = count()  # of its logs; one that is reused says at once that it has ended
        self._process: Process | None = None
        own = {"FIVEFOLD_EMBEDDER": model or str(kit.model), "OMP_NUM_THREADS": "1"}
        own |= {f"FIVEFOLD_{key.upper()}": value for key, value in settings.items()}
        kept = {k: v for k, v in os.environ.items() if not k.startswith("FIVEFOLD_")}
        self.environment = {**kept, **own, "HF_HUB_OFFLINE": "1", "NO_COLOR": "1"}

    @property
    def process(self) -> Process:
        assert self._process is not None
        return self._process

    @property
    def output(self) -> str:
        """All that it has printed, over every start."""
        return "".join(log.read_text(errors="replace") for log in self.outputs if log.exists())

    def command(self, *words: str) -> Forked:
        """Start another `fivefold` command over the same data folder."""
        log = self._logs / f"{self._name}-{next(self._numbers)}.log"
        self.outputs.append(log)
        words = (*words, "--data-dir", str(self.data_dir))
        return self._kit.zygote.fork(words, self.environment, log)

    def launch(self) -> None:
        """Start the process; it listens somewhere soon."""
        self._process = self.command("serve", "--port", "0")

    def adopt(self, process: Process, log: Path) -> None:
        """Take over a server process that was started in another way."""
        self._process = process
        self.outputs.append(log)

    def wait_open(self, seconds: float = STORE_S) -> float:
        """Seconds until it listened, its store open. Fails when it ends or is late."""
        return within(seconds, self._listens)

    def wait_ready(self) -> None:
        """Return when it listens and its model is loaded too. Fails when it ends or is late."""
        self.wait_open()
        within(MODEL_S, self.is_ready, poll_s=0.05)

    def start(self) -> float:
        """Start it, and return the seconds until it listened, once it answers wholly."""
        self.launch()
        seconds = self.wait_open()
        self.wait_ready()
        return seconds

    def is_ready(self) -> bool:
        """Whether it says that every part answers."""
        return all(state == "ok" for state in self.parts().values())

    def parts(self) -> dict[str, str]:
        """What it says of its parts; of no answer, that."""
        try:
            found = self.http.get(f"{self.url}/health/ready").json()["parts"]
        except httpx.TransportError as error:
            return {"server": str(error)}
        return dict(found)

    def post(self, path: str, **body: Any) -> httpx.Response:
        """The reply to one request to the tests' bank."""
        return self.http.post(f"{self.url}{BANK}{path}", json=body)

    def make_bank(self) -> None:
        self.http.put(f"{self.url}{BANK}", json={}).raise_for_status()

    def postgres(self) -> int | None:
        """The process number of its Postgres, or None when there is none."""
        found = postmaster(self.data_dir / "pg")
        return found.pid if found else None

    def dsn(self) -> str:
        """The superuser's address of its running Postgres."""
        found = postmaster(self.data_dir / "pg")
        assert found is not None
        assert found.socket_dir is not None
        return f"host={found.socket_dir} port=5432 user=postgres dbname=fivefold"

    def kill(self) -> None:
        """As `kill -9`: no handler runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(ANSWER_S)

    def terminate(self) -> int:
        """Ask it to end, as a service manager does; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(ANSWER_S)

    def close(self) -> None:
        """Kill it for good."""
        self.kill()
        self.http.close()

    def _listens(self) -> bool:
        text = self.outputs[-1].read_text(errors="replace") if self.outputs[-1].exists() else ""
        code = self.process.poll()
        assert code is None, f"the server ended with {code}:\n{text}"
        found = re.search(r"serves at (http://\S+)\n", text)
        if found:
            self.url = found[1]
        return found is not None


@contextmanager
def served(kit: Kit, folder: Path, *, copied: bool = True, **options: Any) -> Iterator[Server]:
    """A server, not yet started, over a copy of a migrated folder, or an empty one."""
    folder.chmod(0o755)  # Postgres may run under another account
    server = Server(kit, folder, **options)
    if copied:
        shutil.copytree(kit.made, server.data_dir, symlinks=True)
    with ExitStack() as cleanup:
        cleanup.callback(stop_postgres, server.data_dir)
        cleanup.callback(server.close)
        yield server


@contextmanager
def temporary() -> Iterator[Path]:
    """A folder that other accounts may enter; pytest's own lies below a closed one."""
    folder = Path(tempfile.mkdtemp(prefix="fivefold-test-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stop_postgres(data_dir: Path) -> None:
    """End the folder's Postgres and whatever was left of its start."""
    if not data_dir.exists():
        return
    with EmbeddedPostgres(data_dir):  # as the last one out
        pass


def pg_ctl(data_dir: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run pg_ctl over the folder under the account that Postgres runs under."""
    program = find_binaries().folder / "pg_ctl"
    command: Sequence[str | Path] = (program, *words, "-D", data_dir / "pg")
    return run_as(server_account(), command)
