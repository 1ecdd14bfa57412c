"""Our table of words for feelings: what each points to, and whether it needs a feeling context."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from channels.arcs import dimension

Mark = Literal[
    "!", "?", "~"
]  # fires anywhere; where somebody is in a state; after a word for feeling
_MARKS: tuple[Mark, ...] = ("!", "?", "~")
_GROUP = re.compile(r"^(.*?)\(([^)]*)\)(.*)$")
# Scripts written without spaces are searched as substrings, not word by word.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class Entry:
    """What one word or phrase says about a feeling."""

    labels: Mapping[str, float]  # affect dimension -> intensity in (0, 1]
    mark: Mark  # how much context it needs, since many words have other uses
    main: str  # the dimension of the highest intensity


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Entries by their words; phrases are tuples of words."""

    entries: Mapping[tuple[str, ...], Entry]
    longest: Mapping[str, int]  # first word -> words in the longest phrase it opens
    unspaced: re.Pattern[str]  # finds entries of Chinese and Japanese in running text

    def at(self, words: Sequence[str], start: int) -> tuple[int, Entry] | None:
        """Return the longest entry that begins at `start`, with its number of words."""
        longest = self.longest.get(words[start], 0)
        for length in range(min(longest, len(words) - start), 0, -1):
            entry = self.entries.get(tuple(words[start : start + length]))
            if entry is not None:
                return length, entry
        return None

    def find(self, phrase: str) -> Entry | None:
        """Return the entry of exactly this word or phrase, whatever its case."""
        return self.entries.get(_key(phrase.casefold().strip()))

    def known(self) -> list[str]:
        """Every word and phrase, in order of the alphabet."""
        return sorted(" ".join(words) for words in self.entries)


@cache
def lexicon() -> Lexicon:
    """Return the packaged table, read once."""
    return read_table(source())


def read_table(text: str) -> Lexicon:
    """The table a text writes. Earlier lines win where a word stands twice."""
    entries: dict[tuple[str, ...], Entry] = {}
    longest: dict[str, int] = {}
    for line in text.splitlines():
        for mark in _MARKS:
            if line.startswith(mark):
                for key, entry in _parse(mark, line[1:]):
                    entries.setdefault(key, entry)
                    longest[key[0]] = max(longest.get(key[0], 0), len(key))
    unspaced = sorted(
        (key[0] for key in entries if _UNSPACED.search(key[0])), key=len, reverse=True
    )
    return Lexicon(
        entries=MappingProxyType(entries),
        longest=MappingProxyType(longest),
        unspaced=re.compile("|".join(map(re.escape, unspaced))),
    )


def source() -> str:
    """Return the table as it is written. The text model is trained with it."""
    return files("channels").joinpath("affect", "lexicon.txt").read_text(encoding="utf-8")


def _parse(mark: Mark, line: str) -> list[tuple[tuple[str, ...], Entry]]:
    """Return the entries of one line `label intensity, ... = words`."""
    left, right = line.split("=")
    labels: dict[str, float] = {}
    for part in left.split(","):
        name, intensity = part.split()
        dimension(name)  # a misspelt label must not load
        labels[name] = float(intensity)
    entry = Entry(MappingProxyType(labels), mark, main=max(labels, key=labels.__getitem__))
    return [(_key(word), entry) for pattern in right.split() for word in _expand(pattern)]


def _expand(pattern: str) -> list[str]:
    """`glad(|ly)` as glad, gladly."""
    group = _GROUP.match(pattern)
    if group is None:
        return [pattern]
    before, inner, after = group.groups()
    return [word for ending in inner.split("|") for word in _expand(f"{before}{ending}{after}")]


def _key(phrase: str) -> tuple[str, ...]:
    return tuple(re.split(r"[\s_-]+", phrase))
