"""What is read off a memory's text before it is stored. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from channels.base import Window
from channels.entities import extract_entities, normal_form
from channels.names import NameFinder
from router.items import Draft
from router.understand.customs import USUAL, Customs
from router.understand.time import dates_in_text, has_time_expression

QUESTION_MARKS = frozenset("?？؟")
WORD = re.compile(r"\w+")
COARSE = {  # how long a time of that granularity lasts
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "part_of_day": timedelta(hours=6),
    "day": timedelta(days=1),
    "weekend": timedelta(days=2),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "season": timedelta(days=91),
    "quarter": timedelta(days=91),
    "half": timedelta(days=182),
    "year": timedelta(days=365),
    "decade": timedelta(days=3_652),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a memory's text says about itself."""

    embed_text: str  # what the embedder sees
    body: str  # the text without a speaker prefix that repeats the speaker
    happened: datetime | None
    happened_end: datetime | None
    dates: tuple[Window, ...]
    mentions: Mapping[str, tuple[str, str]]  # normal form -> (name, kind)
    words: int
    has_time: bool
    is_question: bool


def read_memory(
    draft: Draft, timezone: str, customs: Customs = USUAL, names: NameFinder | None = None
) -> Reading:
    """Everything the store wants to know about the text of a draft."""
    item = draft.item
    happened = draft.happened
    body = body_of(item.text, item.speaker)
    dates = dates_in_text(item.text, happened, timezone, customs)
    return Reading(
        embed_text=embed_text(item.text, item.speaker, item.title, item.context),
        body=body,
        happened=happened,
        happened_end=_end(draft, happened),
        dates=tuple(date for date in dates if date.start and date.end),
        mentions=_mentions(draft, names),
        words=len(WORD.findall(item.text)),
        has_time=bool(dates) or has_time_expression(item.text),
        is_question=any(mark in item.text for mark in QUESTION_MARKS),
    )


def body_of(text: str, speaker: str | None) -> str:
    """The text without a leading "Speaker: " that only repeats the speaker."""
    if speaker and text.startswith(f"{speaker}:"):
        return text[len(speaker) + 1 :].lstrip()
    return text


def embed_text(text: str, speaker: str | None, title: str | None, context: str | None) -> str:
    """The text as written, led by its speaker, title and context unless it already is."""
    lead = [part for part in (context, title) if part and not text.startswith(part)]
    spoken = text if not speaker or text.startswith(f"{speaker}:") else f"{speaker}: {text}"
    return ". ".join([*lead, spoken])


def _end(draft: Draft, happened: datetime | None) -> datetime | None:
    end = draft.times["occurred_end"]
    if end is not None and happened is not None and end > happened:
        return end
    if happened is None or draft.item.granularity is None:
        return None
    try:
        return happened + COARSE.get(draft.item.granularity, timedelta())
    except OverflowError:
        return None


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
