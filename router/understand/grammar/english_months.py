"""English: months by name, and the words that tell a month from a person or a verb."""

import re
from dataclasses import replace

from router.understand.grammar import guards, relative
from router.understand.grammar.calendar import Span
from router.understand.grammar.clock import Clock
from router.understand.grammar.english import ENGLISH
from router.understand.grammar.lexicon import Language, Rule, rule

DOUBTFUL = frozenset({"march", "april", "may", "june", "august"})
SHORT_NAMES = frozenset({"jan", "mar", "apr", "jun", "sep", "dec"})  # persons, words of code too
LONGEST_SHORT = 4  # characters of "sept"
IN_PHRASES = "back in|late in|early in|later in|month of|as of|all of"
OPENERS = (
    "in|since|during|until|till|til|before|after|through|throughout|around|over|from|by|for|of|between"
    f"|and|to|thru|up to|through to|{IN_PHRASES}"
)
SURE_LEADS = frozenset(
    f"in|since|during|until|till|til|before|after|throughout|{IN_PHRASES}".split("|")
)
# Things that are kept month by month. Words that are verbs as well stand here in the plural only.
RECORDS = (
    "invoices|expenses|receipts|bills|statements?|budgets?|revenues?|payroll|rent|forecasts?|sales"
    "|figures|numbers|transactions|payments|payouts|metrics|timesheets?|meetings?|minutes|retros?"
    "|standups?|offsites?|trips?|conferences?|newsletters?|notes|photos|pictures|reports|goals"
    "|targets|okrs|plans|logs|deploys|incidents|results|spend|spending"
    "|appointments?|deadlines?|holidays?|vacations?|salary|salaries|hours"
)
KEPT = re.compile(
    rf"\s{{1,2}}(?:{RECORDS})\b"
    r"(?!\s{1,2}(?:to|that|the|an?|his|her|its?|us|me|them|my|our|your|their|how|why|not|very|on|every\w{0,5}"
    r"|each|daily|weekly|only)\b)"
)
ABOUT_MONTH = re.compile(
    r"\b(?:invoices?|expenses?|receipts?|bills?|statements?|budgets?|revenues?|payroll|rent|forecasts?"
    r"|sales|figures|numbers|transactions|payments|metrics|timesheets?|minutes|goals|targets|okrs|logs"
    r"|results|salary|spend|spending|deploys|incidents|plans?|reports?|notes|schedule|hours|data"
    r"|recap|summary|summaries|review|overview|retrospective|digest|roundup|highlights)"
    r"\s{1,2}$"
)
# "Notes from June" may be a person's; what nobody writes to anyone is the month's.
FROM_MONTH = re.compile(
    r"\b(?:invoices?|expenses|receipts|bills?|statements?|sales|figures|numbers|transactions|payments"
    r"|metrics|timesheets?|minutes|logs|results|deploys|incidents|data)\s{1,2}$"
)
VERB_AHEAD = re.compile(
    r"\b(?:did|does|do|is|was|has|had|have|will|would|can|could|should|must|may|let|lets|makes?|made|ask"
    r"|asked|tell|told|saw|met|with|and|than|to|an|who|if|when|why|how|because|that)\s{1,2}$"
)
ENDS = re.compile(r"\s{0,2}(?:$|[?.!,;:)\]])")
# What follows a month that a preposition has named; a noun would make it something else.
GOES_ON = re.compile(
    r"\s{1,2}(?:we|i|you|he|she|they|it|what|who|how|which|when|where|why|with|for|and|or|to|until|till"
    r"|of|about|did|was|were|do|does|had|have|has|the|my|our|this|last|at|on|in|is|are|through|[0-9])"
    r"\b|-(?=[a-z])"
)
BASE = re.compile(r"\b(?:hex|binary|octal|decimal|numbers?|convert\w{0,3}|columns?|base)\b")


def read_month(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A month on its own. Names that are also people, verbs or adjectives need a preposition."""
    lead, month = match["lead"], match["month"]
    if month in DOUBTFUL | SHORT_NAMES and guards.is_name_or_verb(match):
        return None
    if _is_kept(match, clock):
        return relative.read_bare(match, clock, language)
    if month != "may" and len(month) <= LONGEST_SHORT and month not in ("june", "july"):
        return _short(match, clock, language)
    span = relative.read_bare(match, clock, language)
    if span is None or month not in DOUBTFUL or lead in SURE_LEADS:
        return span
    return replace(span, confidence=0.7, weak=True)


def _short(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A short form: it needs a preposition; "in dec" must end there, "and Jan" is somebody."""
    lead, month = match["lead"], match["month"]
    if month not in SHORT_NAMES:
        sure = lead is not None
    else:
        named = guards.is_capitalised(match, "month", clock) or _goes_on(match)
        sure = lead in SURE_LEADS and named and not BASE.search(guards.before(match))
    read = relative.read_bare if sure else relative.read_month_name
    return read(match, clock, language)


def _goes_on(match: re.Match[str]) -> bool:
    tail = guards.after(match)
    return bool(ENDS.match(tail) or GOES_ON.match(tail))


def _is_kept(match: re.Match[str], clock: Clock) -> bool:
    """Whether a thing kept by the month stands beside it: April invoices, the budget for May."""
    lead, month, ahead = match["lead"], match["month"], guards.before(match)
    if lead in ("for", "of"):
        return bool(ABOUT_MONTH.search(ahead)) and _goes_on(match)
    if lead == "from":
        return bool(FROM_MONTH.search(ahead)) and _goes_on(match)
    if lead is not None:
        return False
    if (
        month not in ("may", "march")
        and FROM_MONTH.search(ahead)
        and ENDS.match(guards.after(match))
    ):
        return True  # "invoices nov"
    if month in ("may", "mar", "dec", "sep") and not guards.is_capitalised(match, "month", clock):
        return False
    if guards.follows_pronoun(match) or VERB_AHEAD.search(ahead):
        return False
    kept = KEPT.match(guards.after(match))
    if kept and month == "may" and not ahead.strip():
        return ENDS.match(guards.after(match), kept.end()) is not None  # "May bills be late?"
    return kept is not None


def read_last_month_name(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Last May, last Oct."""
    short = len(match["month"]) < LONGEST_SHORT and match["month"] != "may"
    if short and not (guards.is_capitalised(match, "month", clock) or _goes_on(match)):
        return None
    return relative.read_last_bare(match, clock, language)


def english_month_rules() -> tuple[Rule, ...]:
    """Every English rule for months by name."""
    this, next_ = relative.read_this_bare, relative.read_next_bare
    return (
        rule(ENGLISH, "last_month_name", "last {month}(?! [0-9])", read_last_month_name, "last"),
        rule(ENGLISH, "this_month_name", "this {month}(?! [0-9])", this, "this"),
        rule(ENGLISH, "next_month_name", "next {month}(?! [0-9])", next_, "next"),
        rule(
            ENGLISH,
            "month_before_last",
            "(?:the )?{month} before last",
            relative.read_bare_before_last,
            "before",
        ),
        rule(ENGLISH, "month", f"(?:(?P<lead>{OPENERS}) )?{{month}}", read_month),
    )
