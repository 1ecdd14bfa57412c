"""The one analyser of memories and questions: text in, weighted terms out.

A term is a stem (`deploy`), a bigram (`队列`), a joined spelling (`signoff`), a whole identifier
(`=cve-2024-1234`) or a whole title (`^harbour leas`). Unstemmed words are left out: beside their
stems they would only double the document frequencies, and exactness is what the identifiers are
for.
"""

from hashlib import blake2b
from itertools import pairwise

from channels.analysis.parts import is_prose
from channels.analysis.reading import Reading, joined, readings
from channels.analysis.scripts import HAN
from channels.analysis.stems import stem
from channels.analysis.stopwords import QUESTION_WORDS
from channels.base import Term

ANALYSER_VERSION = 1
"""Raised whenever the same text gives other terms; banks store the version they were written by."""

IDENTIFIER_WEIGHT = 2.0  # the exact form beats two parts in common, whatever their rarity
SPELLING_WEIGHT = 0.5  # another spelling of words that are asked for already
CHARACTER_WEIGHT = 0.25  # nDCG@10 .857 -> .935 on Chinese memories: many words have one character
TITLE_CHARS = 200  # of stems; longer titles are sentences, and nobody asks by them
DOCUMENT_SPELLING = 0.25  # counts; enough to be found by, too little to lengthen the memory
_JOINED_CHUNKS = 512  # neighbours are joined up to here: a long text gains nothing, but costs
_QUESTION_STEMS = frozenset(map(stem, QUESTION_WORDS))


def document_terms(text: str) -> dict[str, float]:
    """How often each term occurs in a memory, counts above 0.

    A word counts 1; other spellings, inner identifiers and single CJK characters count .25. Stop
    words count only in a text that holds nothing else.
    """
    read = list(readings(text))
    counts: dict[str, float] = {}
    for chunk in read:
        for term in chunk.words + chunk.identifiers:
            counts[term] = counts.get(term, 0.0) + 1.0
        for term in chunk.inner + chunk.spellings + chunk.characters:
            counts[term] = counts.get(term, 0.0) + DOCUMENT_SPELLING
    if not counts:
        for term in _stops(read):
            counts[term] = counts.get(term, 0.0) + 1.0
    for term in _joins(read):
        counts[term] = counts.get(term, 0.0) + DOCUMENT_SPELLING
    return counts


def question_terms(text: str) -> tuple[Term, ...]:
    """The terms a question is searched by, each once, the weightiest kind first.

    Whole identifiers weigh 2, words and parts 1, other spellings .5, single Han characters .25.
    Words that ask rather than name are left out, then stop words, but never all of them: "the who"
    asks for its stop words. Every term occurs in `document_terms` of the same text. No words: ().
    """
    read = list(readings(text))
    whole = [term for chunk in read for term in chunk.identifiers]
    inner = [term for chunk in read for term in chunk.inner]
    words = [term for chunk in read for term in chunk.words]
    others = [term for chunk in read for term in chunk.spellings]
    named = [word for word in words if word not in _QUESTION_STEMS] or words
    if not (named or whole or others):
        named = _stops(read)
    characters = [c for chunk in read for c in chunk.characters if HAN.match(c)]
    kinds = (
        (whole, IDENTIFIER_WEIGHT),
        (inner + named, 1.0),
        (others + _joins(read), SPELLING_WEIGHT),
        (characters, CHARACTER_WEIGHT),
    )
    weights: dict[str, float] = {}
    for found, weight in kinds:
        for term in found:
            weights.setdefault(term, weight)
    return tuple(Term(term, weight) for term, weight in weights.items())


def stem_words(text: str) -> tuple[str, ...]:
    """Stems of the content words in order, repeats kept, as in `document_terms`.

    Parts of identifiers and bigrams are included; whole identifiers and other spellings are not.
    """
    return tuple(word for chunk in readings(text) for word in chunk.words)


def title_term(text: str) -> str | None:
    """The one term of a whole title, and of a question that is one; None where it can be none.

    Stop words, and words that only ask, make no difference.
    """
    words = [word for word in stem_words(text) if word not in _QUESTION_STEMS]
    whole = " ".join(words)
    return f"^{whole}" if words and len(whole) <= TITLE_CHARS else None


def identifiers(text: str) -> tuple[str, ...]:
    """Whole identifiers in order of appearance, each once, casefolded, without the `=` mark.

    Prose that only looks like one ("e.g", "hello.how") is left out; it stays a term, on both sides.
    """
    found = (term[1:] for chunk in readings(text) for term in chunk.identifiers)
    return tuple(form for form in dict.fromkeys(found) if not is_prose(form))


def term_key(term: str) -> int:
    """The term's key in the postings: signed 64 bits of BLAKE2b, the same on every platform."""
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _stops(read: list[Reading]) -> list[str]:
    """The stop words, and pairs of them written as one, by which "The Who" is kept in a memory."""
    stops = [stop for chunk in read for stop in chunk.stops]
    return stops + [left + right for left, right in pairwise(stops)]


def _joins(read: list[Reading]) -> list[str]:
    """Neighbouring words written as one, for memories and questions that differ in the space."""
    pairs = ((left.tail, right.head) for left, right in pairwise(read[:_JOINED_CHUNKS]))
    return [term for tail, head in pairs if tail and head and (term := joined(tail, head))]
