"""Spanish: its common phrases."""

from router.understand.grammar import absolute, ago, ahead, relative, romance_words, years
from router.understand.grammar.lexicon import Rule, alternatives, rule
from router.understand.grammar.romance import SPANISH, after_noun, dated

SPANISH_DECADES = {"cincuenta": 1950, "sesenta": 1960, "setenta": 1970, "ochenta": 1980,
                   "noventa": 1990}  # fmt: skip


def spanish_rules() -> tuple[Rule, ...]:
    """Every Spanish rule."""
    return (
        *after_noun(
            SPANISH, "pasad[oa]", "este|esta", "próxim[oa]|que viene", ("pasad", "próxim viene")
        ),
        *dated(SPANISH, " de", "en|desde|antes de|después de|hasta|mes de|de|a|y|entre"),
        *_spanish_units(),
        rule(
            SPANISH, "rolling", "(?:los|las) últim[oa]s {n} {unit}", relative.read_rolling, "últim"
        ),
        rule(SPANISH, "next_first", "(?:próxim[oa]) {unit}", relative.unit_at(1), "próxim"),
        rule(
            SPANISH,
            "weekday",
            "(?:(?P<lead>el|desde el|hasta el) )?{weekday}",
            romance_words.read_weekday,
        ),
        rule(
            SPANISH, "last_weekday", "(?:el )?{weekday} pasado", relative.read_last_bare, "pasado"
        ),
        rule(
            SPANISH,
            "weekday_part",
            "(?:el )?{weekday} (?:por|a|en) la (?P<part>mañana|tarde|noche)",
            relative.read_weekday_part,
        ),
        rule(
            SPANISH,
            "before_last",
            "semana antepasada",
            relative.whole("week", -2),
            "antepasada",
        ),
        rule(
            SPANISH,
            "tomorrow",
            r"(?<!\bla\s)(?<!\besta\s)(?<!\bde\s)mañana(?! siguiente)",
            relative.whole("day", 1),
            "mañana",
        ),
        rule(SPANISH, "season", "(?:en|durante)(?: el| la)? {season}", relative.read_bare),
        rule(SPANISH, "season_year", "{season} (?:de|del) {year}", absolute.read_season_year),
        rule(
            SPANISH,
            "quarter",
            "(?:(?:en )?el )?(?P<piece>primer|segundo|tercer|cuarto) trimestre"
            "(?: (?:de|del) {year})?",
            absolute.piece_of_year("quarter"),
            "trimestre",
        ),
        rule(
            SPANISH,
            "feast",
            "(?P<lead>en|antes de|después de|desde|por) (?P<feast>navidad)(?:(?: de)? {year})?",
            absolute.read_holiday({"navidad": (12, 25)}),
            "navidad",
        ),
        rule(SPANISH, "yesterday_part", "ayer por la {part}", relative.day_part(-1), "ayer"),
        rule(SPANISH, "today_part", "esta {part}", relative.day_part(0), "esta"),
        rule(SPANISH, "last_night", "anoche", relative.day_part(-1, "night"), "anoche"),
        rule(
            SPANISH,
            "soft",
            "recientemente|últimamente|el otro día|hace poco",
            relative.read_soft,
            "recientemente últimamente otro hace",
        ),
    )


def _spanish_units() -> tuple[Rule, ...]:
    return (
        rule(SPANISH, "ago", "hace {n} {unit}", ago.read_ago, "hace"),
        rule(SPANISH, "half_ago", "hace un año y medio", ago.half_of("year", 1), "medio"),
        rule(SPANISH, "half_ago", "hace medio año", ago.half_of("year"), "medio"),
        rule(SPANISH, "half_ago", "hace media hora", ago.half_of("hour"), "media"),
        rule(SPANISH, "ahead", "dentro de {n} {unit}", ahead.read_in, "dentro"),
        rule(
            SPANISH,
            "rolling_one",
            "(?:el|la) últim[oa] (?P<unit>semana|mes|trimestre|año)",
            romance_words.read_one,
            "últim",
        ),
        rule(
            SPANISH,
            "previous",
            "(?:el |la )?(?P<unit>semana|mes|trimestre|año) anterior(?! a)",
            relative.unit_at(-1),
            "anterior",
        ),
        rule(
            SPANISH,
            "past_first",
            "(?:el|la) pasad[oa] (?P<unit>semana|mes|trimestre|año)",
            relative.unit_at(-1),
            "pasad",
        ),
        rule(
            SPANISH,
            "past_first_bare",
            "(?:el|la) pasad[oa] (?:{weekday}|{month}|{season})",
            relative.read_last_bare,
            "pasad",
        ),
        rule(
            SPANISH,
            "edge_of",
            "(?:a |al )?(?P<edge>principios?|inicio|comienzos|mediados|finales|final|fines|fin)"
            " (?:de la |del |de )(?P<unit>semana|mes|trimestre|año)"
            "(?! (?:pasad|próxim|que |anterior|[0-9]|de |del ))",
            relative.read_edge,
            "principio inicio comienzos mediados fin",
        ),
        rule(
            SPANISH,
            "decade",
            "(?:los )?años (?P<decade>(?:19)?[5-9]0|20[0-9]0)",
            years.read_decade,
            "años",
        ),
        rule(
            SPANISH,
            "spoken_decade",
            "(?:(?:en|desde) los (?:años )?|(?:los )?años )"
            f"(?P<decade>{alternatives(SPANISH_DECADES)})",
            years.read_spoken_decade(SPANISH_DECADES),
            "enta ncuenta",
        ),
    )
