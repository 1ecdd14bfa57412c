"""Times of day: what "at 3pm" or "between 2 and 4" mean, and where in a day they lie."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from router.understand.grammar import guards
from router.understand.grammar.calendar import DAY, NOTHING, Box, Hours, Span, midnight
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read

HALF_DAY, WHOLE_DAY = 720, 1_440  # minutes
WORKDAY = 7 * 60  # an hour below this, without am or pm, is one of the afternoon
LONE = 0.5  # confidence of a time that no day stands beside
DATED = 0.9

BEFORE = frozenset(("before", "until", "till", "by", "vor", "bis", "avant", "jusqu'à", "antes de",
                    "hasta", "earlier than"))  # fmt: skip
AFTER = frozenset(("after", "past", "later than", "nach", "après", "después de"))
SINCE = frozenset(("since", "seit", "ab", "depuis", "desde"))
AROUND = frozenset(("around", "about", "near", "gegen", "vers", "hacia", "sobre"))
SIDES = {
    lead: side
    for side, leads in (("before", BEFORE), ("after", AFTER), ("since", SINCE), ("around", AROUND))
    for lead in leads
}
PM = frozenset(("p", "tarde", "noche", "nachmittag", "abend", "abends", "nachmittags", "après-midi",
                "soir", "下午", "晚上", "晚", "傍晚", "中午", "午後", "夜", "夕方"))  # fmt: skip
AM = frozenset(("a", "mañana", "morgens", "matin", "上午", "早上", "早晨", "凌晨", "午前", "朝"))
AGAIN = re.compile(
    r"\b(?:every|each|daily|always|usually|normally|often|weekdays|weekends|jeden|täglich"
    r"|immer|chaque|toujours|cada|siempre)\b|\b(?:least|most|than)\s{1,3}$|每天|毎日"
)
AGAIN_AFTER = re.compile(
    r"\s{0,2},?\s{0,2}(?:on |at )?(?:every|each|daily|weekdays|weekends"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|jeden|täglich|chaque|cada)\b"
)
NOT_A_TIME = re.compile(
    r"\s{1,2}(?:ratio|odds|scale|aspect|rate|format|resolution|i\b(?!\s(?:was|did|had))|not\b)"
)
MONTH = "(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
FOLLOWS = (  # a bare number is an hour only where the next word cannot be what it counts
    rf"(?=\s{{0,2}}(?:$|[?!,;:)]|\.(?![0-9]|\s{{1,2}}{MONTH}))"
    r"|\s{1,2}(?:yesterday|today|tomorrow|tonight|this|last|next|on"
    r"|in the|and|or|but|with|when|what|who|where|how|did|do|was|were|is|i|we|he|she|they|sharp|for"
    r"|about|the day|mon|tue|wed|thu|fri|sat|sun|2[0-9]{3}-"
    rf"|{MONTH}[a-z]{{0,6}}\.?\s{{1,2}}[0-9]{{1,2}}(?![0-9])))"  # "at 3 March 5"; not "since 1 Feb"
)


@dataclass(frozen=True, slots=True)
class Told:
    """One time of day as written."""

    minute: int  # after midnight
    either: bool  # neither am nor pm is said, and both are possible
    exact: bool  # minutes are written


def read_point(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """At 3pm, at 14:20, before noon: an hour, a minute, or the side of it that is meant."""
    if _is_no_time(match):
        return NOTHING
    told = _told(match, "")
    if told is None:
        return NOTHING
    side = SIDES.get(re.sub(r"\s+", " ", match.groupdict().get("lead") or ""), "")
    length = 1 if told.exact else 60
    hours = Hours(told.minute, length, told.either, side, sure=_is_sure(match, told))
    return lone(hours, clock, "minute" if told.exact else "hour")


def read_range(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Between 2 and 4 pm, from 9 to 5, 9:00-10:30."""
    if _is_no_time(match):
        return NOTHING
    first, last = _told(match, ""), _told(match, "2")
    if first is None or last is None:
        return NOTHING
    begin, either = first.minute, first.either
    if either and not last.either:  # "2 and 4 pm": the last 2 o'clock before it
        begin += HALF_DAY if begin + HALF_DAY < last.minute else 0
        either = False
    turn = HALF_DAY if last.either else WHOLE_DAY
    length = (last.minute - begin) % turn or turn
    sure = not (first.either and last.either)
    return lone(Hours(begin, length, either, "", sure=sure), clock, "range")


