"""What operators ask: is it alive, can it answer, how is it doing, which version is it."""

import asyncio

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from psycopg import OperationalError
from starlette.responses import Response

from channels.errors import RecallError
from router.api.doors import Running, reply
from router.api.problems import RETRY, problem, request_id
from router.understand.types import TYPES
from router.wiring import Service

routes = APIRouter(tags=["operations"])
PROBE_MS = 1_000  # a database that needs longer for `select 1` cannot answer


@routes.get("/health/live")
async def live() -> Response:
    """The process answers."""
    return reply({"status": "ok"})


@routes.get("/health/ready")
async def ready(request: Request, service: Running) -> Response:
    """Every part that a recall needs answers; 503 names those that do not."""
    parts = {
        "database": await _database(service),
        "embedder": _embedder(request.app.state.warm),
    }
    failing = [f"{part}: {state}" for part, state in parts.items() if state != "ok"]
    if failing:
        return problem(
            request_id(request), 503, "not-ready", "; ".join(failing), headers=RETRY,
            more={"parts": parts},
        )  # fmt: skip
    return reply({"status": "ok", "parts": parts})


@routes.get("/metrics")
async def metrics() -> Response:
    """Prometheus metrics."""
    return Response(await asyncio.to_thread(generate_latest), media_type=CONTENT_TYPE_LATEST)


@routes.get("/version")
async def version(request: Request, service: Running) -> Response:
    """What is running."""
    return reply(
        {
            "name": "fivefold",
            "version": request.app.version,
            "api": "v1",
            "embedder": service.embedders.default,
            "types": list(TYPES),
        }
    )


async def _database(service: Service) -> str:
    try:
        async with service.transaction("all", timeout_ms=PROBE_MS) as conn:
            await conn.execute("select 1")
    except (RecallError, OperationalError) as error:
        return str(error)
    return "ok"


def _embedder(warm: "asyncio.Task[object]") -> str:
    if not warm.done():
        return "is still loading"
    error = warm.exception()
    return "ok" if error is None else str(error)
