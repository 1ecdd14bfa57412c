"""Clients that keep a server busy, and the record of what it acknowledged to them."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

import httpx

from tests.faults.harness import ANSWER_S, BANK, SEED, WORDS, Server

Phase = Literal["retain", "recall", "feedback"]
PHASES: Mapping[str, Phase] = {
    "/memories": "retain", "/recall": "recall", "/feedback": "feedback",
}  # fmt: skip
BATCH = 5
RENEWED = 0.3  # share of batches that replace an older memory
EPISODE = 30  # memories
PAUSE_S = 0.02
RETRY_S = 0.1
ACTIONS = ("memory_opened", "memory_cited", "memory_thumbs_up", "memory_copied")


class _Left(Exception):
    """The way out of a client that shall leave; no error."""


@dataclass
class Ledger:
    """What was acknowledged. Every client writes its own keys only."""

    items: dict[str, dict[str, Any]] = field(default_factory=dict)  # memory id -> its latest form
    events: dict[str, dict[str, Any]] = field(default_factory=dict)  # event id -> the event
    recalls: dict[str, float] = field(default_factory=dict)  # id -> when it was answered
    answers: Counter[str] = field(default_factory=Counter)  # how often each kind of answer came
    faults: list[str] = field(default_factory=list)  # answers that no caller should get


class Client(threading.Thread):
    """Sends memories, questions and feedback; repeats each request until it is acknowledged."""

    renewed = RENEWED

    def __init__(
        self, name: str, server: Server, ledger: Ledger, seed: int, *, bank: str = BANK
    ) -> None:
        super().__init__(name=name, daemon=True)
        self.ending = threading.Event()  # after what it is at
        self.leaving = threading.Event()  # at once
        self.at: Phase | None = None  # what it waits for the answer to
        self._server, self._ledger, self._bank = server, ledger, bank
        self._random = random.Random(seed)  # noqa: S311 - to be repeatable, not secret
        self._numbers = count()
        self._mine: list[str] = []

    def run(self) -> None:
        with httpx.Client(timeout=ANSWER_S) as self._http, suppress(_Left):
            while not self.ending.is_set():
                self._act()
                time.sleep(PAUSE_S)

    def _act(self) -> None:
        self._random.choice((self._retain, self._ask, self._ask))()

    def _retain(self) -> None:
        """Five memories; now and then one of them is an older one with a new text."""
        names = [f"{self.name}-{next(self._numbers)}" for _ in range(BATCH)]
        if self._mine and self._random.random() < self.renewed:
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
        self._take(answer)
        shown = answer["results"][:2]
        if not shown:
            return
        self._tell([event(answer["recall_id"], one, self._random.choice(ACTIONS)) for one in shown])

    def _take(self, answer: Mapping[str, Any]) -> None:
        self._ledger.recalls[answer["recall_id"]] = time.monotonic()
        self._ledger.answers["degraded"] += bool(answer["degraded"])

    def _tell(self, events: Sequence[dict[str, Any]]) -> None:
        told = self._acknowledged("/feedback", {"events": events})
        if told["accepted"] + told["duplicate"] + told["parked"] != len(events):
            self._ledger.faults.append(f"feedback: {told}")
            return
        self._ledger.events.update({one["event_id"]: one for one in events})

    def _words(self, number: int) -> str:
        return " ".join(self._random.choices(WORDS, k=number))

    def _acknowledged(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        while not self.leaving.is_set():
            self.at = PHASES[path]
            try:
                reply = self._http.post(f"{self._server.url}{self._bank}{path}", json=body)
            except httpx.TransportError:  # killed before, or while, it answered
                self.at = None
                self._ledger.answers["lost"] += 1
                time.sleep(RETRY_S)
                continue
            self.at = None
            self._ledger.answers[str(reply.status_code)] += 1
            if reply.status_code == 200:
                found: dict[str, Any] = reply.json()
                return found
            if reply.status_code != 503 or "database" not in reply.text:
                self._ledger.faults.append(f"{path}: {reply.status_code} {reply.text}")
            time.sleep(RETRY_S)
        raise _Left


@contextmanager
def load(server: Server, ledger: Ledger, clients: int = 3) -> Iterator[list[Client]]:
    """Clients at work; at the end each still gets the answer that it waits for."""
    workers = [Client(f"w{n}", server, ledger, SEED + n) for n in range(clients)]
    with at_work(workers):
        yield workers


@contextmanager
def at_work(workers: Sequence[Client]) -> Iterator[None]:
    """These clients at work; at the end each still gets the answer that it waits for."""
    for worker in workers:
        worker.start()
    try:
        yield
        for worker in workers:
            worker.ending.set()
        for worker in workers:
            worker.join(ANSWER_S)
            assert not worker.is_alive(), "a request was never acknowledged"
    finally:
        for worker in workers:
            worker.leaving.set()
        for worker in workers:
            worker.join(ANSWER_S)


def items(number: int, name: str = "m") -> list[dict[str, Any]]:
    """Memories of known words, the same for the same numbers."""
    chance = random.Random(number)  # noqa: S311 - to be repeatable, not secret
    return [
        {"id": f"{name}{n}", "text": " ".join(chance.choices(WORDS, k=9)), "episode": f"{name}e"}
        for n in range(number)
    ]


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