def read_half_to(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Halb vier: half past three."""
    hour = LANGUAGE_HOURS.get(match["h"]) or int(match["h"])
    minute = (hour * 60 - 30) % HALF_DAY
    return lone(Hours(minute, 1, True, sure=bool(match["lead"])), clock, "minute")


def word(minute: int, length: int, *, sure: bool) -> Read:
    """Reads a word such as noon, which lasts `length` minutes from `minute` on."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        if _is_no_time(match):
            return NOTHING
        lead = match.groupdict().get("lead")
        hours = Hours(minute, length, False, SIDES.get(lead or "", ""), sure=sure or bool(lead))
        return lone(hours, clock, "hour")

    return read


def lone(hours: Hours, clock: Clock, granularity: str) -> Span | None:
    """The latest such time that has begun; weak where it says too little to stand alone."""
    day = midnight(clock.now)
    box = placed(hours, (day, day + DAY), clock.now)
    while box[0] is not None and box[0] > clock.now:
        day -= DAY
        box = placed(hours, (day, day + DAY), clock.now)
    told = "range" if hours.side in ("before", "after", "since") else granularity
    weak = not hours.sure or hours.side in ("before", "after")
    rule = f"{hours.side}+hour" if hours.side else "hour"
    return Span(*box, told, rule, LONE, weak=weak, hours=hours)


def placed(
    hours: Hours, box: Box, now: datetime | None = None
) -> tuple[datetime | None, datetime | None]:
    """Where in a day, or a part of one, the hours lie; with `now`, the latest half that has begun.

    Before and after stay within the box, since leaves its end open.
    """
    begin = _moment(hours, box, now)
    match hours.side:
        case "before":
            return box[0], begin
        case "after":
            return begin, box[1]
        case "since":
            return begin, None
        case "around":
            near = timedelta(minutes=60 if hours.length > 1 else 30)
            return begin - near, begin + near
    return begin, begin + timedelta(minutes=hours.length)


def on_day(day: Span, told: Span) -> Span | None:
    """The time of day `told`, on the day or part of a day."""
    if told.hours is None or day.start is None or day.end is None:
        return None
    start, end = placed(told.hours, (day.start, day.end))
    if start is not None and end is not None and start >= end:
        return None
    rule = f"{day.rule}+{told.rule}"
    confidence = min(day.confidence, DATED if not told.hours.either else 0.8)
    return replace(
        day, start=start, end=end, granularity=told.granularity, rule=rule, confidence=confidence,
        bare=None, weak=False,
    )  # fmt: skip


def _moment(hours: Hours, box: Box, now: datetime | None) -> datetime:
    """When it begins: the first reading inside the box, else the nearest to it."""
    day = midnight(box[0])
    if not hours.either:
        minutes = [hours.first, hours.first + WHOLE_DAY]
    elif hours.first < WORKDAY:
        minutes = [hours.first + HALF_DAY, hours.first, hours.first + WHOLE_DAY]
    else:
        minutes = [hours.first, hours.first + HALF_DAY, hours.first + WHOLE_DAY]
    moments = [day + timedelta(minutes=minute) for minute in minutes]
    inside = [moment for moment in moments if box[0] <= moment < box[1]]
    if not inside:  # "at 3 this morning", though mornings begin at 5
        inside = [min(moments, key=lambda moment: max(box[0] - moment, moment - box[1]))]
    if now is None or not hours.either:
        return inside[0]
    return max((moment for moment in inside if moment <= now), default=inside[0])


def _told(match: re.Match[str], which: str) -> Told | None:
    """The time in the groups `h`, `m`, `mer` of that side; None for 0 pm and 14 am."""
    groups = match.groupdict()
    written, minutes = groups[f"h{which}"], groups.get(f"m{which}")
    hour = LANGUAGE_HOURS.get(written) or int(written)
    minute = 30 if minutes in ("半", "half") else int(minutes or 0)
    half = _half(groups.get(f"mer{which}") or "")
    if half and not 1 <= hour <= (23 if half == "pm" else 12):
        return None
    either = not half and 1 <= hour <= 12 and not written.startswith("0") and not groups.get("h24")
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "pm" else 0)
    elif either:
        hour %= 12
    return Told(hour % 24 * 60 + minute, either, bool(minutes))


def _half(said: str) -> str:
    if said in AM or said.rstrip(".") in ("am", "a.m"):
        return "am"
    return "pm" if said in PM or said.rstrip(".") in ("pm", "p.m") else ""


def _is_sure(match: re.Match[str], told: Told) -> bool:
    """Whether the words alone show a time of day: am, pm, o'clock, or minutes after "at"."""
    groups = match.groupdict()
    said = groups.get("mer") or groups.get("mark")
    return bool(said or (groups.get("lead") and told.exact))


def _is_no_time(match: re.Match[str]) -> bool:
    """Whether it comes back every day, or is a ratio, a count or an address."""
    tail = guards.after(match)
    return bool(
        AGAIN.search(guards.before(match))
        or AGAIN_AFTER.match(tail)
        or NOT_A_TIME.match(tail)
        or guards.is_counted(match)
        or re.match(r"[:/\\@_=%][0-9a-z]|\.[0-9]", tail)
    )


LANGUAGE_HOURS = {
    "eins": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
    "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "十一": 11, "十二": 12,
}  # fmt: skip
