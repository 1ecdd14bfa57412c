"""German words of two meanings: morgen, weekdays that are surnames, the last Friday of May."""

import re

from router.understand.grammar import guards, relative
from router.understand.grammar.calendar import NOTHING, Span
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read

# "Guten Morgen", "am Morgen", "heute Morgen" are the morning.
MORNING = re.compile(
    r"\b(?:gut\w{0,3}|goede|am|jede[nmrs]?|heute|gestern|vorgestern|der|den|dem|des|diese[nmrs]?|eine[nmrs]?"
    r"|letzte[nmrs]?|nächste[nmrs]?|schöne[nr]?|früh|frühen|zum|gegen|seit|tag|tages|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|kapitän|captain|herr|frau)"
    r"\s{1,2}(?:frühen\s)?$"
)
GREETING = re.compile(
    r"\s{0,2}!|\s{0,2},\s|\s(?:zusammen|allerseits|leute|alle|und|oder|stern|post|land)\b"
)
# A capital makes it the noun, except at the head of a sentence that goes on as one.
HEAD = re.compile(r"(?:^|[.!?:]\s{1,2})$")
SENTENCE = re.compile(
    r"\s{1,2}(?:um|ist|sind|hab\w{1,3}|hat|haben|muss|müssen|soll|sollen|kommt|kommen|geh\w{1,3}|fahr\w{1,3}"
    r"|wird|werd\w{1,3}|kann|können|treff\w{1,3}|steht|stehen|beginnt|gibt|fällt|ab|bis|will|wollen|darf)\b"
)
SURNAME = re.compile(
    r"\b(?:herrn?|frau|familie|dr|prof|doktor|firma|bei|ruby|schwarzer|black)\.?\s{1,2}$"
)
AGAIN = re.compile(r"\b(?:jede[nmrs]?|immer|alle|täglich|meist\w{0,3})\s{1,2}(?:am\s)?$")
THIRTEENTH = re.compile(r",?\s{1,2}(?:der|den|dem)\s{1,2}13")
OF_MONTH = re.compile(
    r"\s{1,3}(?:im|in|des|vom|von)\s{1,3}(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september"
    r"|oktober|november|dezember|[12][0-9]{3}|(?:letzten?|vergangenen?|diese[sm]|jede[ns])?\s{0,2}"
    r"(?:monats?|jahr(?:es)?|quartals?)|frühling|sommer|herbst|winter)"
)
NTH = re.compile(r"\b(?:erst|zweit|dritt|viert|letzt)e[nmrs]?\s{1,3}$")


def read_tomorrow(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Morgen, where it is not the morning."""
    lead = guards.before(match)
    tail = match.string[match.end() : match.end() + guards.LOOK]
    if MORNING.search(lead):
        return None
    at_head = HEAD.search(lead) is not None
    if clock.original[match.start()].isupper() and not (at_head and SENTENCE.match(tail)):
        return None
    if at_head and GREETING.match(tail):
        return None
    return relative.whole("day", 1)(match, clock, language)


def read_weekday(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A weekday on its own, unless it is a surname or comes every week."""
    lead = guards.before(match)
    tail = match.string[match.end() : match.end() + guards.LOOK]
    if NTH.search(lead) and OF_MONTH.match(tail):
        return NOTHING
    if SURNAME.search(lead) or AGAIN.search(lead) or THIRTEENTH.match(tail):
        return None
    return relative.read_bare(match, clock, language)


def not_of_month(read: Read) -> Read:
    """The reading, unless the phrase goes on: der letzte Freitag im Mai."""

    def guarded(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        tail = match.string[match.end() : match.end() + guards.LOOK]
        return NOTHING if OF_MONTH.match(tail) else read(match, clock, language)

    return guarded
