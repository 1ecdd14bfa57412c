"""Names as they stand in paths, decoded and checked."""

import unicodedata
from typing import Annotated
from urllib.parse import unquote_to_bytes

from fastapi import Path
from pydantic import AfterValidator

from router.items import printable_id

MAX_NAME = 200  # characters
UNPRINTABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control, surrogate, line and paragraph breaks


def decoded(segment: str) -> str:
    """The name that a path segment encodes. Raises ValueError for what is no UTF-8.

    Routes are matched on the path as it was sent, so that %2F stays inside its segment.
    """
    try:
        return unquote_to_bytes(segment.encode("latin-1")).decode("utf-8")
    except UnicodeError as error:
        raise ValueError("is not percent-encoded UTF-8") from error


def bank_name(segment: str) -> str:
    """The bank's name. Raises ValueError for a slash, a control character or a bad length."""
    name = _sized(decoded(segment))
    if "/" in name:
        raise ValueError('holds a "/"; use any other printable character')
    return name


def item_id(segment: str) -> str:
    """The id of a memory or recall. Raises ValueError for control characters or a bad length."""
    return printable_id(_sized(decoded(segment)))


def _sized(name: str) -> str:
    if not 1 <= len(name) <= MAX_NAME:
        raise ValueError(f"has {len(name)} characters; give 1 to {MAX_NAME}")
    if any(unicodedata.category(letter) in UNPRINTABLE for letter in name):
        raise ValueError("holds a control character; use printable ones")
    return name


BankName = Annotated[
    str,
    Path(description=f'1 to {MAX_NAME} printable characters except "/", percent-encoded'),
    AfterValidator(bank_name),
]
MemoryName = Annotated[
    str,
    Path(description=f"id of a memory, 1 to {MAX_NAME} characters, percent-encoded"),
    AfterValidator(item_id),
]
EpisodeName = Annotated[
    str,
    Path(description=f"name of an episode, 1 to {MAX_NAME} characters, percent-encoded"),
    AfterValidator(item_id),
]
RecallName = Annotated[
    str, Path(description="id of a recall, percent-encoded"), AfterValidator(item_id)
]
