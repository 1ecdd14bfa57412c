"""What is known of candidates after fusion: shown on the page, recorded for the learner."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from channels.base import MemoryKey, Window
from router.structure.standing import PLAIN, Standing


@dataclass(frozen=True, slots=True)
class Facts:
    """One candidate. `page` holds text, tags, topic, metadata, title, context of shown ones."""

    key: MemoryKey
    id: str
    happened: datetime | None  # as given, for showing; see `start`
    happened_end: datetime | None
    episode: str | None
    speaker: str | None
    words: int
    has_time: bool
    is_question: bool
    kind: str
    is_superseded: bool
    superseded_by: str | None
    page: dict[str, Any] | None
    dates: tuple[tuple[datetime, datetime], ...]
    is_copy: bool = False  # says word for word what was replaced, and nobody has judged it yet
    is_disputed: bool = False  # on the page only: a copy, or one of two that replaced the same
    standing: Standing = PLAIN  # on the page only
    unit_start: datetime | None = None  # of a coarse time

    @property
    def start(self) -> datetime | None:
        """From when on: of a coarse time the beginning of its unit."""
        return self.unit_start or self.happened

    def in_window(self, window: Window | None) -> bool | None:
        """Whether its own time or a date in its text meets the window; None without a window."""
        if window is None:
            return None
        spans = list(self.dates)
        if self.start is not None:
            spans.append((self.start, self.happened_end or self.start))
        return any(_meets(window, start, end) for start, end in spans)


def _meets(window: Window, start: datetime, end: datetime) -> bool:
    """An interval that only touches the window's start is outside; a moment there is inside."""
    before_end = window.end is None or start < window.end
    after_start = window.start is None or end > window.start or start == end == window.start
    return before_end and after_start
