"""Words around a match that show it is no date: counts, numbers of things, names, verbs."""

import re

from router.understand.grammar.clock import Clock

LOOK = 24  # characters read on either side; a guard word stands next to the match

PLURAL = re.compile(r"\s{1,2}(?!was\b|has\b|does\b|is\b|as\b|us\b|always\b)[a-z]{3,}s\b")
COUNTED = re.compile(
    r"[\s-]{0,2}(?:%|°|x(?=[0-9])|(?:users?|people|persons?|items?|rows?|lines?|words?|steps?|files?|tokens?"
    r"|times|miles?|meters?|metres?|feet|ft|lbs?|pounds?|dollars?|euros?|bucks|usd|eur|points?"
    r"|pages?|records?|requests?|errors?|commits?|calories|kcal|watts?|rpm|pixels?|px|dpi|hz|mhz|ghz"
    r"|kb|mb|gb|tb|kg|g|km|m|cm|mm|ml|ms|s|sec|seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?"
    r"|months?|years|bytes?|bits?|characters?|chars?|tests?|hits|copies|pieces|square|units"
    r"|mah|volts?|stars?|votes?|views?|followers|attendees|guests|employees|seats|kilometers"
    r"|documents|messages|entries|samples|epochs|chunks|inhabitants)\b)"
)
NUMBERED = re.compile(
    r"(?:\b(?:ports?|tickets?|issues?|prs?|bugs?|cases?|tasks?|stor(?:y|ies)|errors?|codes?|rooms?|versions?"
    r"|releases?|models?|lines?|pages?|steps?|ids?|no|nr|number|numbers|builds?|top|flights?|orders?"
    r"|invoices?|phone|tel|call|ext|extension|pin|zip|postcode|route|highway|bus|gate|section|chapter"
    r"|rfc|iso|cve|http|status|pid|line|level|house|apartment|suite|unit|win|windows|office|v|ver|rev"
    r"|revision|commit|pull request|row|column|size|width|height|depth|length|weight|resolution"
    r"|sold|ran|scored|earned|spent|saved|counted|walked|burned|owed?s?|worth|totals?|raised|pop|population"
    r"|flights? [a-z]{2}|about|over|than|least|most|nearly|almost"
    r"|roughly|exactly|costs?|paid|pay|price|at|server|sql|studio|exchange|fifa|area|base)"
    r"[.:]?\s{0,2}#?|[$€£¥#@~_+=&/\\.*-])$"
)
PRONOUN = re.compile(
    r"\b(?:i|we|you|he|she|they|it|that|this|who|which|what|there|one|us|let's|will|must|should"
    r"|can|could|would|did|does|do|cannot|not|person|people|users?|agents?)\s{1,3}$"
)
NAME_VERB = re.compile(
    r"\s{1,3}(?:said|says|say|told|asked|wants?|wanted|likes?|liked|approved?|sent|wrote|thinks?|thought"
    r"|is|was|has|had|left|joined|comes?|came|went|knows?|knew|gave|made|called|need|be|have|not|also|get"
    r"|cause|contain|happen|include|help|work|jones|smith|rain|ludgate|kepner|hi|hello|tell|madness"
    r"|company|step|presence|body|gathering|on washington|up|down|ahead|along)\b|\s{0,2}[(=]"
)
EVERY = re.compile(r"\b(?:every|each|per|any)\s{1,2}(?:the )?$")
MONTH_BEFORE = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}\.?,?\s{1,2}(?:[0-9]{1,2},?\s)?$"
)
TRUST = re.compile(
    r"\b(?:trust|confidence|faith|interest|believ\w{1,3}|confide\w?|interested)\s{1,3}$"
)


