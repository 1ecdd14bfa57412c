"""English: phrases that count from today."""

from router.understand.grammar import ago, ahead, brief, relative
from router.understand.grammar.english import BRIEF, ENGLISH, SINGLE, read_last_unit
from router.understand.grammar.lexicon import Rule, rule


def english_relative_rules() -> tuple[Rule, ...]:
    """Every English rule that counts from today."""
    return (*_day_rules(), *_back_rules(), *_unit_rules(), *_ahead_rules())


def _day_rules() -> tuple[Rule, ...]:
    day_part = relative.day_part
    return (
        rule(ENGLISH, "day_word", "{daywd}", relative.read_day_word),
        rule(ENGLISH, "night", "last night", day_part(-1, "night"), "night"),
        rule(ENGLISH, "night_before", "(?:the )?night before last", day_part(-2, "night"), "night"),
        rule(ENGLISH, "last_evening", "last evening", day_part(-1, "evening"), "evening"),
        rule(ENGLISH, "tonight", "tonight", day_part(0, "night"), "tonight"),
        rule(ENGLISH, "this_part", "this {part}", day_part(0), "this"),
    )


def _back_rules() -> tuple[Rule, ...]:
    weekly = "(?:(?:,? (?:on )?){weekday}| today)?"
    return (
        rule(ENGLISH, "ago", "{n} {unit} ago" + weekly, ago.read_ago, "ago"),
        rule(
            ENGLISH,
            "half_ago",
            "(?P<half>half a year|half an hour) ago",
            ago.read_half_ago,
            "ago",
        ),
        rule(BRIEF, "ago", "(?P<n>[0-9]{1,3}) ?{unit} ago", ago.read_ago, "ago"),
        rule(ENGLISH, "ago", "{n} {unit} and a half ago", ago.read_and_half, "half"),
        rule(ENGLISH, "ago", "{n} and a half {unit} ago", ago.read_and_half, "half"),
        rule(
            BRIEF,
            "rolling",
            "(?:the |these |this )?(?:last|past|previous|preceding)(?: |-)(?P<n>[0-9]{1,3})"
            "(?P<tie>-|\\s{0,3}){unit}",
            brief.read_rolling,
            "last past previous preceding",
        ),
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
            "year_ago",
            "(?:the |at the )?(?:this|same) (?:time|day|date) (?P<unit>last (?:week|month|year))",
            relative.read_same_day,
            "same this",
        ),
        rule(
            SINGLE,
            "last_unit",
            "(?:last|(?:the )?previous) {unit}(?! before\\b)",
            read_last_unit,
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
            "(?<!\\bto\\s)(?:this|(?:the |this )?current) {unit}",
            unit_at(0),
            "this current",
        ),
        rule(
            SINGLE,
            "next_unit",
            "(?:next|(?:the |this )?(?:up)?coming(?! weekend)) {unit}",
            unit_at(1),
            "next coming",
        ),
        rule(
            SINGLE,
            "so_far",
            "(?:earlier (?:this )?|so far this )(?P<unit>week|month|quarter|year)",
            relative.read_so_far,
            "earlier far",
        ),
        rule(
            SINGLE,
            "unit_so_far",
            "this (?P<unit>week|month|quarter|year) (?:so far|to date)",
            relative.read_so_far,
            "far date",
        ),
        rule(
            SINGLE,
            "today_so_far",
            "(?:earlier|so far) to(?P<unit>day)",
            relative.read_so_far,
            "earlier far",
        ),
        rule(SINGLE, "to_date", "(?P<unit>year|month) to date", relative.read_so_far, "date"),
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
        rule(
            SINGLE,
            "over_the_unit",
            "over the (?P<unit>week|month|quarter|year)(?=\\s{0,2}(?:[?.!,;]|$))",
            relative.read_running,
            "over the",
        ),
        rule(
            SINGLE,
            "coming_weekend",
            "(?:the |this )?(?:up)?coming weekend",
            ahead.read_coming_weekend,
            "coming",
        ),
        rule(ENGLISH, "weekend", "the weekend", relative.read_the_weekend, "weekend"),
    )


def _ahead_rules() -> tuple[Rule, ...]:
    return (
        rule(ENGLISH, "due", "in {n} {unit}(?!'? time)", ahead.read_due),
        rule(
            ENGLISH,
            "ahead",
            "{n} {unit} (?:from now|from today|hence)",
            ahead.read_ahead,
            "from hence",
        ),
        rule(ENGLISH, "in_time", "in {n} {unit}'? time", ahead.read_ahead, "time"),
        rule(
            ENGLISH,
            "soft",
            "(?<!most\\s)(?:recently|lately|the other (?:day|night|week)"
            "|in recent (?:days|weeks)|(?:these|the) (?:last|past) few days)",
            relative.read_soft,
            "recent lately other",
        ),
    )
