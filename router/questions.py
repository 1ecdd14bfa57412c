"""The question that lanes are asked: a request read, with the look-ups that lanes share."""

import asyncio
from collections.abc import Callable, Mapping
from copy import copy

import structlog
from psycopg import OperationalError

from channels.base import Embedded, Lookups, MemoryKey, Question, Vector
from channels.connection import Transaction
from channels.errors import BadInput, RecallError, Unavailable
from channels.keyword import LIST, bm25, term_statistics
from channels.late import late_interaction
from channels.names import NameFinder
from channels.once import Once
from channels.semantic import SCAN, nearest
from channels.strict import dated_in
from router.answer import RecallRequest
from router.embedders import Embedders
from router.store.banks import Bank
from router.understand.read import Understanding, understand

log = structlog.get_logger()
# Shares of a channel's time. A look-up that hangs is given up while the channels that only borrow
# from it can still answer without it; late interaction borrows from the other two itself.
LOOKUP_SHARE, LATE_SHARE = 0.6, 0.8
DATED_SHARE = 0.3  # of the time left, for what a strict window lets in by dates in texts

Patience = Callable[[float], float]  # share of what is left -> seconds


class Questions:
    """Makes questions. Holds what lives as long as the process: models and the finder of names."""

    def __init__(
        self,
        transaction: Transaction,
        embedders: Embedders,
        *,
        timeout_ms: int,
        names: NameFinder | None,
    ) -> None:
        self._transaction = transaction
        self._embedders = embedders
        self._timeout_ms = timeout_ms
        self._names = names

    def over(self, transaction: Transaction) -> "Questions":
        """The same over other transactions."""
        other = copy(self)
        other._transaction = transaction
        return other

    async def read(self, bank: Bank, request: RecallRequest) -> Understanding:
        """What the words say, by the bank's customs."""
        names: Mapping[str, str] = {}
        if self._names is not None:
            names = await asyncio.to_thread(self._names.find, request.question)
        customs = bank.config.customs()
        return understand(request.question, request.asked_at, request.timezone, customs, names)

    async def dated(
        self, bank: Bank, request: RecallRequest, read: Understanding, patience_s: float
    ) -> tuple[MemoryKey, ...] | None:
        """What a strict window lets in by dates in texts; None when that cannot be told in time."""
        window = request.window or read.window
        if not request.strict_window or window is None:
            return ()
        try:
            async with asyncio.timeout(patience_s):
                return await dated_in(
                    self._transaction, bank.key, window, timeout_ms=self._timeout_ms
                )
        except (TimeoutError, RecallError, OperationalError) as error:
            log.warning("strict_dates_left_out", reason=str(error))
            return None

    def question(
        self,
        bank: Bank,
        request: RecallRequest,
        read: Understanding,
        patience: Patience,
        dated: tuple[MemoryKey, ...] | None = (),
    ) -> Question:
        """The question with its look-ups, none of them begun; cancel it when it is answered."""
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
            affect=request.arc_told or read.affect,
            arc_of=request.arc_of,
            arc_episode=request.arc_episode,
            dated=dated,
            filters=request.filters,
            view=request.view,
            lookups=self._lookups(lambda: question, request.depth, patience),
        )
        return question

    def _lookups(self, asked: Callable[[], Question], depth: int, patience: Patience) -> Lookups:
        transaction, timeout = self._transaction, self._timeout_ms
        return Lookups(
            vectors=Once(
                lambda: nearest(transaction, asked(), max(SCAN, depth), timeout_ms=timeout),
                patience=lambda: patience(LOOKUP_SHARE),
            ),
            statistics=Once(
                lambda: term_statistics(transaction, asked(), timeout_ms=timeout),
                patience=lambda: patience(LOOKUP_SHARE),
            ),
            late=Once(
                lambda: late_interaction(transaction, asked(), timeout_ms=timeout),
                patience=lambda: patience(LATE_SHARE),
            ),
            keywords=Once(
                lambda: bm25(transaction, asked(), max(LIST, depth), timeout_ms=timeout),
                patience=lambda: patience(LOOKUP_SHARE),
            ),
        )

    async def _embed(self, bank: Bank, text: str) -> Embedded:
        try:
            return await self._embedders.embed_question(bank, text)
        except RuntimeError as error:  # torch's, while it computes
            raise Unavailable("embedder", f"{bank.embedder_name!r} failed: {error}") from error


async def vector_in_time(
    question: Question, patience_s: float
) -> tuple[Vector | None, tuple[str, ...]]:
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


async def _vector_of(embedded: Once[Embedded]) -> Vector | None:
    return (await embedded.get()).vector
