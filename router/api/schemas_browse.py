"""What requests may ask of a bank's structure; every bound of a field stands here."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from router.api.schemas import Page, Span, Text, ZoneName
from router.items import dotted

State = Literal["current", "superseded", "all"]
Path = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(dotted)]


class TopicsQuery(Page):
    """Which part of the tree of topics to show."""

    prefix: Path | None = None  # what lies below it; null: the whole tree
    levels: Annotated[int, Field(ge=1, le=4)] = 2
    state: State = "current"


class EpisodesQuery(Page):
    """Which episodes to list."""

    topic: Path | None = None  # with memories there or below
    entity: Text | None = None  # with memories that mention it
    state: State = "current"


class EntitiesQuery(Page):
    """Which entities to list."""

    prefix: Text | None = None  # of the name, in any case
    kind: Text | None = None
    state: State = "current"


class DaysQuery(Span):
    """Which days to list."""

    topic: Path | None = None
    timezone: ZoneName | None = None  # null: the bank's
    state: State = "current"
