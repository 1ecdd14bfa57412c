"""A feedback store on a real database, and the recalls and events that tests put into it."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, Literal

from feedback.ingest import FeedbackStore, Receipt

NOW = datetime(2024, 6, 3, 12, 0, tzinfo=UTC)
BANK, OTHER = 1, 2

ADD_RECALL = """
insert into recalls (
  bank_id, id, at, closed_at, actor, question, asked_at, timezone, types, analysis, request,
  channels, weights, rrf_k, caller_weights, matrix_version, policy, propensity, seed, noise,
  candidate_keys, candidate_ids, ranks, scores, fused, shown_from, shown_keys, shown_ids,
  feature_version, features, degraded, timings
) select
  %(bank)s, %(id)s, %(at)s, %(closed_at)s, 'ana', 'where?', %(at)s, 'UTC', '{}', '{}', '{}',
  '{keyword}', '{1}', 60, false, 1, 'learned', 1, 0, 0,
  keys, ids, '{1,2,3}', '{3,2,1}', '{3,2,1}', %(shown_from)s, keys, ids,
  1, '', '{}', '{}'
from (select array[11, 12, 17]::bigint[] as keys, array['m1', 'm2', 'm7'] as ids) as shown
"""


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class World:
    """A store on a fresh database, and what the tests put beside it."""

    def __init__(self, transaction: Callable[..., AbstractAsyncContextManager[Any]]) -> None:
        self.transaction = transaction
        self.clock = Clock()
        self.store = FeedbackStore(transaction, clock=self.clock)

    async def recall(self, recall_id: str = "r1", bank: int = BANK, **changes: Any) -> None:
        facts = {"bank": bank, "id": recall_id, "at": NOW, "closed_at": None, "shown_from": 0}
        async with self.transaction(bank) as conn:
            await conn.execute(ADD_RECALL, {**facts, **changes})

    async def send(self, *events: object, bank: int = BANK, **changes: Any) -> Receipt:
        facts = {"api_key": "k1", "trusted": False}
        return await self.store.ingest(bank, events, **{**facts, **changes})

    async def one(self, statement: str, bank: int | Literal["all"] = BANK) -> Any:
        async with self.transaction(bank) as conn:
            row = await (await conn.execute(statement)).fetchone()
            return row[0] if row else None


Story = Callable[[World], Coroutine[Any, Any, None]]


def event(event_id: str = "e1", **changes: Any) -> dict[str, Any]:
    plain = {
        "event_id": event_id,
        "action_name": "memory_cited",
        "timestamp": "2024-06-03T11:59:00.000Z",
        "query_id": "r1",
        "memory_id": "m7",
        "position": 3,
    }
    return {**plain, **changes}


def closing(event_id: str = "c1", recall_id: str = "r1") -> dict[str, Any]:
    return event(
        event_id, action_name="recall_closed", query_id=recall_id, memory_id=None, position=None
    )


def codes(receipt: Receipt) -> list[tuple[int, str | None, str]]:
    return [(rejection.index, rejection.event_id, rejection.code) for rejection in receipt.rejected]


def counts(receipt: Receipt) -> tuple[int, int, int, int]:
    return receipt.accepted, receipt.duplicate, receipt.parked, receipt.late
