"""Feelings that only the telling of a turn makes one: "from tense to calm", "then confident"."""

from collections.abc import Collection, Sequence

from channels.affect.lexicon import Entry
from channels.affect.text import felt_word
from router.understand.affect_shape import turn_told
from router.understand.affect_words import (
    BRIDGE,
    FEELING,
    FRAME,
    FRAME_BRIDGE,
    FRAME_GAP,
    FRAME_REACH,
    FRAME_TAIL,
    INTENSIFIERS,
    LEAST_LETTERS,
    NEGATIONS,
    NO_FEELING,
    STATE,
)

Found = tuple[int, int, Entry]  # words before it, words to its end
_SMALL = BRIDGE | STATE | NEGATIONS | FRAME_BRIDGE | INTENSIFIERS.keys()


def framed(
    words: Sequence[str], breaks: Collection[int], firm: Sequence[Found], faint: Sequence[Found]
) -> list[Found]:
    """Those of the faint words that stand on one side of a told turn, a feeling on the other.

    Two faint sides count where the sentence speaks of feelings ("the mood went from …"), or where
    one is a word that hardly names anything else ("at first tense, eventually calm").
    """
    stands = [one for one in faint if _stands(words, breaks, one)]
    clear = any(entry.mark == "?" for _, _, entry in stands) or not FEELING.isdisjoint(words)
    partners = [*firm, *stands] if clear else list(firm)
    joined = [one for one in stands if any(_turns(words, one, other) for other in partners)]
    sure = [*firm, *(one for one in stands if one[2].mark == "?")]
    guess = [] if joined else _unlisted(words, breaks, sure)
    return [*joined, *guess, *(one for one in sure if guess and one not in firm)]


def _turns(words: Sequence[str], one: Found, other: Found) -> bool:
    """Whether a turn is told between the two; by small words alone where nothing frames the one."""
    first, last = sorted(((one[0], one[1]), (other[0], other[1])))
    between = words[first[1] : last[0]]
    if first == last or len(between) > FRAME_GAP:
        return False
    if not _has_frame(words, one[0]) and not all(map(_is_small, between)):
        return False
    return turn_told(words, " ", first, last)[0] != ""


def _stands(words: Sequence[str], breaks: Collection[int], one: Found) -> bool:
    """Whether it stands alone, no adjective of a noun, behind a frame or at the beginning."""
    start, end, _ = one
    if end < len(words) and end not in breaks and words[end] not in FRAME_TAIL:
        return False
    return _has_frame(words, start) or all(map(_is_small, words[:start]))


def _has_frame(words: Sequence[str], start: int) -> bool:
    """Whether only small words part it from a word that frames it."""
    for word in reversed(words[max(0, start - FRAME_REACH) : start]):
        if word in FRAME:
            return True
        if not _is_small(word):
            return False
    return False


def _is_small(word: str) -> bool:
    return word in _SMALL or word in FRAME or word.endswith("ly")


def _unlisted(words: Sequence[str], breaks: Collection[int], firm: Sequence[Found]) -> list[Found]:
    """In "from A to B" the side that no table lists, as the model of texts reads it."""
    places = {start: end for start, end, _ in firm}
    for place in range(len(words) - 3):
        if words[place] != "from" or "to" not in words[place + 2 : place + 5]:
            continue
        to = words.index("to", place + 2)
        before, after = place + 1, to + 1
        if before in places and places[before] == to and after not in places:
            unknown = after
        elif after in places and before not in places and before + 1 == to:
            unknown = before
        else:
            continue
        if (entry := _guess(words, breaks, unknown)) is not None:
            return [(unknown, unknown + 1, entry)]
    return []


def _guess(words: Sequence[str], breaks: Collection[int], place: int) -> Entry | None:
    word = words[place] if place < len(words) else ""
    if len(word) < LEAST_LETTERS or not (word.isascii() and word.isalpha()) or word in NO_FEELING:
        return None
    ends = place + 1 == len(words) or place + 1 in breaks or words[place + 1] in FRAME_TAIL
    labels = felt_word(word) if ends else {}
    return Entry(labels, "~", max(labels, key=labels.__getitem__)) if labels else None
