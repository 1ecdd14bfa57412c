"""What handlers share: the running service, its bank, and JSON replies."""

import asyncio
from typing import Annotated, Any

import structlog
from fastapi import Depends, Request
from starlette.responses import JSONResponse

from router.store.decisions import Decisions
from router.store.matrices import Matrices
from router.store.shelf import Shelf
from router.wiring import Service

log = structlog.get_logger()
SETTLE_S = 2.0  # then events are parked and join their recall when it is written


def service_of(request: Request) -> Service:
    """The service this app was opened with."""
    service: Service = request.app.state.service
    return service


def shelf_of(request: Request) -> Shelf:
    """Stored memories."""
    return Shelf(service_of(request).transaction)


def decisions_of(request: Request) -> Decisions:
    """Stored recalls."""
    return Decisions(service_of(request).transaction)


def matrices_of(request: Request) -> Matrices:
    """Published matrices."""
    return Matrices(service_of(request).transaction)


Running = Annotated[Service, Depends(service_of)]
OnShelf = Annotated[Shelf, Depends(shelf_of)]
Decided = Annotated[Decisions, Depends(decisions_of)]
Versions = Annotated[Matrices, Depends(matrices_of)]


async def settled(service: Service) -> None:
    """Return when what was answered so far is on record, at the latest after SETTLE_S."""
    try:
        async with asyncio.timeout(SETTLE_S):
            await service.recorder.flush()
    except TimeoutError:  # recalls come faster than records are written, or the database is away
        log.warning("records_behind", waited_s=SETTLE_S)


def reply(content: Any, status: int = 200) -> JSONResponse:
    """The content as JSON; FastAPI's own way walks through it twice."""
    return JSONResponse(content, status)


def body_of(model: str) -> dict[str, Any]:
    """How /openapi.json describes a body that a handler reads itself."""
    schema = {"$ref": f"#/components/schemas/{model}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
