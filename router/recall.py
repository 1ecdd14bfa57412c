"""The walk of a question: read, weighed, asked of five channels, fused, answered, recorded."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import structlog

from channels.base import (
    Channel,
    Embedded,
    Filters,
    Lookups,
    MemoryKey,
    Question,
    Vector,
    View,
    Window,
)
from channels.connection import Transaction
from channels.errors import BadInput, RecallError, Unavailable
from channels.keyword import LIST, bm25, term_statistics
from channels.late import late_interaction
from channels.once import Once
from channels.semantic import SCAN, nearest
from router import metrics
from router.embedders import Embedders
from router.facts import Facts
from router.fuse import Fused, weighted_rrf
from router.live import LiveMatrices
from router.record import Decision, Recorder
from router.search import Found, search_all
from router.store.banks import Bank
from router.store.candidates import fetch_facts
from router.store.memories import new_id
from router.timing import Clock
from router.understand.read import Understanding, understand
from router.understand.types import TypeClassifier
from router.weights import Row, blend, from_caller

log = structlog.get_logger()
GRACE_S = 0.25  # beyond a statement's own timeout, so that the server cancels it first
EMBED_SHARE = 0.5  # of the time left: a model that hangs leaves the other half to the words
LEAST_S = 0.01  # a used-up deadline still asks, and then names every channel as late


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A checked question with its options, as api.md names them."""

    question: str
    asked_at: datetime  # aware, UTC
    timezone: str
    k: int = 10
    offset: int = 0
    depth: int = 50
    deadline_ms: int | None = None
    filters: Filters = field(default_factory=Filters)
    view: View = field(default_factory=View)
    window: Window | None = None  # the caller's own, instead of the one read from the words
    strict_window: bool = False
    arc_of: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    rrf_k: float | None = None
    rerank: bool = False
    min_score: float | None = None  # of a reranker; fused scores have no such scale
    abstain_below: float | None = None
    explore: bool | None = None
    user: str | None = None
    client: str | None = None
    session: str | None = None
    api_key: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """Ranked memories with everything that led to them."""

    recall_id: str
    request: RecallRequest
    read: Understanding
    types: Mapping[str, float]
    row: Row
    matrix_version: int
    found: Found
    fused: Sequence[Fused]
    facts: Mapping[MemoryKey, Facts]
    degraded: tuple[str, ...]
    timings_ms: Mapping[str, float]

    @property
    def page(self) -> Sequence[Fused]:
        """The results shown."""
        return self.fused[self.request.offset : self.request.offset + self.request.k]


