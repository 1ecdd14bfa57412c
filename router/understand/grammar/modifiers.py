"""Words that change a date next to them: parts of a day, thirds, "the first week of", "before"."""

import re
from dataclasses import replace
from datetime import timedelta

from router.understand.grammar.calendar import (
    DAY,
    GRANULARITY,
    Box,
    Span,
    back_from,
    box_of,
    first_from,
    midnight,
    part_of_day,
    third_of,
)
from router.understand.grammar.english import NUMBERS, WEEKDAYS
from router.understand.grammar.found import Found, lead_match
from router.understand.grammar.german import GERMAN
from router.understand.grammar.lexicon import alternatives
from router.understand.grammar.romance import FRENCH, SPANISH

NEAR = timedelta(days=14)  # how far "shortly before" reaches
ABOUT = timedelta(days=3)  # how far "around 7 January" reaches to either side

WIDE = {"month", "quarter", "half", "year", "season", "week"}
THIRD = re.compile(
    r"\b(?<!week-)(?:(?:the )?(?:(?P<a>early|anfang|début)|(?P<b>mid|mitte|mi|milieu)"
    r"|(?P<c>late|ende|fin))(?:\s(?:in|of|de|des|de la|du|del))?|(?:the )?"
    r"(?:(?P<a2>beginning|start|inicio|principios|comienzos)|(?P<b2>middle|mediados)"
    r"|(?P<c2>end|finales|fines))\s(?:of|de|del|de la))[\s-]{1,2}(?:the )?(?:month of )?$"
    r"|\b(?:(?P<a3>début)|(?P<b3>milieu)|(?P<c3>fin))\s(?:de l'|d')$"
)
ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "fifth": 4, "last": -1, "final": -1,
}  # fmt: skip
PIECE = re.compile(
    r"\b(?:the )?(?P<ord>" + alternatives(ORDINALS) + r") (?:(?P<n>[0-9]{1,2}|"
    + alternatives(NUMBERS) + r") )?(?P<unit>day|week|weekend|month|quarter|half|third|"
    + alternatives(WEEKDAYS) + r")s? (?:of|in)(?: the)?(?: month of)? ?$"
)  # fmt: skip
# The same in German, French and Spanish, told in the English words.
DAY_NAMES = {number: name for name, number in WEEKDAYS.items()}
THEIR_UNITS = {
    "woche": "week", "semaine": "week", "semana": "week", "wochenende": "weekend",
    "week-end": "weekend", "weekend": "weekend", "fin de semana": "weekend", "tag": "day",
    "jour": "day", "día": "day",
} | {
    word: DAY_NAMES[number]
    for language in (GERMAN, FRENCH, SPANISH)
    for word, number in language.weekdays.items()
}  # fmt: skip
THEIR_ORDINALS = (
    (re.compile(r"erst|premi|prime"), 0), (re.compile(r"zweit|deux|second|segund"), 1),
    (re.compile(r"dritt|trois|tercer"), 2), (re.compile(r"viert|quatr|cuart"), 3),
    (re.compile(r"letzt|derni|últim"), -1),
)  # fmt: skip
THEIR_PIECE = re.compile(
    r"\b(?:der |die |das |den |dem |le |la |el )?"
    r"(?P<ord>(?:erst|zweit|dritt|viert|letzt)e[nmrs]?|premi(?:er|ère)|deuxième|seconde?|troisième"
    r"|quatrième|derni(?:er|ère)|primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|últim[oa]) (?P<unit>"
    + alternatives(THEIR_UNITS)
    + r") (?:(?:im|in|des|vom|von|de|del|du|de la|en) |d')$"
)
BESIDE = re.compile(
    r"\b(?:the )?(?:(?P<n>[0-9]{1,3}|"
    + alternatives(NUMBERS)
    + r") )?(?P<unit>day|night|week|weekend"
    r"|month|year|"
    + alternatives(WEEKDAYS)
    + r")s? (?P<side>before|after|prior to|following) (?:the )?$"
)
TAIL = re.compile(
    r"(?:の|年)?(?:(?P<a>上旬|初旬|初め|初)|(?P<b>中旬|半ば)|(?P<c>下旬|末|底|終わり|終り|おわり))"
)
WEEK_OF = re.compile(r"\b(?:the )?(?P<unit>week|weekend) of (?:the )?$")
CLOSE = re.compile(
    r"\b(?:shortly|just|right|soon|immediately|a bit|a little) (?P<side>before|after) (?:the )?$"
)
AROUND = re.compile(
    r"\b(?:around|(?<!\bme )(?<!\bus )(?<!\btalk )(?<!\bsay )(?<!\bsaid )(?<!\bknow )about|circa"
    r"|roughly|near|um den|vers le|alrededor del) (?:the )?$"
)
PART_OF = re.compile(
    r"\b(?:the )?(?:late |early )?(?P<part>morning|afternoon|evening|night) of(?: the)? $"
)


