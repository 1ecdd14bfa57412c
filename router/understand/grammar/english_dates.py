"""English: written-out dates, years, quarters, halves and holidays."""

from router.understand.grammar import absolute, years
from router.understand.grammar.english import ENGLISH
from router.understand.grammar.lexicon import Rule, alternatives, rule

YEAR_LEADS = (
    "in|during|since|until|till|before|prior to|after|by|throughout|circa|around|year|years|as of"
    "|early|late|mid|of|through|for|from|end of|en|im jahr|im jahre|seit|vor|nach|bis|depuis|avant"
    "|après|desde|antes de|después de|hasta|em|nel|dal|до|после|с|в"
)
NTH = """
first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth
twenty-ninth thirtieth thirty-first
"""
ORDINALS = {word: number for number, word in enumerate(NTH.split(), start=1)}
DECADES = {
    "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960, "seventies": 1970,
    "eighties": 1980, "nineties": 1990,
}  # fmt: skip
FEASTS = {
    "christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "xmas": (12, 25),
    "new years eve": (12, 31), "new years day": (1, 1), "new years": (1, 1), "new year": (1, 1),
    "valentines day": (2, 14), "halloween": (10, 31), "boxing day": (12, 26),
}  # fmt: skip


def english_date_rules() -> tuple[Rule, ...]:
    """Every English rule for dates, years, quarters and holidays."""
    return (*_day_rules(), *_month_rules(), *_piece_rules(), *_year_rules())


def _day_rules() -> tuple[Rule, ...]:
    day = "(?:(?:mon|tues?|wed|wednes|thu|thurs?|fri|sat|satur|sun)(?:day)?,? )?"
    nth = "(?:st|nd|rd|th)?"
    year = "(?:(?:,|, | |-| of | in )'?{year}(?![0-9]))?"
    read = absolute.read_date
    return (
        rule(
            ENGLISH,
            "month_day",
            f"{day}{{month}}\\.?(?: the)? {{dom}}{nth}(?![0-9:.]*[0-9:%]){year}",
            read,
        ),
        rule(
            ENGLISH,
            "day_month",
            f"{day}(?:the )?{{dom}}{nth}[ -]?(?:of )?{{month}}\\.?{year}",
            read,
        ),
        rule(
            ENGLISH,
            "ordinal_day",
            f"{day}(?:the )?(?P<nth>{alternatives(ORDINALS)}) of {{month}}{year}",
            absolute.read_ordinal_day(ORDINALS),
        ),
        rule(
            ENGLISH,
            "day_of_month_near",
            f"(?:the )?{{dom}}{nth} (?:of )?(?P<which>last|this|next) month",
            absolute.read_day_of_month_near,
            "month",
        ),
        rule(
            ENGLISH,
            "month_days",
            f"{{month}}\\.? {{dom}}{nth} ?(?:-|to|through|and) ?{{dom2}}{nth}(?![0-9]){year}",
            read,
        ),
        rule(
            ENGLISH,
            "days_month",
            f"(?:the )?{{dom}}{nth} ?(?:-|to|through|and) ?(?:the )?{{dom2}}{nth} "
            f"(?:of )?{{month}}{year}",
            read,
        ),
    )


def _month_rules() -> tuple[Rule, ...]:
    return (
        rule(
            ENGLISH,
            "month_year",
            "{month}(?:\\.|,| of| in|'s)? ?-?'?{year}(?![0-9])",
            absolute.read_month_year,
        ),
        rule(
            ENGLISH,
            "season_year",
            "{season}(?:,| of| in)? {year}(?: ?[-/] ?(?:20)?[0-9]{2}(?![0-9]))?",
            absolute.read_season_year,
        ),
        rule(ENGLISH, "year_season", "{year} {season}(?! [a-z]{2,} of)", absolute.read_season_year),
        rule(
            ENGLISH,
            "quarter",
            "(?<!question\\s)(?<!quiz\\s)q(?P<piece>[1-4])"
            "(?:(?:,|-| of|/)? ?'?(?P<year>20[0-9]{2}|19[0-9]{2}|(?<=')[0-9]{2}))?",
            absolute.piece_of_year("quarter"),
            "q1 q2 q3 q4",
        ),
    )


