"""Memories: stored, listed, read, changed, forgotten."""

import asyncio
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from channels.base import MemoryKey
from channels.errors import BadInput, NotFound
from router import metrics
from router.api.auth import Reader, Writer
from router.api.body import first_unstorable, parse, read_bytes, read_model, validated
from router.api.cursors import after_edge, after_number, edge_of, number_of
from router.api.doors import OnShelf, Running, body_of, reply
from router.api.names import BankName, MemoryName
from router.api.schemas import MemoriesQuery, NeighboursQuery, PatchBody, RetainBody, utc_span
from router.api.shown import neighbour_json
from router.api.shown_structure import evidence_json, sources_json, standing_memory
from router.forget import forget_memory
from router.items import ItemError, to_utc
from router.meaning import Meaning
from router.retain import Receipt
from router.store.banks import Bank
from router.store.shelf import PageAsked, Shelf
from router.structure.consolidate import KIND
from router.structure.evidence import IsEvidence
from router.structure.shelf import StandingShelf
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
        held,
        items,
        atomic=body.atomic,
        consolidate=body.consolidate,
        timezone=body.timezone or held.config.timezone,
        author=caller.author,
    )
    errors = [refused.get(error.index, error) for error in receipt.errors]
    metrics.RETAINED.inc(receipt.accepted)
    metrics.RETAIN_ERRORS.inc(len(errors))
    told = _receipt(receipt, errors)
    if body.consolidate:
        told["consolidated"] = [asdict(one) for one in receipt.consolidated]
    return reply(told)


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
    standing = await StandingShelf(service.transaction).of(held.key, [row["key"] for row in page])
    memories = [standing_memory(row, standing[MemoryKey(row["key"])]) for row in page]
    return reply({"memories": memories, "next": following})


@routes.get("/{memory}")
async def get_memory(
    bank: BankName, memory: MemoryName, caller: Reader, service: Running, shelf: OnShelf
) -> Response:
    """One memory as it was given, and what became of it; of evidence, what it was merged into."""
    held = await service.banks.get(bank)
    return reply(await _shown(service, shelf, held, memory))


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
    given = body.model_extra or {}
    if "id" in given:
        raise BadInput("id", "stays as it is; store another memory under the other id")
    where = body.timezone or held.config.timezone
    await service.retainer.patch(held, memory, given, timezone=where, author=caller.author)
    service.banks.forget(bank)
    return reply(await _shown(service, shelf, held, memory))


@routes.delete("/{memory}", status_code=204)
async def delete_memory(
    bank: BankName, memory: MemoryName, caller: Writer, service: Running
) -> Response:
    """Forget a memory for good, with all that was derived from it."""
    held = await service.banks.get(bank)
    await forget_memory(service.transaction, held, memory, author=caller.author)
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
    """What a memory is linked to, both ways, the strongest first; `next` is the cursor."""
    held = await service.banks.get(bank)
    row = await _row(service, shelf, held, memory)
    as_of = to_utc(query.as_of, zone("UTC"), "as_of")
    place = edge_of(query.cursor)
    key = MemoryKey(row["key"])
    edges = await shelf.neighbours(held.key, key, query.limit + 1, as_of, place)
    page = edges[: query.limit]
    following = after_edge(page[-1]) if len(edges) > len(page) else None
    shown = [neighbour_json(edge) for edge in page]
    return reply({"id": memory, "neighbours": shown, "next": following})


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


async def _shown(service: Service, shelf: Shelf, bank: Bank, memory: str) -> dict[str, Any]:
    """One memory with how it stands to others."""
    standings = StandingShelf(service.transaction)
    try:
        row = await shelf.memory(bank.key, memory)
    except NotFound:
        if (found := await standings.evidence(bank.key, memory)) is None:
            raise
        return evidence_json(found)
    key = MemoryKey(row["key"])
    standing = await standings.of(bank.key, [key], history=True)
    told = standing_memory(row, standing[key], history=True)
    far = await Meaning(service.transaction, service.embedders).of(bank, row)
    told["meaning"] = far.as_json() if far else None
    if row["kind"] == KIND:
        told["sources"] = sources_json(await standings.sources(bank.key, key))
    return told


async def _row(service: Service, shelf: Shelf, bank: Bank, memory: str) -> dict[str, Any]:
    """The memory; NotFound names the observation it went into, if it did."""
    try:
        return await shelf.memory(bank.key, memory)
    except NotFound:
        if found := await StandingShelf(service.transaction).evidence(bank.key, memory):
            raise IsEvidence(memory, found.into) from None
        raise


async def _bank_for_writing(service: Service, name: str) -> Bank:
    try:
        return await service.banks.get(name)
    except NotFound:
        return await service.ensure_bank(name)


def _receipt(receipt: Receipt, errors: list[ItemError]) -> dict[str, Any]:
    told: dict[str, Any] = {
        "accepted": receipt.accepted,
        "ids": receipt.ids,
        "duplicates": receipt.duplicates,
        "errors": [
            {"index": error.index, "field": error.field, "reason": error.reason} for error in errors
        ],
    }
    if receipt.overwritten:
        told["overwritten"] = [asdict(one) for one in receipt.overwritten]
    if receipt.taken_back:
        told["taken_back"] = [asdict(one) for one in receipt.taken_back]
    if receipt.partly_read:
        told["partly_read"] = [asdict(one) for one in receipt.partly_read]
    return told
