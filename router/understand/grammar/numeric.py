"""Dates in digits, which no language owns: ISO, slashes, dots, lone years."""

import re

from router.understand.grammar import absolute, years
from router.understand.grammar.lexicon import Language, Read, Rule

NUMERIC = Language("digits", {}, {}, {}, {})
EDGE = r"(?<![\w$#@])(?<![\w][.,:/-])(?<!v)"
END = r"(?![\w@=%])(?![.,:/-][0-9])(?!-[a-z])"


def _rule(name: str, pattern: str, read: Read, *needles: str) -> Rule:
    return Rule(name, EDGE + pattern, read, NUMERIC, frozenset(needles))


def numeric_rules() -> tuple[Rule, ...]:
    """Every rule for dates in digits."""
    return (*_iso_rules(), *_written_rules())


def _iso_rules() -> tuple[Rule, ...]:
    iso = r"(?P<y>[12][0-9]{3})-(?P<m>0[1-9]|1[0-2])-(?P<d>0[1-9]|[12][0-9]|3[01])"
    plain_iso = re.sub(r"\?P<\w>", "?:", iso)
    zone = r"(?:z|[+-][0-9]{2}:[0-9]{2})?"
    clock = r"[0-2][0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{3}(?:[0-9]{3})?)?)?"
    return (
        _rule("iso_date", iso + END, absolute.read_iso_date, "-"),
        _rule(
            "iso_moment",
            f"(?P<moment>{plain_iso}[t ]{clock}{zone})" + END,
            absolute.read_iso_moment,
            ":",
        ),
        _rule(
            "iso_month",
            r"(?P<y>19[0-9]{2}|20[0-9]{2})-(?P<m>0[1-9]|1[0-2])(?![0-9-])" + END,
            absolute.read_iso_month,
            "-",
        ),
        _rule(
            "iso_week",
            r"(?P<y>20[0-9]{2})-?w(?P<week>[0-5][0-9])(?:-[1-7])?" + END,
            absolute.read_iso_week,
            "w",
        ),
        _rule(
            "week_number",
            r"(?:calendar week|in week|kw|kalenderwoche|cw|semaine n°)\s?(?P<week>[0-5]?[0-9])"
            r"(?!\s{0,2}[/,]?\s{0,2}20[0-9]{2})(?!\s(?:of|in|von|de)\b)" + END,
            absolute.read_week_number,
            "week",
            "kw",
            "woche",
            "cw",
            "semaine",
        ),
        _rule(
            "week_of_year",
            r"(?:week|kw|woche|semaine|semana)\s(?P<week>[0-5]?[0-9])"
            r"(?:\s(?:of|in|de|of the year))?[\s/,]{1,2}(?P<y>20[0-9]{2})" + END,
            absolute.read_iso_week,
            "week",
            "kw",
            "woche",
            "semaine",
            "semana",
        ),
        _rule(
            "year_first",
            r"(?P<y>[12][0-9]{3})([/.])(?P<m>0?[1-9]|1[0-2])\2"
            r"(?P<d>0?[1-9]|[12][0-9]|3[01])" + END,
            absolute.read_iso_date,
            "/",
            ".",
        ),
    )


def _written_rules() -> tuple[Rule, ...]:
    month = r"(?P<m>0?[1-9]|1[0-2])"
    day = r"(?P<d>0?[1-9]|[12][0-9]|3[01])"
    year = r"(?P<year>1[0-9]{3}|20[0-9]{2}|[0-9]{2})"
    span = r"(?P<lead>(?:from|between|von|zwischen|de|entre|du|dal|desde|с|从)\s{1,2})?"
    join = (
        r"(?:\s{0,2}-\s{0,2}|\s{1,2}(?:to|and|until|till|through|bis|und|à|a|y|et|al|e|по)\s{1,2})"
    )
    return (
        _rule(
            "slash_date",
            r"(?P<a>0?[1-9]|[12][0-9]|3[01])([/-])(?P<b>0?[1-9]|[12][0-9]|3[01])\2" + year + END,
            absolute.read_slash_date,
            "/",
            "-",
        ),
        _rule(
            "slash_day",
            r"(?:on|since|until|before|after)\s(?P<a>0?[1-9]|[12][0-9]|3[01])/"
            r"(?P<b>0?[1-9]|[12][0-9]|3[01])(?![/0-9])" + END,
            absolute.read_slash_date,
            "/",
        ),
        _rule(
            "month_slash",
            r"(?P<m>0[1-9]|1[0-2])/(?P<y>19[0-9]{2}|20[0-9]{2})" + END,
            absolute.read_month_of_year,
            "/",
        ),
        _rule(
            "slash_month",
            r"(?P<y>19[0-9]{2}|20[0-9]{2})/(?P<m>0[1-9]|1[0-2])" + END,
            absolute.read_month_of_year,
            "/",
        ),
        _rule(
            "dot_date",
            rf"{day}\.\s?{month}\.\s?(?P<y>1[0-9]{{3}}|20[0-9]{{2}})" + END,
            absolute.read_dot_date,
            ".",
        ),
        _rule(
            "short_dot_date",
            rf"(?:am|vom|seit|bis|on|le|el|den)\s{day}\.{month}\."
            r"(?P<y>[0-9]{2})?" + END,
            absolute.read_dot_date,
            ".",
        ),
        _rule(
            "years",
            rf"{span}(?P<year>1[0-9]{{3}}|20[0-9]{{2}}){join}"
            r"(?P<last>1[0-9]{3}|20[0-9]{2})" + END,
            years.read_years,
            "1",
            "20",
        ),
        _rule(
            "short_years",
            r"(?P<year>19[0-9]{2}|20[0-9]{2})[/-](?P<last>[0-9]{2})(?=\sseason)",
            years.read_years,
            "season",
        ),
        _rule(
            "lone_year",
            r"(?P<year>1[4-9][0-9]{2}|20[0-9]{2})(?!\.[0-9])" + END,
            years.read_lone_year,
            "1",
            "20",
        ),
    )
