"""Times of day: the phrases of each language."""

from router.understand.grammar import hours
from router.understand.grammar.cjk import CHINESE, JAPANESE
from router.understand.grammar.english import ENGLISH
from router.understand.grammar.german import GERMAN
from router.understand.grammar.lexicon import Language, Rule, alternatives, rule
from router.understand.grammar.romance import FRENCH, SPANISH

LEAD = (
    "(?:(?P<lead>at|around|about|near|before|after|past|since|until|till|by|um|gegen|vor|nach|seit"
    "|ab|bis|à|vers|avant|après|depuis|jusqu'à|earlier than|later than) )"
)
TWELVE = "1[0-2]|0?[1-9]"
ANY = "[01]?[0-9]|2[0-3]"
MIN = "[0-5][0-9]"
MER = r"[ap]\.?m\.?"
HALVES = r"[0-9]\s{0,3}[ap]\.?m"
BARE = r"\s[0-2]?[0-9](?![0-9])"
COLON = "[0-9]:[0-5][0-9]"
LAS = r"las?\s{1,3}[0-9]"
JOIN = r" ?(?:-|to|and|until|till|through|bis|und|et|à) ?"


def hour_rules() -> tuple[Rule, ...]:
    """Every rule for times of day."""
    return (*_english(), *_digits(), *_german(), *_french(), *_spanish(), *_chinese(), *_japanese())


def _point(language: Language, name: str, template: str, needles: str, gate: str = "") -> Rule:
    return rule(language, name, template, hours.read_point, needles, gate)


def _range(language: Language, name: str, template: str, needles: str, gate: str = "") -> Rule:
    return rule(language, name, template, hours.read_range, needles, gate)


def _english() -> tuple[Rule, ...]:
    bare = rf"{LEAD}(?P<h>{ANY}){hours.FOLLOWS}"
    both = (
        f"(?P<lead>from|between) (?P<h>{TWELVE}) ?(?:-|to|and|until|till) ?"
        f"(?P<h2>{TWELVE}){hours.FOLLOWS}"
    )
    spans = (
        f"(?:(?:from|between) )?(?P<h>{TWELVE})(?:[:.](?P<m>{MIN}))? ?(?P<mer>{MER})?"
        f"{JOIN}(?P<h2>{TWELVE})(?:[:.](?P<m2>{MIN}))? ?(?P<mer2>{MER})"
    )
    noon = "(?:at |the )?(?:(?P<lead>around|about|before|after|since|until|by) )?"
    return (
        _point(
            ENGLISH,
            "clock",
            f"{LEAD}?(?P<h>{TWELVE})(?:[:.](?P<m>{MIN}))? ?(?P<mer>{MER})",
            "am pm a.m p.m",
            HALVES,
        ),
        _point(
            ENGLISH, "oclock", f"{LEAD}?(?P<h>{TWELVE}) ?(?P<mark>o'?clock)(?: sharp)?", "clock"
        ),
        _point(
            ENGLISH, "hour_bare", bare, "at around about before after since until till by", BARE
        ),
        _range(ENGLISH, "clock_range", spans, "am pm a.m p.m", HALVES),
        _range(ENGLISH, "hour_range", both, "from between", BARE),
        rule(ENGLISH, "noon", f"{noon}(?:noon|midday)", hours.word(720, 60, sure=True), "noon mid"),
        rule(ENGLISH, "midnight", f"{noon}midnight", hours.word(1_380, 120, sure=True), "midnight"),
        rule(
            ENGLISH,
            "lunch",
            "(?:at|around|about|over|during) lunch ?(?:time|break|hour)?",
            hours.word(690, 150, sure=False),
            "lunch",
        ),
    )


def _digits() -> tuple[Rule, ...]:
    """14:20, whose preposition may be of any language."""
    return (
        _point(ENGLISH, "digits", f"{LEAD}?(?P<h>{ANY}):(?P<m>{MIN})(?::[0-5][0-9])?", ":", COLON),
        _range(
            ENGLISH,
            "digit_range",
            f"(?:(?:from|between|von|zwischen|entre|de) )?(?P<h>{ANY}):(?P<m>{MIN})"
            f"{JOIN}(?P<h2>{ANY}):(?P<m2>{MIN})",
            ":",
            COLON,
        ),
    )


