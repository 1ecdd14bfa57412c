"""Which memory replaced which: said, taken back, audited; and what waits for a word."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from channels.errors import BadInput
from router.api.auth import Reader, Writer
from router.api.body import read_model
from router.api.cursors import after_number, number_of
from router.api.doors import OnShelf, Running, body_of, reply
from router.api.names import BankName, MemoryName
from router.api.schemas import ConflictsQuery, NeighboursQuery, SettleBody, SupersedeBody, UndoQuery
from router.api.shown_structure import conflict_json, deed_json
from router.structure.conflicts import Conflicts
from router.structure.supersede import Supersessions

routes = APIRouter(prefix="/v1/banks/{bank}", tags=["memories"])
LARGEST = 2**31 - 1
Number = Annotated[int, Path(ge=1, le=LARGEST)]


@routes.post("/memories/{memory}/supersede", openapi_extra=body_of("SupersedeBody"))
async def supersede(
    request: Request, bank: BankName, memory: MemoryName, caller: Writer, service: Running
) -> Response:
    """Let another memory replace this one, which stays for `as_of` and `history`."""
    body = await read_model(request, service.settings.max_request_bytes, SupersedeBody)
    held = await service.banks.get(bank)
    done = await Supersessions(service.transaction).supersede(
        held.key, memory, body.by, reason=body.reason, author=caller.author
    )
    service.banks.forget(bank)
    return reply({"id": memory, "by": body.by, **asdict(done)})


@routes.delete("/memories/{memory}/supersede")
async def undo(
    bank: BankName,
    memory: MemoryName,
    caller: Writer,
    service: Running,
    query: Annotated[UndoQuery, Query()],
) -> Response:
    """Take back that `by`, or without it anything, replaced this memory."""
    held = await service.banks.get(bank)
    done = await Supersessions(service.transaction).undo(
        held.key, memory, by=query.by, reason=query.reason, author=caller.author
    )
    service.banks.forget(bank)
    return reply({"id": memory, "by": query.by, **asdict(done)})


@routes.get("/memories/{memory}/supersede")
async def list_deeds(
    bank: BankName,
    memory: MemoryName,
    caller: Reader,
    service: Running,
    shelf: OnShelf,
    query: Annotated[NeighboursQuery, Query()],
) -> Response:
    """Who let what replace this memory or took it back, when and why; the newest first."""
    held = await service.banks.get(bank)
    await shelf.memory(held.key, memory)
    rows = await Supersessions(service.transaction).deeds(held.key, memory, query.limit)
    return reply({"id": memory, "deeds": [deed_json(row) for row in rows]})


@routes.get("/conflicts")
async def list_conflicts(
    bank: BankName, caller: Reader, service: Running, query: Annotated[ConflictsQuery, Query()]
) -> Response:
    """Branches, copies of the past and what rules propose, both texts beside each other."""
    held = await service.banks.get(bank)
    before = number_of(query.cursor)
    if before is not None and before > LARGEST:
        raise BadInput("cursor", "is none of ours; take `next` of the page before, or leave it out")
    rows = await Conflicts(service.transaction).page(
        held.key, state=query.state, before=before, limit=query.limit + 1
    )
    page = rows[: query.limit]
    following = after_number(page[-1]["number"]) if len(rows) > len(page) else None
    return reply({"conflicts": [conflict_json(row) for row in page], "next": following})


@routes.post("/conflicts/{number}", openapi_extra=body_of("SettleBody"))
async def settle(
    request: Request, bank: BankName, number: Number, caller: Writer, service: Running
) -> Response:
    """Accept: the newer, or the one kept, supersedes the other. Else both stand from now on."""
    body = await read_model(request, service.settings.max_request_bytes, SettleBody)
    held = await service.banks.get(bank)
    done = await Conflicts(service.transaction).settle(
        held.key,
        number,
        accept=body.accept,
        keep=body.keep,
        reason=body.reason,
        author=caller.author,
    )
    service.banks.forget(bank)
    return reply({"id": number, "accept": body.accept, **asdict(done)})
