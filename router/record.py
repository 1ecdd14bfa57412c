"""The decision on record: what was asked, found, weighed and shown, written behind the reply."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import structlog
from psycopg import Error as DatabaseError
from psycopg.types.json import Jsonb

from channels.analyser import term_key
from channels.base import MemoryKey, Question
from channels.connection import Connection, Transaction
from channels.errors import RecallError
from router import metrics
from router.features import FEATURE_VERSION, Surroundings, features
from router.fuse import Fused
from router.store.banks import Bank
from router.store.statements import statement

if TYPE_CHECKING:
    from router.recall import Answer

log = structlog.get_logger()
BATCH = 32
RETRY_S = (0.1, 0.5, 2.0)  # a restart of the database takes about this long
Recorded = Callable[[int, Sequence[str]], Awaitable[object]]  # bank and recall ids now on record


@dataclass(frozen=True, slots=True)
class Decision:
    """A recall to be written."""

    bank: Bank
    question: Question
    answer: "Answer"


class Recorder:
    """Writes decisions in the background; `flush` waits until all are written."""

    def __init__(self, transaction: Transaction, *, size: int, recorded: Recorded) -> None:
        self._transaction = transaction
        self._queue: asyncio.Queue[Decision] = asyncio.Queue(size)
        self._recorded = recorded
        self._task: asyncio.Task[None] | None = None
        self._handed = self._written = 0  # counts; flush waits for one to reach the other's mark
        self._progress = asyncio.Condition()

    def start(self) -> None:
        """Begin writing."""
        self._task = asyncio.create_task(self._run(), name="recorder")

    def put(self, decision: Decision) -> bool:
        """Hand a decision over; False, counted and lost, when too many wait already."""
        try:
            self._queue.put_nowait(decision)
        except asyncio.QueueFull:
            metrics.RECORDS_LOST.inc()
            return False
        self._handed += 1
        metrics.RECORDS_WAITING.set(self._queue.qsize())
        return True

    async def flush(self) -> None:
        """Return when every decision handed over so far is written (or counted as lost)."""
        mark = self._handed
        async with self._progress:
            await self._progress.wait_for(lambda: self._written >= mark)

    async def stop(self) -> None:
        """Flush and end."""
        if self._task is not None:
            await self.flush()
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                await self._write_all(batch)
            finally:
                self._written += len(batch)
                async with self._progress:
                    self._progress.notify_all()
                metrics.RECORDS_WAITING.set(self._queue.qsize())

    async def _write_all(self, batch: Sequence[Decision]) -> None:
        by_bank: dict[int, list[Decision]] = {}
        for decision in batch:
            by_bank.setdefault(decision.bank.key, []).append(decision)
        for bank, decisions in by_bank.items():
            for wait in (*RETRY_S, None):
                try:
                    await self._write(bank, decisions)
                    break
                except (DatabaseError, RecallError) as error:
                    if wait is None:
                        metrics.RECORDS_LOST.inc(len(decisions))
                        log.exception("records_lost", count=len(decisions))
                    else:
                        log.warning("records_retried", reason=str(error), wait_s=wait)
                        await asyncio.sleep(wait)
                except Exception:  # a defect here must not stop the writing of later records
                    metrics.RECORDS_LOST.inc(len(decisions))
                    log.exception("records_lost", count=len(decisions))
                    break

    async def _write(self, bank: int, decisions: Sequence[Decision]) -> None:
        async with self._transaction(bank, timeout_ms=30_000) as conn:
            rows = [await _row(conn, decision) for decision in decisions]
            async with conn.cursor() as cursor:
                await cursor.executemany(statement("insert_recall"), rows)
        await self._recorded(bank, [decision.answer.recall_id for decision in decisions])


async def _row(conn: Connection, decision: Decision) -> dict[str, Any]:
    answer, request = decision.answer, decision.answer.request
    channels = list(answer.row.weights)
    ranks, scores = _matrices(answer.fused, channels)
    table = await _features(conn, decision)
    page = answer.page
    shown = table[request.offset : request.offset + len(page)]
    return {
        "bank": decision.bank.key,
        "id": answer.recall_id,
        "at": datetime.now(UTC),
        "actor": request.user or request.client or request.api_key or "anonymous",
        "user": request.user,
        "client": request.client,
        "session": request.session,
        "api_key": request.api_key,
        "question": request.question,
        "asked_at": request.asked_at,
        "timezone": request.timezone,
        "types": Jsonb(dict(answer.types)),
        "analysis": Jsonb(answer.read.as_json()),
        "request": Jsonb(_asked(answer)),
        "channels": channels,
        "weights": [answer.row.weights[channel] for channel in channels],
        "rrf_k": answer.row.rrf_k,
        "caller_weights": bool(request.weights) or request.rrf_k is not None,
        "matrix_version": answer.matrix_version,
        "policy": "learned",
        "propensity": 1.0,
        "seed": 0,
        "noise": 0.0,
        "candidate_keys": [item.key for item in answer.fused],
        "candidate_ids": [answer.facts[item.key].id for item in answer.fused],
        "ranks": ranks.ravel().tolist(),
        "scores": scores.ravel().tolist(),
        "fused": [item.score for item in answer.fused],
        "shown_from": request.offset,
        "shown_keys": [item.key for item in page],
        "shown_ids": [answer.facts[item.key].id for item in page],
        "feature_version": FEATURE_VERSION if table.shape[1] else 0,
        "features": shown.astype(np.float16).tobytes(),
        "degraded": list(answer.degraded),
        "timings": Jsonb(dict(answer.timings_ms)),
    }


def _asked(answer: "Answer") -> dict[str, Any]:
    request = answer.request
    return {
        "k": request.k,
        "offset": request.offset,
        "depth": request.depth,
        "filters": {
            "tags": list(request.filters.tags),
            "topic": request.filters.topic,
            "kinds": list(request.filters.kinds),
            "speaker": request.filters.speaker,
        },
        "strict_window": request.strict_window,
        "as_of": request.view.as_of.isoformat() if request.view.as_of else None,
        "include_superseded": request.view.include_superseded,
        "arc": request.arc_of,
        "explore": request.explore,
    }


def _matrices(
    fused: Sequence[Fused], channels: Sequence[str]
) -> tuple[np.ndarray[Any, np.dtype[np.int16]], np.ndarray[Any, np.dtype[np.float32]]]:
    """Ranks (0: not returned) and raw scores, shape (candidates, channels)."""
    ranks = np.zeros((len(fused), len(channels)), np.int16)
    scores = np.zeros((len(fused), len(channels)), np.float32)
    for row, item in enumerate(fused):
        for column, channel in enumerate(channels):
            if channel in item.votes:
                ranks[row, column] = item.votes[channel].rank
                scores[row, column] = item.votes[channel].score
    return ranks, scores


async def _features(conn: Connection, decision: Decision) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Features of all candidates, from look-ups that were made for the reply."""
    question, answer = decision.question, decision.answer
    lookups = question.lookups
    try:
        keywords, vectors, known = await asyncio.gather(
            lookups.keywords.get(), lookups.vectors.get(), lookups.statistics.get()
        )
    except (RecallError, DatabaseError, TimeoutError, asyncio.CancelledError):
        return np.zeros((len(answer.fused), 0), np.float32)  # degraded recalls carry no features
    around = await _surroundings(conn, decision)
    return features(
        question,
        answer.fused,
        answer.facts,
        keywords,
        vectors,
        known,
        around,
        answer.row.weights,
        answer.row.rrf_k,
    )


async def _surroundings(conn: Connection, decision: Decision) -> Surroundings:
    keys = [item.key for item in decision.answer.fused]
    values: Mapping[str, Any] = {"bank": decision.bank.key, "keys": keys}
    before: dict[MemoryKey, MemoryKey] = {}
    after: dict[MemoryKey, MemoryKey] = {}
    for src, dst in await (await conn.execute(statement("beside"), values)).fetchall():
        before[MemoryKey(dst)], after[MemoryKey(src)] = MemoryKey(src), MemoryKey(dst)
    terms = {term_key(term.text): term.text for term in decision.question.terms}
    rows = await (
        await conn.execute(statement("held_terms"), {**values, "terms": list(terms)})
    ).fetchall()
    holds: dict[MemoryKey, set[str]] = {}
    for key, term in rows:
        holds.setdefault(MemoryKey(key), set()).add(terms[term])
    return Surroundings(
        {key: (before.get(key), after.get(key)) for key in keys},
        {key: frozenset(found) for key, found in holds.items()},
    )
