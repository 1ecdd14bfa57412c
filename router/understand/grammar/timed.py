"""Puts a time of day on its day: "yesterday at 3pm", "between 2 and 4 on Friday"."""

import re

from router.understand.grammar.calendar import Span
from router.understand.grammar.found import Found
from router.understand.grammar.hours import on_day

APART = 48  # characters that may stand between a day and its time ("yesterday's call at 3pm")
DAYS = frozenset(("day", "part_of_day"))
GAP = re.compile(
    r"\s{0,2}(?:,|-|@|'s)?\s{0,2}(?:(?:on|in|of|am|le|el|del|de|в)\s{1,2})?(?:the\s)?(?:の|的)?"
)


def timed(text: str, founds: list[Found]) -> list[Found]:
    """Joins every time of day with the day that stands beside it, or with the only day named.

    One that finds no day is left out where the text names any other time: "last week at 3pm" is
    not this afternoon.
    """
    if not any(found.span.hours for found in founds):
        return founds
    only = _only_day(founds)
    taken: set[int] = set()
    joined: list[Found] = []
    for place, told in enumerate(founds):
        if told.span.hours is None:
            continue
        beside = [at for at in (place - 1, place + 1) if _is_beside(text, founds, at, told, taken)]
        at = beside[0] if beside else _apart(founds, only, told, taken)
        span = on_day(founds[at].span, told.span) if at is not None else None
        if at is not None and span:
            taken.add(at)
            # What stands between is no time but what is asked about: "yesterday's call at 3pm".
            start, stop = (told.start, told.stop) if beside else (founds[at].start, founds[at].stop)
            joined.append(founds[at].widened(start, stop, span))
    others = [found for at, found in enumerate(founds) if at not in taken and not found.span.hours]
    if joined or _is_solid(others):
        return sorted([*others, *joined], key=lambda found: found.start)
    return founds


def _only_day(founds: list[Found]) -> int | None:
    """The place of the day, where the text names one and no other time."""
    solid = [at for at, found in enumerate(founds) if _is_day(found.span) or _is_solid([found])]
    days = [at for at in solid if not founds[at].span.hours]
    return days[0] if len(days) == 1 and _is_day(founds[days[0]].span) else None


def _is_beside(text: str, founds: list[Found], at: int, told: Found, taken: set[int]) -> bool:
    if not 0 <= at < len(founds) or at in taken or not _is_day(founds[at].span):
        return False
    return GAP.fullmatch(text, *_between(founds[at], told)) is not None


def _apart(founds: list[Found], only: int | None, told: Found, taken: set[int]) -> int | None:
    """The only day, if it stands near enough to a time that is surely one."""
    if only is None or only in taken or not (told.span.hours and told.span.hours.sure):
        return None
    start, stop = _between(founds[only], told)
    return only if stop - start <= APART else None


def _between(first: Found, second: Found) -> tuple[int, int]:
    if first.start > second.start:
        first, second = second, first
    return first.stop, second.start


def _is_day(span: Span) -> bool:
    whole = span.start is not None and span.end is not None
    return whole and span.granularity in DAYS and not span.hours


def _is_solid(founds: list[Found]) -> bool:
    return any(not found.span.weak and found.span.rule != "soft" for found in founds)
