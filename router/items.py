"""Memories as callers send them: checked one by one, so that one bad item costs only itself."""

import hashlib
import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from channels.affect import label_state
from channels.errors import BadInput
from channels.spread import EDGE_WEIGHTS
from router.written import is_moment, refusal, with_granularity

MAX_TEXT = 100_000  # characters
MAX_ITEMS = 1_000
SUPERSEDES = "SUPERSEDES"  # the edge type that says the same as `supersedes`
Granularity = Literal[
    "second",
    "minute",
    "hour",
    "part_of_day",
    "day",
    "weekend",
    "week",
    "month",
    "quarter",
    "season",
    "half",
    "year",
    "decade",
]


def clean(text: str) -> str:
    """The text itself. Raises ValueError for what Postgres and JSON cannot carry."""
    if "\x00" in text:
        raise ValueError("holds a NUL character; remove it")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError("holds a lone surrogate; send well-formed Unicode") from error
    return text


def nonblank(text: str) -> str:
    """The text itself. Raises ValueError when nothing but white space is in it."""
    if not clean(text).strip():
        raise ValueError("is blank; give some text")
    return text


def printable_id(text: str) -> str:
    """The id itself. Raises ValueError for control characters."""
    clean(text)
    if any(unicodedata.category(letter) == "Cc" for letter in text):
        raise ValueError("holds a control character; use printable ones")
    return text


def written(moment: object, read: ValidatorFunctionWrapHandler) -> datetime:
    """The time that is written. Raises ValueError with the form for all but ISO 8601.

    Numbers and undivided digits would pass for seconds since 1970.
    """
    if not is_moment(moment):
        raise ValueError(refusal(moment))
    try:
        return read(moment)  # type: ignore[no-any-return] # pydantic's own, of a datetime
    except ValidationError as error:
        found = error.errors(include_url=False)[0]
        because = found.get("ctx", {}).get("error", "")
        reason = f"{refusal(moment)} ({because})" if because else refusal(moment)
        raise ValueError(reason) from error


def storable(value: Any) -> Any:
    """The JSON value itself. Raises ValueError for what Postgres's jsonb cannot carry."""
    todo = [value]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            clean(part)
        elif isinstance(part, float) and not math.isfinite(part):
            raise ValueError(f"holds {part}, which JSON does not know; leave it out")
        elif isinstance(part, Mapping):
            todo += [*part.keys(), *part.values()]
        elif isinstance(part, list | tuple):
            todo += part
    return value


def known_edge(kind: str) -> str:
    """The edge type itself. Raises ValueError for one that no lane knows."""
    if kind not in EDGE_WEIGHTS:
        raise ValueError(f"{kind!r} is unknown; use one of {', '.join(EDGE_WEIGHTS)}")
    return kind


def dotted(topic: str) -> str:
    """The topic itself. Raises ValueError when a part of its path is empty."""
    if not all(clean(topic).split(".")):
        raise ValueError("is a dotted path without empty parts, such as infra.staging")
    return topic


Clean = Annotated[str, AfterValidator(clean)]
Moment = Annotated[datetime, Field(strict=False), WrapValidator(written)]
Tag = Annotated[Clean, Field(min_length=1, max_length=100)]
ItemId = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(printable_id)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Label(_Strict):
    """A feeling the caller saw, such as frustration .8, or valence -.7."""

    label: Annotated[Clean, Field(min_length=1, max_length=50)]
    intensity: Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]


class Behaviour(_Strict):
    """What the user did, seen from outside."""

    retries: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    errors: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    duration_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    abandoned: bool = False
    success: bool | None = None


class Entity(_Strict):
    """A thing the caller knows the text mentions."""

    text: Annotated[Clean, Field(min_length=1, max_length=200)]
    type: Annotated[Clean, Field(max_length=50)] = ""


class EdgeItem(_Strict):
    """A typed edge from this memory to another; SUPERSEDES closes it, as `supersedes` does."""

    type: Annotated[str, AfterValidator(known_edge)]
    to: ItemId
    strength: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 1.0


def known_labels(labels: list[Label]) -> list[Label]:
    """The labels themselves. Raises ValueError for one that no affect model knows."""
    try:
        label_state([label.model_dump() for label in labels])
    except BadInput as error:
        raise ValueError(error.reason) from error
    return labels


