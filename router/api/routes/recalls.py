"""Stored decisions: listed, read, and corrected by people."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from router import metrics
from router.api.auth import Judge, Reader
from router.api.body import read_model
from router.api.cursors import after_moment, moment_of
from router.api.doors import Decided, Running, body_of, reply, settled
from router.api.names import BankName, RecallName
from router.api.schemas import RecallsQuery, TypeBody, utc_span
from router.api.shown import decision_json, decision_line
from router.store.decisions import DecisionsAsked
from router.store.type_corrections import TypeCorrections, Voice
from router.timezone import zone

routes = APIRouter(prefix="/v1/banks/{bank}/recalls", tags=["recall"])


@routes.get("")
async def list_recalls(
    bank: BankName,
    caller: Reader,
    service: Running,
    decisions: Decided,
    query: Annotated[RecallsQuery, Query()],
) -> Response:
    """Decisions, the latest first; `next` is the cursor of the following page."""
    held = await service.banks.get(bank)
    asked_zone = zone(query.timezone or held.config.timezone)
    start, end = utc_span(query.start, query.end, asked_zone, ("from", "to"))
    asked = DecisionsAsked(query.limit + 1, moment_of(query.cursor), query.type, start, end)
    await settled(service)
    rows = await decisions.page(held.key, asked)
    page = rows[: query.limit]
    following = after_moment(page[-1]["at"], page[-1]["id"]) if len(rows) > len(page) else None
    return reply({"recalls": [decision_line(row) for row in page], "next": following})


@routes.get("/{recall}")
async def get_recall(
    bank: BankName, recall: RecallName, caller: Reader, service: Running, decisions: Decided
) -> Response:
    """One decision with its candidates, features and feedback."""
    held = await service.banks.get(bank)
    await settled(service)
    row = await decisions.decision(held.key, recall)
    events = await service.feedback.events_of(held.key, recall)
    return reply(decision_json(row, events))


@routes.put("/{recall}/type", openapi_extra=body_of("TypeBody"))
async def put_type(
    request: Request,
    bank: BankName,
    recall: RecallName,
    caller: Judge,
    service: Running,
) -> Response:
    """Store a person's word on what type the question was, and learn from it."""
    body = await read_model(request, service.settings.max_request_bytes, TypeBody)
    held = await service.banks.get(bank)
    await settled(service)
    voice = Voice(caller.author, caller.trusted)
    done = await TypeCorrections(service.transaction).correct(held.key, recall, body.type, voice)
    service.live.types.forget(held.key)
    if done.number is not None:
        metrics.TYPE_CORRECTIONS.labels("corrected" if body.type else "retracted").inc()
    return reply({"recall_id": recall, "corrected_type": body.type, **asdict(done)})
