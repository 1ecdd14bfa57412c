"""How long each step of a recall takes: alone, one after the other, and as callers see it."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

import numpy as np

from channels.base import Question
from channels.connection import Connection, Transaction
from channels.embedder import SentenceEmbedder
from router.answer import Answer, RecallRequest
from router.fuse import weighted_rrf
from router.recall import Recaller
from router.record import Decision
from router.search import Found, Outcome
from router.store.banks import Bank
from router.store.memories import new_id
from router.timing import Clock
from router.understand.read import understand
from router.understand.types import TypeClassifier
from router.weights import blend, from_caller
from router.wiring import Service, lanes

ASKED_AT = datetime(2026, 1, 5, 12, tzinfo=UTC)  # after every memory of bench/bulk.py
TIMEOUT_MS = 60_000  # no lane is left out: a slow one is to be seen, not hidden
CONCURRENT = 3
WARM = 10  # recalls before the first that counts

Span = tuple[float, float]


class Forgetful(SentenceEmbedder):
    """The packaged model, which on demand forgets the questions it has embedded."""

    forgets = False

    def __init__(self, model: str) -> None:
        super().__init__(model)
        self.spans: list[Span] = []

    async def embed_question(self, text: str) -> Any:
        """As the product's; with `forgets`, always from the model."""
        if self.forgets:
            self._cache.clear()
        started = time.perf_counter()
        found = await super().embed_question(text)
        self.spans.append((started, time.perf_counter()))
        return found


@dataclass
class Waits:
    """A transaction that notes when the process waits for the database."""

    inner: Transaction
    spans: list[Span] = field(default_factory=list)

    def __call__(
        self, bank: int | Literal["all"], *, timeout_ms: int | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        return self._open(bank, timeout_ms)

    @asynccontextmanager
    async def _open(
        self, bank: int | Literal["all"], timeout_ms: int | None
    ) -> AsyncIterator[Connection]:
        started = time.perf_counter()
        async with self.inner(bank, timeout_ms=timeout_ms) as conn:
            self.spans.append((started, time.perf_counter()))
            yield _Noting(conn, self.spans)  # type: ignore[misc] # stands in for a connection
            started = time.perf_counter()
        self.spans.append((started, time.perf_counter()))


class _Noting:
    def __init__(self, conn: Connection, spans: list[Span]) -> None:
        self._conn, self._spans = conn, spans

    async def execute(self, text: Any, values: Any = None, **how: Any) -> Any:
        started = time.perf_counter()
        found = await self._conn.execute(text, values, **how)
        self._spans.append((started, time.perf_counter()))
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conn, name)


class Staged(Recaller):
    """The product's walk, which can also be taken step by step."""

    def asked(self, bank: Bank, text: str) -> Question:
        """The question as the walk makes it."""
        read = understand(text, ASKED_AT, "UTC")
        return self._questions.question(bank, _request(text), read, _patience)

    async def staged(self, bank: Bank, text: str) -> dict[str, float]:
        """Milliseconds of each step, none overlapping another; the model's answer is remembered."""
        request, clock = _request(text), Clock()
        read = understand(text, ASKED_AT, "UTC")
        question = self._questions.question(bank, request, read, _patience)
        clock.mark("understand")
        vector = await question.vector.get()
        clock.mark("embed (cached)")
        types = self._classifier.probabilities(text, vector, bank.embedder_name)
        matrix = await self._live.matrix(bank)
        row = from_caller({}, None, blend(matrix, types))
        clock.mark("types and weights")
        outcomes = await self._lanes(question, request.depth, clock)
        fused = weighted_rrf(Found(outcomes).runs, row.weights, rrf_k=row.rrf_k)
        clock.mark("fuse")
        fused, facts = await self._pages.of(bank.key, fused, request.page_asked)
        clock.mark("fetch")
        answer = Answer(
            *(new_id(), request, read, types, row, matrix.version, Found(outcomes), fused, facts),
            degraded=(),
            timings_ms={},
        )
        self._recorder.put(Decision(bank, question, answer))
        await self._recorder.flush()
        clock.mark("record")
        return clock.timings()

    async def _lanes(self, question: Question, depth: int, clock: Clock) -> dict[str, Outcome]:
        lookups = question.lookups
        for step, lookup in (
            ("term statistics", lookups.statistics),
            ("keyword look-up", lookups.keywords),
            ("vector look-up", lookups.vectors),
            ("late interaction", lookups.late),
        ):
            if lookup is not None:
                await lookup.get()
            clock.mark(step)
        outcomes = {}
        for channel in self._channels:
            hits = await channel.search(question, depth)
            clock.mark(f"{channel.name} lane")
            outcomes[channel.name] = Outcome(tuple(hits), 0.0, None)
        return outcomes


