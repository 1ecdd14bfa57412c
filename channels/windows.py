"""A text longer than its model reads at once, in windows that overlap. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from channels.base import Embedded, Vector

MOST = 4  # windows of a text: of 256 tokens, as MiniLM reads at once, about 4,000 characters
OVERLAP = 32  # tokens that two windows share, so that no sentence is seen by halves only
LEAST = 8  # tokens of a window; below that windows would hardly move on

Span = tuple[int, int]  # characters that a token covers, [start, end)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class TextWindow:
    """A part of a text that is read at once."""

    start: int  # characters of the text, [start, end)
    end: int
    known: int = 0  # of its first tokens, how many the window before holds too


def windows(spans: Sequence[Span], words: Sequence[int | None], size: int) -> list[TextWindow]:
    """At most MOST windows of at most `size` tokens each, OVERLAP or a little more shared by two.

    `spans` and `words` tell of each token of the whole text what it covers and which word it is
    part of; a window begins and ends between words, where a word is no longer than half of it. Each
    window is as long as can be: one that has only the last few words to add starts further back.
    """
    if len(spans) <= size:
        return [TextWindow(0, spans[-1][1] if spans else 0)]
    found: list[TextWindow] = []
    end = 0
    while end < len(spans) and len(found) < MOST:
        start = _start(words, end, size) if found else 0
        stop = min(start + size, len(spans))
        stop = _word_before(words, stop, start + size // 2) if stop < len(spans) else stop
        found.append(TextWindow(spans[start][0], spans[stop - 1][1], max(0, end - start)))
        end = stop
    return found


def joined(parts: Sequence[Embedded], known: Sequence[int]) -> Embedded:
    """One text of its windows: the mean of their directions, and every token once.

    `known` as in TextWindow. Of a window that goes on, the opening mark and the tokens that the one
    before has read with more of what leads to them are left out.
    """
    vectors = [part.vector for part in parts if part.vector is not None]
    mean = np.mean(vectors, axis=0) if vectors else None
    length = 0.0 if mean is None else float(np.linalg.norm(mean))
    vector = None if mean is None or length < 1e-6 else np.asarray(mean / length, np.float32)
    return Embedded(vector, _tokens(parts, known))


def later(items: Sequence[Item], known: int) -> Sequence[Item]:
    """Of what stands for each token of a window, opening mark first, what the window adds."""
    return items[1 + known :] if known else items


def _tokens(parts: Sequence[Embedded], known: Sequence[int]) -> Vector | None:
    rows = [
        part.tokens[1 + skipped :] if skipped else part.tokens
        for part, skipped in zip(parts, known, strict=True)
        if part.tokens is not None
    ]
    return np.concatenate(rows) if len(rows) == len(parts) else None


def _start(words: Sequence[int | None], end: int, size: int) -> int:
    """Where the window after one that ended at `end` begins, in (end - size, end)."""
    tail, shared = len(words) - size, end - min(OVERLAP, size // 4)
    if tail > shared:
        return _word_before(words, shared, shared - size // 4)
    for start in range(max(tail, 1), end):  # not before: the end must stay within reach
        if _is_begun(words, start):
            return start
    return tail


def _word_before(words: Sequence[int | None], place: int, least: int) -> int:
    """The last place after `least` and up to `place` where a word begins; else `place`."""
    places = range(place, max(least, 0), -1)
    return next((at for at in places if _is_begun(words, at)), place)


def _is_begun(words: Sequence[int | None], at: int) -> bool:
    return words[at] is None or words[at] != words[at - 1]
