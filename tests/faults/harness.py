"""A real server under load, ways to kill it, and a record of what it acknowledged."""

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx

from router.store.postmaster import postmaster
from router.store.processes import HAS_PROC, PROC

ROOT = Path(__file__).resolve().parents[2]
BANK = "/v1/banks/storm"
DIM = 32
BATCH = 5
RENEWED = 0.3  # share of batches that replace an older memory
EPISODE = 30  # memories
STORE_S = 20.0  # from the start of the process until its store and its door are open
MODEL_S = 60.0  # importing the library alone takes 20 s where two cores are shared with others
ANSWER_S = 30.0
PAUSE_S = 0.02
RETRY_S = 0.1
WORDS = tuple(f"{a}{b}" for a in ("tal", "mor", "ves", "kin", "dra") for b in "aeiounrstlmk")
ACTIONS = ("memory_opened", "memory_cited", "memory_thumbs_up", "memory_copied")


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


def within(seconds: float, holds: Callable[[], bool], *, poll_s: float = 0.02) -> float:
    """Seconds until it holds. Fails when that takes too long."""
    started = time.monotonic()
    while not holds():
        waited = time.monotonic() - started
        assert waited < seconds, f"{holds} not within {seconds} s"
        time.sleep(poll_s)
    return time.monotonic() - started


class Server:
    """`fivefold serve` over one data folder, started and ended any number of times."""

    def __init__(self, folder: Path, model: Path, name: str) -> None:
        self.data_dir = folder / "data"
        self.url = ""
        self.outputs: list[Path] = []
        self._logs, self._name = folder, name
        self._process: subprocess.Popen[bytes] | None = None
        self._http = httpx.Client(timeout=ANSWER_S)
        own = {"FIVEFOLD_EMBEDDER": str(model), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
        kept = {k: v for k, v in os.environ.items() if not k.startswith("FIVEFOLD_")}
        self._environment = {**kept, **own, "NO_COLOR": "1"}

    def launch(self) -> None:
        """Start the process; it listens somewhere soon."""
        output = self._logs / f"{self._name}-{len(self.outputs)}.log"
        self.outputs.append(output)
        words = ("-m", "router", "serve", "--port", "0", "--data-dir", str(self.data_dir))
        with output.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, *words],
                cwd=ROOT,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_open(self) -> float:
        """Seconds until it listened, its store open. Fails when it ends or is late."""
        return within(STORE_S, self._listens)

    def wait_ready(self) -> None:
        """Return when it listens and its model is loaded too. Fails when it ends or is late."""
        self.wait_open()
        within(MODEL_S, self.is_ready, poll_s=0.1)

    def is_ready(self) -> bool:
        """Whether it says that every part answers."""
        return all(state == "ok" for state in self.parts().values())

    def parts(self) -> dict[str, str]:
        """What it says of its parts; of no answer, that."""
        try:
            found = self._http.get(f"{self.url}/health/ready").json()["parts"]
        except httpx.TransportError as error:
            return {"server": str(error)}
        return dict(found)

    def postgres(self) -> int | None:
        """The process number of its Postgres, or None when there is none."""
        found = postmaster(self.data_dir / "pg")
        return found.pid if found else None

    def kill(self) -> None:
        """As `kill -9`: no handler runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def terminate(self) -> int:
        """Ask it to end, as a service manager does; its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=ANSWER_S)

    def close(self) -> None:
        """Kill it for good."""
        self.kill()
        self._http.close()

    def _listens(self) -> bool:
        assert self._process is not None
        text = self.outputs[-1].read_text(errors="replace")
        assert self._process.poll() is None, f"the server ended:\n{text}"
        found = re.search(r"serves at (http://\S+)\n", text)
        if found:
            self.url = found[1]
        return found is not None


