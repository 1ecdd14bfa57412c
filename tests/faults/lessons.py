"""People who teach four banks what they like, and the record of what was acknowledged to them."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from tests.faults.harness import SEED, Server
from tests.faults.load import Client, Ledger, at_work, event

# Bank -> the lane whose best hit its people use. With four, three others make a fleet's prior.
TASTES: Mapping[str, str] = {
    "reads": "keyword", "feels": "semantic", "links": "graph", "waits": "keyword",
}  # fmt: skip
EAGER: Mapping[str, Any] = {"learner": {"min_impressions": 5, "min_actors": 2}}
PLAIN = "waits"  # the one bank with the learner's own gate, which its fleet may open
MEMORIES = 60  # of a bank before anybody asks
PEOPLE = 40  # of a bank
AFTERTHOUGHTS = 2  # answers that wait for a thumb; the oldest of more has been learnt by then

Ledgers = Mapping[str, Ledger]  # by bank


class Teacher(Client):
    """Asks in the name of many people, uses the best hit of one lane, and closes the recall.

    What was used is told in one request with the closing or in one before it; now and then a thumb
    goes to an answer that has long been closed.
    """

    renewed = 0.0  # a text that is replaced begins its counters anew: no recount could tell

    def __init__(self, bank: str, server: Server, ledger: Ledger, seed: int) -> None:
        super().__init__(bank, server, ledger, seed, bank=path_of(bank))
        self._lane = TASTES[bank]
        self._closed: deque[tuple[str, dict[str, Any]]] = deque()

    def _act(self) -> None:
        if len(self._mine) < MEMORIES or self._random.random() < 0.05:
            self._retain()
            return
        self._teach()
        if len(self._closed) > AFTERTHOUGHTS:
            recall, shown = self._closed.popleft()
            self._tell([event(recall, shown, "memory_thumbs_up")])

    def _teach(self) -> None:
        person = f"{self.name}-{self._random.randrange(PEOPLE)}"
        body = {"question": self._words(4), "k": 8, "user": person, "client": self.name}
        answer = self._acknowledged("/recall", body)
        recall, shown = answer["recall_id"], answer["results"]
        self._take(answer)
        if len(shown) < 2:
            return
        best = min(shown, key=self._rank)
        told = [event(recall, best, "memory_cited")]
        if self._random.random() < 0.2:
            told.append(answered(recall, best["id"]))
        if self._random.random() < 0.5:
            self._tell(told)
            told = []
        self._tell([*told, about(recall, "recall_closed")])
        if self._random.random() < 0.1:
            other = next(one for one in shown if one is not best)
            self._closed.append((recall, other))

    def _rank(self, one: Mapping[str, Any]) -> tuple[int, int]:
        vote = one["channels"].get(self._lane)
        return (vote["rank"] if vote else 1_000, one["rank"])


def path_of(bank: str) -> str:
    """Where the bank's routes begin."""
    return f"/v1/banks/{bank}"


def about(recall_id: str, action: str, **more: str) -> dict[str, Any]:
    """An event on a recall as a whole."""
    return {
        "event_id": f"{recall_id}.{action}",
        "action_name": action,
        "query_id": recall_id,
        "timestamp": "2025-06-11T15:30:00Z",
        **more,
    }


def answered(recall_id: str, memory_id: str) -> dict[str, Any]:
    """An answer that names a memory by its id, from which a citation is derived."""
    return about(recall_id, "answer_given", answer=f"So it is, by [{memory_id}].")


def make_banks(server: Server) -> None:
    """The banks of `TASTES`."""
    for bank in TASTES:
        config = {} if bank == PLAIN else EAGER
        server.http.put(f"{server.url}{path_of(bank)}", json={"config": config}).raise_for_status()


@contextmanager
def teaching(server: Server, ledgers: Ledgers) -> Iterator[Sequence[Client]]:
    """One teacher for each bank at work."""
    teachers = [
        Teacher(bank, server, ledger, SEED + number)
        for number, (bank, ledger) in enumerate(ledgers.items())
    ]
    with at_work(teachers):
        yield teachers
