"""Recalls and events of simulated agents, put into a real database for a learner to read."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from psycopg.types.json import Jsonb

from channels.connection import Transaction
from feedback import learners
from feedback.impression import TYPES
from feedback.ingest import FeedbackStore
from feedback.learner import Gate, Start
from feedback.settings import LearnerSettings, Setup
from feedback.step import Step
from feedback.worker import Worker
from tests.feedback.pages import CHANNELS, prior, random_ranks

START = datetime(2026, 5, 4, 8, tzinfo=UTC)
KEYWORD = CHANNELS.index("keyword")
TEMPORAL = {kind: float(kind == "temporal") for kind in TYPES}
FEATURES = ("f1", "f2", "f3")
NAMES = (*FEATURES, "contrast_1", "contrast_2", "contrast_3", "contrast_4", "slope")
ADD_BANK = """
insert into banks (bank_id, name, config, embedder, analyser, created_at)
values (%(bank)s, %(name)s, %(config)s, 1, 1, %(now)s)
"""
ADD_MODEL = "insert into embedders (embedder, name, dim) values (1, 'm', 8) on conflict do nothing"
ADD_RECALL = """
insert into recalls (
  bank_id, id, at, closed_at, actor, client, question, asked_at, timezone, types, analysis, request,
  channels, weights, rrf_k, caller_weights, matrix_version, policy, propensity, seed, noise,
  candidate_keys, candidate_ids, ranks, scores, fused, shown_from, shown_keys, shown_ids,
  feature_version, features, degraded, timings
) values (
  %(bank)s, %(id)s, %(at)s, null, %(actor)s, %(client)s, %(question)s, %(at)s, 'UTC', %(types)s,
  '{}', '{}', %(channels)s, %(weights)s, %(rrf_k)s, %(caller_weights)s, %(version)s, 'learned', 1,
  0, 0, %(keys)s, %(ids)s, %(ranks)s, %(scores)s, %(fused)s, 0, %(shown)s, %(shown_ids)s, 1,
  %(features)s, '{}', '{}'
)
"""


def start(**changes: Any) -> Start:
    """Default rows that hear the keyword lane little."""
    parts: dict[str, Any] = {
        "channels": CHANNELS,
        "rows": prior((1, 0.8, 0.2, 0.4, 0.3), 60.0),
        "names": NAMES,
        "feature_version": 1,
        "residual": np.zeros(len(NAMES)),
    }
    return Start(**{**parts, **changes})


def setup(**changes: Any) -> Setup:
    settings = LearnerSettings(changes.pop("start", start()), len(FEATURES))
    return Setup(settings, **{"gate": Gate(), "shares": False, **changes})


class Counter:
    """What a worker did."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.failures = 0

    def stepped(self, step: Step, seconds: float) -> None:
        self.steps.append(step)

    def failed(self) -> None:
        self.failures += 1


class Lessons:
    """A store on a fresh database, its clock, and agents that ask and report."""

    def __init__(self, transaction: Transaction) -> None:
        self.transaction = transaction
        self.now = START
        self.seen = Counter()
        self.setups: Callable[[Mapping[str, Any], str], Setup] = lambda config, embedder: setup()
        self.store = FeedbackStore(transaction, clock=lambda: self.now)
        self.count = 0

    async def bank(self, bank: int, **config: Any) -> int:
        async with self.transaction("all") as conn:
            await conn.execute(ADD_MODEL)
            values = {"bank": bank, "name": f"b{bank}", "config": Jsonb(config), "now": self.now}
            await conn.execute(ADD_BANK, values)
        return bank

    def worker(self, **changes: Any) -> Worker:
        parts = {"window_s": 1_800, "clock": lambda: self.now, "poll_s": 0.05}
        return Worker(self.transaction, self.setups, self.seen, **{**parts, **changes})

    async def learn(self, **changes: Any) -> None:
        """Turns until nothing is waiting; time goes on by the grace."""
        self.now += timedelta(seconds=2)
        worker = self.worker(**changes)
        while await worker.turn():
            pass

    async def ask(self, bank: int, rng: np.random.Generator, **changes: Any) -> str:
        """One answered question of a temporal type; its id."""
        self.count += 1
        self.now += timedelta(seconds=5)
        ranks = changes.pop("ranks", random_ranks(rng))
        keys = list(range(1, len(ranks) + 1))
        row = prior((1, 0.8, 0.2, 0.4, 0.3), 60.0)
        votes = np.where(ranks > 0, 1.0 / (60.0 + ranks), 0.0) @ row.weights[0]
        order = np.argsort(-votes, kind="stable")
        page = [keys[at] for at in order[:10]]
        values: dict[str, Any] = {
            "bank": bank,
            "id": f"r{bank}-{self.count:05}",
            "at": self.now,
            "actor": f"a{rng.integers(40)}",
            "client": "agent",
            "question": f"when was {rng.integers(1000)}?",
            "types": Jsonb(TEMPORAL),
            "channels": list(CHANNELS),
            "weights": row.weights[0].tolist(),
            "rrf_k": 60.0,
            "caller_weights": False,
            "version": 0,
            "keys": [keys[at] for at in order],
            "ids": [f"m{keys[at]}" for at in order],
            "ranks": ranks[order].ravel().tolist(),
            "scores": ranks[order].ravel().astype(float).tolist(),
            "fused": votes[order].tolist(),
            "shown": page,
            "shown_ids": [f"m{key}" for key in page],
            "features": rng.standard_normal((len(page), 3)).astype(np.float16).tobytes(),
        }
        values |= changes
        async with self.transaction(bank) as conn:
            await conn.execute(ADD_RECALL, values)
        self.last = {"ranks": ranks, "page": page, "id": values["id"]}
        return str(values["id"])

    async def send(self, bank: int, *events: dict[str, Any], **changes: Any) -> Any:
        return await self.store.ingest(
            bank, events, **{"api_key": None, "trusted": False, **changes}
        )

    def event(self, action: str, key: int | None = None, **more: Any) -> dict[str, Any]:
        """An event on the recall asked last."""
        self.count += 1
        about = {} if key is None else {"memory_id": f"m{key}"}
        stamp = self.now.isoformat(timespec="milliseconds")
        plain = {"event_id": f"e{self.count:05}", "action_name": action, "timestamp": stamp}
        return {**plain, "recall_id": self.last["id"], **about, **more}

    async def keyword_lesson(
        self, bank: int, count: int, seed: int = 7, lane: int = KEYWORD, **changes: Any
    ) -> None:
        """Recalls in which the best keyword hit (or `lane`'s) is cited and nothing else."""
        rng = np.random.default_rng(seed)
        for _ in range(count):
            await self.ask(bank, rng, **changes)
            ranks, page = self.last["ranks"], self.last["page"]
            hits = [key for key in page if ranks[key - 1, lane]]
            best = min(hits, key=lambda key: ranks[key - 1, lane], default=None)
            told = [] if best is None else [self.event("memory_cited", best)]
            await self.send(bank, *told, self.event("recall_closed"))

    async def all(self, statement: str, bank: int) -> list[Any]:
        async with self.transaction(bank) as conn:
            return await (await conn.execute(statement.encode())).fetchall()

    async def live(self, bank: int) -> learners.Live | None:
        async with self.transaction(bank) as conn:
            return await learners.live_matrix(conn, bank)

    async def held(self, bank: int) -> learners.Held:
        async with self.transaction(bank) as conn:
            return await learners.held(conn, bank)