class MemoryItem(_Strict):
    """One memory of a retain request. Only `text` is required."""

    id: ItemId | None = None
    text: Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(nonblank)]
    context: Annotated[Clean, Field(max_length=2_000)] | None = None
    title: Annotated[Clean, Field(max_length=500)] | None = None
    description: Annotated[Clean, Field(max_length=2_000)] | None = None
    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,49}$")] = "turn"
    speaker: Annotated[Clean, Field(max_length=200)] | None = None
    episode: Annotated[Clean, Field(min_length=1, max_length=200)] | None = None
    position: Annotated[int, Field(ge=0, le=2_000_000_000)] | None = None
    occurred_at: Moment | None = None
    occurred_start: Moment | None = None
    occurred_end: Moment | None = None
    mentioned_at: Moment | None = None
    granularity: Granularity | None = None
    tags: Annotated[
        list[Annotated[Clean, Field(min_length=1, max_length=100)]], Field(max_length=100)
    ] = []
    topic: Annotated[str, Field(max_length=200), AfterValidator(dotted)] | None = None
    entities: Annotated[list[Entity], Field(max_length=200)] = []
    affect: Annotated[list[Label], Field(max_length=50), AfterValidator(known_labels)] = []
    behaviour: Behaviour | None = None
    proof_count: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    supersedes: Annotated[list[ItemId], Field(max_length=100)] = []
    edges: Annotated[list[EdgeItem], Field(max_length=1_000)] = []
    metadata: Annotated[dict[str, Any], AfterValidator(storable)] = {}

    @model_validator(mode="before")
    @classmethod
    def _in_full(cls, item: object) -> object:
        """A month or year in the place of a time stands for all of it."""
        return with_granularity(item, HAPPENED, LAST) if isinstance(item, Mapping) else item


@dataclass(frozen=True, slots=True)
class ItemError:
    """Why one item was not stored."""

    index: int
    field: str
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A checked item with its times in UTC and its content's hash."""

    index: int
    item: MemoryItem
    times: Mapping[str, datetime | None]
    content_hash: bytes

    @property
    def replaced(self) -> list[tuple[str, str]]:
        """Whom it supersedes, by `supersedes` or by an edge of that type: field, id."""
        edges = enumerate(self.item.edges)
        return [
            *((f"supersedes[{place}]", name) for place, name in enumerate(self.item.supersedes)),
            *((f"edges[{place}].to", edge.to) for place, edge in edges if edge.type == SUPERSEDES),
        ]

    @property
    def happened(self) -> datetime | None:
        """Effective time: when it happened, else when it was said, else when it ended."""
        return next((self.times[name] for name in HAPPENED if self.times[name]), None)


TIMES = ("occurred_at", "occurred_start", "occurred_end", "mentioned_at")
LAST = "occurred_end"
HAPPENED = ("occurred_start", "occurred_at", "mentioned_at", LAST)  # the first given counts


def read_items(raw: Sequence[object], timezone: ZoneInfo) -> tuple[list[Draft], list[ItemError]]:
    """Drafts of the valid items and errors of the others, both in the order given."""
    drafts: list[Draft] = []
    errors: list[ItemError] = []
    for index, value in enumerate(raw):
        try:
            item = MemoryItem.model_validate(value)
            times = times_of(item, timezone)
        except ValidationError as error:
            field, reason = first_problem(error)
            errors.append(ItemError(index, field, reason))
        except BadInput as error:
            errors.append(ItemError(index, error.field, error.reason))
        else:
            drafts.append(Draft(index, item, times, content_hash(item, times)))
    return drafts, errors


def times_of(item: MemoryItem, timezone: ZoneInfo) -> dict[str, datetime | None]:
    """The item's times in UTC. Raises BadInput when it ends before it starts."""
    times = {name: to_utc(getattr(item, name), timezone, name) for name in TIMES}
    start, end = times["occurred_start"] or times["occurred_at"], times["occurred_end"]
    if start is not None and end is not None and end < start:
        raise BadInput("occurred_end", f"lies before the start, {start.isoformat()}; swap them")
    return times


def to_utc(moment: datetime | None, timezone: ZoneInfo, field: str) -> datetime | None:
    """The moment in UTC, read in `timezone` when it has no zone of its own.

    Raises BadInput outside the years 1 to 9999.
    """
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=timezone)).astimezone(UTC)
    except (OverflowError, ValueError) as error:
        raise BadInput(field, "falls outside the years 1 to 9999 in UTC") from error


def content_hash(item: MemoryItem, times: Mapping[str, datetime | None]) -> bytes:
    """SHA-256 of everything the caller said about the memory except its id."""
    content = item.model_dump(mode="json", exclude={"id", *TIMES})
    content |= {name: moment.isoformat() if moment else None for name, moment in times.items()}
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).digest()


def first_problem(error: ValidationError) -> tuple[str, str]:
    """Path and sentence of the first problem pydantic found."""
    problem = error.errors(include_url=False)[0]
    field = ""
    for part in problem["loc"]:
        field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else str(part)
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = "is no field of this request; see /openapi.json for those it has"
    if problem["type"] == "missing":
        message = "is required"
    return field or "item", message
