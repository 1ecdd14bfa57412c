"""English: its words and its phrases."""

import re
from dataclasses import replace

from router.understand.grammar import guards, relative
from router.understand.grammar.calendar import Span
from router.understand.grammar.clock import Clock
from router.understand.grammar.lexicon import Language, Read, Rule, rule

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
    "two": 2, "a few": 3, "few": 3, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fourteen": 14, "fifteen": 15,
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90,
}  # fmt: skip
UNITS = {
    form: unit
    for unit in ("minute", "hour", "day", "week", "weekend", "fortnight", "month", "quarter",
                 "year", "decade")
    for form in (unit, f"{unit}s")
}  # fmt: skip
UNITS |= {"min": "minute", "mins": "minute", "hr": "hour", "hrs": "hour", "yrs": "year"}
ONE_UNIT = {form: unit for form, unit in UNITS.items() if form == unit}
DAYS = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "yday": -1,
    "today": 0, "tomorrow": 1, "tmrw": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
}  # fmt: skip
SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
PARTS = {"morning": "morning", "afternoon": "afternoon", "evening": "evening", "night": "night"}

ENGLISH = Language("en", MONTHS, WEEKDAYS, UNITS, NUMBERS, DAYS, SEASONS, PARTS)
SINGLE = Language("en", MONTHS, WEEKDAYS, ONE_UNIT, NUMBERS, DAYS, SEASONS, PARTS)
SHORT = Language("en", MONTHS, WEEKDAYS | SHORT_WEEKDAYS, UNITS, NUMBERS)

DOUBTFUL_MONTHS = frozenset({"march", "april", "may", "june", "august", "mar", "jun", "sep", "dec"})
NOT_A_WEEKDAY = re.compile(
    r"(?:\b(?:black|good|cyber|ash|easter|palm|maundy|super|casual|every|each|freaky|ruby|bloody|any"
    r"|giving|fat|shrove|holy|most|some|all|many|friday,? saturday)|@|#)\s{0,2}$"
)
AFTER_WEEKDAY = re.compile(
    r"\s{1,2}(?:school|addams|night live|night football|mass|times|(?:the )?13th|roast|best)\b"
    r"|\.[a-z]{2}"
)
AFTER_SEASON = re.compile(
    r"[\s-]{1,2}(?:boot|framework|mvc|security|data|cloud|batch|roll|back|onion|water|break|cleaning"
    r"|apart|asleep|short|behind|through|out|off|in love|of (?!1|2|last|this|next)|semester|dress"
    r"|clothes|olympics)"
)
IN_PHRASES = "back in|late in|early in|later in|month of|as of|all of"
OPENERS = (
    "in|since|during|until|till|til|before|after|through|throughout|around|over|from|by|for|of|between"
    f"|and|to|thru|up to|through to|{IN_PHRASES}"
)


