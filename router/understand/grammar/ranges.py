"""Two dates that make one stretch, and words that leave one side open."""

import re
from dataclasses import replace
from datetime import datetime

from router.understand.grammar.calendar import Box, Span, first_from, latest
from router.understand.grammar.found import Found, floors, lead_match

FROM = re.compile(
    r"(?:\b(?:from|between|von|vom|zwischen|de|du|entre|desde|dal|da|tra|fra|с|между)\s{1,2}"
    r"(?:the |el |le |dem )?"
    r"|从|在|自)$"
)
TO = re.compile(
    r"\s{0,2}(?:\b(?:to|until|till|through|thru|up to|bis|à|au|a|al|hasta|até|по|до)\b|-|~|〜|到|至"
    r"|から|부터)"
    r"(?:\s(?:the|el|le|zum|now))?\s{0,2}"
)
AND = re.compile(
    r",?\s{0,2}(?:\b(?:and|und|et|y|e|и|or|oder|ou|o)\b|&|/|和|与|と)(?:\s(?:the|in|on|el|le|dem))?\s{0,2}"
)
COMMA = re.compile(r",\s{1,2}")
NEAR_LENGTHS = 3  # "Monday and Friday" are one stretch, 1856 and 1873 are two
NEVER = r"\Z(?!\Z)"  # nothing is written right against the date
OPENERS = tuple(
    (side, re.compile(rf"(?:\b(?:{words})\s{{1,2}}(?:the |el |le |dem |den |la )?|(?:{glued}))$"))
    for side, words, glued in (
        ("since", "since|seit|ab|depuis|dès|desde|dal|с|starting|beginning", "自从|自|从"),
        ("until", "until|till|til|(?<!been )up to|up until|through|bis|bis zum|jusqu'à|jusqu'en"
                  "|hasta|até|fino a|by|as of|no later than", "截至|直到"),
        ("before", "before|prior to|earlier than|vor|avant|antes de|antes del|prima di|до", NEVER),
        ("after", "after|later than|nach|après|después de|después del|depois de|dopo|после", NEVER),
    )
)  # fmt: skip
# "Since she moved to Berlin in 2021": open from then on, though the date names the event.
CLAUSE = re.compile(
    r"\b(?:since|after) (?:i|we|you|he|she|they|it|the|my|our|his|her|their) (?:[\w'-]{1,20} ){1,5}"
    r"(?:in|on) (?:the )?$"
)
ENDS = r"(?=$|[\s、。，,?？!！にはのも的要有])"  # before and after in one character, else a word
TAILS = (
    (
        "since",
        re.compile(r"(?:\s(?:onwards?|and later)\b|以来|以后|之后|から|以降|부터)"),
    ),
    ("until", re.compile(r"まで|까지")),
    ("before", re.compile(rf"之前|以前|より前|前{ENDS}|\sand earlier\b")),
    ("after", re.compile(rf"[后後]{ENDS}")),
)


def paired(text: str, founds: list[Found], now: datetime) -> list[Found]:
    """Joins "from A to B", "between A and B" and "A and B"."""
    kept: list[Found] = []
    for found in founds:
        _gather(text, kept, found)
        joined = _pair(text, kept, found, now) if kept else None
        if joined:
            kept[-1] = joined
        else:
            kept.append(found)
    return kept


def _gather(text: str, kept: list[Found], last: Found) -> None:
    """Takes "Monday, Tuesday" for one before "and Wednesday", so that no day of a list is lost."""
    if not kept or not AND.fullmatch(text, kept[-1].stop, last.start):
        return
    while len(kept) > 1 and _is_listed(text, kept[-2], kept[-1]):
        second = kept.pop()
        kept[-1] = replace(kept[-1], stop=second.stop)


def _is_listed(text: str, first: Found, second: Found) -> bool:
    if not COMMA.fullmatch(text, first.stop, second.start):
        return False
    one, other = first.span.bare, second.span.bare
    if one is None or other is None or one[0] != other[0]:
        return False
    # "Monday, Friday and Sunday", asked on a Thursday, lie in two weeks.
    start, after = first.span.start, second.span.start
    return start is not None and after is not None and start < after


