"""One word to its stems. The stemmer follows from the word alone, so both sides always agree."""

import re
from functools import lru_cache
from hashlib import blake2b
from threading import Lock
from typing import Protocol

from snowballstemmer.arabic_stemmer import ArabicStemmer
from snowballstemmer.english_stemmer import EnglishStemmer
from snowballstemmer.german_stemmer import GermanStemmer
from snowballstemmer.greek_stemmer import GreekStemmer
from snowballstemmer.hindi_stemmer import HindiStemmer
from snowballstemmer.russian_stemmer import RussianStemmer

from channels.analysis.clean import fold_accents

MAX_WORD = 64  # characters; longer ones are data, not language
_KEPT = 40  # characters of a longer word that stay readable before its hash
_CACHED = 65_536  # words; the vocabulary of a large bank's daily traffic


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # Snowball's own name


# The pure Python classes by name: `snowballstemmer.stemmer()` would hand out PyStemmer where that
# happens to be installed, whose release may stem otherwise than the one that wrote the postings.
_ENGLISH: _Stemmer = EnglishStemmer()
_GERMAN: _Stemmer = GermanStemmer()
_BY_SCRIPT: tuple[tuple[str, str, _Stemmer], ...] = (
    ("\u0370", "\u03ff", GreekStemmer()),
    ("\u0400", "\u052f", RussianStemmer()),
    ("\u0600", "\u06ff", ArabicStemmer()),
    ("\u0900", "\u097f", HindiStemmer()),
)
_LOCK = Lock()  # a Snowball stemmer keeps the word it works on in itself
_LATIN_END = "\u024f"
_UMLAUT = re.compile("[äöü]")


def cap(word: str) -> str:
    """The word, or for one of more than 64 characters its beginning and a hash of the whole."""
    if len(word) <= MAX_WORD:
        return word
    digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{word[:_KEPT]}~{digest}"


def _run(stemmer: _Stemmer, word: str) -> str:
    with _LOCK:
        return stemmer.stemWord(word) or word


@lru_cache(maxsize=_CACHED)
def stem(word: str) -> str:
    """The stem of a casefolded word, accents folded; never empty for a word that is not.

    English for Latin letters whatever the language: a lone word does not say its language, and a
    guess that differs between memory and question loses the match.
    """
    if len(word) > MAX_WORD:
        return cap(word)
    if word.isascii():
        return _run(_ENGLISH, word) if word.isalpha() else word
    first = word[0]
    if first <= _LATIN_END or "\u1e00" <= first <= "\u1eff":
        return _run(_ENGLISH, fold_accents(word) or word)
    for start, end, stemmer in _BY_SCRIPT:
        if start <= first <= end:
            return _run(stemmer, word)
    return word


@lru_cache(maxsize=8_192)
def other_stems(word: str) -> tuple[str, ...]:
    """Further stems of a casefolded word: with its accents, and German for one with an umlaut.

    `häuser` gives `häuser` and `haus` beside the folded `hauser` of `stem`.
    """
    if word.isascii() or len(word) > MAX_WORD or word[0] > _LATIN_END:
        return ()
    found = [_run(_ENGLISH, word)]
    if _UMLAUT.search(word):
        found.append(_run(_GERMAN, word))
    main = stem(word)
    return tuple(s for s in dict.fromkeys(found) if s != main)
