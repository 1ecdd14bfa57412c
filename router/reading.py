"""What is read off a memory's text before it is stored. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from channels.base import Window
from channels.entities import extract_entities, normal_form
from channels.names import NameFinder
from channels.speaker import body_of as body_of
from router.items import HAPPENED, LAST, Draft
from router.timezone import zone
from router.understand.customs import USUAL, Customs
from router.understand.time import dates_in_text, has_time_expression
from router.units import unit_of

QUESTION_MARKS = frozenset("?？؟")
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a memory's text says about itself."""

    embed_text: str  # what the embedder sees
    body: str  # the text without a speaker prefix that repeats the speaker
    happened: datetime | None  # of a coarse time the beginning of its unit
    happened_end: datetime | None  # of a time of some length, else None
    dates: tuple[Window, ...]
    mentions: Mapping[str, tuple[str, str]]  # normal form -> (name, kind)
    words: int
    has_time: bool
    is_question: bool


def read_memory(
    draft: Draft,
    timezone: str,
    customs: Customs = USUAL,
    names: NameFinder | None = None,
    *,
    own_zone: str | None = None,
) -> Reading:
    """Everything the store wants to know about the text of a draft.

    Dates are read in `timezone`. The month of a coarse time is one of `own_zone`, the bank's (None:
    the same), unless the time itself was read in `timezone` for want of a zone.
    """
    item = draft.item
    happened = draft.happened
    body = body_of(item.text, item.speaker)
    dates = dates_in_text(item.text, happened, timezone, customs)
    start, end = _interval(draft, timezone, own_zone or timezone)
    return Reading(
        embed_text=embed_text(item.text, item.speaker, item.title, item.context),
        body=body,
        happened=start,
        happened_end=end,
        dates=tuple(date for date in dates if date.start and date.end),
        mentions=_mentions(draft, names),
        words=len(WORD.findall(item.text)),
        has_time=bool(dates) or has_time_expression(item.text),
        is_question=any(mark in item.text for mark in QUESTION_MARKS),
    )


def embed_text(text: str, speaker: str | None, title: str | None, context: str | None) -> str:
    """The text as written, led by its speaker, title and context unless it already is."""
    lead = [part for part in (context, title) if part and not text.startswith(part)]
    spoken = text if not speaker or text.startswith(f"{speaker}:") else f"{speaker}: {text}"
    return ". ".join([*lead, spoken])


def _interval(
    draft: Draft, timezone: str, own_zone: str
) -> tuple[datetime | None, datetime | None]:
    """From when to when: as given, else the unit of the calendar that the granularity names."""
    happened, end = draft.happened, draft.times[LAST]
    if happened is None or (end is not None and end > happened):
        return happened, end
    as_written = next(at for name in HAPPENED if (at := getattr(draft.item, name)))
    where = zone(own_zone if as_written.tzinfo else timezone)
    return unit_of(draft.item.granularity, happened, where) or (happened, None)


def _mentions(draft: Draft, names: NameFinder | None) -> dict[str, tuple[str, str]]:
    item = draft.item
    found = {normal_form(entity.text): (entity.text, entity.type) for entity in item.entities}
    for normal in extract_entities(item.text):
        found.setdefault(normal, (normal, ""))
    for name, kind in names.find(item.text).items() if names else ():
        written = found.get(normal_form(name), (name, ""))
        found[normal_form(name)] = (written[0], written[1] or kind)
    found.pop("", None)
    return found