def modified(text: str, founds: list[Found]) -> list[Found]:
    """Applies thirds, pieces and neighbours; "the first Monday of" takes its Monday in."""
    kept: list[Found] = []
    for found in founds:
        solid = [one for one in kept[-2:] if one.span.bare is None or one.span.bare[0] != "weekday"]
        found = _modified(text, found, solid[-1].stop if solid else 0)
        found = _cut_by_tail(text, found)
        while kept and kept[-1].start >= found.start:
            kept.pop()
        kept.append(found)
    return kept


def _modified(text: str, found: Found, floor: int) -> Found:
    for pattern, apply in MODIFIERS:
        match = lead_match(text, found, pattern, floor)
        try:
            span = apply(match, found.span) if match else None
        except (ValueError, OverflowError):
            span = None  # such a piece lies outside the calendar
        if match and span:
            return found.widened(match.start(), found.stop, span)
    return found


def _cut(span: Span, box: Box, granularity: str, rule: str) -> Span | None:
    if box[0] >= box[1]:
        return None
    return replace(
        span,
        start=box[0],
        end=box[1],
        granularity=granularity,
        rule=f"{rule}+{span.rule}",
        bare=None,
        weak=False,
    )


def _cut_by_tail(text: str, found: Found) -> Found:
    """Beginning, middle and end of a month or year where they stand behind it: 四月底, 4月末."""
    match = TAIL.match(text, found.stop) if not text.isascii() else None
    span = found.span
    if match is None or span.granularity not in WIDE or span.start is None or span.end is None:
        return found
    which = 0 if match["a"] else 1 if match["b"] else 2
    cut = _cut(span, third_of((span.start, span.end), span.granularity, which), "range", "third")
    return found.widened(found.start, match.end(), cut) if cut else found


def _third(match: re.Match[str], span: Span) -> Span | None:
    if span.granularity not in WIDE or span.start is None or span.end is None:
        return None
    which = 0 if match["a"] or match["a2"] or match["a3"] else 2
    which = 1 if match["b"] or match["b2"] or match["b3"] else which
    return _cut(span, third_of((span.start, span.end), span.granularity, which), "range", "third")


def _piece(match: re.Match[str], span: Span) -> Span | None:
    if span.granularity not in WIDE or span.start is None or span.end is None:
        return None
    index, unit = ORDINALS[match["ord"]], match["unit"]
    if unit == "third":
        which = index if index >= 0 else 2
        box = third_of((span.start, span.end), span.granularity, which) if which < 3 else None
    elif match["n"]:
        box = _run_of((span.start, span.end), index, unit, _number(match["n"]))
    else:
        box = _nth((span.start, span.end), index, unit)
    if box is None or not span.start <= box[0] < box[1] <= span.end + 2 * DAY:
        return None
    granularity = "day" if unit in WEEKDAYS else GRANULARITY.get(unit, unit)
    return _cut(span, box, "range" if match["n"] or unit == "third" else granularity, "piece")


def _their_piece(match: re.Match[str], span: Span) -> Span | None:
    if span.granularity not in WIDE or span.start is None or span.end is None:
        return None
    index = next(which for pattern, which in THEIR_ORDINALS if pattern.match(match["ord"]))
    unit = THEIR_UNITS[match["unit"]]
    box = _nth((span.start, span.end), index, unit)
    if box is None or not span.start <= box[0] < box[1] <= span.end + 2 * DAY:
        return None
    return _cut(span, box, "day" if unit in WEEKDAYS else unit, "piece")


