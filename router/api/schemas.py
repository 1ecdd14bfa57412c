"""What requests may hold. Unknown fields are refused; every bound of a field stands here."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from channels.errors import BadInput
from router.items import MAX_ITEMS, Label, Moment, clean, nonblank, printable_id, to_utc
from router.rerank.candidates import Budget
from router.store.banks import BankConfig
from router.timezone import zone

MAX_QUESTION = 20_000  # characters
MAX_K = 200  # results; offset + k may not pass it either
MAX_DEPTH = 1_000  # hits of each channel
MAX_DEADLINE_MS = 60_000
MAX_BANKS = 20  # asked at once

QueryType = Literal["temporal", "factual", "multi_hop", "emotional", "general"]


def _zone_name(name: str) -> str:
    try:
        zone(name)
    except BadInput as error:
        raise ValueError(error.reason) from error
    return name


ZoneName = Annotated[str, Field(max_length=100), AfterValidator(clean), AfterValidator(_zone_name)]
Text = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(clean)]
Id = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(printable_id)]
Reason = Annotated[str, Field(max_length=2_000), AfterValidator(nonblank)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Weight = Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)]


class Body(BaseModel):
    """Base of all request bodies: JSON types as they are, no unknown field."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _InPart:
    """Describes an object as a BankConfig: it is checked once it is merged into the bank's."""

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return handler(BankConfig.__pydantic_core_schema__)


class BankBody(Body):
    """Create or update a bank; what is not given stays as it is, however deep it stands.

    null takes a part of `config` back to its default, and a name in `per_kind` or `event_values`
    away.
    """

    name: Annotated[str, Field(max_length=500), AfterValidator(clean)] | None = None
    config: Annotated[dict[str, Any], _InPart()] | None = None


class RetainBody(Body):
    """Memories to store. Each is checked on its own; see MemoryItem."""

    items: Annotated[list[Any], Field(min_length=1, max_length=MAX_ITEMS)]
    atomic: bool = False
    consolidate: bool = False  # near duplicates among observations raise a count instead
    timezone: ZoneName | None = None  # of times without zone; null: the bank's


class SupersedeBody(Body):
    """Which memory replaces this one, and why."""

    by: Id
    reason: Reason | None = None


class SettleBody(Body):
    """A word on a conflict: true lets one supersede the other, false lets both stand."""

    accept: bool
    keep: Id | None = None  # null: the newer
    reason: Reason | None = None


class PatchBody(BaseModel):
    """Any fields of a memory but its id; they are laid over the stored ones."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    timezone: ZoneName | None = None  # of times without zone; null: the bank's


class FiltersBody(Body):
    """What a result must satisfy."""

    tags: Annotated[list[Text], Field(max_length=100)] = []
    topic: Text | None = None
    kinds: Annotated[list[Text], Field(max_length=100)] = []
    speaker: Text | None = None


class WindowBody(Body):
    """A stretch of time, `[start, end)`; one side may be open."""

    start: Moment | None = None
    end: Moment | None = None

    @model_validator(mode="after")
    def _bounded(self) -> "WindowBody":
        if self.start is None and self.end is None:
            raise ValueError("give start, end or both; leave window out for none")
        return self


class ArcBody(Body):
    """The arc of feeling that is the query: a memory's, a whole episode's, or one told in turns."""

    memory: Id | None = None
    episode: Text | None = None
    turns: Annotated[list[list[Label]], Field(min_length=1, max_length=64)] | None = None

    @model_validator(mode="after")
    def _one(self) -> "ArcBody":
        if sum(one is not None for one in (self.memory, self.episode, self.turns)) != 1:
            raise ValueError("give memory, episode or turns, one of them")
        return self


class RecallBody(Body):
    """A question and how it wants to be answered."""

    question: Annotated[str, Field(max_length=MAX_QUESTION), AfterValidator(nonblank)]
    k: Annotated[int, Field(ge=1, le=MAX_K)] = 10
    offset: Annotated[int, Field(ge=0, lt=MAX_K)] = 0
    asked_at: Moment | None = None  # null: now
    timezone: ZoneName | None = None  # null: the bank's
    depth: Annotated[int, Field(ge=1, le=MAX_DEPTH)] | None = None
    budget: Budget = "mid"
    deadline_ms: Annotated[int, Field(ge=1, le=MAX_DEADLINE_MS)] | None = None
    rerank: bool | None = None
    min_score: Finite | None = None  # of the reranker; fused scores have no such scale
    abstain_below: Finite | None = None
    filters: FiltersBody = FiltersBody()
    window: WindowBody | None = None
    strict_window: bool = False
    second_hop: bool = False
    as_of: Moment | None = None  # what was true then
    known_at: Moment | None = None  # what had been said by then
    include: Annotated[list[Literal["superseded", "history"]], Field(max_length=10)] = []
    arc: ArcBody | None = None
    weights: Annotated[dict[str, Weight], Field(max_length=20)] | None = None
    rrf_k: Annotated[float, Field(gt=0, le=1_000, allow_inf_nan=False)] | None = None
    user: Text | None = None
    client: Text | None = None
    session: Text | None = None
    explore: bool | None = None
    explain: bool = False


class BankAsked(Body):
    """One of several banks; its name alone does as well."""

    bank: Id
    weight: Annotated[float, Field(gt=0, le=1e6, allow_inf_nan=False)] = 1.0  # of its list


def _named(value: object) -> object:
    return {"bank": value} if isinstance(value, str) else value


NAME_OR_BANK = {
    "anyOf": [{"type": "string"}, BankAsked.model_json_schema()],
    "description": "a bank's name, or the name with the weight of its list",
}


class SeveralBody(RecallBody):
    """A question to several banks, each asked by its own settings."""

    banks: Annotated[
        list[Annotated[BankAsked, BeforeValidator(_named), WithJsonSchema(NAME_OR_BANK)]],
        Field(min_length=1, max_length=MAX_BANKS),
    ]


class TypeBody(Body):
    """A person's word on what type a question was; null takes it back."""

    type: QueryType | None


