"""The values that lanes and router share: question, hit, window, and the lane contract."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NewType, Protocol

import numpy as np
from numpy.typing import NDArray

from channels.decay import Decay
from channels.once import Once
from channels.window import Recency as Recency
from channels.window import Window as Window

BankKey = NewType("BankKey", int)  # the bank's number in the store; callers know banks by name
MemoryKey = NewType("MemoryKey", int)  # the memory's number; grows with arrival, breaks every tie
Vector = NDArray[np.float32]
ScanPath = Literal["exact", "index", "repeated"]  # repeated: the index gave too few, so exactly


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text as its model sees it."""

    vector: Vector | None  # (dim,), length 1; None when the text has no direction
    tokens: Vector | None = None  # (tokens, 128), reduced; None: the model gives none
    spans: tuple[tuple[int, int], ...] = ()  # characters each token covers; (0, 0): none
    unread: tuple[int, ...] = ()  # tokens for which the model has no piece: it cannot read them
    read_to: int | None = None  # characters read of a text that is longer; None: all of it

    @property
    def unread_share(self) -> float:
        """Of the tokens that stand for text, in [0, 1]."""
        standing = sum(end > start for start, end in self.spans)
        return len(self.unread) / standing if standing else 0.0


@dataclass(frozen=True, slots=True)
class Term:
    """One analysed word of a question. Whole identifiers are written `=like_this`."""

    text: str
    weight: float = 1.0  # boost in the keyword lane


@dataclass(frozen=True, slots=True)
class AffectTarget:
    """The feeling a question asks for."""

    vectors: tuple[Vector, ...]  # each (132,), unit length; a lane takes the best over them
    labels: Mapping[str, float]  # label -> intensity in (0, 1]
    cues: tuple[str, ...]  # the words that fired, for the trace
    is_unsure: bool = False  # read from a word that is in no table
    is_told: bool = False  # an arc that the caller gave: feeling alone ranks


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must satisfy; empty means anything."""

    tags: tuple[str, ...] = ()  # all of them
    topic: str | None = None  # this dotted path or below it
    kinds: tuple[str, ...] = ()  # any of them
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class View:
    """Which state of the bank is asked about."""

    as_of: datetime | None = None  # world time; None = what is current
    include_superseded: bool = False
    known_at: datetime | None = None  # what had been said by then; None = all that is known


@dataclass(frozen=True, slots=True)
class Scored:
    """Shared look-ups: keys best first with their raw scores (arrays of equal length)."""

    keys: NDArray[np.int64]
    scores: NDArray[np.float64]

    @classmethod
    def empty(cls) -> "Scored":
        """No candidates."""
        return cls(np.empty(0, np.int64), np.empty(0, np.float64))

    def as_dict(self) -> dict[MemoryKey, float]:
        """Key to raw score, in rank order."""
        return {MemoryKey(int(k)): float(s) for k, s in zip(self.keys, self.scores, strict=True)}


@dataclass(frozen=True, slots=True)
class Nearest:
    """The shared vector look-up, best first: arrays of equal length."""

    keys: NDArray[np.int64]
    scores: NDArray[np.float64]  # cosine plus the episode's share
    cosines: NDArray[np.float64]  # of the memory's own vector
    path: ScanPath = "exact"

    @classmethod
    def of(cls, rows: Sequence[tuple[Any, ...]], path: ScanPath = "exact") -> "Nearest":
        """From rows (key, cosine, score); a NaN distance is dropped, it has no rank."""
        table = np.array([row for row in rows if row[2] == row[2]], dtype=np.float64).reshape(-1, 3)
        keys = np.array([row[0] for row in rows if row[2] == row[2]], dtype=np.int64)
        return cls(keys, table[:, 2], table[:, 1], path)

    @classmethod
    def empty(cls) -> "Nearest":
        """No candidates."""
        return cls.of(())


@dataclass(frozen=True, slots=True)
class TermStats:
    """What the bank knows about the question's words."""

    docs: int  # memories with postings
    mean_length: float  # weighted words per memory
    df: Mapping[str, int]  # term -> memories that hold it; absent terms are not listed

    def idf(self, term: str) -> float:
        """ln(1 + (N - df + .5) / (df + .5)), never negative (Lucene's form of BM25's idf)."""
        df = self.df.get(term, 0)
        return float(np.log1p((max(self.docs - df, 0) + 0.5) / (df + 0.5)))


@dataclass(frozen=True, slots=True)
class Lookups:
    """Look-ups that several lanes need, each made once per question."""

    vectors: Once[Nearest]  # nearest memories by cosine
    statistics: Once[TermStats]
    keywords: Once[Scored]  # best memories by BM25
    late: Once[Scored | None] | None = None  # candidates by late interaction, where the model can

    async def cancel(self) -> None:
        """Stop what is unfinished; what is finished stays readable."""
        for lookup in (self.late, self.keywords, self.vectors, self.statistics):
            if lookup is not None:
                await lookup.cancel()


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read. Made by router.understand; lanes only read it."""

    bank: BankKey
    text: str
    asked_at: datetime  # aware, UTC
    timezone: str
    embedder: int  # number of the bank's embedder
    live_rows: int  # memories in the bank, which decides exact scan or index
    indexed: bool  # the bank has its vector index
    vector: Once[Vector | None]  # (dim,) unit length; None when the text has no direction
    terms: tuple[Term, ...]
    identifiers: tuple[str, ...]  # normal forms, without the = mark
    entities: tuple[str, ...]  # normal forms
    window: Window | None
    strict_window: bool
    asks_date: bool  # "when", "how long ago", "what day"
    recency: Recency
    decay: Decay
    affect: AffectTarget | None
    arc_of: str | None  # id of a memory whose own arc is the query ("similar experience")
    filters: Filters
    view: View
    lookups: Lookups
    embedded: Once[Embedded] | None = None  # vector and tokens of the text
    arc_episode: str | None = None  # name of an episode whose whole arc is the query
    # Under a strict window, memories let in by a date in their text; None: they could not be told.
    dated: tuple[MemoryKey, ...] | None = ()

    async def cancel(self) -> None:
        """Stop whatever is still being computed or looked up; what is finished stays readable."""
        await self.lookups.cancel()
        for value in (self.vector, self.embedded):
            if value is not None:
                await value.cancel()


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory a lane found. Scores of different lanes are never compared."""

    key: MemoryKey
    score: float  # higher is better, finite
    detail: Mapping[str, object] = field(default_factory=dict)  # why, for the trace


class Channel(Protocol):
    """One way to find memories. Keeps nothing between calls; safe to call concurrently."""

    @property
    def name(self) -> str: ...

    async def search(self, question: Question, depth: int) -> list[Hit]:
        """At most `depth` hits, best first, each memory once, ties by key.

        An empty list means that the lane has no signal. Raises ChannelError when it cannot answer.
        """
        ...


def best_first(hits: Sequence[Hit], depth: int) -> list[Hit]:
    """The `depth` best hits, each memory once (its best score), ties by key."""
    best: dict[MemoryKey, Hit] = {}
    for hit in hits:
        known = best.get(hit.key)
        if known is None or hit.score > known.score:
            best[hit.key] = hit
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.key))[:depth]
