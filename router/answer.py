"""What is asked and what is answered: the values at both ends of a recall's walk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from channels.base import AffectTarget, Filters, MemoryKey, View, Window
from feedback.policy import Draw
from router.confidence import Adjustment
from router.drawing import AS_IT_IS, Teams
from router.facts import Facts
from router.fuse import Fused
from router.rerank.candidates import Budget
from router.residual import Corrected
from router.search import Found
from router.second_hop import Hop
from router.structure.page import PageAsked
from router.understand.read import Understanding
from router.weights import Row


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """A checked question with its options, as api.md names them."""

    question: str
    asked_at: datetime  # aware, UTC
    timezone: str
    k: int = 10
    offset: int = 0
    depth: int = 50
    deadline_ms: int | None = None
    filters: Filters = field(default_factory=Filters)
    view: View = field(default_factory=View)
    history: bool = False  # each result with what it replaced
    window: Window | None = None  # the caller's own, instead of the one read from the words
    strict_window: bool = False
    second_hop: bool = False  # from a confident first result to what it is linked with
    arc_of: str | None = None
    arc_episode: str | None = None  # whose whole course of feeling is the query
    arc_told: AffectTarget | None = None  # a course of feeling, in the place of the question's
    weights: Mapping[str, float] = field(default_factory=dict)
    rrf_k: float | None = None
    rerank: bool = False
    budget: Budget = "mid"  # how many candidates a reranker is given
    min_score: float | None = None  # of a reranker; fused scores have no such scale
    abstain_below: float | None = None
    explore: bool | None = None
    user: str | None = None
    client: str | None = None
    session: str | None = None
    api_key: str | None = None

    @property
    def page_asked(self) -> PageAsked:
        """The part of the fused list that is shown."""
        is_current = not (self.view.as_of or self.view.known_at or self.view.include_superseded)
        return PageAsked(self.offset, self.k, is_current, self.history)


@dataclass(frozen=True, slots=True)
class Answer:
    """Ranked memories with everything that led to them."""

    recall_id: str
    request: RecallRequest
    read: Understanding
    types: Mapping[str, float]
    row: Row
    matrix_version: int
    found: Found
    fused: Sequence[Fused]
    facts: Mapping[MemoryKey, Facts]
    degraded: tuple[str, ...]
    timings_ms: Mapping[str, float]
    corrected: Corrected | None = None  # by the residual ranker, while its gate is open
    draw: Draw = AS_IT_IS
    teams: Teams | None = None  # of a held-back comparison: who placed each memory
    hop: Hop | None = None  # what became of a second hop; None: none was asked for
    adjustments: tuple[Adjustment, ...] = ()  # of the row, for this question; in `row` already

    @property
    def analysis(self) -> dict[str, Any]:
        """How the question was read, and what its row was adjusted by, as recorded and shown."""
        told = [one.as_json() for one in self.adjustments]
        return self.read.as_json() | {"adjustments": told}

    @property
    def page(self) -> Sequence[Fused]:
        """The results shown."""
        return self.fused[self.request.offset : self.request.offset + self.request.k]
