"""Recall: a question in, ranked memories out, each with what every channel said of it."""

import asyncio
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from starlette.responses import Response

from channels.base import Filters, View, Window
from channels.errors import BadInput
from router.answer import RecallRequest
from router.api.arcs import holds, unknown
from router.api.auth import Caller, Reader
from router.api.body import read_model
from router.api.doors import OnShelf, Running, body_of, reply
from router.api.encode import answer_json, path_keys
from router.api.names import BankName
from router.api.schemas import MAX_K, RecallBody, WindowBody, now, utc_span
from router.items import to_utc
from router.store.banks import Bank
from router.timezone import zone
from router.understand.arcs import told_arc

routes = APIRouter(tags=["recall"])


@routes.post("/v1/banks/{bank}/recall", openapi_extra=body_of("RecallBody"))
async def recall(
    request: Request, bank: BankName, caller: Reader, service: Running, shelf: OnShelf
) -> Response:
    """Answer one question from one bank."""
    body = await read_model(request, service.settings.max_request_bytes, RecallBody)
    held = await service.banks.get(bank)
    if body.arc is not None and not await holds(shelf, held.key, body.arc):
        raise unknown(body.arc, "this bank")
    asked = recall_request(body, held, caller, default_depth=service.settings.depth)
    answer = await service.recaller.recall(held, asked)
    if not body.explain:
        return reply(answer_json(answer, {}, explain=False))
    names = await shelf.ids_of(held.key, sorted(path_keys(answer)))
    return reply(await asyncio.to_thread(answer_json, answer, names, explain=True))


def recall_request(
    body: RecallBody, bank: Bank, caller: Caller, *, default_depth: int
) -> RecallRequest:
    """The request as the recaller takes it, all times in UTC. Raises BadInput naming the field."""
    if body.offset + body.k > MAX_K:
        raise BadInput("offset", f"offset + k is {body.offset + body.k}; stay within {MAX_K}")
    timezone = body.timezone or bank.config.timezone
    zone_of = zone(timezone)
    return RecallRequest(
        question=body.question,
        asked_at=to_utc(body.asked_at, zone_of, "asked_at") or now(),
        timezone=timezone,
        k=body.k,
        offset=body.offset,
        depth=body.depth or default_depth,
        deadline_ms=body.deadline_ms,
        filters=Filters(
            tuple(body.filters.tags),
            body.filters.topic,
            tuple(body.filters.kinds),
            body.filters.speaker,
        ),
        view=View(
            to_utc(body.as_of, zone_of, "as_of"),
            bool(body.include),
            to_utc(body.known_at, zone_of, "known_at"),
        ),
        history="history" in body.include,
        window=_window(body.window, zone_of),
        strict_window=body.strict_window,
        second_hop=body.second_hop,
        arc_of=body.arc.memory if body.arc else None,
        arc_episode=body.arc.episode if body.arc else None,
        arc_told=told_arc(body.arc.turns) if body.arc and body.arc.turns else None,
        weights=body.weights or {},
        rrf_k=body.rrf_k,
        rerank=bank.config.rerank if body.rerank is None else body.rerank,
        budget=body.budget,
        min_score=body.min_score,
        abstain_below=body.abstain_below,
        explore=body.explore if caller.explores else False,
        user=body.user,
        client=body.client,
        session=body.session,
        api_key=caller.key_id,
    )


def _window(body: WindowBody | None, zone_of: ZoneInfo) -> Window | None:
    if body is None:
        return None
    start, end = utc_span(body.start, body.end, zone_of, ("window.start", "window.end"))
    return Window(start, end, "range", "", 1.0, "caller")
