"""The decision on record: what was asked, found, weighed and shown, written behind the reply."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import structlog
from numpy.typing import NDArray
from psycopg import Error as DatabaseError
from psycopg.types.json import Jsonb

from channels.base import Question
from channels.connection import Connection, Transaction
from channels.errors import RecallError
from router import metrics
from router.describe import describe
from router.features import FEATURE_VERSION, ranks_and_scores
from router.store.banks import Bank
from router.store.statements import statement

if TYPE_CHECKING:
    from router.answer import Answer

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
    ranks, scores = ranks_and_scores(answer.fused, channels)
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
        "analysis": Jsonb(answer.analysis),
        "request": Jsonb(_asked(answer)),
        "channels": channels,
        "weights": [answer.row.weights[channel] for channel in channels],
        "rrf_k": answer.row.rrf_k,
        "caller_weights": bool(request.weights) or request.rrf_k is not None or request.second_hop,
        "matrix_version": answer.matrix_version,
        "policy": answer.draw.policy,
        "propensity": answer.draw.propensity,
        "seed": answer.draw.seed,
        "noise": answer.draw.noise,
        "teams": None if answer.teams is None else [answer.teams[item.key] for item in page],
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
        "second_hop": request.second_hop,
        "as_of": request.view.as_of.isoformat() if request.view.as_of else None,
        "known_at": request.view.known_at.isoformat() if request.view.known_at else None,
        "include_superseded": request.view.include_superseded,
        "arc": request.arc_of or (request.arc_told and list(request.arc_told.cues)),
        "arc_episode": request.arc_episode,
        "explore": request.explore,
    }


async def _features(conn: Connection, decision: Decision) -> NDArray[np.float32]:
    """Features of all candidates; none of a degraded recall."""
    question, answer = decision.question, decision.answer
    if answer.corrected is not None:
        return answer.corrected.features_of(answer.fused)
    try:
        return await describe(conn, question, answer.fused, answer.facts, list(answer.row.weights))
    except (RecallError, DatabaseError, TimeoutError):
        return np.zeros((len(answer.fused), 0), np.float32)
