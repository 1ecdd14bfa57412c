"""Every error as a problem document (RFC 9457)."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import psycopg
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from channels.errors import (
    BadInput,
    ConfigError,
    Conflict,
    Forbidden,
    NoChannel,
    NotFound,
    RecallError,
    Unavailable,
)

log = structlog.get_logger()
MEDIA_TYPE = "application/problem+json"
LOOSE = ("body", "query", "path", "header")  # where a value came from; no part of its name
RETRY = {"Retry-After": "1"}

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id"],
    "properties": {
        "type": {"type": "string", "description": "stable name of the kind of problem"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "what is wrong and the next step"},
        "field": {"type": "string", "description": "path of the value to mend"},
        "request_id": {"type": "string"},
    },
}


class TooLarge(RecallError):
    """The request body is over the limit, in bytes."""

    field = "body"

    def __init__(self, limit: int) -> None:
        super().__init__(f"the body is over {limit} bytes; send less at a time")


KINDS: Sequence[tuple[type[RecallError], int, str, Mapping[str, str]]] = (
    (BadInput, 422, "bad-input", {}),
    (Forbidden, 403, "forbidden", {}),
    (Conflict, 409, "conflict", {}),
    (TooLarge, 413, "too-large", {"Connection": "close"}),
    (NoChannel, 503, "unavailable", RETRY),
    (Unavailable, 503, "unavailable", RETRY),
    (ConfigError, 503, "misconfigured", {}),
)


def problem(
    request_id: str,
    status: int,
    kind: str,
    detail: str,
    *,
    field: str | None = None,
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Response:
    """A problem document. `kind` names it for programs, `detail` explains it to people."""
    document: dict[str, Any] = {
        "type": f"urn:fivefold:problem:{kind}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if field is not None:
        document["field"] = field
    document |= {"request_id": request_id, **(more or {})}
    # Text from outside may hold half a surrogate pair, which UTF-8 cannot carry.
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, status, dict(headers or {}), MEDIA_TYPE)


def describe(error: RecallError) -> tuple[int, str, Mapping[str, str]]:
    """Status, kind and headers of an error of ours."""
    match error:
        case NotFound():
            return 404, f"no-{error.kind.replace(' ', '-')}", {}
        case Forbidden(authenticated=False):
            return 401, "unauthenticated", {"WWW-Authenticate": 'Bearer realm="fivefold"'}
    for known, status, kind, headers in KINDS:
        if isinstance(error, known):
            return status, kind, headers
    return 500, "unexpected", {}


def field_path(parts: Sequence[int | str]) -> str:
    """A value's place in the request: `filters.tags[2]`."""
    if len(parts) > 1 and parts[0] in LOOSE:
        parts = parts[1:]
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path


def reason_of(kind: str, message: str) -> str:
    """What pydantic found, as we say it."""
    match kind:
        case "extra_forbidden":
            return "is no field of this request; /openapi.json lists those it has"
        case "missing":
            return "is required"
        case _:
            return message.removeprefix("Value error, ")


def install(app: FastAPI) -> None:
    """Let the app answer every error with a problem document."""
    app.add_exception_handler(RecallError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(psycopg.OperationalError, _database)


def request_id(request: Request) -> str:
    """The id this request is known by."""
    return str(request.state.request_id)


def _ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, RecallError)  # noqa: S101 - registered for this class
    status, kind, headers = describe(error)
    field = error.field if isinstance(error, BadInput | Conflict | TooLarge) else None
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("request_failed", kind=kind, reason=str(error))
    return problem(request_id(request), status, kind, str(error), field=field, headers=headers)


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class
    first = error.errors()[0]
    field = field_path(first["loc"])
    detail = f"{field}: {reason_of(first['type'], first['msg'])}"
    return problem(request_id(request), 422, "bad-input", detail, field=field)


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class
    kind, detail = "http", str(error.detail)
    if error.status_code == HTTPStatus.NOT_FOUND:
        kind, detail = "no-route", "nothing is served at this path; see /openapi.json"
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = (error.headers or {}).get("Allow", "another method")
        kind, detail = "wrong-method", f"{request.method} is not served here; use {allowed}"
    headers = error.headers or {}
    return problem(request_id(request), error.status_code, kind, detail, headers=headers)


def _database(request: Request, error: Exception) -> Response:
    log.error("database_failed", reason=type(error).__name__)
    detail = "the database did not answer in time; try again, and see /health/ready"
    if isinstance(error, psycopg.errors.DiskFull):
        detail = "the database has no room left on its disk; make room, then try again"
    return problem(request_id(request), 503, "unavailable", detail, headers=RETRY)
