"""One question over several banks: each answers by its own settings, their lists are fused."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog
from psycopg import OperationalError
from psycopg.errors import QueryCanceled

from channels.base import Hit, MemoryKey
from channels.errors import NoChannel, Unavailable
from router import metrics
from router.answer import Answer, RecallRequest
from router.fuse import RRF_K, weighted_rrf
from router.record import Decision
from router.search import PARTS
from router.store.banks import Bank

log = structlog.get_logger()
AT_ONCE = 2  # banks of one request; the default pool serves three recalls, others get a turn too
Ask = Callable[[Bank, RecallRequest], Awaitable[Decision]]  # as Recaller.decide
Record = Callable[[Decision], Answer]  # as Recaller.record


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """What is asked of one bank, and how much its list counts."""

    bank: Bank
    request: RecallRequest
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class BankDecision:
    """What one bank decided, before the lists are fused; without a decision, why."""

    asked: BankQuestion
    decision: Decision | None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class BankAnswer:
    """What one bank answered; without an answer, why: timeout, pool, database, dependency."""

    asked: BankQuestion
    answer: Answer | None  # its page is what the fused page shows of it
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a result of the fused list stands in its bank's own list."""

    bank: int  # place in the request, from 0
    rank: int  # in the bank's list, from 1
    score: float  # weight / (rrf_k + rank)


@dataclass(frozen=True, slots=True)
class SeveralAnswer:
    """The fused page with what each bank answered, in the request's order."""

    banks: tuple[BankAnswer, ...]
    page: tuple[Place, ...]
    total_ms: float

    @property
    def degraded(self) -> tuple[str, ...]:
        """`bank:<name>:<reason>` for a bank left out, and for a part that a bank lacked."""
        return tuple(
            f"bank:{one.asked.bank.name}:{part}"
            for one in self.banks
            for part in (one.answer.degraded if one.answer else (one.failure,))
        )


async def recall_several(
    ask: Ask, record: Record, questions: Sequence[BankQuestion], *, k: int, offset: int = 0
) -> SeveralAnswer:
    """Ask every bank, at most AT_ONCE at a time, and fuse: the page `offset`, `k` of all.

    Every bank is asked for its first offset + k, for the page may be all its own, and put on record
    with those that are shown; `deadline_ms` of a request counts from here. A bank that fails is
    left out, counted and named. Raises BadInput as a recall does, and Unavailable when no bank
    answers.
    """
    started = time.perf_counter()
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(question: BankQuestion) -> BankDecision:
        async with turn:
            waited_ms = (time.perf_counter() - started) * 1_000
            return await _decided(ask, question, offset + k, waited_ms)

    # All are waited for even when one raises, so that none goes on behind the reply.
    settled = await asyncio.gather(*map(one, questions), return_exceptions=True)
    banks = tuple(_or_raise(outcome) for outcome in settled)
    failures = [one for one in banks if one.decision is None]
    if failures:
        metrics.DEGRADED.labels("bank").inc()
    if len(failures) == len(banks):
        named = ", ".join(f"{one.asked.bank.name!r} ({one.failure})" for one in failures)
        raise Unavailable("every bank", f"{named}; see /health/ready")
    order = merged(
        [len(one.decision.answer.page) if one.decision else 0 for one in banks],
        [one.asked.weight for one in banks],
    )
    page = tuple(order[offset : offset + k])
    answers = tuple(_recorded(record, one, number, page) for number, one in enumerate(banks))
    return SeveralAnswer(answers, page, (time.perf_counter() - started) * 1_000)


def merged(lengths: Sequence[int], weights: Sequence[float]) -> list[Place]:
    """Fuse ranked lists that share no memory by weighted RRF, best first.

    Total order: score, then the bank's place, then rank. With equal weights the lists interleave.
    Tied scores only come from other banks, so a bank's own order always stays.
    """
    runs: dict[str, list[Hit]] = {}
    places: dict[int, tuple[int, int]] = {}
    for bank, length in enumerate(lengths):
        # Numbered anew: keys are only promised to be unique within their bank.
        numbers = range(len(places), len(places) + length)
        runs[str(bank)] = [Hit(MemoryKey(number), 0.0) for number in numbers]
        places.update((number, (bank, rank)) for rank, number in enumerate(numbers, 1))
    by_bank = {str(bank): weight for bank, weight in enumerate(weights)}
    fused = weighted_rrf(runs, by_bank, rrf_k=RRF_K)
    found = [Place(*places[item.key], item.score) for item in fused]
    return sorted(found, key=lambda place: (-place.score, place.bank, place.rank))


def _recorded(record: Record, one: BankDecision, number: int, page: Sequence[Place]) -> BankAnswer:
    """The bank's answer cut to what the fused page shows of it: its own order has no gaps there."""
    if one.decision is None:
        return BankAnswer(one.asked, None, one.failure)
    ranks = [place.rank for place in page if place.bank == number]
    answer = one.decision.answer
    request = replace(answer.request, offset=min(ranks, default=1) - 1, k=len(ranks))
    decision = replace(one.decision, answer=replace(answer, request=request))
    return BankAnswer(one.asked, record(decision))


async def _decided(ask: Ask, question: BankQuestion, most: int, waited_ms: float) -> BankDecision:
    request = replace(question.request, offset=0, k=most)
    if request.deadline_ms is not None:
        left_ms = int(request.deadline_ms - waited_ms)
        if left_ms < 1:
            return _left_out(question, "timeout")
        request = replace(request, deadline_ms=left_ms)
    try:
        return BankDecision(question, await ask(question.bank, request))
    except (NoChannel, Unavailable, OperationalError) as error:
        return _left_out(question, _reason(error))


def _left_out(question: BankQuestion, reason: str) -> BankDecision:
    log.warning("bank_left_out", bank=question.bank.name, reason=reason)
    return BankDecision(question, None, reason)


def _reason(error: Exception) -> str:
    match error:
        case NoChannel():
            reasons = set(error.failures.values())
            return reasons.pop() if len(reasons) == 1 else "channels"
        case Unavailable():
            return PARTS.get(error.part, "dependency")
        case QueryCanceled():
            return "timeout"
        case _:
            return "database"


def _or_raise(outcome: BankDecision | BaseException) -> BankDecision:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
