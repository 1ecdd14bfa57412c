"""Checks on single fields of a feedback event: pure, and each names the field it refuses."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from channels.errors import BadInput

MAX_ID = 200  # characters, as everywhere in the interface
MAX_NAMED = 200  # ids in one list: the most a page can show
MAX_ORDINAL = 2**31 - 1  # what the store's integer holds
AHEAD = timedelta(days=1)  # how far a client's clock may run before ours

_STAMP = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})?", re.ASCII
)
_UNSEEN = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control, surrogate, line and paragraph separator


def shown(value: object) -> str:
    """A value as an error may quote it: escaped and at most 60 characters."""
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def section(holder: Mapping[str, Any], name: str, path: str) -> Mapping[str, Any]:
    """The object under `name`, empty when absent or null."""
    found = holder.get(name)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise BadInput(path, f"must be an object, not {shown(found)}")
    return found


def agreed(*given: tuple[str, object]) -> tuple[str, Any]:
    """Path and value of the first place that is filled; the first path and None when none is.

    Several places may carry the same fact; raises BadInput when they carry different ones.
    """
    chosen: tuple[str, object] | None = None
    for place in given:
        if place[1] is None:
            continue
        if chosen is None:
            chosen = place
        elif place[1] != chosen[1]:
            raise BadInput(place[0], f"differs from {chosen[0]}: send one of the two")
    return chosen or (given[0][0], None)


def identifier(value: object, field: str) -> str:
    """An id of 1 to 200 printable characters."""
    if not isinstance(value, str):
        raise BadInput(field, f"must be a string, not {shown(value)}")
    if not 1 <= len(value) <= MAX_ID:
        raise BadInput(field, f"has {len(value)} characters: send 1 to {MAX_ID}")
    if not value.isprintable() and any(unicodedata.category(c) in _UNSEEN for c in value):
        raise BadInput(field, f"holds a control character: {shown(value)}; remove it")
    return value


def identifiers(value: object, field: str) -> tuple[str, ...]:
    """A list of at most 200 different ids; empty when absent."""
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MAX_NAMED:
        raise BadInput(field, f"must be a list of at most {MAX_NAMED} ids")
    found = tuple(identifier(item, f"{field}[{index}]") for index, item in enumerate(value))
    if len(set(found)) < len(found):
        raise BadInput(field, "names an id twice: send each once")
    return found


def number(value: object, field: str, least: float) -> float | None:
    """A number in [least, 1], or None when absent; NaN is refused."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1:
        raise BadInput(field, f"must be a number from {least:g} to 1, not {shown(value)}")
    return float(value)


def whole(value: object, field: str, least: int) -> int | None:
    """A whole number of at least `least`, or None when absent; 3.0 is whole."""
    if value is None:
        return None
    is_whole = isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0
    if not is_whole or not least <= cast(float, value) <= MAX_ORDINAL:
        raise BadInput(field, f"must be a whole number from {least}, not {shown(value)}")
    return int(cast(float, value))


def short_text(value: object, field: str, most: int | None) -> None:
    """Refuses anything but a string of at most `most` characters; None means any length."""
    if not isinstance(value, str):
        raise BadInput(field, f"must be a string, not {shown(value)}")
    if most is not None and len(value) > most:
        raise BadInput(field, f"has {len(value)} characters: send at most {most}")


def moment(value: object, field: str, now: datetime) -> datetime:
    """An RFC 3339 time with zone in UTC, at most a day ahead of `now`; the fraction is optional."""
    match = _STAMP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise BadInput(
            field, f"must be a time such as 2024-06-03T09:12:00.000Z, not {shown(value)}"
        )
    day, clock, fraction, zone = match.groups()
    if zone is None:
        raise BadInput(
            field, f"has no zone: {shown(value)}; end it with Z or an offset like +02:00"
        )
    try:
        stamp = datetime.fromisoformat(f"{day}T{clock}{fraction or ''}{zone.upper()}")
        happened = stamp.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise BadInput(field, f"is no time of the years 1 to 9999: {shown(value)}") from error
    if happened - now > AHEAD:
        raise BadInput(
            field, f"lies more than a day in the future: {shown(value)}; check the clock"
        )
    return happened
