"""French: its common phrases."""

from router.understand.grammar import absolute, ago, ahead, relative, romance_words, years
from router.understand.grammar.lexicon import Rule, rule
from router.understand.grammar.romance import FRENCH, after_noun, dated


def french_rules() -> tuple[Rule, ...]:
    """Every French rule."""
    return (
        *after_noun(
            FRENCH, "derni[eè]re?|passée?", "cette|ce|cet", "prochaine?", ("derni pass", "prochain")
        ),
        *dated(FRENCH, "", "en|depuis|avant|après|mois de|mois d'|de|à|et|entre|début|fin"),
        *_french_units(),
        rule(
            FRENCH,
            "rolling",
            "(?:ces|les|des) {n} derni[eè]re?s {unit}",
            relative.read_rolling,
            "derni",
        ),
        rule(FRENCH, "yesterday_part", "hier {part}", relative.day_part(-1), "hier"),
        rule(FRENCH, "today_part", "(?:ce|cet|cette) {part}", relative.day_part(0), "ce"),
        rule(FRENCH, "mid_month", "(?<=mi-){month}", relative.read_bare),
        rule(
            FRENCH,
            "weekday",
            "{weekday}(?! (?:gras|saint|des rameaux|de pâques))",
            romance_words.read_french_weekday,
        ),
        rule(
            FRENCH,
            "weekday_part",
            "{weekday} (?P<part>matin|après-midi|soir)",
            relative.read_weekday_part,
        ),
        rule(FRENCH, "last_night", "(?:la )?nuit dernière", relative.day_part(-1, "night"), "nuit"),
        rule(
            FRENCH,
            "quarter",
            "(?:au |le )?(?P<piece>premier|deuxième|troisième|quatrième) trimestre"
            "(?: (?:de )?{year})?",
            absolute.piece_of_year("quarter"),
            "trimestre",
        ),
        rule(
            FRENCH,
            "feast",
            "(?P<lead>à|avant|après|depuis|pour) (?P<feast>noël)(?: {year})?",
            absolute.read_holiday({"noël": (12, 25)}),
            "noël",
        ),
        rule(FRENCH, "season", "(?:en|au|cet|pendant l'|durant l') ?{season}", relative.read_bare),
        rule(
            FRENCH,
            "soft",
            "récemment|dernièrement|l'autre jour|ces derniers temps",
            relative.read_soft,
            "récemment dernièrement l'autre derniers",
        ),
    )


def _french_units() -> tuple[Rule, ...]:
    return (
        rule(FRENCH, "ago", "il y a {n} {unit}", ago.read_ago, "il y a"),
        rule(FRENCH, "half_ago", "il y a un an et demi", ago.half_of("year", 1), "demi"),
        rule(FRENCH, "half_ago", "il y a une demi-heure", ago.half_of("hour"), "demi"),
        rule(FRENCH, "ahead", "dans {n} {unit}", ahead.read_in, "dans"),
        rule(
            FRENCH,
            "rolling_one",
            "(?:le|la) derni[eè]re? (?P<unit>semaine|mois|trimestre|année)",
            romance_words.read_one,
            "derni",
        ),
        rule(
            FRENCH,
            "edge_of",
            "(?:(?:à la|en|au|le|la) )?(?P<edge>début|milieu|fin) (?:de l'|de la |du |de |d')"
            "(?P<unit>semaine|mois|trimestre|année)(?! (?:derni|pass|proch|[0-9]|de |du ))",
            relative.read_edge,
            "début milieu fin",
        ),
        rule(
            FRENCH,
            "decade",
            "années (?P<decade>(?:19)?[5-9]0|20[0-9]0)",
            years.read_decade,
            "années",
        ),
        rule(FRENCH, "soft_days", "ces derniers jours", relative.read_soft, "derniers jours"),
    )
