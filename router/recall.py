"""The walk of a question: read, weighed, asked of five channels, fused, answered, recorded."""

import asyncio
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

import structlog
from psycopg import OperationalError
from psycopg.errors import QueryCanceled

from channels.base import (
    Channel,
    Hit,
    Question,
)
from channels.connection import Transaction
from channels.errors import RecallError
from channels.names import NameFinder
from channels.phrases import read_as_words
from channels.semantic import MODEL_CHANGED
from channels.strict import MOST_DATED
from feedback.policy import Draw
from router import metrics, second_hop
from router.answer import Answer, RecallRequest
from router.confidence import adjusted, adjustments
from router.drawing import AS_IT_IS, drawn, interleaved, with_noise
from router.embedders import Embedders
from router.fuse import Fused, weighted_rrf
from router.live import LiveMatrices
from router.questions import DATED_SHARE, Questions, vector_in_time
from router.record import Decision, Recorder
from router.residuals import Outcome, Residuals
from router.search import Found, search_all
from router.second_hop import Hop
from router.store.banks import Bank, Banks
from router.store.memories import new_id
from router.structure.page import Pages
from router.structure.pyramids.first import FirstSummaries
from router.structure.redirect import CHANNEL as REDIRECTED
from router.structure.redirect import Redirects, with_redirects
from router.timing import Clock
from router.understand.read import Understanding
from router.understand.types import TypeClassifier
from router.weights import Row, blend, from_caller