def _piece_rules() -> tuple[Rule, ...]:
    return (
        rule(
            ENGLISH,
            "year_quarter",
            "{year}[ /-]?q(?P<piece>[1-4])",
            absolute.piece_of_year("quarter"),
            "q1 q2 q3 q4",
        ),
        rule(
            ENGLISH,
            "quarter_words",
            "(?P<piece>first|second|third|fourth|last|1st|2nd|3rd|4th) quarter,?"
            "(?: of| in)? {year}",
            absolute.piece_of_year("quarter"),
            "quarter",
        ),
        rule(
            ENGLISH,
            "quarter_said",
            "(?:in|during|since|until|before|after) the "
            "(?P<piece>first|second|third|fourth|1st|2nd|3rd|4th) quarter(?! of)",
            absolute.piece_of_year("quarter"),
            "quarter",
        ),
        rule(
            ENGLISH,
            "half_words",
            "(?P<piece>first|second|last|1st|2nd) half,?(?: of| in)? {year}",
            absolute.piece_of_year("half"),
            "half",
        ),
        rule(
            ENGLISH,
            "half",
            "h(?P<piece>[12])(?: of|/|-)? ?{year}",
            absolute.piece_of_year("half"),
            "h1 h2",
        ),
        rule(
            ENGLISH,
            "said_year",
            f"(?:{YEAR_LEADS})(?: the year)? {{year}}(?!s\\b)",
            years.read_said_year,
            "1 20 21",
        ),
        rule(
            ENGLISH,
            "tied_year",
            "(?:(?<=\\bmid-)|(?<=\\bearly-)|(?<=\\blate-)){year}(?!s\\b)",
            years.read_said_year,
            "mid- early- late-",
        ),
        rule(
            ENGLISH,
            "half_near",
            "h(?P<piece>[12]) (?:of )?(?P<which>last|this|next) year",
            absolute.read_half_near,
            "h1 h2",
        ),
    )


def _year_rules() -> tuple[Rule, ...]:
    return (
        rule(
            ENGLISH,
            "decade",
            "(?:the )?(?:early |mid |mid-|late )?(?P<decade>1[0-9]{2}0|20[0-9]0)'?s",
            years.read_decade,
            "0s 0's",
        ),
        rule(
            ENGLISH,
            "short_decade",
            "the (?:early |mid |mid-|late )?'?(?P<decade>[2-9]0)'?s",
            years.read_decade,
            "0s 0's",
        ),
        rule(
            ENGLISH,
            "spoken_decade",
            "(?:in|from|during|of|since|before|until|after|throughout|back in) the "
            f"(?:early |mid |mid-|late )?(?P<decade>{alternatives(DECADES)})",
            years.read_spoken_decade(DECADES),
            "ties",
        ),
        rule(
            ENGLISH,
            "short_year",
            "(?:in|since|until|before|after|by|summer of|winter of|of) '(?P<short>[0-9]{2})(?!s)",
            years.read_short_year,
            " '",
        ),
        rule(
            ENGLISH,
            "century",
            "(?:the )?(?P<century>1[0-9]|20|21)(?:st|th) century",
            years.read_century,
            "century",
        ),
        rule(
            ENGLISH,
            "feast",
            "(?:(?P<lead>on|at|for|over|during|since|before|after|until|last|around|by|celebrat(?:e|ed|ing)|the)"
            "(?: the)? )?(?P<feast>christmas day|christmas eve|christmas|xmas|new year'?s eve"
            "|new year'?s day|new year'?s|new year|valentine'?s day|halloween|boxing day)"
            "(?:,? {year})?(?! before last)",
            absolute.read_holiday(FEASTS),
            "christmas xmas new valentine halloween boxing",
        ),
        rule(
            ENGLISH,
            "day_of_month",
            "on the {dom}(?:st|nd|rd|th)(?=\\s{0,2}(?:[?.!,;)]|$))",
            absolute.read_day_of_latest_month,
            "on",
        ),
    )
