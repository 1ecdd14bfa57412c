"""Joins what is named with its frame: a weekday with its week, a month or date with its year."""

import re
from dataclasses import replace

from router.understand.grammar.calendar import DAY, box_in_year
from router.understand.grammar.found import Found


def narrowed(text: str, founds: list[Found]) -> list[Found]:
    """Joins a weekday with its week, and a month, date or season with its year."""
    kept: list[Found] = []
    for found in founds:
        joined = _narrow(text, kept[-1], found) if kept else None
        if joined:
            kept[-1] = joined
        else:
            kept.append(found)
    return kept


OF = re.compile(r"\bde[lrs]?\b|\bdu\b|d'")
GAP = re.compile(
    r"(?:,?\s{0,2}(?:of|in|on|during|from|the|in the|of the|dem?|der|des|im|am|vom|de|del|de la|du"
    r"|de l'|d'|dell'|della|da|'s|の|的)?\s{0,2})"
)


def _narrow(text: str, first: Found, second: Found) -> Found | None:
    if second.start - first.stop > 10 or not GAP.fullmatch(text, first.stop, second.start):
        return None
    inner, outer = (first, second) if first.span.bare else (second, first)
    bare, wide = inner.span.bare, outer.span
    if bare is None or wide.bare or wide.start is None or wide.rule == "soft":
        return None
    if inner.span.loose and not OF.search(text, first.stop, second.start):
        return None  # "met Jan last year"
    if bare[0] == "weekday":
        if wide.granularity != "week":
            return None
        start = wide.start + bare[1] * DAY
        box = (start, start + DAY)
    elif wide.granularity == "year":
        try:
            box = box_in_year(bare, wide.start.year)
        except ValueError:
            return None
    else:
        return None
    span = replace(
        inner.span, start=box[0], end=box[1], bare=None, weak=False, absolute=wide.absolute
    )
    return first.widened(first.start, second.stop, replace(span, rule=f"{bare[0]}_of_{wide.rule}"))