@dataclass
class Ledger:
    """What was acknowledged. Every client writes its own keys only."""

    items: dict[str, dict[str, Any]] = field(default_factory=dict)  # memory id -> its latest form
    events: dict[str, dict[str, Any]] = field(default_factory=dict)  # event id -> the event
    recalls: list[str] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)  # how often each kind of answer came
    faults: list[str] = field(default_factory=list)  # answers that no caller should get


class Client(threading.Thread):
    """Sends memories, questions and feedback; repeats each request until it is acknowledged."""

    def __init__(self, name: str, server: Server, ledger: Ledger, seed: int) -> None:
        super().__init__(name=name, daemon=True)
        self.ending = threading.Event()  # after what it is at
        self.leaving = threading.Event()  # at once
        self._server, self._ledger = server, ledger
        self._random = random.Random(seed)  # noqa: S311 - to be repeatable, not secret
        self._numbers = count()
        self._mine: list[str] = []

    def run(self) -> None:
        with httpx.Client(timeout=ANSWER_S) as self._http:
            while not self.ending.is_set():
                self._random.choice((self._retain, self._ask, self._ask))()
                time.sleep(PAUSE_S)

    def _retain(self) -> None:
        """Five memories; now and then one of them is an older one with a new text."""
        names = [f"{self.name}-{next(self._numbers)}" for _ in range(BATCH)]
        if self._mine and self._random.random() < RENEWED:
            names[0] = self._random.choice(self._mine)
        episode = f"{self.name}-{len(self._mine) // EPISODE}"
        items = [{"id": name, "text": self._words(9), "episode": episode} for name in names]
        told = self._acknowledged("/memories", {"items": items})
        if told["accepted"] + told["duplicates"] != BATCH or told["errors"]:
            self._ledger.faults.append(f"retain: {told}")
            return
        self._ledger.items.update({item["id"]: item for item in items})
        self._mine.extend(names)

    def _ask(self) -> None:
        """One question, and feedback on up to two of the memories that it was answered with."""
        body = {"question": self._words(4), "k": 5, "client": self.name}
        answer = self._acknowledged("/recall", body)
        self._ledger.recalls.append(answer["recall_id"])
        self._ledger.answers["degraded"] += bool(answer["degraded"])
        shown = answer["results"][:2]
        if not shown:
            return
        events = [event(answer["recall_id"], one, self._random.choice(ACTIONS)) for one in shown]
        told = self._acknowledged("/feedback", {"events": events})
        if told["accepted"] + told["duplicate"] + told["parked"] != len(events):
            self._ledger.faults.append(f"feedback: {told}")
            return
        self._ledger.events.update({one["event_id"]: one for one in events})

    def _words(self, number: int) -> str:
        return " ".join(self._random.choices(WORDS, k=number))

    def _acknowledged(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        while not self.leaving.is_set():
            try:
                reply = self._http.post(f"{self._server.url}{BANK}{path}", json=body)
            except httpx.TransportError:  # killed before, or while, it answered
                self._ledger.answers["lost"] += 1
                time.sleep(RETRY_S)
                continue
            self._ledger.answers[str(reply.status_code)] += 1
            if reply.status_code == 200:
                found: dict[str, Any] = reply.json()
                return found
            if reply.status_code != 503 or "database" not in reply.text:
                self._ledger.faults.append(f"{path}: {reply.status_code} {reply.text}")
            time.sleep(RETRY_S)
        sys.exit()  # of this thread only


def event(recall_id: str, shown: Mapping[str, Any], action: str) -> dict[str, Any]:
    """Feedback on one result, in UBI's words."""
    about = {"object": {"object_id": shown["id"]}, "position": {"ordinal": shown["rank"]}}
    return {
        "event_id": f"{recall_id}.{shown['rank']}",
        "action_name": action,
        "query_id": recall_id,
        "timestamp": "2025-06-11T15:30:00Z",
        "event_attributes": about,
    }


def batches(things: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """The things in order, at most `size` at a time."""
    return (things[start : start + size] for start in range(0, len(things), size))