class Recaller:
    """Answers questions. Holds what lives as long as the process: channels, models, matrices."""

    def __init__(
        self,
        transaction: Transaction,
        channels: Sequence[Channel],
        embedders: Embedders,
        classifier: TypeClassifier,
        live: LiveMatrices,
        recorder: Recorder,
        *,
        timeout_ms: int,
        concurrent: int,
    ) -> None:
        self._transaction = transaction
        self._channels = channels
        self._embedders = embedders
        self._classifier = classifier
        self._live = live
        self._recorder = recorder
        self._timeout_ms = timeout_ms
        self._turn = asyncio.Semaphore(concurrent)  # none waits for half its connections

    async def recall(self, bank: Bank, request: RecallRequest) -> Answer:
        """Answer one question from one bank. Raises BadInput, NoChannel, Unavailable."""
        return self.record(await self.decide(bank, request))

    def record(self, decision: Decision) -> Answer:
        """Put a decision on record, behind the reply; the answer says when that cannot be."""
        answer = decision.answer
        if not self._recorder.put(decision):
            answer = replace(answer, degraded=(*answer.degraded, "record:queue_full"))
        _count(answer)
        return answer

    async def decide(self, bank: Bank, request: RecallRequest) -> Decision:
        """The answer with all that led to it, not yet on record."""
        clock = Clock()
        async with self._turn:
            clock.mark("wait")
            read = understand(request.question, request.asked_at, request.timezone)
            question = self._question(bank, request, read)
            clock.mark("understand")
            try:
                answer = await self._answer(bank, request, read, question, clock)
            finally:
                await question.cancel()
        return Decision(bank, question, answer)

    async def _answer(
        self,
        bank: Bank,
        request: RecallRequest,
        read: Understanding,
        question: Question,
        clock: Clock,
    ) -> Answer:
        question.lookups.keywords.start()
        vector, degraded = await _vector(question, self._patience(request, clock) * EMBED_SHARE)
        types = self._classifier.probabilities(request.question, vector, bank.embedder_name)
        clock.mark("embed")
        matrix = await self._live.matrix(bank.key)
        row = from_caller(request.weights, request.rrf_k, blend(matrix, types))
        patience = self._patience(request, clock)
        found = await search_all(self._channels, question, request.depth, timeout_s=patience)
        clock.mark("channels")
        fused = weighted_rrf(found.runs, row.weights, rrf_k=row.rrf_k)
        clock.mark("fuse")
        fused, facts = await self._facts(bank, request, fused)
        clock.mark("fetch")
        return Answer(
            new_id(),
            request,
            read,
            types,
            row,
            matrix.version,
            found,
            fused,
            facts,
            (*degraded, *_degraded(request, found)),
            clock.timings(),
        )

    def _patience(self, request: RecallRequest, clock: Clock) -> float:
        """Seconds that the next step may take: a channel's own, or what the deadline leaves."""
        own = self._timeout_ms / 1_000 + GRACE_S
        if request.deadline_ms is None:
            return own
        return min(own, max(LEAST_S, request.deadline_ms / 1_000 - clock.elapsed_s()))

    async def _facts(
        self, bank: Bank, request: RecallRequest, fused: Sequence[Fused]
    ) -> tuple[list[Fused], dict[MemoryKey, Facts]]:
        """The fused list without memories deleted since the search, and facts of the rest."""
        remaining = list(fused)
        while True:
            page = remaining[request.offset : request.offset + request.k]
            facts = await fetch_facts(
                self._transaction,
                bank.key,
                [item.key for item in remaining],
                [item.key for item in page],
                timeout_ms=self._timeout_ms,
            )
            if all(item.key in facts for item in page):
                return [item for item in remaining if item.key in facts], facts
            remaining = [item for item in remaining if item.key in facts]

    async def _embed(self, bank: Bank, text: str) -> Embedded:
        try:
            return await self._embedders.embed_question(bank, text)
        except RuntimeError as error:  # torch's, while it computes
            raise Unavailable("embedder", f"{bank.embedder_name!r} failed: {error}") from error

    def _question(self, bank: Bank, request: RecallRequest, read: Understanding) -> Question:
        timeout = self._timeout_ms
        transaction = self._transaction
        recency = read.recency
        if recency == "none" and bank.config.recency == "always":
            recency = "recent"
        embedded = Once(lambda: self._embed(bank, request.question))
        question = Question(
            bank=bank.key,
            text=request.question,
            asked_at=request.asked_at,
            timezone=request.timezone,
            embedder=bank.embedder,
            live_rows=bank.live_rows,
            indexed=bank.indexed,
            embedded=embedded,
            vector=Once(lambda: _vector_of(embedded)),
            terms=read.terms,
            identifiers=read.identifiers,
            entities=read.entities,
            window=request.window or read.window,
            strict_window=request.strict_window,
            asks_date=read.asks_date,
            recency=recency,
            decay=bank.config.decay_curve(),
            affect=read.affect,
            arc_of=request.arc_of,
            filters=request.filters,
            view=request.view,
            lookups=Lookups(
                vectors=Once(
                    lambda: nearest(
                        transaction, question, max(SCAN, request.depth), timeout_ms=timeout
                    )
                ),
                statistics=Once(lambda: term_statistics(transaction, question, timeout_ms=timeout)),
                late=Once(lambda: late_interaction(transaction, question, timeout_ms=timeout)),
                keywords=Once(
                    lambda: bm25(
                        transaction, question, max(LIST, request.depth), timeout_ms=timeout
                    )
                ),
            ),
        )
        return question


async def _vector_of(embedded: Once[Embedded]) -> Vector | None:
    return (await embedded.get()).vector


async def _vector(question: Question, patience_s: float) -> tuple[Vector | None, tuple[str, ...]]:
    """The question's vector, or None and why the embedder is left out."""
    try:
        async with asyncio.timeout(patience_s):
            return await question.vector.get(), ()
    except BadInput:
        raise
    except TimeoutError:
        log.warning("embedder_left_out", reason="timeout", waited_s=round(patience_s, 3))
        return None, ("embedder:timeout",)
    except RecallError as error:
        log.warning("embedder_left_out", reason=str(error))
        return None, ("embedder:unavailable",)


def _degraded(request: RecallRequest, found: Found) -> tuple[str, ...]:
    parts = [f"{channel}:{reason}" for channel, reason in sorted(found.failed.items())]
    if request.rerank:
        parts.append("rerank:not_configured")
    if request.min_score is not None:
        parts.append("min_score:not_applied_without_reranker")
    if request.abstain_below is not None:
        parts.append("abstain:no_confidence_without_reranker")
    return tuple(parts)


def _count(answer: Answer) -> None:
    metrics.RECALL_SECONDS.observe(answer.timings_ms["total"] / 1_000)
    for part in answer.degraded:
        metrics.DEGRADED.labels(part.split(":")[0]).inc()
