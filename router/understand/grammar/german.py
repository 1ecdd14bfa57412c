"""German: its words and its common phrases."""

from router.understand.grammar import absolute, ago, ahead, german_words, relative, years
from router.understand.grammar.lexicon import Language, Rule, alternatives, rule

UNITS = {
    "minute": "minute", "minuten": "minute", "stunde": "hour", "stunden": "hour", "tag": "day",
    "tage": "day", "tagen": "day", "woche": "week", "wochen": "week", "wochenende": "weekend",
    "monat": "month", "monate": "month", "monaten": "month", "monats": "month",
    "quartal": "quarter", "quartals": "quarter", "quartale": "quarter", "quartalen": "quarter",
    "jahr": "year", "jahre": "year", "jahren": "year", "jahres": "year",
    "wochenendes": "weekend",
}  # fmt: skip
GERMAN = Language(
    "de",
    {"januar": 1, "jänner": 1, "februar": 2, "märz": 3, "april": 4, "mai": 5, "juni": 6, "juli": 7,
     "august": 8, "september": 9, "oktober": 10, "november": 11, "dezember": 12, "mär": 3, "mrz": 3,
     "okt": 10, "dez": 12},
    {"montag": 0, "dienstag": 1, "mittwoch": 2, "donnerstag": 3, "freitag": 4, "samstag": 5,
     "sonnabend": 5, "sonntag": 6},
    UNITS,
    {"ein": 1, "eine": 1, "einem": 1, "einer": 1, "zwei": 2, "ein paar": 3, "paar": 3,
     "mehreren": 6, "drei": 3, "vier": 4,
     "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12},
    {"vorgestern": -2, "gestern": -1, "heute": 0, "übermorgen": 2},
    {"frühling": 1, "frühjahr": 1, "sommer": 2, "herbst": 3, "winter": 4},
    {"früh": "morning", "morgen": "morning", "vormittag": "morning", "nachmittag": "afternoon",
     "abend": "evening", "nacht": "night"},
)  # fmt: skip
LAST = "(?:letzte|vergangene|vorige)(?:n|r|s|m)?"
THIS = "diese(?:n|r|s|m)?"
NEXT = "(?:nächste|kommende)(?:n|r|s|m)?"
NEXT_UNIT = "(?:nächste(?:n|r|s|m)?|kommende(?:n|r|s|m)?(?! wochenende))"


def german_rules() -> tuple[Rule, ...]:
    """Every German rule."""
    return (*_relative(), *_ahead(), *_named(), *_dates())


def _relative() -> tuple[Rule, ...]:
    unit_at = relative.unit_at
    day_part = relative.day_part
    last = relative.read_last_bare
    this = relative.read_this_bare
    return (
        rule(GERMAN, "day_word", "{daywd}", relative.read_day_word),
        rule(GERMAN, "yesterday_part", "gestern {part}", day_part(-1), "gestern"),
        rule(GERMAN, "today_part", "heute {part}", day_part(0), "heute"),
        rule(GERMAN, "last_night", "letzte nacht", day_part(-1, "night"), "nacht"),
        rule(GERMAN, "ago", "vor {n} {unit}", ago.read_ago, "vor"),
        rule(
            GERMAN,
            "rolling",
            f"{LAST} {{n}} {{unit}}",
            relative.read_rolling,
            "letzte vergangene vorige",
        ),
        rule(GERMAN, "last_unit", f"{LAST} {{unit}}", unit_at(-1), "letzte vergangene vorige"),
        rule(GERMAN, "before_last", f"vor{LAST} {{unit}}", unit_at(-2), "vorletzte"),
        rule(GERMAN, "this_unit", f"{THIS} {{unit}}", unit_at(0), "diese"),
        rule(GERMAN, "next_unit", f"{NEXT_UNIT} {{unit}}", unit_at(1), "nächste kommende"),
        rule(
            GERMAN,
            "last_bare",
            f"{LAST} (?:{{weekday}}|{{month}}|{{season}})",
            german_words.not_of_month(last),
            "letzte vergangene vorige",
        ),
        rule(GERMAN, "half_ago", "vor einem halben jahr", ago.half_of("year"), "halben"),
        rule(GERMAN, "half_ago", "vor einer halben stunde", ago.half_of("hour"), "halben"),
        rule(
            GERMAN,
            "half_ago",
            "vor (?:anderthalb|eineinhalb) jahren",
            ago.half_of("year", 1),
            "halb",
        ),
        rule(
            GERMAN,
            "edge_of",
            "(?P<edge>anfang|mitte|ende) (?:des|der|dieses|dieser) "
            "(?P<unit>woche|wochenendes|monats|quartals|jahres)"
            f"(?! (?:[0-9]|{alternatives(GERMAN.months)}))",
            relative.read_edge,
            "anfang mitte ende",
        ),
        rule(GERMAN, "this_bare", f"{THIS} (?:{{weekday}}|{{season}})", this, "diese"),
    )


def _ahead() -> tuple[Rule, ...]:
    return (
        rule(GERMAN, "tomorrow", "morgen", german_words.read_tomorrow, "morgen"),
        rule(GERMAN, "ahead", "in {n} (?!minute(?!n)){unit}", ahead.read_in),
        rule(
            GERMAN,
            "coming_weekend",
            "(?:am |das )?kommende[ns]? wochenende",
            ahead.read_coming_weekend,
            "kommende",
        ),
        rule(
            GERMAN,
            "tomorrow_part",
            "morgen (?P<part>früh|vormittag|nachmittag|abend|nacht)",
            relative.day_part(1),
            "morgen",
        ),
    )


def _named() -> tuple[Rule, ...]:
    next_ = relative.read_next_bare
    bare = relative.read_bare
    return (
        rule(
            GERMAN,
            "next_bare",
            f"{NEXT} (?:{{weekday}}|{{month}}|{{season}})",
            next_,
            "nächste kommende",
        ),
        rule(GERMAN, "weekday", "{weekday}", german_words.read_weekday),
        rule(GERMAN, "weekend", "am wochenende", relative.read_the_weekend, "wochenende"),
        rule(
            GERMAN,
            "month",
            "(?:(?P<lead>im|seit|bis|vom|von|vor|nach|zwischen|anfang|ende|mitte) )?{month}",
            relative.led(bare),
        ),
        rule(GERMAN, "season", "im {season}", bare),
        rule(
            GERMAN,
            "weekday_part",
            "{weekday} ?(?P<part>früh|morgen|vormittag|nachmittag|abend|nacht)s?",
            relative.read_weekday_part,
        ),
        rule(
            GERMAN,
            "feast",
            "(?:(?P<lead>an|zu|über|vor|nach|seit|bis|um|letzte) )?(?P<feast>weihnachten|silvester)"
            "(?: {year})?",
            absolute.read_holiday({"weihnachten": (12, 25), "silvester": (12, 31)}),
            "weihnachten silvester",
        ),
        rule(
            GERMAN,
            "quarter",
            r"(?:im )?(?P<piece>[1-4]\.|(?:erst|zweit|dritt|viert)e[ns]) quartal(?: {year})?",
            absolute.piece_of_year("quarter"),
            "quartal",
        ),
        rule(
            GERMAN,
            "soft",
            "kürzlich|neulich|vor kurzem|in letzter zeit|letztens",
            relative.read_soft,
            "kürzlich neulich kurzem letzter letztens",
        ),
    )


def _dates() -> tuple[Rule, ...]:
    date = absolute.read_date
    to = r"\. ?(?:-|bis|bis zum|und) ?"
    return (
        rule(GERMAN, "date", r"(?:am |den )?{dom}\. {month}(?: {year})?", date),
        rule(GERMAN, "days", rf"{{dom}}{to}{{dom2}}\. {{month}}(?: {{year}})?", date),
        rule(GERMAN, "month_year", "{month} {year}", absolute.read_month_year),
        rule(GERMAN, "season_year", "{season} {year}", absolute.read_season_year),
        rule(
            GERMAN,
            "decade",
            "(?P<decade>(?:19)?[5-9]0)er(?:-| )?jahren?",
            years.read_decade,
            "0er",
        ),
        rule(
            GERMAN,
            "decade",
            "(?:(?:in|aus|seit) den|die) (?P<decade>(?:19)?[5-9]0)ern?"
            "(?! (?:pack|zone|karton|korn|schein|kiste|set))",
            years.read_decade,
            "0er",
        ),
        rule(
            GERMAN,
            "spoken_decade",
            "(?:in den|aus den|seit den|die|der) (?:frühen |späten )?"
            f"(?P<decade>{alternatives(DECADES)})n?(?: jahren?)?",
            years.read_spoken_decade(DECADES),
            "ziger",
        ),
    )


DECADES = {"fünfziger": 1950, "sechziger": 1960, "siebziger": 1970, "achtziger": 1980,
           "neunziger": 1990}  # fmt: skip
