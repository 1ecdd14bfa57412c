"""Joins a day with the part of it that stands behind: "yesterday evening", "demain matin"."""

import re
from dataclasses import replace

from router.understand.grammar.calendar import part_of_day
from router.understand.grammar.found import Found
from router.understand.grammar.lexicon import alternatives

MORNING, AFTERNOON, EVENING, NIGHT = "morning", "afternoon", "evening", "night"
# Words behind a space, with what may stand between them and the day.
SPOKEN = (
    (r"(?:in the |at )?", {part: part for part in (MORNING, AFTERNOON, EVENING, NIGHT)}),
    (
        r"(?:am |in der )?",
        {"früh": MORNING, "morgen": MORNING, "morgens": MORNING, "vormittag": MORNING,
         "vormittags": MORNING, "nachmittag": AFTERNOON, "nachmittags": AFTERNOON,
         "abend": EVENING, "abends": EVENING, "nacht": NIGHT, "nachts": NIGHT},
    ),
    (
        r"(?:au |dans la |dans l'|en )?",
        {"matin": MORNING, "matinée": MORNING, "après-midi": AFTERNOON, "soir": EVENING,
         "soirée": EVENING, "nuit": NIGHT},
    ),
    (r"(?:por|en|a|de) la ", {"mañana": MORNING, "tarde": AFTERNOON, "noche": NIGHT}),
    (r"", {"noche": NIGHT}),
    (
        r"",
        {"mattina": MORNING, "pomeriggio": AFTERNOON, "sera": EVENING, "notte": NIGHT},
    ),
    (
        r"(?:de|à|pela) ",
        {"manhã": MORNING, "tarde": AFTERNOON, "noite": NIGHT},
    ),
    (r"", {"утром": MORNING, "днём": AFTERNOON, "днем": AFTERNOON, "вечером": EVENING,
           "ночью": NIGHT}),
)  # fmt: skip
# Written right behind the day. One character alone may begin another word: breakfast, dinner.
GLUED = {
    "早上": MORNING, "早晨": MORNING, "上午": MORNING, "下午": AFTERNOON, "傍晚": EVENING,
    "晚上": EVENING, "夜里": NIGHT, "晚": EVENING, "朝": MORNING, "午前中": MORNING,
    "午前": MORNING, "午後": AFTERNOON, "夕方": EVENING, "夜": NIGHT, "晩": NIGHT,
    "아침": MORNING, "오전": MORNING, "오후": AFTERNOON, "저녁": EVENING, "밤": NIGHT,
}  # fmt: skip
NOT_ALONE = (
    r"(?!(?<=[晚朝夜晩])[餐饭飯饮会會年安些期市宵店景空行校食日鮮礼刊方廷ご御酌勤報报霞露更])"
)
WORDS = {word: part for _, words in SPOKEN for word, part in words.items()} | GLUED
PART = re.compile(
    r"(?:\s{1,2}|(?<=day)-)(?:"
    + "|".join(f"{lead}(?:{alternatives(words)})" for lead, words in SPOKEN)
    + r")(?!\w)|[の的 ]?(?:"
    + alternatives(GLUED)
    + ")"
    + NOT_ALONE
)
LAST_WORD = re.compile(f"(?:{alternatives(WORDS)})$")


def with_parts(text: str, founds: list[Found]) -> list[Found]:
    """Joins "yesterday" and "evening", unless an hour begins there: "周三 晚上8点"."""
    joined = []
    for place, found in enumerate(founds):
        match = None
        if found.span.granularity == "day" and found.span.start is not None:
            match = PART.match(text, found.stop)
        ahead = founds[place + 1].start if place + 1 < len(founds) else len(text)
        joined.append(_with_part(found, match) if match and match.end() <= ahead else found)
    return joined


def _with_part(found: Found, match: re.Match[str]) -> Found:
    word = LAST_WORD.search(match[0])
    if word is None or found.span.start is None:
        return found
    start, end = part_of_day(found.span.start, WORDS[word[0]])
    part = replace(found.span, start=start, end=end, granularity="part_of_day", bare=None)
    return found.widened(found.start, match.end(), replace(part, rule=f"{found.span.rule}+part"))
