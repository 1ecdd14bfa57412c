"""Request bodies: read up to the limit, parsed, and checked for what cannot be stored."""

import asyncio
import json
import math
import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, ValidationError

from channels.errors import BadInput
from router.api.problems import TooLarge, field_path, reason_of

Model = TypeVar("Model", bound=BaseModel)
MAX_DEPTH = 100  # levels of nesting; what writes JSON further in gives up at 255
BEGINNING = re.compile(r"[^.\[]*(?:[.\[][^.\[]*)?")  # of a path: its first two steps
INLINE = 16_384  # bytes; a larger body is read on a thread, as it would hold up other requests


async def read_bytes(request: Request, limit: int) -> bytes:
    """The body. Raises TooLarge as soon as it is over `limit` bytes."""
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > limit:
        raise TooLarge(limit)
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise TooLarge(limit)
        parts.append(part)
    return b"".join(parts)


async def read_model(request: Request, limit: int, model: type[Model]) -> Model:
    """The body as a checked value; an empty body is `{}`. Raises BadInput naming the field."""
    raw = await read_bytes(request, limit)

    def read() -> Model:
        document = parse(raw) if raw.strip() else {}
        if found := first_unstorable(document):
            raise BadInput(*found)
        return validated(model, document)

    return read() if len(raw) <= INLINE else await asyncio.to_thread(read)


def parse(raw: bytes) -> Any:
    """The JSON value of a body. Raises BadInput when it is none."""
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadInput("body", f"is not UTF-8 at byte {error.start}; send JSON as UTF-8") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise BadInput("body", f"is not JSON: {error.msg} at {place}; mend it") from error
    except RecursionError as error:
        raise BadInput("body", "is nested too deeply; flatten it") from error
    except ValueError as error:  # Python refuses numbers of thousands of digits
        raise BadInput("body", "holds a number of too many digits; shorten it") from error


def validated(model: type[Model], document: Any, within: str | None = None) -> Model:
    """The document as a value of the model. Raises BadInput naming the first wrong field.

    `within`: the field that the document stands in.
    """
    try:
        return model.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = first["loc"] if within is None else (within, *first["loc"])
        field = field_path(place) or "body"
        raise BadInput(field, reason_of(first["type"], first["msg"])) from error


def first_unstorable(value: Any) -> tuple[str, str] | None:
    """Path and reason of the first thing that no store can hold, or None.

    That is a NUL, half a surrogate pair, a number that is not finite, and nesting without end.
    """
    try:
        return _unstorable(value, "", 0)
    except _TooDeepError as error:
        return error.path, f"is nested over {MAX_DEPTH} levels deep; flatten it"


class _TooDeepError(Exception):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def _unstorable(value: Any, path: str, depth: int) -> tuple[str, str] | None:
    if depth > MAX_DEPTH:
        raise _TooDeepError(BEGINNING.match(path)[0])  # type: ignore[index] # matches any text
    if isinstance(value, str):
        return _bad_text(value, path)
    if isinstance(value, float) and not math.isfinite(value):
        return path or "body", "is not a finite number; send a finite one or null"
    if isinstance(value, dict):
        return _first(_in_object(value, path, depth))
    if isinstance(value, list):
        return _first(
            _unstorable(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(value)
        )
    return None


def _in_object(value: dict[str, Any], path: str, depth: int) -> Iterator[tuple[str, str] | None]:
    for name, item in value.items():
        here = f"{path}.{name}" if path else name
        yield _bad_text(name, here) or _unstorable(item, here, depth + 1)


def _first(found: Iterable[tuple[str, str] | None]) -> tuple[str, str] | None:
    return next((what for what in found if what is not None), None)


def _bad_text(text: str, path: str) -> tuple[str, str] | None:
    if "\x00" in text:
        return path.replace("\x00", "\ufffd") or "body", "holds a NUL character; remove it"
    try:
        text.encode()
    except UnicodeEncodeError:
        return path or "body", "holds a lone surrogate; send well-formed Unicode"
    return None
