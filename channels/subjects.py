"""Which names a memory is about, and which names its text mentions: keys of words. Pure."""

import re
from collections.abc import Iterator
from itertools import islice

from channels.analyser import stem_words, term_key
from channels.analysis.clean import clean, fold_accents
from channels.entities import capitalised_names, is_common

LONGEST = 6  # words of a name; longer titles are sentences
SHORTEST = 3  # letters in all
# Of what a turn opens with; one word cost the graph lane .005 nDCG@10 on realtalk, two .002.
FEWEST_SPOKEN = 2
LEAD_CHARS = 80  # of "Title: text", and of the opening a subject is looked for in, twice
STARTS = 400  # capitals of a text that a name may begin with; 20,000 characters hold about as many

Words = tuple[str, ...]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_OWNER = re.compile(r"'s$")
_APART = re.compile(r"\s*\([^()]*\)\s*$")  # "Lilu (mythology)" is called Lilu
_LEAD = re.compile(rf"([^\n:.!?]{{2,{LEAD_CHARS}}}):\s")
_ARTICLES = frozenset(("the", "a", "an"))


def subjects(title: str | None, text: str, *, is_spoken: bool = False) -> dict[int, Words]:
    """Names that stand for a memory, key -> words: its title, else what its text opens with.

    A title counts with and without what it has in brackets; an opening is "Name: ..." or a
    capitalised run before anything else. Articles in front, capitals, accents and hyphens make no
    difference. A name of common words alone, or of more than LONGEST words, is none; nor is one
    word that a turn of a talk opens with, which is rather who is spoken to or of.
    """
    given = title or _lead(text) or _opening(text)
    found = (_name(form) for form in (given, _APART.sub("", given)))
    fewest = FEWEST_SPOKEN if is_spoken and not title else 1
    return {name_key(words): words for words in found if len(words) >= fewest}


def mentions(text: str) -> dict[int, int]:
    """Keys of all that could be a name in the text -> its words: it begins with a capital or digit.

    At most STARTS beginnings, up to LONGEST words from each.
    """
    read = [(match[0], _alias(match[0])) for match in _WORD.finditer(clean(text))]
    aliases = [alias for _, alias in read]
    starts = (place for place, (raw, _) in enumerate(read) if raw[0].isupper() or raw[0].isdigit())
    return {
        name_key(tuple(aliases[place:end])): end - place
        for place in islice(starts, STARTS)
        for end in range(place + 1, min(place + LONGEST, len(aliases)) + 1)
    }


def name_key(words: Words) -> int:
    """The key that a name's words are stored under: 64 bits, signed."""
    return term_key(" ".join(words))


def name_terms(words: Words) -> tuple[int, ...]:
    """Keys of the postings that a text with this name has, each once; none for stop words."""
    return tuple(dict.fromkeys(map(term_key, stem_words(" ".join(words)))))


def _alias(word: str) -> str:
    return fold_accents(_OWNER.sub("", word.casefold())).replace("'", "")


def _words(name: str) -> Iterator[str]:
    return (_alias(match[0]) for match in _WORD.finditer(clean(name)))


def _name(written: str) -> Words:
    """The words of a name without its article; () when it can be none."""
    words = tuple(_words(written))
    if len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    letters = sum(map(len, words))
    fits = 0 < len(words) <= LONGEST and letters >= SHORTEST
    return words if fits and not all(map(is_common, words)) else ()


def _lead(text: str) -> str:
    match = _LEAD.match(text)
    return match[1] if match and match[1][0].isupper() else ""


def _opening(text: str) -> str:
    """The capitalised run that the text opens with, an article before it or not."""
    opening = text[: 2 * LEAD_CHARS]
    first = next(capitalised_names(opening), "")
    wanted = tuple(_words(first))
    head = tuple(islice(_words(opening), len(wanted) + 1))
    if not wanted or (head[0] in _ARTICLES and wanted == head[1:]):
        return first
    return first if wanted == head[:-1] or wanted == head else ""