def _german() -> tuple[Rule, ...]:
    named = "|".join(sorted(filter(str.isascii, hours.LANGUAGE_HOURS))) + "|fünf|zwölf"
    hour = f"{ANY}|{named}"
    part = "(?: (?P<mer>morgens|nachmittags|abends))?"
    return (
        _point(
            GERMAN,
            "uhr",
            f"{LEAD}?(?P<h>{hour})(?:[:.](?P<m>{MIN}))? ?(?P<mark>uhr)(?: {MIN})?{part}",
            "uhr",
        ),
        _point(GERMAN, "um", f"(?P<lead>um) (?P<h>{named}){hours.FOLLOWS}", "um"),
        rule(
            GERMAN,
            "halb",
            f"(?:(?P<lead>um|gegen|vor|nach|seit|bis) )?halb (?P<h>{TWELVE}|{named})",
            hours.read_half_to,
            "halb",
        ),
        _range(
            GERMAN,
            "uhr_range",
            f"(?:zwischen|von) (?P<h>{ANY})(?:[:.](?P<m>{MIN}))?(?: uhr)? (?:und|bis) "
            f"(?P<h2>{ANY})(?:[:.](?P<m2>{MIN}))? uhr",
            "uhr",
        ),
        rule(
            GERMAN,
            "mittag",
            "(?:(?P<lead>gegen|vor|nach|seit|bis) |zu |am )?mittags?",
            hours.word(720, 60, sure=False),
            "mittag",
        ),
        rule(GERMAN, "mitternacht", "(?:um )?mitternacht", hours.word(1_380, 120, sure=True),
             "mitternacht"),
    )  # fmt: skip


def _french() -> tuple[Rule, ...]:
    part = "(?: (?:du|de l')? ?(?P<mer>matin|après-midi|soir))?"
    return (
        _point(
            FRENCH,
            "heure",
            f"(?:(?P<lead>à|vers|avant|après|depuis|jusqu'à) )(?P<h>{ANY}) ?"
            f"(?P<mark>h|heures?) ?(?P<m>{MIN})?{part}",
            "à vers avant après depuis",
            "[0-9] ?h",
        ),
        _point(FRENCH, "heure_bare", f"(?P<h>{ANY})h(?P<m>{MIN})", "h", "[0-9]h[0-9]"),
        _range(
            FRENCH,
            "heure_range",
            f"(?:entre|de) (?P<h>{ANY}) ?(?:h|heures)? ?(?P<m>{MIN})? (?:et|à) "
            f"(?P<h2>{ANY}) ?(?:h|heures) ?(?P<m2>{MIN})?",
            "entre de",
            "[0-9] ?h",
        ),
        rule(
            FRENCH,
            "midi",
            "(?:(?P<lead>vers|avant|après|depuis|jusqu'à) |à )?midi",
            hours.word(720, 60, sure=False),
            "midi",
        ),
        rule(FRENCH, "minuit", "(?:à |vers )minuit", hours.word(1_380, 120, sure=True), "minuit"),
    )


def _spanish() -> tuple[Rule, ...]:
    part = "(?: (?:de|por) la (?P<mer>mañana|tarde|noche))?"
    lead = "(?:a|(?P<lead>hacia|sobre|antes de|después de|desde|hasta))"
    return (
        _point(
            SPANISH,
            "a_las",
            f"{lead} (?P<mark>las?) (?P<h>{ANY})(?::(?P<m>{MIN}))?(?: h(?:oras?)?)?{part}",
            "la",
            LAS,
        ),
        _range(
            SPANISH,
            "entre_las",
            f"(?:entre|de|desde) las? (?P<h>{ANY})(?::(?P<m>{MIN}))? (?:y|a|hasta) las? "
            f"(?P<h2>{ANY})(?::(?P<m2>{MIN}))?(?: (?:de|por) la (?P<mer2>mañana|tarde|noche))?",
            "entre de",
            LAS,
        ),
        rule(
            SPANISH,
            "mediodía",
            "(?:al|(?P<lead>hacia) el|antes del|después del) mediod[ií]a",
            hours.word(720, 60, sure=False),
            "mediod",
        ),
    )


def _chinese() -> tuple[Rule, ...]:
    part = "(?P<mer>上午|早上|早晨|凌晨|下午|晚上|傍晚|中午)"
    hour = f"{ANY}|" + alternatives(filter(_is_han, hours.LANGUAGE_HOURS))
    tail = f"(?:点|點)(?:(?P<m>半|{MIN})分?)?(?![0-9几子])"
    return (
        _point(CHINESE, "part_hour", f"{part}的?(?P<h>{hour}){tail}", "点 點"),
        # "一点" alone is "a little", and three points of a list are no hour either
        _point(
            CHINESE,
            "hour",
            f"(?<![0-9一二三四五六七八九十第几有])(?!一)(?P<h>{hour}){tail}",
            "点 點",
        ),
        rule(CHINESE, "noon", "中午", hours.word(690, 120, sure=False), "中午"),
        rule(CHINESE, "midnight", "午夜|半夜", hours.word(1_380, 120, sure=False), "夜"),
    )


def _japanese() -> tuple[Rule, ...]:
    part = "(?P<mer>午前|午後|朝|夜|夕方)"
    tail = f"時(?:(?P<m>半|{MIN})分?)?(?:頃|ごろ)?(?![0-9間代点期々])"
    return (
        _point(JAPANESE, "part_hour", f"{part}の?(?P<h>{ANY}){tail}", "時"),
        _point(JAPANESE, "hour", f"(?<![0-9])(?P<h>{ANY}){tail}", "時"),
        rule(JAPANESE, "noon", "正午|お昼", hours.word(690, 120, sure=False), "午 昼"),
    )


def _is_han(word: str) -> bool:
    return "一" <= word[0] <= "鿿"