def _pair(text: str, kept: list[Found], second: Found, now: datetime) -> Found | None:
    first = kept[-1]
    if second.start - first.stop > 16 or first.span.rule == "soft" or second.span.rule == "soft":
        return None
    floor = kept[-2].stop if len(kept) > 1 else 0
    lead = lead_match(text, first, FROM, floor)
    if TO.fullmatch(text, first.stop, second.start):
        if not lead and not _may_join(text, first, second):
            return None
    elif not AND.fullmatch(text, first.stop, second.start) or (
        not lead and not _alike(first.span, second.span)
    ):
        return None
    span = _stretch(first.span, second.span, now)
    if span is None:
        return None
    return first.widened(lead.start() if lead else first.start, second.stop, span)


def _may_join(text: str, first: Found, second: Found) -> bool:
    """Whether "A to B" is a stretch though nothing like "from" stands before A."""
    loose = first.span.loose or second.span.loose
    if first.span.weak and second.span.weak:
        tied = text[first.stop : second.start] == "-"
        return loose and tied and first.span.granularity == second.span.granularity == "month"
    return not loose or first.span.granularity == second.span.granularity


def _alike(first: Span, second: Span) -> bool:
    """Whether "A and B" is one stretch: the same kind of date, and B soon after A."""
    if first.granularity != second.granularity or (first.weak and second.weak):
        return False
    if first.loose and second.bare is not None and second.bare[0] != "month":
        return False
    if first.start is None or first.end is None or second.start is None:
        return False
    return second.start - first.end <= NEAR_LENGTHS * (first.end - first.start)


def _stretch(first: Span, second: Span, now: datetime) -> Span | None:
    """From the beginning of the one to the end of the other, unsaid years chosen to fit."""
    try:
        start, end = _fit(first, second, now)
    except (ValueError, OverflowError):
        return None
    if start is None or end is None or start >= end:
        return None
    sure = min(first.confidence, second.confidence)
    said = (first.absolute and (second.absolute or second.bare is not None)) or (
        first.bare is not None and second.absolute
    )
    rule = f"{first.rule}..{second.rule}"
    return Span(start, end, "range", rule, max(sure, 0.8), absolute=said)


def _fit(first: Span, second: Span, now: datetime) -> tuple[datetime | None, datetime | None]:
    start, end = first.start, second.end
    if second.bare and start is not None:
        end = first_from(second.bare, start)[1]
    elif first.bare and second.start is not None:
        box: Box = latest(first.bare, second.start)
        start = box[0]
    return start, end


def opened(text: str, founds: list[Found]) -> list[Found]:
    """Leaves a side open after since, until, before and after."""
    result = []
    for found, floor in zip(founds, floors(founds), strict=True):
        result.append(_open_by_lead(text, found, floor) or _open_by_tail(text, found) or found)
    return result


def _open_by_lead(text: str, found: Found, floor: int) -> Found | None:
    if found.span.rule == "soft":
        return None  # "what have you been up to lately"
    for side, pattern in OPENERS:
        match = lead_match(text, found, pattern, floor)
        if match:
            return found.widened(match.start(), found.stop, _side(found.span, side))
    match = lead_match(text, found, CLAUSE, floor)
    if match and found.span.start and not found.span.weak:
        open_span = replace(_side(found.span, "since"), confidence=min(found.span.confidence, 0.6))
        return replace(found, span=open_span)
    return None


def _open_by_tail(text: str, found: Found) -> Found | None:
    if ".." in found.span.rule:
        return None  # "3月から5月まで": both sides are said
    for side, pattern in TAILS:
        match = pattern.match(text, found.stop)
        if match:
            return found.widened(found.start, match.end(), _side(found.span, side))
    return None


def _side(span: Span, side: str) -> Span:
    """Since begins with it, until ends with it, before and after leave it out."""
    start, end = {
        "since": (span.start, None),
        "until": (None, span.end),
        "before": (None, span.start),
        "after": (span.end, None),
    }[side]
    if start is None and end is None:
        return span
    return replace(
        span, start=start, end=end, granularity="range", rule=f"{side}+{span.rule}", bare=None
    )
