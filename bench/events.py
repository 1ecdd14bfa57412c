"""How many feedback events a second become durable, and what a full replay costs and adds."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from bench.stages import staged_recaller
from router.answer import RecallRequest
from router.store.banks import Bank
from router.wiring import Service

BATCH = 500  # events a request
EVENTS = 10_000
RECALLS = 20  # whose answers the events judge


async def measure(service: Service, bank: Bank, questions: Sequence[str]) -> dict[str, Any]:
    """Events a second when new and when replayed, and rows before and after the replay."""
    walk = staged_recaller(service, service.reading)
    shown = []
    now = datetime.now(UTC)
    for text in questions[:RECALLS]:
        answer = await walk.recall(bank, RecallRequest(text, now, "UTC"))
        shown += [
            (answer.recall_id, answer.facts[item.key].id, place)
            for place, item in enumerate(answer.page, 1)
        ]
    await service.recorder.flush()
    sent = [event(number, *shown[number % len(shown)]) for number in range(EVENTS)]
    first, accepted, _ = await _send(service, bank, sent)
    stored = await _count(service, bank)
    again, added, duplicates = await _send(service, bank, sent)
    return {
        "n": EVENTS,
        "batch": BATCH,
        "per_s": EVENTS / first,
        "replay_per_s": EVENTS / again,
        "accepted": accepted,
        "replay_accepted": added,
        "replay_duplicates": duplicates,
        "rows_added_by_replay": await _count(service, bank) - stored,
    }


def event(number: int, recall_id: str, memory_id: str, position: int) -> dict[str, Any]:
    """A citation of a memory that a recall has shown."""
    return {
        "event_id": f"bench-{number}",
        "action_name": "memory_cited",
        "timestamp": datetime(2026, 1, 5, 12, tzinfo=UTC).isoformat(),
        "recall_id": recall_id,
        "event_attributes": {
            "object": {"object_id": memory_id},
            "position": {"ordinal": position},
        },
    }


async def _send(
    service: Service, bank: Bank, sent: Sequence[dict[str, Any]]
) -> tuple[float, int, int]:
    """Seconds for all, how many were new, how many were known. Raises RuntimeError on refusal."""
    started = time.perf_counter()
    accepted = duplicates = 0
    for start in range(0, len(sent), BATCH):
        receipt = await service.feedback.ingest(
            bank.key, sent[start : start + BATCH], api_key=None, trusted=True
        )
        if receipt.rejected:
            raise RuntimeError(f"an event was refused: {receipt.rejected[0]}")
        accepted, duplicates = accepted + receipt.accepted, duplicates + receipt.duplicate
    return time.perf_counter() - started, accepted, duplicates


async def _count(service: Service, bank: Bank) -> int:
    async with service.transaction(bank.key) as conn:
        values = {"bank": bank.key}
        statement = "select count(*) from events where bank_id = %(bank)s"
        row = await (await conn.execute(statement, values)).fetchone()
    return int(row[0])
