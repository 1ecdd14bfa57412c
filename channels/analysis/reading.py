"""A text read chunk by chunk. A chunk's reading depends on nothing around it, so it is kept."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from channels.analysis.clean import clean
from channels.analysis.parts import take_apart, tokens
from channels.analysis.scripts import CJK, RUNS, bigrams
from channels.analysis.stems import other_stems, stem
from channels.analysis.stopwords import PARTICLES, STOP_WORDS

_LONGEST_KEPT = 48  # characters; longer chunks are seldom seen twice
_CHUNKS = 32_768  # readings kept, 14 MB when full of English words
_LONGEST_JOIN = 12  # letters; longer pairs are hardly ever written as one word
_LAST_SPACED = "\u052f"  # Latin, Greek and Cyrillic write compounds apart and together


class Reading(NamedTuple):
    """What one chunk (text between spaces) says."""

    words: tuple[str, ...]  # stems of content words and bigrams, in order
    identifiers: tuple[str, ...]  # whole identifiers
    inner: tuple[str, ...]  # identifiers inside identifiers: `router.py` of `src/router.py:142`
    spellings: tuple[str, ...]  # other spellings: joined parts, accents kept, German stems
    characters: tuple[str, ...]  # single Han, kana and Hangul characters
    stops: tuple[str, ...]  # stop words, as they are
    head: str  # the plain word the chunk opens with, case kept; empty if it opens otherwise
    tail: str  # the plain word it ends with


EMPTY = Reading((), (), (), (), (), (), "", "")


def readings(text: str) -> Iterator[Reading]:
    """Readings of the chunks of a text, in order."""
    for chunk in clean(text).split():
        yield _kept(chunk) if len(chunk) <= _LONGEST_KEPT else _read(chunk)


@lru_cache(maxsize=16_384)
def joined(left: str, right: str) -> str:
    """The stem of two neighbouring words written as one (`sign off` -> `signoff`), or nothing.

    Only pairs that somebody might write together: short, and no function word but a particle
    behind. Two capitalised function words are a name (The Who).
    """
    first, second = left.casefold(), right.casefold()
    if len(first) + len(second) > _LONGEST_JOIN or not (first.isalpha() and second.isalnum()):
        return ""
    if first in STOP_WORDS:
        named = second in STOP_WORDS and left != "I" != right and left.istitle() and right.istitle()
        return first + second if named else ""
    if second in STOP_WORDS and second not in PARTICLES:
        return ""
    return stem(first + second)


class _Page:
    """Collects the terms of one chunk."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.identifiers: list[str] = []
        self.inner: list[str] = []
        self.spellings: list[str] = []
        self.characters: list[str] = []
        self.stops: list[str] = []

    def add_word(self, word: str) -> None:
        if word in STOP_WORDS:
            self.stops.append(word)
            return
        self.words.append(stem(word))
        if not word.isascii():
            self.spellings += other_stems(word)

    def add_spaced(self, run: str) -> None:
        for match in tokens(run):
            raw = match["url"] or match["token"]
            parts = take_apart(raw, url=match["url"] is not None)
            for word in parts.words:
                self.add_word(word)
            self.identifiers += parts.forms[:1]
            self.inner += parts.forms[1:]
            self.spellings += map(stem, parts.joins)

    def add_unspaced(self, run: str) -> None:
        folded = run.casefold()
        self.words += bigrams(folded)
        if len(folded) > 1:
            self.characters += CJK.findall(folded)

    def add_hangul(self, run: str) -> None:
        self.add_unspaced(run)
        if len(run) > 2:  # a word of two syllables is its own bigram
            self.words.append(stem(run))

    def reading(self, chunk: str) -> Reading:
        head, tail = _edges(chunk)
        whole, inner = (tuple("=" + f for f in forms) for forms in (self.identifiers, self.inner))
        return Reading(
            tuple(self.words),
            whole,
            inner,
            tuple(self.spellings),
            tuple(self.characters),
            tuple(self.stops),
            head,
            tail,
        )


def _edges(chunk: str) -> tuple[str, str]:
    """The chunk's word towards the chunk before and after; punctuation between keeps them apart."""
    word = chunk.strip("\"'`*_()[]{}<>.,;:!?-")
    if not word.isalnum() or word[0] > _LAST_SPACED:
        return "", ""
    return word if chunk.startswith(word) else "", word if chunk.endswith(word) else ""


def _read(chunk: str) -> Reading:
    page = _Page()
    if chunk.isascii():
        page.add_spaced(chunk)
    else:
        for match in RUNS.finditer(chunk):
            add = {
                "spaced": page.add_spaced,
                "unspaced": page.add_unspaced,
                "hangul": page.add_hangul,
            }[match.lastgroup or "spaced"]
            add(match.group())
    return page.reading(chunk)


_kept = lru_cache(maxsize=_CHUNKS)(_read)
