"""Places in a list, as opaque text."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from channels.errors import BadInput
from router.store.shelf import EDGE_PLACE, EdgePlace

UNKNOWN = "is none of ours; take `next` of the page before, or leave it out"
LARGEST_KEY = 2**63 - 1


def after_number(number: int) -> str:
    """The cursor behind an entry that is numbered."""
    return _written([number])


def number_of(cursor: str | None) -> int | None:
    """The number in a cursor of `after_number`. Raises BadInput."""
    match _read(cursor):
        case None:
            return None
        case [int(number)] if 0 <= number <= LARGEST_KEY:
            return number
        case _:
            raise BadInput("cursor", UNKNOWN)


def after_moment(at: datetime, name: str) -> str:
    """The cursor behind an entry known by time and name."""
    return _written([at.isoformat(), name])


def moment_of(cursor: str | None) -> tuple[datetime, str] | None:
    """Time and name in a cursor of `after_moment`. Raises BadInput."""
    match _read(cursor):
        case None:
            return None
        case [str(at), str(name)] if name.isprintable():
            try:
                moment = datetime.fromisoformat(at)
            except ValueError as error:
                raise BadInput("cursor", UNKNOWN) from error
            if moment.tzinfo is not None:
                return moment, name
    raise BadInput("cursor", UNKNOWN)


def after_place(*parts: int | str) -> str:
    """The cursor behind an entry known by several values."""
    return _written([*parts])


def place_of(cursor: str | None, *kinds: type) -> tuple[Any, ...] | None:
    """The values in a cursor of `after_place`, of those types. Raises BadInput."""
    found = _read(cursor)
    if found is None:
        return None
    if not isinstance(found, list) or len(found) != len(kinds):
        raise BadInput("cursor", UNKNOWN)
    if not all(type(one) is kind and _fits(one) for one, kind in zip(found, kinds, strict=True)):
        raise BadInput("cursor", UNKNOWN)
    return tuple(found)


def after_edge(edge: Mapping[str, Any]) -> str:
    """The cursor behind an edge of a memory."""
    strength, *rest = (edge[name] for name in EDGE_PLACE)
    return after_place(repr(strength), *rest)


def edge_of(cursor: str | None) -> EdgePlace | None:
    """The place in a cursor of `after_edge`. Raises BadInput."""
    place = place_of(cursor, str, str, str, str, int)
    if place is None:
        return None
    try:
        strength = float(place[0])
    except ValueError as error:
        raise BadInput("cursor", UNKNOWN) from error
    if not 0 < strength <= 1:
        raise BadInput("cursor", UNKNOWN)
    return strength, place[1], place[2], place[3], place[4]


def _fits(part: object) -> bool:
    """Whether Postgres can compare it with a bigint or a text."""
    if isinstance(part, int):
        return -LARGEST_KEY <= part <= LARGEST_KEY
    if not isinstance(part, str):
        return False
    return "\x00" not in part and part.encode("utf-8", "replace").decode("utf-8") == part


def _written(parts: list[int | str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def _read(cursor: str | None) -> object:
    if cursor is None:
        return None
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        found = json.loads(base64.b64decode(padded, b"-_", validate=True))
    except (ValueError, RecursionError) as error:  # not ASCII, not base64, not JSON
        raise BadInput("cursor", UNKNOWN) from error
    return found if isinstance(found, list) else [None]
