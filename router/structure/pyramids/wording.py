"""A summary's text from the memories it quotes. Pure."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import numpy as np

from channels.base import MemoryKey, Vector
from router.reading import body_of
from router.structure.pyramids.choosing import choose, term_vectors, unit_rows
from router.structure.pyramids.periods import MONTHS, Name, Period

QUOTED: Final[Mapping[Name, int]] = {"day": 4, "week": 6, "month": 8}
LONGEST: Final = 240  # characters quoted of one memory
KIND, TAG = "summary", "summary"
ENDS: Final = tuple(".!?…。！？")


@dataclass(frozen=True, slots=True)
class Member:
    """A memory as a summary sees it."""

    key: MemoryKey
    id: str
    text: str
    speaker: str | None
    words: int
    happened: datetime
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Summed:
    """What a period comes down to."""

    period: Period
    text: str
    quoted: tuple[Member, ...]  # in the order of time
    members: int
    how: str  # centroid: of vectors; terms: of words; endpoint: written by one
    source: bytes  # changes with what is quoted and, where an endpoint worded it, with its model


def extract(period: Period, members: Sequence[Member], zone: ZoneInfo) -> Summed:
    """The period in the words of the few memories nearest to its centroid."""
    vectors = [one.vector for one in members if one.vector is not None]
    how = "centroid" if vectors else "terms"
    if vectors:
        blank = np.zeros_like(vectors[0])
        rows = [blank if one.vector is None else one.vector for one in members]
        table = unit_rows(np.asarray(rows, np.float32))
    else:
        table = term_vectors([one.text for one in members])
    places = choose(table, [one.words for one in members], QUOTED[period.name])
    quoted = tuple(members[place] for place in sorted(places))
    lines = [line_of(one, period, zone) for one in quoted]
    text = f"{period.words}: {' '.join(lines)}"
    source = hashlib.sha256("\n".join([text, *(one.id for one in quoted)]).encode()).digest()
    return Summed(period, text, quoted, len(members), how, source)


def line_of(member: Member, period: Period, zone: ZoneInfo) -> str:
    """What one memory says, on one line, led by its day and speaker where they are not plain."""
    body = " ".join(body_of(member.text, member.speaker).split())
    if len(body) > LONGEST:
        body = body[:LONGEST].rsplit(" ", 1)[0] + "…"
    said = f"{member.speaker}: {body}" if member.speaker else body
    if period.name != "day":
        day = member.happened.astimezone(zone)
        said = f"{day.day} {MONTHS[day.month - 1]}: {said}"
    return said if said.endswith(ENDS) else f"{said}."


def item_of(summed: Summed, zone: ZoneInfo) -> dict[str, Any]:
    """The summary as a retain request would carry it."""
    start, end = summed.period.bounds(zone)
    return {
        "id": summed.period.id,
        "text": summed.text,
        "kind": KIND,
        "occurred_start": start.isoformat(),
        "occurred_end": end.isoformat(),
        "granularity": summed.period.name,
        "tags": [TAG],
        "topic": f"summaries.{summed.period.name}",
        "metadata": {"how": summed.how, "quoted": [one.id for one in summed.quoted]},
    }
