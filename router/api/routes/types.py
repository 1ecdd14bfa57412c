"""The layer over a bank's types: shown with its corrections and effect, reset, rebuilt."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from router import metrics
from router.api.auth import Admin, Reader
from router.api.cursors import after_number, number_of
from router.api.doors import Running, reply, service_of
from router.api.names import BankName
from router.api.schemas import Page
from router.api.shown_types import deed_json, layer_json
from router.store.type_corrections import TypeCorrections, Voice

routes = APIRouter(prefix="/v1/banks/{bank}/types", tags=["types"])


def corrections_of(request: Request) -> TypeCorrections:
    """Corrections of types."""
    return TypeCorrections(service_of(request).transaction)


@routes.get("")
async def get_types(request: Request, bank: BankName, caller: Reader, service: Running) -> Response:
    """What the bank's corrections add to the classifier, how far they may, and their effect."""
    held = await service.banks.get(bank)
    layer, standing = await corrections_of(request).standing(held.key)
    return reply(layer_json(layer, standing))


@routes.get("/corrections")
async def list_corrections(
    request: Request,
    bank: BankName,
    caller: Reader,
    service: Running,
    query: Annotated[Page, Query()],
) -> Response:
    """Everything that was said of types, the newest first, with its effect on its own question."""
    held = await service.banks.get(bank)
    before = number_of(query.cursor)
    found = await corrections_of(request).page(held.key, before=before, limit=query.limit + 1)
    page = found[: query.limit]
    following = after_number(page[-1].number) if len(found) > len(page) else None
    return reply({"corrections": [deed_json(deed) for deed in page], "next": following})


@routes.delete("")
async def reset_types(
    request: Request, bank: BankName, caller: Admin, service: Running
) -> Response:
    """Let no correction made so far count any more; they stay in the list."""
    held = await service.banks.get(bank)
    voice = Voice(caller.author, caller.trusted)
    number = await corrections_of(request).reset(held.key, voice)
    service.live.types.forget(held.key)
    metrics.TYPE_CORRECTIONS.labels("reset").inc()
    return reply({"number": number, "active": False})


@routes.post("/rebuild")
async def rebuild_types(
    request: Request, bank: BankName, caller: Admin, service: Running
) -> Response:
    """Learn the layer anew from the stored corrections; `same` says whether it was so already."""
    held = await service.banks.get(bank)
    layer, same = await corrections_of(request).rebuild(held.key)
    service.live.types.forget(held.key)
    return reply({"number": layer.number, "counted": layer.counted, "same": same})
