"""Whether a question asks for an overview, and of which period. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from channels.base import Window
from router.structure.pyramids.periods import NAMES, Name

LENGTHS: Final[Mapping[Name, timedelta]] = {  # an hour less: clocks are put forward
    "day": timedelta(hours=23),
    "week": timedelta(days=7, hours=-1),
    "month": timedelta(days=28, hours=-1),
}
MOST: Final = 14  # periods of one window; more of them are no overview
OVERVIEW: Final = re.compile(
    r"\b(?:summ?ar(?:y|ies|i[sz]e|i[sz]ed|i[sz]ing)|overview|recap|wrap-?up|round-?up|digest|"
    r"highlights?|in review|retrospective|trends?|evol(?:ve|ved|ves|ving|ution)|"
    r"progress(?:ed|ion)?(?! bar)|over the course of|"
    r"how (?:did|do|does|has|have|had|is|was|were) .{1,80}?\b(?:go|gone|going|change|changed|"
    r"develop|developed|unfold|unfolded|come along|turn out|turned out)|"
    r"zusammenfassung|überblick|rückblick|entwickelt|verlauf|verlaufen|"
    r"résumé|aperçu|bilan|évolué|évolution|resumen|balance general|evolucionó|evolución)\b|"
    r"总结|概述|回顾|まとめ|概要|振り返り",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Preference:
    """Summaries of `period` whose middle lies in `[start, end)` come first."""

    period: Name
    start: datetime
    end: datetime
    because: str  # the rule: only_time, over, or overview with its words


def preferred(
    text: str,
    window: Window | None,
    asked_at: datetime,
    kept: Sequence[str],
    *,
    has_topic: bool,
) -> Preference | None:
    """The summaries that a question prefers, of the periods a bank keeps; None for a plain one.

    Asked for are overviews only: nothing is named but a time ("last Tuesday"), or the words say so
    ("over the quarter", "a recap of May"). The period is the longest that fits into the window.
    """
    if window is None or window.start is None or not kept:
        return None
    end = window.end or asked_at
    because = _because(text, window, has_topic=has_topic)
    if because is None or end <= window.start:
        return None
    length = end - window.start
    fitting = [name for name in NAMES if name in kept and LENGTHS[name] <= length]
    if not fitting or length > MOST * 1.15 * LENGTHS[fitting[-1]]:
        return None
    return Preference(fitting[-1], window.start, end, because)


def _because(text: str, window: Window, *, has_topic: bool) -> str | None:
    if not has_topic:
        return "only_time"
    lowered, named = (" ".join(words.lower().split()) for words in (text, window.text))
    if f"over {named}" in lowered or f"over the {named}" in lowered:
        return "over"
    found = OVERVIEW.search(text)
    return f"overview: {found[0].lower()}" if found else None
