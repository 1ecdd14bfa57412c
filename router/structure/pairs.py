"""Values of this package: who replaced whom, who is proposed to, and who did it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from channels.base import MemoryKey

CALLER, COPY = "caller", "duplicate"
BRANCH, RESTATED = "two_successors", "restates_superseded"


@dataclass(frozen=True, slots=True)
class Replaced:
    """One memory that another replaces."""

    older: MemoryKey
    newer: MemoryKey
    reason: str | None = None
    rule: str = CALLER  # or that of the proposal that was accepted, or COPY
    along: MemoryKey | None = None  # the memory whose copy `older` is


@dataclass(frozen=True, slots=True)
class Deed:
    """Who does it, and when."""

    author: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Proposed:
    """A pair for somebody to judge: shall `newer` replace `older`?"""

    older: MemoryKey
    newer: MemoryKey
    rule: str
    evidence: Mapping[str, object]
    about: MemoryKey | None = None  # the superseded memory that the two quarrel over


@dataclass(frozen=True, slots=True)
class Head:
    """What is current in the place of a superseded memory."""

    key: MemoryKey
    id: str
    text: str


def same_words(one: str, other: str) -> bool:
    """Whether two texts differ in case and white space at most."""
    return one.lower().split() == other.lower().split()
