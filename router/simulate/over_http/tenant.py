"""One bank of a running server and the people who ask it."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.errors import Unavailable
from router.evaluate.dataset import Dataset, Query
from router.simulate.cases import TOP
from router.simulate.over_http.remote import Remote, Reply, Row
from router.simulate.people import User

PEOPLE, MEASURING = "people", "measurement"  # clients; one that never reports is never learnt from
BATCH = 100  # memories of one request
CLICK = "memory_cited"  # says most of what one may say in passing: a click of the bed counts 1
LEARNT_S = 120.0  # longest wait for the worker after the last closing
CHANGED_S = 60.0  # how soon a closing has to change what is served
CLOSE_EVERY_S = 3.0  # while waiting for that
LOOK_S = 0.25
STILL_S = 2.5  # a server may serve what was learnt before for as long


@dataclass(frozen=True, slots=True)
class Change:
    """How long after the first of some closings the answer to a question was another one."""

    seconds: float | None  # None: not within CHANGED_S
    closings: int
    by: str  # "version", "residual" or "nothing"


@dataclass
class Tenant:
    """A bank over there, named `bank`, and a half of its questions that is asked."""

    remote: Remote
    bank: str
    dataset: Dataset
    name: str  # in the data set
    asked: Sequence[Query]
    user: User
    people: int  # who ask, each as often as any other
    rng: np.random.Generator
    told: Counter[str] = field(default_factory=Counter)  # policies, events and what became of them
    actors: set[str] = field(default_factory=set)
    first_learnt: int | None = None  # recalls before the first that learnt rows answered
    last: str | None = None  # the latest recall that was closed
    closed: float = 0.0  # when, in monotonic seconds

    def make(self) -> None:
        """Make the bank.

        It neither gives to other banks of the server nor takes from them: simulated people should
        teach nobody else, and what is measured is what this bank's own events did.
        """
        self.remote.make_bank(self.bank, {"fleet_prior": False})

    def fill(self, advance: Callable[[int], None]) -> None:
        """Store its memories."""
        memories = self.dataset.memories[self.name]
        for start in range(0, len(memories), BATCH):
            batch = memories[start : start + BATCH]
            self.remote.retain(self.bank, [memory.item() for memory in batch])
            advance(len(batch))

    def delete(self) -> None:
        """Delete the bank with all that was learnt."""
        self.remote.delete_bank(self.bank)

    def visit(self) -> None:
        """Somebody asks, looks at the page that came back, uses some of it, and closes it."""
        query = self.asked[int(self.rng.integers(len(self.asked)))]
        actor = f"person-{self.rng.integers(self.people)}"
        reply = self._ask(query, user=actor, client=PEOPLE)
        page = np.array([name in query.relevant for name in reply.ids], np.bool_)
        clicks = self.user(self.rng, page)
        events = list(events_of(reply, clicks, actor))
        receipt = self.remote.report(self.bank, events)
        if receipt["rejected"]:
            raise Unavailable("feedback", f"{receipt['rejected']} of {len(events)} were refused")
        self.told.update(receipt)
        self.told.update({reply.policy: 1, "recalls": 1, "clicks": len(events) - 1})
        self.actors.add(actor)
        if self.first_learnt is None and reply.version:
            self.first_learnt = self.told["recalls"] - 1
        self.last, self.closed = reply.recall_id, time.monotonic()

    def measured(self, query: Query, row: Row | None = None) -> Reply:
        """The page of what is served, or under the given row alone; nobody learns from it."""
        given = {} if row is None else {"weights": dict(row.weights), "rrf_k": row.rrf_k}
        return self._ask(query, client=MEASURING, explore=False, **given)

    def await_learning(self) -> float:
        """Seconds from the last closing until the worker has been seen to have learnt from it."""
        while self.last and not self.remote.decision(self.bank, self.last)["learned_as"]:
            if time.monotonic() - self.closed > LEARNT_S:
                raise Unavailable(
                    "worker", f"it learnt nothing for {LEARNT_S:.0f} s; does one run?"
                )
            time.sleep(LOOK_S)
        return time.monotonic() - self.closed

    def await_change(self) -> Change:
        """Close recalls until the answer to one question changes; count from the first of them."""
        query = self.asked[0]
        before = self.measured(query)
        started = time.monotonic()
        self.visit()
        closings = 1
        while (waited := time.monotonic() - started) < CHANGED_S:
            now = self.measured(query)
            if now.serving != before.serving:
                by = "version" if now.version != before.version else "residual"
                return Change(waited, closings, by)
            if time.monotonic() - self.closed > CLOSE_EVERY_S:
                self.visit()
                closings += 1
            time.sleep(LOOK_S)
        return Change(None, closings, "nothing")

    def _ask(self, query: Query, **more: Any) -> Reply:
        asked_at = self.dataset.asked_at(query).isoformat()
        body = {"question": query.text, "asked_at": asked_at, "k": TOP, **more}
        reply = self.remote.recall(self.bank, body)
        self.told["degraded"] += bool(reply.degraded)
        return reply


def events_of(reply: Reply, clicks: NDArray[np.float64], actor: str) -> Iterator[dict[str, Any]]:
    """What the person's program reports of a page: each use, and that it is done with."""
    common: Mapping[str, Any] = {
        "recall_id": reply.recall_id,
        "timestamp": datetime.now(UTC).isoformat(),
        "client_id": PEOPLE,
        "user_id": actor,
    }
    for rank, (memory, used) in enumerate(zip(reply.ids, clicks, strict=True), 1):
        if used:
            what = {"action_name": CLICK, "memory_id": memory, "position": rank}
            yield {**common, **what, "event_id": f"{reply.recall_id}:{rank}"}
    yield {**common, "action_name": "recall_closed", "event_id": f"{reply.recall_id}:closed"}
