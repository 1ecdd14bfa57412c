"""What lies ahead: due in three days, dans deux semaines, 三天后, the coming weekend."""

import re

from router.understand.grammar.calendar import Span, box_of
from router.understand.grammar.clock import Clock
from router.understand.grammar.guards import after
from router.understand.grammar.lexicon import Language
from router.understand.grammar.relative import FAR, boxed, number_of, word_of

# "In three days" is as often how long something took: what stands before must look ahead.
DUE = re.compile(
    r"\b(?:due|expir(?:es?|ing|y)|deadlines?|scheduled|upcoming|coming up|flights?|appointments?"
    r"|(?:start|begin|end|open|close|leave|arrive|return|depart|renew|happen|come|land|ship)s"
    r"|leaving|arriving|returning|departing|renewing|moving|flying|starting|ending"
    r"|(?:will|'ll) be)\b[^.?!;:]{0,30}$"
)
PAST = re.compile(
    r"\b(?:did|was|were|had|done|made|how many|how much|how often|time|once|twice|\w{2,6}mal|lost"
    r"|gained|ran|grew|habe|hast|hat|haben|habt|hatten?|wurden?|war|waren|wie viele?|wie oft"
    r"|geschafft|mal)\b"
)
DONE = re.compile(
    r"\s{1,2}(?:\w{1,20}\s{1,2}){0,3}(?:ge\w{2,20}(?:t|en)|ver\w{2,20}t|fertig|geschafft)\b"
)
CLAUSE = 80  # characters before a phrase in which its verb may stand
OWN = re.compile(
    r"\s{1,2}(?:de|des|du|of|or less|von|nach|vor|after|before|después|после)\b|\s{1,2}d'|['’-]"
)


def read_ahead(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The unit of that size around the moment `n` units ahead."""
    count, unit = number_of(match, language), language.units[word_of(match, "unit")]
    if not 0 < count <= FAR or (unit == "year" and count >= 1000):
        return None
    if unit in ("hour", "minute"):
        moment = clock.hours_back(-(count if unit == "hour" else count / 60))
        return boxed(box_of("hour", moment), "hour", "ahead", 0.8)
    return boxed(box_of(unit, clock.now, count), unit, "ahead", 0.8)


def read_due(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Due in three days, flights in two weeks."""
    lead = match.string[max(0, match.start() - CLAUSE) : match.start()]
    if not DUE.search(lead) or PAST.search(lead) or OWN.match(after(match)):
        return None
    return read_ahead(match, clock, language)


def read_in(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """In zwei Wochen, dans trois jours: ahead, unless the words around tell of something done."""
    lead = match.string[max(0, match.start() - CLAUSE) : match.start()]
    if PAST.search(lead) or DONE.match(match.string, match.end()) or OWN.match(after(match)):
        return None
    return read_ahead(match, clock, language)


def read_coming_weekend(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The coming weekend: the first that has not begun."""
    offset = 1 if clock.now.weekday() >= 5 else 0
    return boxed(box_of("weekend", clock.now, offset), "weekend", "next_unit")
