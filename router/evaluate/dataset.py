"""A judged data set on disk: what is loaded, what is asked, and what stays behind the wall."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from channels.errors import BadInput
from router.items import to_utc
from router.jsonl import read_lines
from router.timezone import zone


@dataclass(frozen=True, slots=True)
class Memory:
    """All of a memory that is ever loaded."""

    id: str
    text: str
    occurred_at: datetime | None  # aware, UTC
    speaker: str | None
    session: str | None
    title: str | None

    def item(self) -> dict[str, object]:
        """As a retain request carries it."""
        fields = {
            "id": self.id,
            "text": self.text,
            "occurred_at": self.occurred_at.isoformat() if self.occurred_at else None,
            "speaker": self.speaker,
            "episode": self.session,
            "title": self.title,
        }
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Query:
    """A judged question. Only `text` and the time it is asked at reach a recall."""

    id: str
    bank: str
    text: str
    asked_at: datetime | None  # its own time, else the end of its bank; aware, UTC
    type: str
    relevant: frozenset[str]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Memories by bank, and the queries over them."""

    name: str
    memories: Mapping[str, tuple[Memory, ...]]
    queries: tuple[Query, ...]
    blank: int  # memories without text, which no store would take

    def asked_at(self, query: Query) -> datetime:
        """When the query is asked: its time, its bank's end, its newest memory, else now."""
        if query.asked_at is not None:
            return query.asked_at
        known = [memory.occurred_at for memory in self.memories[query.bank] if memory.occurred_at]
        return max(known, default=datetime.now(UTC))


def read_dataset(folder: Path, *, limit: int | None = None) -> Dataset:
    """The data set in `folder`, cut to the first `limit` queries and the banks they need.

    Raises BadInput whose field names the file and, where one is at fault, the line.
    """
    queries = tuple(_queries(folder / "queries.jsonl", limit))
    if not queries:
        raise BadInput(str(folder / "queries.jsonl"), "holds no query; give at least one")
    memories, blank = _memories(folder / "memories.jsonl", {query.bank for query in queries})
    for query in queries:
        if query.bank not in memories:
            raise BadInput(
                str(folder / "queries.jsonl"),
                f"query {query.id!r} asks bank {query.bank!r}, which memories.jsonl does not have",
            )
    return Dataset(folder.resolve().name, memories, queries, blank)


def _memories(path: Path, banks: set[str]) -> tuple[dict[str, tuple[Memory, ...]], int]:
    found: dict[str, dict[str, Memory]] = {}
    blank = 0
    for row in _rows(path):
        bank, name = row.text("bank"), row.text("id")
        text = row.value.get("text")
        if not isinstance(text, str):
            raise row.wrong("text", "is missing or no text")
        if bank not in banks:
            continue
        held = found.setdefault(bank, {})
        if name in held:
            raise row.wrong("id", f"{name!r} stands twice in bank {bank!r}")
        if not text.strip():
            blank += 1
            continue
        held[name] = Memory(
            name,
            text,
            row.time("occurred_at", row.value.get("occurred_at")),
            row.optional("speaker", row.value.get("speaker")),
            row.optional("session", row.value.get("session")),
            row.optional("meta.title", row.meta.get("title")),
        )
    return {bank: tuple(held.values()) for bank, held in found.items()}, blank


def _queries(path: Path, limit: int | None) -> Iterator[Query]:
    seen: set[str] = set()
    for row in _rows(path):
        if limit is not None and len(seen) >= limit:
            return
        name = row.text("id")
        if name in seen:
            raise row.wrong("id", f"{name!r} stands twice")
        seen.add(name)
        relevant = row.value.get("relevant")
        if not isinstance(relevant, list) or not all(isinstance(one, str) for one in relevant):
            raise row.wrong("relevant", "must be a list of memory ids")
        asked_at = row.time("asked_at", row.value.get("asked_at"))
        bank_end = row.time("meta.bank_end", row.meta.get("bank_end"))
        label = row.optional("type", row.value.get("type")) or "untyped"
        yield Query(
            name,
            row.text("bank"),
            row.text("text"),
            asked_at or bank_end,
            label,
            frozenset(relevant),
        )


@dataclass(frozen=True, slots=True)
class _Row:
    """One line's object, with errors that say where it stands."""

    place: str
    value: Mapping[str, Any]
    meta: Mapping[str, Any]

    def wrong(self, field: str, reason: str) -> BadInput:
        return BadInput(f"{self.place}: {field}", reason)

    def text(self, field: str) -> str:
        value = self.value.get(field)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(field, "is missing, blank or no text")
        return value

    def optional(self, field: str, value: object) -> str | None:
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            raise self.wrong(field, f"{value!r} is no text")
        return value

    def time(self, field: str, value: object) -> datetime | None:
        text = self.optional(field, value)
        if text is None:
            return None
        try:
            return to_utc(datetime.fromisoformat(text), zone("UTC"), field)
        except (ValueError, BadInput) as error:
            reason = f"{text!r} is no time; write ISO 8601, such as 2024-06-03T09:12:00Z"
            raise self.wrong(field, reason) from error


def _rows(path: Path) -> Iterator[_Row]:
    if not path.is_file():
        raise BadInput(str(path), "is missing; a data set holds memories.jsonl and queries.jsonl")
    for line in read_lines(path):
        place = f"{path.name} line {line.number}"
        if line.problem is not None:
            raise BadInput(place, line.problem)
        if not isinstance(line.value, dict):
            raise BadInput(place, "is no JSON object")
        meta = line.value.get("meta") or {}
        if not isinstance(meta, dict):
            raise BadInput(f"{place}: meta", "is no JSON object")
        yield _Row(place, line.value, meta)