def _number(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


def _run_of(box: Box, index: int, unit: str, count: int) -> Box | None:
    """The first or last `count` units of a box."""
    if unit not in ("day", "week", "month") or index not in (0, -1):
        return None
    if index == 0:
        return box[0], back_from(box[0], -count, unit)
    return back_from(box[1], count, unit), box[1]


def _nth(box: Box, index: int, unit: str) -> Box | None:
    """The nth day, week (seven days), weekend, weekday, month, quarter or half of a box."""
    start, end = box
    if unit in WEEKDAYS or unit == "weekend":
        kind = ("weekday", WEEKDAYS.get(unit, 5), 0)
        length = 2 * DAY if unit == "weekend" else DAY
        first = (
            first_from(kind, start if index >= 0 else end - 7 * DAY)[0] + max(index, 0) * 7 * DAY
        )
        return first, first + length
    if unit == "half" and (end - start) < 40 * DAY:
        middle = midnight(start + (end - start) / 2)
        return (start, middle) if index == 0 else (middle, end)
    if index < 0:
        return back_from(end, 1, unit), end
    first = back_from(start, -index, unit)
    return first, back_from(first, -1, unit)


def _beside(match: re.Match[str], span: Span) -> Span | None:
    if span.start is None or span.end is None or span.rule == "soft":
        return None
    before, unit = match["side"] in ("before", "prior to"), match["unit"]
    count = _number(match["n"]) if match["n"] else 0
    box = _away(span, unit, count, before) if count else _next_to(span, unit, before)
    granularity = "day" if unit in WEEKDAYS else "part_of_day" if unit == "night" else unit
    return _cut(span, box, granularity, "beside") if box else None


def _away(span: Span, unit: str, count: int, before: bool) -> Box | None:
    """The unit of that size that lies `count` units before or after."""
    if unit in WEEKDAYS or unit in ("night", "weekend") or span.start is None:
        return None
    return box_of(unit, span.start, -count if before else count)


def _next_to(span: Span, unit: str, before: bool) -> Box | None:
    """The unit that ends where the span begins, or begins where it ends."""
    if span.start is None or span.end is None:
        return None
    start, end = span.start, span.end
    if unit == "night":
        return part_of_day(midnight(start) - DAY if before else midnight(end), "night")
    if unit in WEEKDAYS or unit == "weekend":
        kind = ("weekday", WEEKDAYS.get(unit, 5), 0)
        length = 2 * DAY if unit == "weekend" else DAY
        first = first_from(kind, start - 6 * DAY - length if before else end)[0]
        return first, first + length
    return (back_from(start, 1, unit), start) if before else (end, back_from(end, -1, unit))


def _week_of(match: re.Match[str], span: Span) -> Span | None:
    if span.granularity != "day" or span.start is None:
        return None
    return _cut(span, box_of(match["unit"], span.start), match["unit"], "week_of")


def _close(match: re.Match[str], span: Span) -> Span | None:
    if span.start is None or span.end is None or span.hours:
        return None
    before = match["side"] == "before"
    box = (span.start - NEAR, span.start) if before else (span.end, span.end + NEAR)
    return _cut(span, box, "range", "close")


def _part_of(match: re.Match[str], span: Span) -> Span | None:
    if span.granularity != "day" or span.start is None:
        return None
    return _cut(span, part_of_day(span.start, match["part"]), "part_of_day", "part_of")


def _around(match: re.Match[str], span: Span) -> Span | None:
    if span.granularity != "day" or span.start is None or span.end is None:
        return None
    if span.bare is None and not span.absolute and match[0].startswith("about"):
        return None  # "tell me more about yesterday" is about yesterday
    return _cut(span, (span.start - ABOUT, span.end + ABOUT), "range", "around")


MODIFIERS = (
    (THIRD, _third),
    (PIECE, _piece),
    (THEIR_PIECE, _their_piece),
    (BESIDE, _beside),
    (WEEK_OF, _week_of),
    (PART_OF, _part_of),
    (CLOSE, _close),
    (AROUND, _around),
)