# "Only 3 may attend": what stands before the number counts it.
COUNT_LEAD = re.compile(
    r"\b(?:only|just|up to|at least|at most|more than|fewer than|less than|any|which|these|those"
    r"|other|both|top|first|either|neither|(?:which|one|two|three|some|all|most|none|any|each"
    r"|either) of)\s{1,2}$"
)
DATE_LEAD = re.compile(r"\b(?:since|until|till|before|after|from|between|dated|of)\s{1,2}$")
# What a date may run on with; anything else after "5 may" is the verb's.
AFTER_DATE = (
    r"(?:at|on|in|to|till?|until|and|but|or|for|with|from|by|about|before|after|since|through"
    r"|between|as|i|we|you|he|she|they|it|the|my|our|his|her|their|this|last|next|what|who|whom|when"
    r"|where|why|how|which|that|did|does|was|were|is|are|had|has|will|meetings?|standup|appointment"
    r"|deadline|party|trip|dinner|session|conference|[0-9]{1,4})\b"
)
RUNS_ON = re.compile(rf"\s{{1,2}}(?!{AFTER_DATE})[a-z]")
OTHER_BASE = re.compile(r"\s{1,2}to\s{1,2}(?:hex|binary|decimal|octal)\b")
DIGITS_BEFORE = re.compile(r"[0-9]{2,}\s$")
DIGITS_BEHIND = re.compile(r"\s[0-9]{2,}(?![0-9]*:)")


def before(match: re.Match[str]) -> str:
    """The few characters before the match."""
    return match.string[max(0, match.start() - LOOK) : match.start()]


def after(match: re.Match[str]) -> str:
    """The few characters after the match."""
    return match.string[match.end() : match.end() + LOOK]


def is_counted(match: re.Match[str]) -> bool:
    """Whether the number that ends the match counts things ("2000 users", "1500 stores")."""
    tail = after(match)
    is_round = match[0].endswith("00") and PLURAL.match(tail) is not None
    return is_round or COUNTED.match(tail) is not None


def is_doubtful_day(match: re.Match[str]) -> bool:
    """Whether a day of a month is a count ("march 10 miles") or comes back every year."""
    if OTHER_BASE.match(after(match)):
        return True  # "dec 10 to binary"
    return is_counted(match) or EVERY.search(before(match)) is not None


def is_counted_subject(match: re.Match[str], clock: Clock) -> bool:
    """Whether "3 may" counts who may: "only 3 may attend", "which of the 5 may fail"."""
    day, month = (
        match.start("dom2" if match.groupdict().get("dom2") else "dom"),
        match.start("month"),
    )
    if month < day or is_capitalised(match, "month", clock):
        return False
    if match[0].startswith(("mon", "tue", "wed", "thu", "fri", "sat", "sun")):
        return False
    if re.search(r"[a-z]", match.string[day:month]):
        return False  # "5th may", "5 of may"
    if COUNT_LEAD.search(before(match)):
        return True
    if DATE_LEAD.search(before(match)):
        return False
    return match["month"] == "may" and RUNS_ON.match(after(match)) is not None


def is_in_a_row(match: re.Match[str]) -> bool:
    """Whether other groups of digits stand right beside it, as in the number of a phone."""
    string = match.string
    ahead = string[max(0, match.start() - LOOK) : match.start()]
    return bool(DIGITS_BEFORE.search(ahead) or DIGITS_BEHIND.match(string, match.end()))


def is_numbered(match: re.Match[str]) -> bool:
    """Whether the number that begins the match names a thing ("port 2024", "#2024", "$2024")."""
    return NUMBERED.search(before(match)) is not None


def follows_month(match: re.Match[str]) -> bool:
    """Whether a month stands right before it, so that the number is that month's year."""
    return MONTH_BEFORE.search(before(match)) is not None


def runs_on(match: re.Match[str]) -> bool:
    """Whether the match is part of a longer number, version, path or address."""
    tail = after(match)
    return re.match(r"[.,:/-][0-9a-z]|[/\\@_=%]|-?[a-z0-9]", tail) is not None


def follows_pronoun(match: re.Match[str]) -> bool:
    """Whether a subject stands before it, so that "may" and "march" are verbs."""
    return PRONOUN.search(before(match)) is not None


def is_name_or_verb(match: re.Match[str]) -> bool:
    """Whether the words around show a person, a verb or an adjective instead of a month."""
    if after(match).startswith("'s"):
        return True
    return bool(NAME_VERB.match(after(match)) or TRUST.search(before(match)))


def is_capitalised(match: re.Match[str], group: str, clock: Clock) -> bool:
    """Whether the author wrote that group with a capital letter."""
    return clock.original[match.start(group)].isupper()
