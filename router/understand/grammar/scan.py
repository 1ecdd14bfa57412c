"""The walk through a text: rules find spans, neighbours join, the useful ones stay."""

import re
import unicodedata
from dataclasses import dataclass

from router.understand.grammar.calendar import NOTHING, Span
from router.understand.grammar.chinese import chinese_rules
from router.understand.grammar.clock import Clock
from router.understand.grammar.english import english_named_rules
from router.understand.grammar.english_dates import english_date_rules
from router.understand.grammar.english_months import english_month_rules
from router.understand.grammar.english_relative import english_relative_rules
from router.understand.grammar.found import Found
from router.understand.grammar.french import french_rules
from router.understand.grammar.german import german_rules
from router.understand.grammar.hour_rules import hour_rules
from router.understand.grammar.italian import italian_rules, portuguese_rules
from router.understand.grammar.japanese import japanese_rules
from router.understand.grammar.korean import korean_rules
from router.understand.grammar.lexicon import Rule
from router.understand.grammar.modifiers import modified
from router.understand.grammar.names import outside_names
from router.understand.grammar.narrow import narrowed
from router.understand.grammar.numeric import numeric_rules
from router.understand.grammar.parts import with_parts
from router.understand.grammar.ranges import opened, paired
from router.understand.grammar.russian import russian_rules
from router.understand.grammar.spanish import spanish_rules
from router.understand.grammar.timed import timed

RULES: tuple[Rule, ...] = (
    *english_relative_rules(),
    *english_named_rules(),
    *english_month_rules(),
    *english_date_rules(),
    *numeric_rules(),
    *german_rules(),
    *french_rules(),
    *spanish_rules(),
    *italian_rules(),
    *portuguese_rules(),
    *russian_rules(),
    *chinese_rules(),
    *japanese_rules(),
    *korean_rules(),
    *hour_rules(),
)
ASCII_RULES = tuple(rule for rule in RULES if any(map(str.isascii, rule.needles)))
NEEDLES = frozenset[str]().union(*(rule.needles for rule in RULES))
ASCII_NEEDLES = frozenset(filter(str.isascii, NEEDLES))
SAME = str.maketrans(
    {chr(0xFF10 + digit): str(digit) for digit in range(10)}
    | {"’": "'", "‘": "'", "–": "-", "—": "-", "‐": "-", "‑": "-", "／": "/", "．": ".", "～": "~"}
)
# Prepositions that a pattern takes in only to be sure; the joining steps look for them again.
LEADS = re.compile(
    r"(?:in|on|since|prior to|during|until|till|til|before|after|through|throughout|around|over"
    r"|from|as of|by|for|all of|of|between|and|to|thru|up to|circa|late in|early in|back in"
    r"|later in|late|early|mid|end of|month of|im|am|seit|bis|vom|von|zum|und|nach|zwischen|vor"
    r"|anfang|ende|mitte|en|depuis|avant|après|début|fin|de|à|et|desde|hasta|antes de|después de"
    r"|entre|y|a|e|em|até|da|dal|в|с|до|после)\s{1,3}"
)
CENTURY_SECONDS = 3.2e9
WHOLE = frozenset(
    {"ago", "ago_after", "in_time", "last_night", "years", "half_ago", "ahead", "due", "edge_of"}
)


@dataclass(frozen=True, slots=True)
class Scan:
    """A text made ready: lower case and plain digits, character for character as long as before."""

    low: str
    original: str


def prepared(text: str) -> Scan:
    """The text in composed form, and the same in lower case with plain digits and dashes."""
    original = text if text.isascii() else unicodedata.normalize("NFC", text)
    low = original.lower()
    if len(low) != len(original):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in original)
    return Scan(low if low.isascii() else low.translate(SAME), original)


def spans_in(scan: Scan, clock: Clock) -> list[Found]:
    """Every span of the text in reading order, joined with its modifiers; weak ones included."""
    atoms = outside_names(scan.low, scan.original, _atoms(scan.low, clock))
    founds = _without_overlaps(atoms)
    if not founds:
        return []
    founds = narrowed(scan.low, with_parts(scan.low, founds))
    founds = timed(scan.low, modified(scan.low, founds))
    return opened(scan.low, paired(scan.low, founds, clock.now))


def ready() -> int:
    """Compile every rule, so that no question waits for it; how many there are."""
    return len([(rule.may_match("", rule.needles), rule.pattern) for rule in RULES])


def _atoms(low: str, clock: Clock) -> list[Found]:
    found: list[Found] = []
    plain = low.isascii()
    present = frozenset(filter(low.__contains__, ASCII_NEEDLES if plain else NEEDLES))
    for rule in ASCII_RULES if plain else RULES:
        if rule.may_match(low, present):
            for match in rule.pattern.finditer(low):
                span = _read(rule, match, clock)
                if span:
                    start = match.start() if span.hours else _without_lead(rule, match)
                    found.append(Found(start, match.end(), span))
    return found


def _read(rule: Rule, match: re.Match[str], clock: Clock) -> Span | None:
    try:
        return rule.read(match, clock, rule.language)
    except (ValueError, OverflowError):
        return NOTHING  # 30 February, or a year the calendar does not have


def _without_lead(rule: Rule, match: re.Match[str]) -> int:
    if rule.name in WHOLE:
        return match.start()
    lead = LEADS.match(match.string, match.start(), match.end())
    return lead.end() if lead and lead.end() < match.end() else match.start()


def _without_overlaps(found: list[Found]) -> list[Found]:
    """The longest of those that overlap; the surer one of equals."""
    order = sorted(
        found, key=lambda f: (-(f.stop - f.start), f.span.weak, -f.span.confidence, f.start)
    )
    taken: set[int] = set()
    kept = []
    for one in order:
        places = range(one.start, one.stop)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(one)
    return sorted((f for f in kept if f.span is not NOTHING), key=lambda f: f.start)


def length_of(span: Span) -> float:
    """Its length in seconds; an open side counts as a hundred years."""
    if span.start is None or span.end is None:
        return CENTURY_SECONDS
    return (span.end - span.start).total_seconds()
