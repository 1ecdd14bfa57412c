"""Feedback: events about answers, stored durably and joined to their recall."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from feedback.bodies import MAX_EVENTS, MAX_LINES, parse_body
from feedback.ingest import Receipt
from feedback.values import action_values
from router import metrics
from router.api.auth import Judge
from router.api.body import read_bytes
from router.api.doors import Running, reply, settled
from router.api.names import BankName

routes = APIRouter(tags=["feedback"])
EVENT = {"$ref": "#/components/schemas/FeedbackEvent"}
EVENTS = {
    "type": "object",
    "required": ["events"],
    "properties": {"events": {"type": "array", "maxItems": MAX_EVENTS, "items": EVENT}},
    "additionalProperties": False,
}
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"oneOf": [EVENTS, EVENT]}},
            "application/x-ndjson": {
                "schema": {
                    "type": "string",
                    "description": f"One event a line, at most {MAX_LINES} lines.",
                }
            },
        },
    }
}


@routes.post("/v1/banks/{bank}/feedback", openapi_extra=BODY)
async def feedback(request: Request, bank: BankName, caller: Judge, service: Running) -> Response:
    """Take one event, a list of them or NDJSON; each is judged on its own."""
    raw = await read_bytes(request, service.settings.max_request_bytes)
    events = await asyncio.to_thread(parse_body, raw, request.headers.get("content-type", ""))
    held = await service.banks.get(bank)
    await settled(service)  # so that an event finds the recall it was answered with
    receipt = await service.feedback.ingest(
        held.key,
        events,
        api_key=caller.key_id,
        trusted=caller.trusted,
        values=action_values(held.config.event_values),
    )
    _count(receipt)
    return reply(_receipt(receipt))


def _receipt(receipt: Receipt) -> dict[str, Any]:
    return {
        "accepted": receipt.accepted,
        "duplicate": receipt.duplicate,
        "late": receipt.late,
        "parked": receipt.parked,
        "unknown": dict(receipt.unknown),
        "rejected": [
            {
                "index": rejection.index,
                "event_id": rejection.event_id,
                "code": rejection.code,
                "field": rejection.field,
                "reason": rejection.reason,
            }
            for rejection in receipt.rejected
        ],
    }


def _count(receipt: Receipt) -> None:
    counts = {
        "accepted": receipt.accepted - receipt.late,
        "late": receipt.late,
        "duplicate": receipt.duplicate,
        "parked": receipt.parked,
    }
    for outcome, count in counts.items():
        metrics.EVENTS.labels(outcome).inc(count)
    for rejection in receipt.rejected:
        metrics.EVENTS.labels(rejection.code).inc()