class RowBody(Body):
    """One query type's weights; they are stored with the largest at 1."""

    weights: dict[str, Weight]
    rrf_k: Annotated[float, Field(gt=0, le=1_000, allow_inf_nan=False)] = 60.0


class PublishBody(Body):
    """A matrix published by hand: a row for every type, a weight for every channel."""

    rows: dict[str, RowBody]
    expected_version: Annotated[int, Field(ge=0)]
    reason: Annotated[str, Field(max_length=2_000), AfterValidator(nonblank)]


class RollbackBody(Body):
    """Back to the rows of an earlier version, 0 for the default; it becomes a new version."""

    to: Annotated[int, Field(ge=0, le=2_147_483_647)]
    reason: Annotated[str, Field(max_length=2_000), AfterValidator(clean)] | None = None


class DiffQuery(BaseModel):
    """Two versions of a matrix, 0 for the default."""

    model_config = ConfigDict(extra="forbid")

    former: Annotated[int | None, Field(alias="from", ge=0, le=2_147_483_647)] = None
    to: Annotated[int, Field(ge=0, le=2_147_483_647)] | None = None


class LearnerBody(Body):
    """What a bank's learner may do: publish, nothing, or only say what it would publish."""

    state: Literal["on", "frozen", "shadow"]
    reason: Annotated[str, Field(max_length=2_000), AfterValidator(nonblank)] | None = None


class Page(BaseModel):
    """Which part of a list is asked for."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    cursor: Annotated[str, Field(max_length=500)] | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class Span(Page):
    """A page of what lies between two times."""

    start: Annotated[Moment | None, Field(alias="from")] = None
    end: Annotated[Moment | None, Field(alias="to")] = None
    timezone: ZoneName | None = None


class MemoriesQuery(Span):
    """Which memories to list."""

    tag: Text | None = None
    topic: Text | None = None
    kind: Text | None = None
    episode: Text | None = None
    entity: Text | None = None
    state: Literal["current", "superseded", "all"] = "current"


class ConflictsQuery(Page):
    """Which conflicts to list."""

    state: Literal["open", "accepted", "dismissed", "withdrawn", "all"] = "open"


class UndoQuery(BaseModel):
    """Which supersession to take back."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    by: Id | None = None  # null: every one
    reason: Reason | None = None


class RecallsQuery(Span):
    """Which stored decisions to list."""

    type: QueryType | None = None


class NeighboursQuery(Page):
    """Which edges to list: a page of them, and those of what time."""

    as_of: Moment | None = None  # only edges that were valid then; without a zone: UTC


def utc_span(
    start: datetime | None, end: datetime | None, zone_of: ZoneInfo, names: tuple[str, str]
) -> tuple[datetime | None, datetime | None]:
    """Both ends in UTC. Raises BadInput when they are reversed or outside years 1-9999."""
    begins, ends = to_utc(start, zone_of, names[0]), to_utc(end, zone_of, names[1])
    if begins and ends and begins >= ends:
        raise BadInput(names[1], f"{ends.isoformat()} is not after {begins.isoformat()}; swap them")
    return begins, ends


def now() -> datetime:
    """The present, UTC."""
    return datetime.now(UTC)


COMPONENTS: Mapping[str, type[BaseModel]] = {
    model.__name__: model
    for model in (
        BankBody,
        RetainBody,
        SupersedeBody,
        SettleBody,
        PatchBody,
        RecallBody,
        SeveralBody,
        TypeBody,
        PublishBody,
        RollbackBody,
        LearnerBody,
    )
}
