"""Memories: stored, listed, read, changed, forgotten."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from channels.base import MemoryKey
from channels.errors import BadInput, NotFound
from router import metrics
from router.api.auth import Reader, Writer
from router.api.body import first_unstorable, parse, read_bytes, read_model, validated
from router.api.cursors import after_number, number_of
from router.api.doors import OnShelf, Running, body_of, reply
from router.api.names import BankName, MemoryName
from router.api.schemas import MemoriesQuery, NeighboursQuery, PatchBody, RetainBody, utc_span
from router.api.shown import item_json, memory_json
from router.forget import forget_memory
from router.items import ItemError
from router.retain import Receipt
from router.store.banks import Bank
from router.store.shelf import PageAsked
from router.timezone import zone
from router.wiring import Service

routes = APIRouter(prefix="/v1/banks/{bank}/memories", tags=["memories"])


@routes.post("", openapi_extra=body_of("RetainBody"))
async def retain(request: Request, bank: BankName, caller: Writer, service: Running) -> Response:
    """Store memories: valid ones in one transaction, the others reported one by one."""
    raw = await read_bytes(request, service.settings.max_request_bytes)
    body, refused = await asyncio.to_thread(_read, raw)
    held = await _bank_for_writing(service, bank)
    # An item that cannot be stored goes in as null: it keeps its place and fails there.
    items = [None if index in refused else item for index, item in enumerate(body.items)]
    receipt = await service.retain(
        held, items, atomic=body.atomic, timezone=body.timezone or held.config.timezone
    )
    errors = [refused.get(error.index, error) for error in receipt.errors]
    metrics.RETAINED.inc(receipt.accepted)
    metrics.RETAIN_ERRORS.inc(len(errors))
    return reply(_receipt(receipt, errors))


@routes.get("")
async def list_memories(
    bank: BankName,
    caller: Reader,
    service: Running,
    shelf: OnShelf,
    query: Annotated[MemoriesQuery, Query()],
) -> Response:
    """Memories in order of arrival, the newest first; `next` is the cursor of what follows."""
    held = await service.banks.get(bank)
    asked_zone = zone(query.timezone or held.config.timezone)
    start, end = utc_span(query.start, query.end, asked_zone, ("from", "to"))
    asked = PageAsked(
        limit=query.limit + 1,
        before=number_of(query.cursor),
        tag=query.tag,
        topic=query.topic,
        kind=query.kind,
        episode=query.episode,
        entity=query.entity,
        start=start,
        end=end,
        state=query.state,
    )
    rows = await shelf.page(held.key, asked)
    page = rows[: query.limit]
    following = after_number(page[-1]["key"]) if len(rows) > len(page) else None
    return reply({"memories": [memory_json(row) for row in page], "next": following})


@routes.get("/{memory}")
async def get_memory(
    bank: BankName, memory: MemoryName, caller: Reader, service: Running, shelf: OnShelf
) -> Response:
    """One memory as it was given, and what became of it."""
    held = await service.banks.get(bank)
    return reply(memory_json(await shelf.memory(held.key, memory)))


@routes.patch("/{memory}", openapi_extra=body_of("PatchBody"))
async def patch_memory(
    request: Request,
    bank: BankName,
    memory: MemoryName,
    caller: Writer,
    service: Running,
    shelf: OnShelf,
) -> Response:
    """Lay the given fields over the stored memory, which replaces it."""
    body = await read_model(request, service.settings.max_request_bytes, PatchBody)
    held = await service.banks.get(bank)
    stored = item_json(await shelf.memory(held.key, memory))
    given = body.model_extra or {}
    if "id" in given:
        raise BadInput("id", "stays as it is; store another memory under the other id")
    receipt = await service.retain(
        held, [{**stored, **given}], atomic=True, timezone=body.timezone or held.config.timezone
    )
    if receipt.errors:
        raise BadInput(receipt.errors[0].field, receipt.errors[0].reason)
    return reply(memory_json(await shelf.memory(held.key, memory)))


@routes.delete("/{memory}", status_code=204)
async def delete_memory(
    bank: BankName, memory: MemoryName, caller: Writer, service: Running
) -> Response:
    """Forget a memory for good, with all that was derived from it."""
    held = await service.banks.get(bank)
    await forget_memory(service.transaction, held, memory)
    service.banks.forget(bank)
    return Response(status_code=204)


@routes.get("/{memory}/neighbours")
async def get_neighbours(
    bank: BankName,
    memory: MemoryName,
    caller: Reader,
    service: Running,
    shelf: OnShelf,
    query: Annotated[NeighboursQuery, Query()],
) -> Response:
    """What a memory is linked to, both ways, the strongest first."""
    held = await service.banks.get(bank)
    row = await shelf.memory(held.key, memory)
    edges = await shelf.neighbours(held.key, MemoryKey(row["key"]), query.limit)
    return reply({"id": memory, "neighbours": edges})


def _read(raw: bytes) -> tuple[RetainBody, dict[int, ItemError]]:
    """The request, and of its items those that no store can hold."""
    document = parse(raw) if raw.strip() else {}
    items = document.get("items") if isinstance(document, dict) else None
    if isinstance(items, list):
        around = {name: value for name, value in document.items() if name != "items"}
    else:
        around, items = document, []
    if found := first_unstorable(around):
        raise BadInput(*found)
    refused = {
        index: ItemError(index, *found)
        for index, item in enumerate(items)
        if (found := first_unstorable(item))
    }
    return validated(RetainBody, document), refused


async def _bank_for_writing(service: Service, name: str) -> Bank:
    try:
        return await service.banks.get(name)
    except NotFound:
        return await service.ensure_bank(name)


def _receipt(receipt: Receipt, errors: list[ItemError]) -> dict[str, Any]:
    return {
        "accepted": receipt.accepted,
        "ids": receipt.ids,
        "duplicates": receipt.duplicates,
        "errors": [
            {"index": error.index, "field": error.field, "reason": error.reason} for error in errors
        ],
    }
