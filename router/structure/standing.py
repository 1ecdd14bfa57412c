"""How a memory stands to others: heads, branches, copies of the past, what it replaced. Pure."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Link:
    """One memory that was replaced, and by what deed."""

    id: str
    text: str
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: str  # id of what replaced this one directly
    rule: str | None  # None: a deed from before there was an audit
    reason: str | None
    author: str | None
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Standing:
    """How one memory stands."""

    heads: tuple[str, ...] = ()  # current ones in its place, the latest first
    conflicts_with: tuple[str, ...] = ()  # current ones that stand in for the same as it does
    copy_of: str | None = None  # superseded memory that says the same words
    copy_head: str | None = None  # what is current in that one's place
    history: tuple[Link, ...] = field(default=())

    def state(self, *, is_superseded: bool) -> str:
        """current, superseded, conflict or stale_duplicate."""
        if is_superseded:
            return "superseded"
        if self.copy_head is not None:
            return "stale_duplicate"
        return "conflict" if self.conflicts_with else "current"

    @property
    def head(self) -> str | None:
        """What stands in the place of this one now."""
        return next(iter(self.heads), None) or self.copy_head


PLAIN = Standing()
