"""What years, decades and centuries mean, and when a number of four digits is a year."""

import re
from dataclasses import replace
from datetime import datetime

from router.understand.grammar import guards
from router.understand.grammar.absolute import fixed, full_year
from router.understand.grammar.calendar import NOTHING, Span, box_of, from_index
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read

WORD_YEARS = (1400, 2050)  # a four-digit number outside is not taken for a year on its own
TOLD_FROM = 1950  # "jobs 2019-2021" are years; below this, as likely two other numbers
TIED = re.compile(r"[0-9]-[0-9]")
COUNTED_OF = re.compile(r"(?<![a-z])[0-9]{1,6}\s{1,2}$")
DEGREES = re.compile(
    r"\b(?:temp\w{0,9}|degrees?|weather|hot|cold|warm|heat|scor\w{1,3}|percent|grades?|aged?|bpm"
    r"|pulse|highs|lows|(?:he|she|they|i|you|who) (?:is|are|am|was|were)|(?:he|she)'s|i'm)\b"
)


def read_said_year(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """In 2023: a year that a preposition makes one."""
    if guards.is_counted(match) or guards.runs_on(match):
        return None
    if match[0].startswith("of ") and COUNTED_OF.search(guards.before(match)):
        return NOTHING  # "page 1789 of 2000"
    return fixed(box_of("year", datetime(int(match["year"]), 1, 1)), "year", "year", 0.9)


def read_lone_year(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A four-digit number that may be a year: counts only beside another date, or in a memory."""
    year = int(match["year"])
    if not WORD_YEARS[0] <= year <= WORD_YEARS[1]:
        return None
    if guards.is_counted(match) or guards.is_numbered(match) or guards.runs_on(match):
        return None
    if guards.is_in_a_row(match):
        return NOTHING  # a phone, a card, an account
    return replace(fixed(box_of("year", datetime(year, 1, 1)), "year", "lone_year", 0.6), weak=True)


def read_years(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """From 2004 to 2005, 2015-2017."""
    first, last = int(match["year"]), match["last"]
    final = int(last) if len(last) == 4 else first // 100 * 100 + int(last)
    if guards.is_counted(match) or guards.runs_on(match) or not first < final <= WORD_YEARS[1]:
        return None
    box = (datetime(first, 1, 1), datetime(final + 1, 1, 1))
    lead = match.groupdict().get("lead")
    if not lead and re.search(r"[0-9]\s{1,2}(?:and|und|et|y|e)\b", match[0]):
        return None  # two years, not the time between them
    numbered = not lead and (guards.is_numbered(match) or guards.follows_month(match))
    if numbered or (not lead and guards.is_in_a_row(match)):
        return None
    told = TIED.search(match[0]) is not None and first >= TOLD_FROM and final <= clock.now.year + 10
    return replace(fixed(box, "range", "years", 0.9), weak=not (lead or told))


def read_decade(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The 1990s, the 90s; the 1700s are a century."""
    written = match["decade"]
    year = int(written) if len(written) == 4 else full_year(written)
    if year % 100 == 0 and year < 2000:
        box = (datetime(year, 1, 1), datetime(year + 100, 1, 1))
        return fixed(box, "range", "century", 0.7)
    start, _ = box_of("decade", datetime(year, 1, 1))
    first, years = _third_of_decade(match[0])
    box = (start.replace(year=start.year + first), start.replace(year=start.year + first + years))
    return fixed(box, "range", "decade", 0.8)


def read_spoken_decade(decades: dict[str, int]) -> Read:
    """Reads group `decade` in words: in the nineties; not where it is hot, or somebody's age."""

    def read(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        near = match.string[max(0, match.start() - 2 * guards.LOOK) : match.end() + guards.LOOK]
        if DEGREES.search(near):
            return None
        start = datetime(decades[match["decade"]], 1, 1)
        first, years = _third_of_decade(match[0])
        box = (
            start.replace(year=start.year + first),
            start.replace(year=start.year + first + years),
        )
        return fixed(box, "range", "decade", 0.8)

    return read


def _third_of_decade(words: str) -> tuple[int, int]:
    """The first year and the number of years that early, mid and late mean."""
    third = re.search(r"\b(early|mid|late)\b", words)
    return {"early": (0, 4), "mid": (3, 4), "late": (6, 4)}[third[1]] if third else (0, 10)


def read_short_year(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """In '98."""
    year = full_year(match["short"])
    return fixed(box_of("year", datetime(year, 1, 1)), "year", "year", 0.8)


def read_century(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """The 19th century."""
    first = (int(match["century"]) - 1) * 1200
    start = from_index(max(first, 12))
    return fixed((start, from_index(first + 1200)), "range", "century", 0.7)
