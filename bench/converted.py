"""What a converter makes, and how it looks into a document that may be another than expected."""

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from channels.errors import BadInput


@dataclass(slots=True)
class Converted:
    """The lines of memories.jsonl and queries.jsonl, and what was left out, by reason."""

    memories: list[dict[str, Any]] = field(default_factory=list)
    queries: list[dict[str, Any]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Part:
    """A value inside the document with its path, for errors that say where."""

    path: str
    value: Any

    def at(self, name: str) -> "Part":
        """The member of that name. Raises BadInput."""
        if not isinstance(self.value, dict) or name not in self.value:
            raise BadInput(f"{self.path}.{name}".lstrip("."), "is missing; is this the right file?")
        return Part(f"{self.path}.{name}".lstrip("."), self.value[name])

    def get(self, name: str) -> Any:
        """The member's value, None when there is none."""
        return self.value.get(name) if isinstance(self.value, dict) else None

    def each(self) -> list["Part"]:
        """The elements of a list. Raises BadInput."""
        if not isinstance(self.value, list):
            raise BadInput(self.path or "the file", "is no list; is this the right file?")
        return [Part(f"{self.path}[{place}]", one) for place, one in enumerate(self.value)]

    def text(self) -> str:
        """The value, which is a text. Raises BadInput."""
        if not isinstance(self.value, str):
            raise BadInput(self.path, f"{self.value!r} is no text; is this the right file?")
        return self.value

    def wrong(self, reason: str) -> BadInput:
        """An error about this value."""
        return BadInput(self.path, reason)


def require_known(only: AbstractSet[str], known: AbstractSet[str]) -> None:
    """Raises BadInput for a wanted id that the file does not have."""
    if unknown := sorted(only - known):
        raise BadInput("--only", f"{unknown[0]!r} is not in the file; it has {len(known)} others")


def iso(year: int, month: int, day: int, hour: int, minute: int, part: Part) -> str:
    """The local time in ISO 8601, without zone as in the source. Raises BadInput."""
    try:
        return datetime(year, month, day, hour, minute).isoformat()
    except ValueError as error:
        raise part.wrong(f"{part.value!r} is no time ({error})") from error
