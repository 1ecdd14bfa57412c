"""Italian and Portuguese: their most common phrases."""

from router.understand.grammar import ago, ahead, relative
from router.understand.grammar.lexicon import Rule, rule
from router.understand.grammar.romance import ITALIAN, PORTUGUESE, after_noun, dated


def italian_rules() -> tuple[Rule, ...]:
    """Every Italian rule."""
    return (
        *after_noun(
            ITALIAN,
            "scors[oa]|passat[oa]",
            "questa?|questo|quest'",
            "prossim[oa]",
            ("scors passat", "prossim"),
        ),
        *dated(ITALIAN, "", "a|in|da|dal|fino a|mese di|tra|e"),
        rule(ITALIAN, "ahead", "(?:tra|fra) {n} {unit}", ahead.read_in, "tra fra"),
        rule(ITALIAN, "ago", "{n} {unit} fa", ago.read_ago, " fa"),
        rule(ITALIAN, "rolling", "(?:gli|le) ultim[ei] {n} {unit}", relative.read_rolling, "ultim"),
        rule(ITALIAN, "weekday", "{weekday}(?<=ì)", relative.read_bare, "dì"),
        rule(
            ITALIAN,
            "soft",
            "recentemente|ultimamente|l'altro giorno",
            relative.read_soft,
            "recentemente ultimamente altro",
        ),
    )


def portuguese_rules() -> tuple[Rule, ...]:
    """Every Portuguese rule."""
    return (
        *after_noun(
            PORTUGUESE,
            "passad[oa]",
            "este|esta|neste|nesta",
            "que vem|próxim[oa]",
            ("passad", "vem próxim"),
        ),
        *dated(PORTUGUESE, " de", "em|desde|até|mês de|de|e|entre"),
        rule(PORTUGUESE, "ahead", "daqui a {n} {unit}", ahead.read_in, "daqui"),
        rule(PORTUGUESE, "ago", "há {n} {unit}", ago.read_ago, "há"),
        rule(PORTUGUESE, "ago_after", "{n} {unit} atrás", ago.read_ago, "atrás"),
        rule(
            PORTUGUESE,
            "rolling",
            "(?:nos|nas|os|as) últim[oa]s {n} {unit}",
            relative.read_rolling,
            "últim",
        ),
        rule(PORTUGUESE, "weekday", "(?:na|no|desde|até) {weekday}", relative.read_bare),
        rule(
            PORTUGUESE,
            "soft",
            "recentemente|ultimamente|outro dia",
            relative.read_soft,
            "recentemente ultimamente outro",
        ),
    )
