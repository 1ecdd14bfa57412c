"""A span with its place in the text, and the words that stand before it."""

import re
from dataclasses import dataclass, replace

from router.understand.grammar.calendar import Span

LEAD = 48  # characters before a span in which its modifiers stand


@dataclass(frozen=True, slots=True)
class Found:
    """A span read from `text[start:stop]`."""

    start: int
    stop: int
    span: Span

    def widened(self, start: int, stop: int, span: Span) -> "Found":
        """The same find with more words around it."""
        return replace(self, start=min(self.start, start), stop=max(self.stop, stop), span=span)


def lead_match(
    text: str, found: Found, pattern: re.Pattern[str], floor: int
) -> re.Match[str] | None:
    """The modifier that ends right before the span and begins after `floor`."""
    return pattern.search(text, max(floor, found.start - LEAD), found.start)


def floors(founds: list[Found]) -> list[int]:
    """For each span, where the one before it ends."""
    return [0, *(found.stop for found in founds[:-1])]