def _patience(share: float) -> float:
    return share * TIMEOUT_MS / 1_000


def _request(text: str) -> RecallRequest:
    return RecallRequest(text, ASKED_AT, "UTC")


def staged_recaller(service: Service, transaction: Transaction) -> Staged:
    """The service's walk over another view of its database."""
    return Staged(
        transaction,
        lanes(transaction, timeout_ms=TIMEOUT_MS),
        service.embedders,
        TypeClassifier.load(),
        service.live,
        service.recorder,
        timeout_ms=TIMEOUT_MS,
        concurrent=CONCURRENT,
    )


async def measure(
    service: Service, embedder: Forgetful, bank: Bank, questions: Sequence[str]
) -> dict[str, Any]:
    """Steps, end to end with and without the model, and the router's own share; ms."""
    waits = Waits(service.reading)
    walk = staged_recaller(service, waits)
    embedder.forgets = False
    for text in questions:  # every question is embedded once before anything counts
        await embedder.embed_question(text)
    for text in questions[:WARM]:
        await walk.staged(bank, text)
    steps = [await walk.staged(bank, text) for text in questions]
    cached = [await _timed(service, walk, waits, embedder, bank, text) for text in questions]
    embedder.forgets = True
    embedded = [await _timed(service, walk, waits, embedder, bank, text) for text in questions]
    embedder.forgets = False
    names = [name for name in steps[0] if name not in ("total", "wait")]
    return {
        "n": len(questions),
        "steps": {name: quantiles(step[name] for step in steps) for name in names},
        "end_to_end": quantiles(one["total"] for one in cached),
        "end_to_end_with_model": quantiles(one["total"] for one in embedded),
        "router_wall": quantiles(one["own"] for one in cached),
        "router_cpu": quantiles(one["cpu"] for one in cached),
        "database_busy": quantiles(one["waits"] for one in cached),
    }


async def _timed(
    service: Service, walk: Staged, waits: Waits, embedder: Forgetful, bank: Bank, text: str
) -> dict[str, float]:
    """One recall as a caller sees it; the record is written after the clock has stopped."""
    await service.recorder.flush()
    waits.spans.clear()
    embedder.spans.clear()
    cpu, started = time.thread_time(), time.perf_counter()
    await walk.recall(bank, _request(text))
    total, used = time.perf_counter() - started, time.thread_time() - cpu
    waited = covered([*waits.spans, *embedder.spans])
    await asyncio.sleep(0)
    return {
        "total": total * 1_000,
        "waits": waited * 1_000,
        "own": (total - waited) * 1_000,
        "cpu": used * 1_000,
    }


def covered(spans: Iterable[Span]) -> float:
    """Length of the union of spans."""
    whole, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        whole += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return whole


def quantiles(values: Iterable[float]) -> dict[str, float]:
    """p50 and p95, in the values' unit."""
    known = np.array(list(values), float)
    return {"p50": float(np.quantile(known, 0.5)), "p95": float(np.quantile(known, 0.95))}
