"""What of a memory an answer repeats that its question does not explain. Pure.

A key is what names one thing: an identifier, a number, a name. A key alone may stand in any text,
so it counts only with words around it that the memory has beside it too; plain wording counts only
where much of it is shared that neither the question nor everybody says.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from channels.analyser import identifiers, stem_words
from channels.entities import entity_rules, normal_form

LONGEST = 20_000  # characters of an answer that are read
LONG_KEY = 12  # characters; a path or serial number of that length is nobody's by chance
SHORT_KEY = 4  # characters; shorter ones ("m7", "v2") are met everywhere
LEAST_OVERLAP = 3  # words shared beyond the question; one less where the question shares some too
COVERED = 0.5  # of the words that such a sentence of the memory has beyond the question
RUN = 4  # words in one go
MOST_KEYS = 8  # of a kind compared in two sentences; more are a table, and tell less
BESIDE_NUMBER, BESIDE_NAME = 4, 2  # how much around a key must agree, see _around

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_PIECE = re.compile(r".{1,400}(?!\S)|.{1,400}", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,:/-]\d+)*(?![\w])", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
_WORD = re.compile(r"\w+(?:['’.@/:_-]\w+)*")
_TURNED_DOWN = re.compile(
    r"\b(?:not (?:relevant|related|helpful|useful|used|using)|irrelevant|unrelated|ignor\w+"
    r"|disregard\w*|out ?dated|out of date|(?:does|do|did)(?: not|n['’]t) (?:help|use|apply)"
    r"|no (?:information|record|mention|memory|note)|nothing about|(?:could|can|did|do|was)(?: not"
    r"|n['’]t|not) (?:able to )?(?:find|see|know|have|remember|recall|determine|confirm))\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:\b(?:not|never|instead of|rather than|no longer|isn['’]t|wasn['’]t|unlike|except)"
    r"(?:\s+\w+){0,2}\s+)$",
    re.IGNORECASE,
)
_GENERIC_WORDS = """
able about actually additional answer anything appear available based believe best better call case
chat check clear come confirm context conversation correct current currently day detail different
discuss does earlier exact example fact feel find follow found further future general get glad go
going good great happen happy help helpful hope however idea important include information instead
issue item keep kind know last later like list little look lot made make matter maybe mean memory
mention minute moment month name need new next nice note number ok one order part people perhaps
place plan please point possible previous probably problem provide question ready really reason
regard related relevant result right see seem sent set share show sorry specific start still
stored suggest sure take talk thank thing think time today together took topic two understand
update use used user using usually want way week well went wish wonder word work year yes yesterday
yet
"""
GENERIC = frozenset(stem for word in _GENERIC_WORDS.split() for stem in stem_words(word))
"""Stems that tell nothing in an answer: any answer may have them."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, read."""

    text: str

    @cached_property
    def stems(self) -> Counter[str]:
        """Stems of its content words, and how often."""
        return Counter(stem_words(self.text))

    @cached_property
    def telling(self) -> frozenset[str]:
        """Its stems without those that tell nothing."""
        return frozenset(stem for stem in self.stems.keys() - GENERIC if len(stem) > 1)

    @cached_property
    def weak(self) -> frozenset[str]:
        """Stems that say little of which memory is meant: common ones and those of names."""
        return GENERIC | {stem for name in self.names for stem in stem_words(name)}

    @cached_property
    def firm(self) -> frozenset[str]:
        """Identifiers: codes, paths, addresses."""
        return frozenset(name for name in identifiers(self.text) if _is_firm(name))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Numbers, times and dates of two digits or more, without marks between thousands."""
        found = (plain_number(match[0]) for match in _NUMBER.finditer(self.text))
        return frozenset(number for number in found if len(number) > 1)

    @cached_property
    def names(self) -> frozenset[str]:
        """Capitalised and quoted names."""
        rules = entity_rules(self.text)
        return frozenset(name for name, rule in rules.items() if rule in ("capitalised", "quoted"))

    @cached_property
    def plain(self) -> str:
        """Its words, small, one space around each."""
        return f" {' '.join(_WORD.findall(self.text.casefold()))} "

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words, small."""
        return tuple(re.findall(r"\w+", self.text.casefold()))

    def meets(self, other: "Sentence") -> bool:
        """Whether the two have a word or a number in common; quickly told."""
        return not (
            self.stems.keys().isdisjoint(other.stems) and self.numbers.isdisjoint(other.numbers)
        )

    @property
    def speaks_for_nothing(self) -> bool:
        """Whether it asks back, or says that a memory was of no use or nothing was found."""
        return self.text.rstrip().endswith(("?", "？")) or bool(_TURNED_DOWN.search(self.text))

    def denies(self, key: str) -> bool:
        """Whether the key stands behind a "not" or "instead of"."""
        text = self.text.casefold().replace(",", "")
        at = text.find(key)
        return at > 0 and bool(_NEGATED.search(text[:at].rstrip("\"'`([ ") + " "))


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences and lines of a text, blank ones left out, overlong ones in pieces."""
    parts = (part.strip() for part in _SENTENCE.split(text[:LONGEST]))
    pieces = (piece[0] for part in parts for piece in _PIECE.finditer(part))
    return tuple(Sentence(piece) for piece in pieces if piece.strip())


def plain_number(text: str) -> str:
    """A number without marks between thousands."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


