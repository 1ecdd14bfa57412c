"""Whether a feeling is denied: negations before it, or behind it in Japanese; and what is none."""

import re
from collections.abc import Collection, Sequence

from router.understand.affect_words import (
    FRAMED_NEGATIONS,
    KEEPS,
    LEAST,
    MORE,
    NEGATION_WINDOW,
    NEGATIONS,
    NOBODY,
    NOBODY_WINDOW,
    OTHER_CLAUSE,
    PRONOUNS,
    RAISERS,
    RAISING_WINDOW,
    STOPS,
    UNABLE,
    UNSURE,
    YET,
)

COMPARATIVE = ("ier", "dder", "uder")  # happier, sadder, prouder
# Chinese denies before the word, with small words between; Japanese behind it.
_BEFORE = re.compile(
    r"(?:不|没有|没|未|毫无)(?:是|太|很|怎么|那么|曾|会|敢|觉得|感到|感觉|感|特别|非常|真|有)*$"
)
_BEHIND = re.compile(
    r"(?:こと|わけ)?[ではじゃもがをにしていまらんきさせられ]{0,5}"
    r"(?:ない|なかった|なく|ません|ありません|ず(?!っ))"
)


def is_negated(words: Sequence[str], breaks: Collection[int], start: int) -> bool:
    """Whether the nearest negation before `start`, in the same clause, denies the feeling there."""
    for place in range(start - 1, max(-1, start - 1 - RAISING_WINDOW), -1):
        if place + 1 in breaks or words[place] in YET:
            return _is_anything_but(words, place, start)
        if _denies(words, place, start):
            return not _is_kept(words, place, start)
    return False


def is_negated_unspaced(text: str, start: int, end: int) -> bool:
    """The same in Chinese or Japanese; `start` and `end` are places of characters.

    "高兴不高兴", "有没有", "是不是" ask, they deny nothing.
    """
    if _BEHIND.match(text, end):
        return True
    found = _BEFORE.search(text, max(0, start - 12), start)
    if found is None:
        return False
    negator, first = text[found.start()], text[found.start() - 1 : found.start()]
    if negator == "没" and first == "有":
        return False
    follows = text[found.start() + 1 : end]
    asks = negator in "不没" and bool(first) and follows.startswith(first)
    return not (asks or text[: found.start()].endswith(text[start:end]))


def _is_anything_but(words: Sequence[str], place: int, start: int) -> bool:
    near = start - place <= NEGATION_WINDOW
    return near and words[place] == "but" and place > 0 and words[place - 1] == "anything"


def _denies(words: Sequence[str], place: int, start: int) -> bool:
    """Whether the word at `place` is a negation that reaches `start`."""
    word, between = words[place], words[place + 1 : start]
    distance = start - place
    following = between[0] if between else ""
    if word in NOBODY or (word in ("no", "not") and following == "one"):
        return distance <= NOBODY_WINDOW and OTHER_CLAUSE.isdisjoint(between)
    if following in FRAMED_NEGATIONS.get(word, ()):  # "far from"
        return distance <= NEGATION_WINDOW + 1
    if word not in NEGATIONS and not word.startswith("n'"):
        return False
    far = following in RAISERS or not LEAST.isdisjoint(between)
    return distance <= (RAISING_WINDOW if far else NEGATION_WINDOW)


def _is_kept(words: Sequence[str], place: int, start: int) -> bool:
    """Whether the feeling is told all the same: "not only sad", "never so happy", "no, sad"."""
    word, between = words[place], words[place + 1 : start]
    if not KEEPS.isdisjoint(between) or (word == "no" and words[place - 1 : place] == ["ya"]):
        return True
    if not UNSURE.isdisjoint(between) or (word == "no" and between and between[0] in PRONOUNS):
        return True
    stops = bool(between) and between[0] in STOPS  # "can't stop crying"
    more = words[start].endswith(COMPARATIVE) or not MORE.isdisjoint(between)
    return stops or (more and (word in UNABLE or "ever" in between))
