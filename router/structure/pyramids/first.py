"""A question that asks for an overview is answered by summaries first.

Else they are no candidates at all (channels/sql/visible.sql), unless the caller filters by their
kind. The preferred ones lead every run that has something to say, before the one flat fusion.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from psycopg import OperationalError
from psycopg.errors import QueryCanceled

from channels.base import Hit, MemoryKey, Question
from channels.connection import Transaction
from channels.errors import RecallError
from channels.topic import has_topic
from router.search import Found
from router.store.memories import half
from router.structure.pyramids.preference import Preference, preferred
from router.structure.pyramids.wording import KIND
from router.structure.statements import statement

log = structlog.get_logger()
MOST: Final = 6  # so that a year's months leave room on a page for what they are made of
LANE: Final = "temporal"  # leads even where every run is empty: a period is asked for


@dataclass(frozen=True, slots=True)
class Lead:
    """Summaries that come first, in the order of time."""

    preference: Preference
    keys: tuple[MemoryKey, ...]

    @property
    def told(self) -> dict[str, Any]:
        """As the trace has it."""
        return {"period": self.preference.period, "because": self.preference.because}


class FirstSummaries:
    """Looks up the summaries that a question prefers."""

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def leading(
        self, question: Question, kept: Sequence[str], found: Found, patience_s: float
    ) -> tuple[Found, tuple[str, ...]]:
        """What the channels found behind the summaries preferred, and what was left out."""
        if not kept:
            return found, ()
        try:
            async with asyncio.timeout(patience_s):
                return led_by(found, await self.of(question, kept)), ()
        except TimeoutError:
            reason = "timeout"
        except (RecallError, OperationalError) as error:
            reason = "timeout" if isinstance(error, QueryCanceled) else "unavailable"
        log.warning("summaries_left_out", reason=reason)
        return found, (f"summaries:{reason}",)

    async def of(self, question: Question, kept: Sequence[str]) -> Lead | None:
        """Those of a bank that keeps the periods; None when the question prefers none.

        Summaries tell of what is current: a question about the past gets none.
        """
        view, filters = question.view, question.filters
        is_past = view.as_of or view.known_at or view.include_superseded
        if not kept or is_past or (filters.kinds and KIND not in filters.kinds):
            return None
        found = preferred(
            question.text, question.window, question.asked_at, kept, has_topic=has_topic(question)
        )
        if found is None:
            return None
        values = {
            "bank": question.bank,
            "period": found.period,
            "start": found.start,
            "end": found.end,
            "tags": list(filters.tags),
            "topic": filters.topic,
            "speaker": filters.speaker,
            "vector": await _vector(question),
            "embedder": question.embedder,
            "limit": MOST,
        }
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            rows = await (await conn.execute(statement("summary_first"), values)).fetchall()
        keys = [MemoryKey(row[0]) for row in sorted(rows, key=lambda row: (row[2], row[0]))]
        return Lead(found, tuple(keys)) if keys else None


async def _vector(question: Question) -> object:
    """The question's vector where there is one; without it the newest summaries are taken."""
    try:
        vector = await question.vector.get()
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return None  # the model was given up
    except (RecallError, TimeoutError):
        return None
    return half(vector)


def led_by(found: Found, lead: Lead | None) -> Found:
    """What the channels found, with the lead before all else in each run that is not empty."""
    if lead is None:
        return found
    outcomes = {
        name: outcome
        if outcome.failure is not None or (not outcome.hits and name != LANE)
        else replace(outcome, hits=tuple(leading(outcome.hits, lead.keys, lead.told)))
        for name, outcome in found.outcomes.items()
    }
    return Found(outcomes)


def leading(run: Sequence[Hit], keys: Sequence[MemoryKey], told: Mapping[str, Any]) -> list[Hit]:
    """The run behind the keys, each memory once; nothing of it is lost.

    They take the best score of the run (1 where it is empty); their detail says why they lead.
    """
    own = {hit.key: hit for hit in run}
    score = run[0].score if run else 1.0
    first = [
        Hit(key, score, {**(own[key].detail if key in own else {}), "summary": dict(told)})
        for key in keys
    ]
    rest = [hit for hit in run if hit.key not in set(keys)]
    return [*first, *rest]
