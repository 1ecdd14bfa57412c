"""Operators in quotes: "these words in order", and "deploy*" for words that begin so. Pure.

Only quotes around several words or a final * are operators; every other sign, and a quoted word or
identifier, is text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from channels.analyser import stem_words, term_key
from channels.analysis.clean import clean, fold_accents
from channels.analysis.scripts import CJK

MOST = 5  # operators in one question; further quotes are text
SHORTEST_PREFIX = 2  # letters or digits; one letter begins too many words

_QUOTED = re.compile(
    r'"([^"\n]{1,200})"|“([^”\n]{1,200})”|«([^»\n]{1,200})»|「([^」\n]{1,200})」|『([^』\n]{1,200})』'
)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


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


def phrases(question: str) -> tuple[Phrase, ...]:
    """The operators in a question, each once, at most MOST; none in an ordinary one."""
    found: dict[str, Phrase] = {}
    for match in _QUOTED.finditer(question):
        text = next(filter(None, match.groups())).strip()
        is_prefix = text.endswith("*") and len(text) > 1 and text[-2].isalnum()
        bare = text.rstrip("*")
        words = spoken(bare)
        long_enough = is_prefix and (len(words[-1]) >= SHORTEST_PREFIX or CJK.match(words[-1]))
        if words and (long_enough or (not is_prefix and len(bare.split()) > 1)):
            found.setdefault(text, Phrase(bare, words, is_prefix))
    return tuple(found.values())[:MOST]


def asks_nothing_else(question: str) -> bool:
    """Whether there is no content word outside the quotes."""
    return not stem_words(_QUOTED.sub(" ", question))


def spoken(text: str) -> tuple[str, ...]:
    """The words of a text in order, stop words too: no case, no accents, no signs."""
    return tuple(
        fold_accents(match[0].casefold()).replace("'", "") for match in _WORD.finditer(clean(text))
    )
