"""Bytes of a feedback request into raw events, and one raw event into canonical JSON."""

import hashlib
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any, cast

from channels.errors import BadInput

MAX_EVENTS = 500  # of one JSON body
MAX_LINES = 10_000  # of one NDJSON body
MAX_CHARACTERS = 262_144  # of one event; the longest legal lists of ids fit twice

_LINES = ("ndjson", "jsonl", "jsonlines", "json-seq")
_encode = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
).encode


def parse_body(raw: bytes, content_type: str) -> list[object]:
    """The events of a request body as they came, in order; each is checked later, on its own.

    A body is one event, `{"events": [...]}`, a plain list (CloudEvents batch) or NDJSON, which is
    taken from the content type or from the text itself. In the place of a line that is not JSON
    stands the BadInput that says so, the others hold. Raises BadInput when nothing can be parsed;
    the field is `body`, `events`, or the number of the line.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput("body", f"is not UTF-8 at byte {error.start}: send JSON as UTF-8") from error
    if not text.strip():
        raise BadInput("body", 'is empty: send an event or {"events": [...]}')
    if any(mark in content_type.lower() for mark in _LINES):
        return _lines(text)
    try:
        return _events(json.loads(text))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # a second document follows: lines under a plain JSON type
            return _lines(text)
        raise BadInput("body", _why(error)) from error
    except (ValueError, RecursionError) as error:
        raise BadInput("body", _why(error)) from error


def canonical(event: dict[str, Any]) -> tuple[str, bytes]:
    """The event as JSON with sorted keys, and the SHA-256 of it (32 bytes).

    Raises BadInput naming the path of what the store cannot hold: NUL, lone surrogates, numbers
    that are not finite, and events over 262,144 characters.
    """
    try:
        text = _encode(event)
        digest = hashlib.sha256(text.encode()).digest()
    except RecursionError as error:
        raise BadInput("event", "is nested too deeply: flatten it") from error
    except (ValueError, TypeError) as error:  # includes UnicodeEncodeError
        path, reason = _unstorable(event, "") or ("event", "is not JSON")
        raise BadInput(path, reason) from error
    if "\\u0000" in text and (found := _unstorable(event, "")):
        raise BadInput(*found)
    if len(text) > MAX_CHARACTERS:
        raise BadInput("event", f"has {len(text)} characters: send at most {MAX_CHARACTERS}")
    return text, digest


def _events(document: object) -> list[object]:
    if isinstance(document, list):
        events = document
    elif isinstance(document, dict) and "events" in document and "event_id" not in document:
        events = _batch(document)
    else:
        events = [document]
    if len(events) > MAX_EVENTS:
        raise BadInput("events", f"holds {len(events)} events: send at most {MAX_EVENTS} at once")
    return events


def _batch(document: dict[str, Any]) -> list[object]:
    extra = sorted(document.keys() - {"events"})
    if extra:
        raise BadInput(echo(extra[0]), 'is unknown beside "events": put it into the events')
    if not isinstance(document["events"], list):
        raise BadInput("events", "must be a list of events")
    return document["events"]


def _lines(text: str) -> list[object]:
    events: list[object] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip(" \t\r\x1e")  # \x1e opens a record of a JSON text sequence
        if not line:
            continue
        if len(events) == MAX_LINES:
            raise BadInput(
                f"line {number}",
                f"is event {MAX_LINES + 1}: send at most {MAX_LINES} lines at once",
            )
        try:
            events.append(json.loads(line))
        except (ValueError, RecursionError) as error:
            column = error.colno if isinstance(error, json.JSONDecodeError) else 1
            events.append(BadInput(f"line {number}", _why(error, f"column {column}")))
    if all(isinstance(one, BadInput) for one in events):
        raise cast(BadInput, events[0])
    return events


def _why(error: Exception, where: str | None = None) -> str:
    if isinstance(error, json.JSONDecodeError):
        where = where or f"line {error.lineno}, column {error.colno}"
        return f"is not JSON: {error.msg} at {where}; mend it"
    if isinstance(error, RecursionError):
        return "is nested too deeply: flatten it"
    return "holds a number of too many digits: shorten it"


def _unstorable(value: object, path: str) -> tuple[str, str] | None:
    """Path and reason of the first thing that the store cannot hold; slow, for refused events."""
    if isinstance(value, dict):
        return _first(_in_object(value, path))
    if isinstance(value, list):
        return _first(_unstorable(item, f"{path}[{index}]") for index, item in enumerate(value))
    if isinstance(value, float) and not math.isfinite(value):
        return path, "is not a finite number"
    return _bad_text(value, path) if isinstance(value, str) else None


def _in_object(value: dict[str, Any], path: str) -> Iterator[tuple[str, str] | None]:
    for key, item in value.items():
        here = f"{path}.{echo(key)}" if path else echo(key)
        yield _bad_text(key, here) or _unstorable(item, here)


def _first(found: Iterable[tuple[str, str] | None]) -> tuple[str, str] | None:
    return next((what for what in found if what is not None), None)


def _bad_text(text: str, path: str) -> tuple[str, str] | None:
    if "\x00" in text:
        return path, "holds a NUL character: remove it"
    if any("\ud800" <= character <= "\udfff" for character in text):
        return path, "holds half of a surrogate pair: send whole characters"
    return None


def echo(text: str) -> str:
    """Text from outside as a reply may carry it: encodable, without NUL, at most 200 characters."""
    return text[:200].encode("utf-8", "replace").decode().replace("\x00", "\ufffd")
