"""The outermost layer: request id, path as sent, one log line, and an answer to any defect."""

import re
import time
from typing import Any

import structlog
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from router.api.problems import problem
from router.store.memories import new_id

log = structlog.get_logger()
SANE_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}", re.ASCII)
QUIET = ("/health/live", "/health/ready", "/metrics")  # asked every few seconds


class Edge:
    """Wraps the app. Nothing that a request said is logged, only what it was and how it went."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _request_id(scope)
        scope.setdefault("state", {})["request_id"] = request_id
        # Matched as sent: decoding first would tear an id with an encoded slash apart.
        raw = scope.get("raw_path")
        if raw:
            scope["path"] = raw.decode("latin-1")
        answer = _Answer(send, request_id)
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self._answered(scope, receive, answer)

    async def _answered(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        started = time.perf_counter()
        try:
            await self._app(scope, receive, answer.send)
        except ClientDisconnect:
            log.info("client_left")
            return
        except Exception:  # a defect: the caller gets a document, the log the traceback
            log.exception("request_broke")
            if answer.status is not None:
                raise
            detail = "this is a defect of ours; the log has it under the request id"
            broken = problem(answer.request_id, 500, "unexpected", detail)
            await broken(scope, receive, answer.send)
        level = log.debug if scope["path"] in QUIET else log.info
        level(
            "request_answered",
            method=scope["method"],
            route=_route(scope),
            status=answer.status,
            ms=round((time.perf_counter() - started) * 1_000, 1),
        )


class _Answer:
    """Adds the request id to the response and remembers its status."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self.request_id = request_id
        self.status: int | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", ()), (b"x-request-id", self.request_id.encode())]
            message = {**message, "headers": headers}
        await self._send(message)


def _request_id(scope: Scope) -> str:
    given = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    return given if SANE_ID.fullmatch(given) else new_id()


def _route(scope: Scope) -> str | None:
    route: Any = scope.get("route")
    return getattr(route, "path", None)
