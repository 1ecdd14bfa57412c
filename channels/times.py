"""When a memory happened, how near that is to a window, and what age has left of it. Pure."""

from dataclasses import dataclass
from datetime import datetime

from channels.base import Window
from channels.decay import Decay, proximity

SECONDS_A_DAY = 86_400.0
TOUCHING = 1e-9  # days; puts "in April" behind "on 1 May" when May is asked for


@dataclass(frozen=True, slots=True)
class Times:
    """When a memory happened, and the intervals its text names."""

    start: datetime | None
    end: datetime | None
    kind: str
    stability_days: float | None
    has_time: bool
    intervals: tuple[tuple[datetime, datetime], ...]


def nearness(window: Window, known: Times) -> float:
    """Best nearness to the window, in [0, 1], of the memory's time or an interval in its text."""
    spans: list[tuple[datetime, datetime]] = list(known.intervals)
    if known.start is not None:
        spans.append((known.start, known.end or known.start))
    return max((proximity(_distance_days(window, *span)) for span in spans), default=0.0)


def retention(decay: Decay, now: datetime, known: Times) -> float:
    """What age has left of a memory; one without any time counts as fully faded."""
    if known.start is None:
        return 0.0
    age = (now - known.start).total_seconds() / SECONDS_A_DAY
    return decay.retention(age, known.kind, known.stability_days)


def _distance_days(window: Window, start: datetime, end: datetime) -> float:
    """Days from the window to [start, end), 0 where they meet; what only touches it is outside."""
    if window.end is not None and start >= window.end:
        return (start - window.end).total_seconds() / SECONDS_A_DAY + TOUCHING
    if window.start is not None and (end < window.start or start < end == window.start):
        return (end - window.start).total_seconds() / SECONDS_A_DAY - TOUCHING
    return 0.0
