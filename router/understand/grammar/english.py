"""English: its words, and its weekdays, months and seasons by name."""

import re
from dataclasses import replace

from router.understand.grammar import guards, relative
from router.understand.grammar.calendar import NOTHING, Span
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read, Rule, alternatives, rule

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5,
    "sunday": 6,
}  # fmt: skip
SHORT_WEEKDAYS = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5,
    "sun": 6,
}  # fmt: skip
NUMBERS = {
    "a": 1, "an": 1, "one": 1, "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2,
    "two": 2, "several": 6, "a few": 3, "few": 3, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
UNITS = {
    form: unit
    for unit in ("minute", "hour", "day", "week", "weekend", "fortnight", "month", "quarter",
                 "year", "decade")
    for form in (unit, f"{unit}s")
}  # fmt: skip
UNITS |= {
    "min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "wk": "week", "wks": "week",
    "mth": "month", "mths": "month", "yr": "year", "yrs": "year",
}  # fmt: skip
ONE_UNIT = {form: unit for form, unit in UNITS.items() if form == unit}
ONE_UNIT |= {"wk": "week", "mth": "month", "yr": "year"}
LETTERS = {
    "m": "minute", "h": "hour", "d": "day", "w": "week", "mo": "month", "mos": "month", "y": "year",
}  # fmt: skip
DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "yday": -1,
    "today": 0, "tomorrow": 1, "tmrw": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
PARTS = {"morning": "morning", "afternoon": "afternoon", "evening": "evening", "night": "night"}

ENGLISH = Language("en", MONTHS, WEEKDAYS, UNITS, NUMBERS, DAYS, SEASONS, PARTS)
SINGLE = Language("en", MONTHS, WEEKDAYS, ONE_UNIT, NUMBERS, DAYS, SEASONS, PARTS)
BRIEF = Language("en", {}, {}, UNITS | LETTERS, {})
SHORT = Language("en", MONTHS, WEEKDAYS | SHORT_WEEKDAYS, UNITS, NUMBERS)

NOT_A_WEEKDAY = re.compile(
    r"(?:\b(?:black|good|cyber|ash|easter|palm|maundy|super|casual|every|each|freaky|ruby|bloody|any"
    r"|giving|fat|shrove|holy|most|some|all|many|weeks? from|days? from"
    r"|friday,? saturday)|@|#)\s{0,2}$"
)
AFTER_WEEKDAY = re.compile(
    r"\s{1,2}(?:school|addams|night live|night football|night fever|mass|times|(?:the )?13th|roast"
    r"|best)\b"
    r"|\s{0,2}\((?:our|my|your|his|her|their|the|an?|band|film|movie|book)\b"
)
ASKED = re.compile(r"\b(?:ask|asks|asked|tell|tells|told|thank|thanked|hug|feed|fed)\s{1,2}$")
# "The last Friday of the month" comes back every month; that of May is found with its May.
NTH = re.compile(r"\b(?:first|1st|second|2nd|third|3rd|fourth|4th|fifth|last|final)\s{1,2}$")
OF_MONTH = re.compile(
    r"\s{1,2}(?:of\b|in\s{1,2}(?:the\s{1,2})?(?:month\s{1,2}of\s{1,2})?"
    rf"(?:(?:{alternatives(MONTHS)}|q[1-4]|spring|summer|autumn|fall|winter|[12][0-9]{{3}})\b"
    r"|(?:last|this|next|that|each|every)\s{1,2}(?:month|quarter|year|spring|summer|autumn|fall|winter)\b))"
)
AFTER_SEASON = re.compile(
    r"[\s-]{1,2}(?:boot|framework|mvc|security|data|cloud|batch|roll|back|onion|water|break|cleaning"
    r"|apart|asleep|short|behind|through|out|off|in love|of (?!1|2|last|this|next)|semester|dress"
    r"|clothes|olympics)"
)


def read_weekday(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A weekday on its own, unless it is part of a name or a repetition."""
    lead, tail = guards.before(match), guards.after(match)
    if NTH.search(lead) and OF_MONTH.match(tail):
        return NOTHING
    if NOT_A_WEEKDAY.search(lead) or AFTER_WEEKDAY.match(tail) or ASKED.search(lead):
        return None
    return relative.read_bare(match, clock, language)


def read_last_weekday(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Last Monday, unless it is the last one of a month or a year."""
    if OF_MONTH.match(match.string, match.end()):
        return NOTHING
    return relative.read_last_bare(match, clock, language)


def read_last_unit(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Last week, unless it is the last one of something."""
    hung = OF_MONTH.match(match.string, match.end())
    if hung and (match["unit"] != "year" or hung[0].split()[0] == "of"):
        return None  # "last year in March" is a month of last year
    return relative.unit_at(-1)(match, clock, language)


def read_season_name(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A season without a preposition: counts only beside its year ("last year's summer")."""
    span = relative.read_bare(match, clock, language)
    return replace(span, weak=True) if span else None


def seasonal(read: Read) -> Read:
    """Lets a season through unless the next word shows a framework, a verb or a thing."""

    def guarded(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
        if AFTER_SEASON.match(guards.after(match)):
            return None
        return read(match, clock, language)

    return guarded


def english_named_rules() -> tuple[Rule, ...]:
    """Every English rule for weekdays, months and seasons by name."""
    last, this, next_ = relative.read_last_bare, relative.read_this_bare, relative.read_next_bare
    of_week = relative.read_weekday_of_week
    return (
        rule(ENGLISH, "weekday", "{weekday}", read_weekday),
        rule(
            SHORT,
            "short_weekday",
            "(?:on|since|until) (?P<weekday>tues?|wed|thu|thurs?|fri)",
            relative.read_bare,
            "tue wed thu fri",
        ),
        rule(
            SHORT,
            "last_weekday",
            "(?:last|this past|the past|past|the previous) {weekday}(?<!sun)(?<!sat)",
            read_last_weekday,
            "last past previous",
        ),
        rule(SHORT, "this_weekday", "this {weekday}(?<!sun)(?<!sat)", this, "this"),
        rule(
            ENGLISH,
            "next_weekday",
            "(?:next|(?:the |this )?(?:up)?coming) {weekday}",
            next_,
            "next coming",
        ),
        rule(
            ENGLISH,
            "weekday_before_last",
            "(?:the )?{weekday} before last",
            relative.read_weekday_before_last,
            "before",
        ),
        rule(ENGLISH, "weekday_last_week", "{weekday},? (?:of )?last week", of_week(-1), "last"),
        rule(ENGLISH, "weekday_this_week", "{weekday},? (?:of )?this week", of_week(0), "this"),
        rule(ENGLISH, "weekday_next_week", "{weekday},? (?:of )?next week", of_week(1), "next"),
        rule(
            ENGLISH,
            "last_season",
            "(?:last|this past|the past) {season}",
            seasonal(last),
            "last past",
        ),
        rule(ENGLISH, "this_season", "this {season}", seasonal(this), "this"),
        rule(ENGLISH, "next_season", "next {season}", seasonal(next_), "next"),
        rule(
            ENGLISH,
            "season",
            "(?:in|during|over|since|this past|throughout|before|after|until|in the middle of) "
            "(?:the )?{season}",
            seasonal(relative.read_bare),
        ),
        rule(ENGLISH, "season_name", "{season}", read_season_name),
        rule(
            ENGLISH,
            "season_before_last",
            "(?:the )?{season} before last",
            relative.read_bare_before_last,
            "before",
        ),
    )
