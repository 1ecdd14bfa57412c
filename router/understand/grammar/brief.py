"""Units in one or two letters: last 24h, past 7d, last 15m, last 7-days."""

import re

from router.understand.grammar import relative
from router.understand.grammar.calendar import Span
from router.understand.grammar.clock import Clock
from router.understand.grammar.guards import after
from router.understand.grammar.lexicon import Language

# "The last 100m" was swum, "the last 5m rows" are millions.
MINUTES = frozenset({1, 2, 3, 5, 10, 15, 20, 30, 40, 45, 60, 90})
COUNTED = re.compile(
    r"\s{1,2}(?:of|users?|rows?|records?|people|views?|downloads?|dollars?|customers?|tokens?|followers?"
    r"|swim|sprint|dash|race|run|loans?|fund\w{0,4}|raised?)\b"
)
SHAPED = re.compile(
    r"\s{1,2}(?:prints?|printer|printing|models?|renders?|rendering|scans?|scene|games?|movies?|films?"
    r"|art|views?|maps?|plots?|charts?|assets?|designs?|shapes?|graphics|animations?|engine|viewer)\b"
)
MOST_SHAPED = 4  # 2D, 3D, 4D


def read_rolling(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The past so many units, whose unit may be one letter written to the number."""
    unit, count, tie = match["unit"], int(match["n"]), match["tie"]
    if tie == "-" and not (len(unit) > 2 and unit.endswith("s")):
        return None  # "the last 2-week sprint"
    if len(unit) == 1 and tie:
        return None if unit != "h" else relative.read_rolling(match, clock, language)
    tail = after(match)
    if unit == "m" and (count not in MINUTES or COUNTED.match(tail)):
        return None
    if unit == "d" and count <= MOST_SHAPED:
        upper = clock.original[match.start("unit")].isupper()
        if upper or SHAPED.match(tail):
            return None
    return relative.read_rolling(match, clock, language)