log = structlog.get_logger()
GRACE_S = 0.25  # beyond a statement's own timeout, so that the server cancels it first
EMBED_SHARE = 0.5  # of the time left: a model that hangs leaves the other half to the words
CHANNELS_SHARE = 0.85  # of a caller's deadline; the rest is for the texts and the way back
LEAST_S = 0.01  # a used-up deadline still asks, and then names every channel as late


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
        names: NameFinder | None = None,
    ) -> None:
        self._transaction = transaction
        self._channels = channels
        self._classifier = classifier
        self._live = live
        self._recorder = recorder
        self._timeout_ms = timeout_ms
        self._questions = Questions(transaction, embedders, timeout_ms=timeout_ms, names=names)
        self._pages = Pages(transaction, timeout_ms=timeout_ms)
        self._redirects = Redirects(transaction, timeout_ms=timeout_ms)
        self._summaries = FirstSummaries(transaction, timeout_ms=timeout_ms)
        self.residuals = Residuals(transaction, timeout_ms=timeout_ms)
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
        decision = await self._decided(bank, request)
        if decision.answer.found.failed.get("semantic") == MODEL_CHANGED:
            bank = await Banks(self._transaction).get(bank.name)
            decision = await self._decided(bank, request)
        return decision

    async def _decided(self, bank: Bank, request: RecallRequest) -> Decision:
        clock = Clock()
        async with self._turn:
            clock.mark("wait")
            read = await self._questions.read(bank, request)
            dated = await self._questions.dated(
                bank, request, read, self._patience(request, clock) * DATED_SHARE
            )
            question = self._questions.question(
                bank, request, read, lambda share: self._patience(request, clock) * share, dated
            )
            clock.mark("understand")
            try:
                answer = await self._answer(bank, request, read, question, clock)
            finally:
                await question.cancel()
        scan = question.lookups.vectors.peek()
        if scan is not None and len(scan.keys):
            metrics.VECTOR_SCANS.labels(scan.path).inc()
        return Decision(bank, question, answer)

    def over(self, transaction: Transaction) -> "Recaller":
        """The same walk over other transactions."""
        other = copy(self)
        other._transaction = transaction
        other._questions = self._questions.over(transaction)
        return other

    async def question(self, bank: Bank, request: RecallRequest) -> Question:
        """The question as lanes are asked it, for who asks a lane alone; cancel it afterwards."""
        read = await self._questions.read(bank, request)
        patience_s = self._timeout_ms / 1_000
        dated = await self._questions.dated(bank, request, read, patience_s * DATED_SHARE)
        return self._questions.question(
            bank, request, read, lambda share: patience_s * share, dated
        )

    async def _answer(
        self,
        bank: Bank,
        request: RecallRequest,
        read: Understanding,
        question: Question,
        clock: Clock,
    ) -> Answer:
        question.lookups.keywords.start()
        vector, degraded = await vector_in_time(
            question, self._patience(request, clock) * EMBED_SHARE
        )
        typed = self._classifier.read(request.question, vector, bank.embedder_name)
        clock.mark("embed")
        typed = typed.under(await self._live.types.layer(bank.key))
        types = typed.shares
        matrix = await self._live.matrix(bank)
        recall_id = new_id()
        learned = blend(matrix, types)
        row, draw = await self._drawn(bank, request, recall_id, learned)
        patience = self._patience(request, clock)
        found = await search_all(self._channels, question, request.depth, timeout_s=patience)
        found, unled = await self._redirected(question, found, self._patience(request, clock))
        found, unsummed = await self._summaries.leading(
            question, bank.config.summaries, found, self._patience(request, clock)
        )
        clock.mark("channels")
        runs = found.heard(row.weights)
        given = () if _is_weighed(request) else adjustments(runs)
        row = adjusted(row, given)
        fused = weighted_rrf(runs, row.weights, rrf_k=row.rrf_k)
        fused, unlinked, hop = await self._hopped(
            request, question, runs, row, fused, self._patience(request, clock)
        )
        default = adjusted(blend(self._live.default(bank), types), given)
        clock.mark("fuse")
        base = with_noise(default, draw)  # pages must differ here too, or nothing is explored
        outcome = await self._corrected(request, question, fused, base, clock)
        fused, teams = interleaved(outcome.fused, runs, default, draw)
        clock.mark("residual")
        fused, facts = await self._pages.of(bank.key, fused, request.page_asked, outcome.facts)
        clock.mark("fetch")
        return Answer(
            recall_id,
            request,
            replace(read, typed=typed),
            types,
            row,
            matrix.version,
            found,
            fused,
            facts,
            (
                *degraded,
                *unled,
                *unsummed,
                *unlinked,
                *outcome.degraded,
                *_degraded(request, question, found),
            ),
            clock.timings(),
            draw=draw,
            teams=teams,
            corrected=outcome.corrected,
            hop=hop,
            adjustments=given,
        )

    async def _corrected(
        self,
        request: RecallRequest,
        question: Question,
        fused: Sequence[Fused],
        base: Row,
        clock: Clock,
    ) -> Outcome:
        """The list as the residual ranker has it; a caller who brought a row gets that row."""
        if _is_weighed(request):
            return Outcome(fused)
        return await self.residuals.applied(question, fused, base, self._patience(request, clock))

    async def _drawn(
        self, bank: Bank, request: RecallRequest, recall_id: str, learned: Row
    ) -> tuple[Row, Draw]:
        """The row to serve: the caller's own, else the learned one, explored where that may be."""
        if _is_weighed(request):
            return from_caller(request.weights, request.rrf_k, learned), AS_IT_IS
        explores = (
            bank.config.explore and request.explore is not False and await self._live.heard(bank)
        )
        return drawn(recall_id, learned, explores=explores)

    def _patience(self, request: RecallRequest, clock: Clock) -> float:
        """Seconds that the next step may take: a channel's own, or what the deadline leaves."""
        own = self._timeout_ms / 1_000 + GRACE_S
        if request.deadline_ms is None:
            return own
        left = request.deadline_ms / 1_000 * CHANNELS_SHARE - clock.elapsed_s()
        return min(own, max(LEAST_S, left))

    async def _redirected(
        self, question: Question, found: Found, patience_s: float
    ) -> tuple[Found, tuple[str, ...]]:
        """The runs with what stands in the place of replaced memories, and what was left out."""
        if REDIRECTED not in found.runs:
            return found, ()
        try:
            async with asyncio.timeout(patience_s):
                redirects = await self._redirects.of(question)
                return await with_redirects(found, question, redirects), ()
        except TimeoutError:
            reason = "timeout"
        except (RecallError, OperationalError) as error:
            reason = "timeout" if isinstance(error, QueryCanceled) else "unavailable"
        log.warning("redirects_left_out", reason=reason)
        return found, (f"redirect:{reason}",)

    async def _hopped(
        self,
        request: RecallRequest,
        question: Question,
        runs: Mapping[str, Sequence[Hit]],
        row: Row,
        fused: list[Fused],
        patience_s: float,
    ) -> tuple[list[Fused], tuple[str, ...], Hop | None]:
        """The fused list with a second hop, where one was asked for and the first is confident."""
        if not request.second_hop:
            return fused, (), None
        share = second_hop.share_of_best(fused, runs, row)
        if not second_hop.is_confident(fused, runs, row):
            return fused, (), Hop((), "not_confident" if fused else "nothing_found", share)
        try:
            async with asyncio.timeout(patience_s):
                found = await second_hop.linked(
                    self._transaction, question, fused, timeout_ms=self._timeout_ms
                )
        except (TimeoutError, RecallError, OperationalError) as error:
            log.warning("second_hop_left_out", reason=str(error))
            return fused, ("second_hop:unavailable",), Hop((), "unavailable", share)
        if not found:
            return fused, (), Hop((), "nothing_linked", share)
        weights = {**row.weights, second_hop.NAME: second_hop.WEIGHT}
        hopped = weighted_rrf({**runs, second_hop.NAME: found}, weights, rrf_k=row.rrf_k)
        return hopped, (), Hop(found, None, share)


def _is_weighed(request: RecallRequest) -> bool:
    """Whether the caller brought weights or a constant, which are then served as given."""
    return bool(request.weights) or request.rrf_k is not None


def _degraded(request: RecallRequest, question: Question, found: Found) -> tuple[str, ...]:
    parts = [f"{channel}:{reason}" for channel, reason in sorted(found.failed.items())]
    parts += [f"quotes:{reason}" for reason in sorted(set(read_as_words(question).values()))]
    if question.strict_window and question.window is None:
        parts.append("strict_window:no_window")
    if question.dated is None:
        parts.append("strict_window:dates_unavailable")
    elif len(question.dated) == MOST_DATED:
        parts.append("strict_window:dates_cut")
    if request.rerank:
        parts.append("rerank:not_configured")
    if request.min_score is not None:
        parts.append("min_score:not_applied_without_reranker")
    if request.abstain_below is not None:
        parts.append("abstain:no_confidence_without_reranker")
    return tuple(parts)


def _count(answer: Answer) -> None:
    metrics.RECALL_SECONDS.observe(answer.timings_ms["total"] / 1_000)
    metrics.RECALL_POLICIES.labels(answer.draw.policy).inc()
    for part in answer.degraded:
        metrics.DEGRADED.labels(part.split(":")[0]).inc()