def read_weekday(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A weekday on its own, unless it is part of a name or a repetition."""
    if NOT_A_WEEKDAY.search(guards.before(match)) or AFTER_WEEKDAY.match(guards.after(match)):
        return None
    return relative.read_bare(match, clock, language)


def read_month(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """A month on its own. Names that are also people, verbs or adjectives need a preposition."""
    lead = match["lead"]
    if lead and match["month"] in ("mar", "jun", "sep", "dec", "jan", "apr"):
        return None if not guards.is_capitalised(match, "month", clock) else _month(match, clock)
    if len(match["month"]) == 3 and not lead and match["month"] != "may":
        return None
    if match["month"] in DOUBTFUL_MONTHS and guards.is_name_or_verb(match):
        return None
    return _month(match, clock)


def _month(match: re.Match[str], clock: Clock) -> Span | None:
    span = relative.read_bare(match, clock, ENGLISH)
    sure = match["month"] not in DOUBTFUL_MONTHS or match["lead"] in SURE_LEADS
    if span is None or sure:
        return span
    return replace(span, confidence=0.7, weak=True)


SURE_LEADS = frozenset(
    f"in|since|during|until|till|til|before|after|throughout|{IN_PHRASES}".split("|")
)


def read_last_month_name(match: re.Match[str], clock: Clock, language: Language) -> Span | None:
    """Last May. Short forms are left to dates."""
    if len(match["month"]) == 3 and match["month"] != "may":
        return None
    return relative.read_last_bare(match, clock, language)


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


def english_rules() -> tuple[Rule, ...]:
    """Every English rule but those of written-out dates."""
    return (*_relative_rules(), *_named_rules())


def _relative_rules() -> tuple[Rule, ...]:
    return (*_day_rules(), *_unit_rules())


def _day_rules() -> tuple[Rule, ...]:
    unit_at = relative.unit_at
    day_part = relative.day_part
    weekly = "(?:(?:,? (?:on )?){weekday}| today)?"
    return (
        rule(ENGLISH, "day_word", "{daywd}", relative.read_day_word),
        rule(ENGLISH, "night", "last night", day_part(-1, "night"), "night"),
        rule(ENGLISH, "last_evening", "last evening", day_part(-1, "evening"), "evening"),
        rule(ENGLISH, "tonight", "tonight", day_part(0, "night"), "tonight"),
        rule(ENGLISH, "this_part", "this {part}", day_part(0), "this"),
        rule(ENGLISH, "ago", "{n} {unit} ago" + weekly, relative.read_ago, "ago"),
        rule(ENGLISH, "half_ago", "half a year ago", relative.read_half_ago, "ago"),
        rule(ENGLISH, "weekdays_ago", "{n} {weekday}s? ago", relative.read_weekdays_ago, "ago"),
        rule(
            ENGLISH,
            "rolling",
            "(?:the |these |this )?(?:last|past|previous|preceding) {n} {unit}",
            relative.read_rolling,
            "last past previous preceding",
        ),
        rule(
            SINGLE,
            "rolling_one",
            "(?:(?:in|over|during|within|for|of) the last|(?:the |this )?past) "
            "(?P<unit>minute|hour|day|week|fortnight|month|quarter|year|decade)",
            relative.read_rolling,
            "last past",
        ),
        rule(
            SINGLE,
            "last_unit",
            "(?:last|the previous) {unit}(?! of| before)",
            unit_at(-1),
            "last previous",
        ),
    )


def _unit_rules() -> tuple[Rule, ...]:
    unit_at = relative.unit_at
    return (
        rule(SINGLE, "past_weekend", "(?:this |the )?past (?P<unit>weekend)", unit_at(-1), "past"),
        rule(SINGLE, "before_last", "(?:the )?{unit} before last", unit_at(-2), "before"),
        rule(
            SINGLE,
            "this_unit",
            "(?<!\\bto\\s)(?:this|the current|this current) {unit}",
            unit_at(0),
            "this current",
        ),
        rule(
            SINGLE, "next_unit", "(?:next|the coming|this coming) {unit}", unit_at(1), "next coming"
        ),
        rule(
            SINGLE,
            "so_far",
            "earlier (?:this )?(?P<unit>week|month|quarter|year)",
            relative.read_so_far,
            "earlier",
        ),
        rule(SINGLE, "today_so_far", "earlier to(?P<unit>day)", relative.read_so_far, "earlier"),
        rule(
            SINGLE,
            "rest_of",
            "later this (?P<unit>week|month|quarter|year)",
            relative.read_rest_of,
            "later",
        ),
        rule(SINGLE, "rest_of_day", "later to(?P<unit>day)", relative.read_rest_of, "later"),
        rule(
            SINGLE,
            "edge",
            "(?:at |by |towards? )?(?:the )?(?P<edge>beginning|start|middle|end) of the "
            "(?P<unit>week|month|quarter|year)(?! of| before| after)",
            relative.read_edge,
            "of the",
        ),
        rule(ENGLISH, "weekend", "the weekend", relative.read_the_weekend, "weekend"),
        rule(
            ENGLISH,
            "ahead",
            "{n} {unit} (?:from now|from today|hence)",
            relative.read_ahead,
            "from hence",
        ),
        rule(ENGLISH, "in_time", "in {n} {unit}'? time", relative.read_ahead, "time"),
        rule(
            ENGLISH,
            "soft",
            "(?<!most\\s)(?:recently|lately|the other (?:day|night|week)"
            "|in recent (?:days|weeks)|(?:these|the) (?:last|past) few days)",
            relative.read_soft,
            "recent lately other",
        ),
    )


def _named_rules() -> tuple[Rule, ...]:
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
            last,
            "last past previous",
        ),
        rule(SHORT, "this_weekday", "this (?:coming )?{weekday}(?<!sun)(?<!sat)", this, "this"),
        rule(
            ENGLISH,
            "next_weekday",
            "(?:next|the coming|this coming) {weekday}",
            next_,
            "next coming",
        ),
        rule(ENGLISH, "weekday_last_week", "{weekday},? (?:of )?last week", of_week(-1), "last"),
        rule(ENGLISH, "weekday_this_week", "{weekday},? (?:of )?this week", of_week(0), "this"),
        rule(ENGLISH, "weekday_next_week", "{weekday},? (?:of )?next week", of_week(1), "next"),
        rule(ENGLISH, "last_month_name", "last {month}(?! [0-9])", read_last_month_name, "last"),
        rule(ENGLISH, "this_month_name", "this {month}(?! [0-9])", this, "this"),
        rule(ENGLISH, "next_month_name", "next {month}(?! [0-9])", next_, "next"),
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
        rule(ENGLISH, "month", f"(?:(?P<lead>{OPENERS}) )?{{month}}", read_month),
    )