@dataclass(frozen=True, slots=True)
class Match:
    """How one sentence of a memory shows in a sentence of an answer."""

    rule: str  # identifier, detail or overlap
    strength: tuple[int, ...]  # compared within one key only, more is closer


def key_matches(
    said: Sentence, held: Sentence, asked: Sentence, beside: frozenset[str], *, alone: bool
) -> Iterator[tuple[str, Match]]:
    """Keys that both sentences have and the question has not, each with its match.

    `beside`: further words that belong to what is said (of a tool's arguments, their names).
    `alone`: a long identifier needs no words around it, as in a tool's argument.
    """
    context = frozenset((*said.stems, *asked.stems, *beside))
    for key in sorted((held.firm & said.firm) - asked.firm)[:MOST_KEYS]:
        common = _around(held, key, context)
        if (common or (alone and len(key) >= LONG_KEY)) and not said.denies(key):
            yield key, Match("identifier", (common,))
    for key in sorted((held.numbers & said.numbers) - asked.numbers - held.firm)[:MOST_KEYS]:
        common = _around(held, key, context)
        if (
            common >= BESIDE_NUMBER
            and (not alone or beside & held.stems.keys())
            and not said.denies(key)
        ):
            yield key, Match("detail", (common,))
    for key in sorted(held.names):
        if f" {key} " in said.plain and f" {key} " not in asked.plain:
            common = _around(held, key, context)
            if common >= BESIDE_NAME and not said.denies(key):
                yield key, Match("detail", (common,))


def overlap(
    said: Sentence, held: Sentence, asked: Sentence, everywhere: frozenset[str]
) -> Match | None:
    """The match of the plain wording, if it is close enough to be no chance.

    `everywhere`: stems that many of the memories shown have.
    """
    shared = held.telling & said.telling - asked.stems.keys() - everywhere
    is_asked_of = bool(held.telling & asked.telling)
    if len(shared) < LEAST_OVERLAP - is_asked_of or _differs(said, held, asked):
        return None
    own = held.telling - asked.stems.keys() - everywhere
    if len(shared) < COVERED * len(own) and longest_run(said.words, held.words) < RUN + 2:
        return None
    return Match("overlap", (len(shared),))


def command(said: Sentence, held: Sentence, asked: Sentence) -> Match | None:
    """The match of words that a tool was given in the memory's very order."""
    new = held.telling & said.telling - asked.stems.keys()
    if len(new) < LEAST_OVERLAP or _differs(said, held, asked):
        return None
    run = longest_run(said.words, held.words)
    return Match("command", (run,)) if run >= RUN else None


def longest_run(first: tuple[str, ...], second: tuple[str, ...]) -> int:
    """Length of the longest run of words that both have in one go."""
    best, before = 0, [0] * (len(second) + 1)
    for word in first:
        row = [0] * (len(second) + 1)
        for at, other in enumerate(second, 1):
            if word == other:
                row[at] = before[at - 1] + 1
        best, before = max(best, *row), row
    return best


def stems_everywhere(memories: Iterable[tuple[Sentence, ...]]) -> frozenset[str]:
    """Stems that a third of the memories have, and more than two of them."""
    texts = [frozenset(stem for one in memory for stem in one.stems) for memory in memories]
    count = Counter(stem for stems in texts for stem in stems)
    return frozenset(stem for stem, n in count.items() if n > max(2, len(texts) / 3))


def _around(held: Sentence, key: str, context: frozenset[str]) -> int:
    """What the memory has around the key that was said or asked too: 2 a word, 1 a common one.

    A name counts 1: that a memory is of the person who was asked about does not tell which it is.
    """
    own = Counter(stem_words(key))
    around = {stem for stem in held.stems.keys() & context if held.stems[stem] > own[stem]}
    return 2 * len(around) - len(around & held.weak)


def _differs(said: Sentence, held: Sentence, asked: Sentence) -> bool:
    """Whether both name numbers or codes of their own, and none in common."""
    mine = (held.numbers | held.firm) - asked.numbers - asked.firm
    others = (said.numbers | said.firm) - asked.numbers - asked.firm
    return bool(mine and others) and not mine & others


def _is_firm(name: str) -> bool:
    """Whether it names one thing: long enough, and more than a number, time or date."""
    bare = normal_form(name)
    is_version = bare.count(".") >= 2 and bare.replace(".", "").isdigit()
    return len(bare) >= SHORT_KEY and (is_version or any(c.isalpha() for c in bare))
