"""A stretch of time, and what a question asks of time: light, so that it starts at once."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Recency = Literal["none", "recent", "last"]  # nothing asked; blend in age; order by time


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time that a text names: `[start, end)` in UTC, an open side is None."""

    start: datetime | None
    end: datetime | None
    granularity: str  # hour, part_of_day, day, weekend, week, month, ..., range
    text: str  # the words it was read from
    confidence: float  # in (0, 1]
    rule: str  # the grammar rule that fired
