"""Operators in quotes: "these words in order", and "deploy*" for words that begin so. Pure.

Only quotes around several words or a final * are operators; every other sign, and a quoted word or
identifier, is text.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from channels.analyser import stem_words, term_key
from channels.analysis.clean import clean, fold_accents
from channels.analysis.scripts import CJK

MOST = 5  # operators in one question
LONGEST = 200  # characters between two quotes
SHORTEST_PREFIX = 2  # letters or digits; one letter begins too many words
TOO_LONG, TOO_MANY = "too_long", "too_many"  # why quotes that mean an operator are read as words
STAR_INSIDE, SHORT_PREFIX = "star_inside", "short_prefix"

# An opening sign inside begins anew, so that a text of many of them costs no more than its length.
_QUOTED = re.compile(r'"([^"\n]+)"|“([^“”\n]+)”|«([^«»\n]+)»|「([^「」\n]+)」|『([^『』\n]+)』')
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*(?:(?:\+\+|#)(?![^\W_]))?")  # C++ and C# are not C
_STAR_INSIDE = re.compile(r"[^\W_]\*+\s.*[^\W_]")


@dataclass(frozen=True, slots=True)
class Phrase:
    """What one pair of quotes asks for."""

    text: str  # as written, without the quotes
    words: tuple[str, ...]  # as `spoken` gives them
    is_prefix: bool  # the last word may go on

    @property
    def terms(self) -> tuple[int, ...]:
        """Keys of the postings that a memory with the phrase has, but for a word that goes on."""
        whole = self.text.rpartition(" ")[0] if self.is_prefix else self.text
        return tuple(dict.fromkeys(map(term_key, stem_words(whole))))

    @property
    def is_unindexed(self) -> bool:
        """Whether it consists of words that postings do not have."""
        return not (self.is_prefix or self.terms)

    @property
    def pattern(self) -> str:
        """Of `like`: what a text that holds it is like."""
        return f"%{'%'.join(match[0].lower() for match in _WORD.finditer(clean(self.text)))}%"

    @property
    def prefix(self) -> str | None:
        """What the word that goes on begins with, or None."""
        return self.words[-1] if self.is_prefix else None

    def is_in(self, texts: Iterable[str | None]) -> bool:
        """Whether one of a memory's texts holds the words, next to each other and in this order."""
        return any(text and self._is_in(spoken(text)) for text in texts)

    def _is_in(self, words: tuple[str, ...]) -> bool:
        wanted, held = " ".join(self.words), " ".join(words)
        if CJK.search(wanted):  # words are not parted, so that any place may be the edge of one
            return wanted in held
        return f" {wanted}{'' if self.is_prefix else ' '}" in f" {held} "


@dataclass(frozen=True, slots=True)
class Quotes:
    """What stands in a question's quotes."""

    applied: tuple[Phrase, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)  # what means an operator -> why not one
    spans: tuple[tuple[int, int], ...] = ()  # of what is applied, quotes and all

    def as_json(self) -> dict[str, object]:
        """For the trace; empty without operators."""
        phrases = [f"{one.text}{'*' if one.is_prefix else ''}" for one in self.applied]
        told: dict[str, object] = {"applied": phrases, "read_as_words": dict(self.unread)}
        return told if phrases or self.unread else {}


@lru_cache(maxsize=256)
def quotes(question: str) -> Quotes:
    """What a question asks for in quotes: at most MOST operators, each once, and what is none."""
    found: dict[str, Phrase] = {}
    unread: dict[str, str] = {}
    spans: list[tuple[int, int]] = []
    for match in _QUOTED.finditer(question):
        text = next(filter(None, match.groups())).strip()
        read = _read(text)
        if isinstance(read, Phrase) and len(found) == MOST and text not in found:
            read = TOO_MANY
        if isinstance(read, str):
            unread.setdefault(text, read)
        elif read is not None:
            found.setdefault(text, read)
            spans.append(match.span())
    return Quotes(tuple(found.values()), unread, tuple(spans))


def phrases(question: str) -> tuple[Phrase, ...]:
    """The operators in a question, each once, at most MOST; none in an ordinary one."""
    return quotes(question).applied


def asks_nothing_else(question: str) -> bool:
    """Whether there is no content word outside the operators."""
    rest, at = "", 0
    for start, end in quotes(question).spans:
        rest, at = f"{rest}{question[at:start]} ", end
    return not stem_words(rest + question[at:])


def _read(text: str) -> Phrase | str | None:
    """The operator that the quotes mean, why it is read as words, or None where they mean none."""
    is_prefix = text.endswith("*") and len(text) > 1 and text[-2].isalnum()
    bare = text.rstrip("*")
    is_several = len(bare.split()) > 1
    if not (is_prefix or is_several):
        return None
    if len(text) > LONGEST:
        return TOO_LONG
    words = spoken(bare)
    if not words:
        return None
    if _STAR_INSIDE.search(text):
        return STAR_INSIDE
    if is_prefix and len(words[-1]) < SHORTEST_PREFIX and not CJK.match(words[-1]):
        return SHORT_PREFIX
    return Phrase(bare, words, is_prefix)


def spoken(text: str) -> tuple[str, ...]:
    """The words of a text in order, stop words too: no case, no accents, no signs but ++ and #."""
    return tuple(
        fold_accents(match[0].casefold()).replace("'", "") for match in _WORD.finditer(clean(text))
    )
