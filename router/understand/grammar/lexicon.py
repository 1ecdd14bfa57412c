"""What a language brings to the grammar: its words, and phrase templates that become rules."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from router.understand.grammar.calendar import Span
from router.understand.grammar.clock import Clock

Words = Mapping[str, int]
Read = Callable[[re.Match[str], Clock, "Language"], Span | None]


@dataclass(frozen=True, slots=True)
class Language:
    """The words of one language, lower case, each with the value it stands for."""

    name: str
    months: Words  # 1..12
    weekdays: Words  # Monday = 0
    units: Mapping[str, str]
    numbers: Words
    days: Words = field(default_factory=dict)  # yesterday = -1
    seasons: Words = field(default_factory=dict)  # spring = 1 .. winter = 4
    parts: Mapping[str, str] = field(default_factory=dict)
    spaced: bool = True  # words stand apart; False for Chinese and Japanese


@dataclass(frozen=True, slots=True)
class Rule:
    """One pattern and what it means. Tried only where one of its needles occurs in the text."""

    name: str
    source: str
    read: Read
    language: Language
    needles: frozenset[str]
    gate: str = ""  # a cheaper pattern that must occur too, where needles say little

    def may_match(self, low: str, present: frozenset[str]) -> bool:
        """Whether the pattern is worth trying, given the needles that occur in the text."""
        if self.needles.isdisjoint(present):
            return False
        return not self.gate or _compiled(self.gate).search(low) is not None

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when first wanted: all of them take .15 s, and a command line asks once."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)


def alternatives(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in ordered)


DOM = "0?[1-9]|[12][0-9]|3[01]"
YEAR = "1[0-9]{3}|2[01][0-9]{2}"


def expand(template: str, language: Language) -> str:
    """The template with `{n}`, `{unit}`, `{month}` and so on as named groups of that language."""
    digits = "[0-9]{1,4}"
    groups = {
        "n": f"{digits}|{alternatives(language.numbers)}" if language.numbers else digits,
        "unit": alternatives(language.units),
        "month": alternatives(language.months),
        "weekday": alternatives(language.weekdays),
        "daywd": alternatives(language.days),
        "season": alternatives(language.seasons),
        "part": alternatives(language.parts),
        "dom": DOM,
        "dom2": DOM,
        "year": YEAR,
    }
    for name, pattern in groups.items():
        template = template.replace("{" + name + "}", f"(?P<{name}>{pattern})")
    if language.spaced:
        # Bounded gaps keep matching linear however long a run of spaces is.
        template = template.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}")
        return rf"(?<![\w$#@])(?:(?<![0-9][.,:/-])|(?![0-9]))(?:{template})(?!\w)"
    return template.replace(" ", r"\s{0,2}")


def rule(
    language: Language, name: str, template: str, read: Read, needles: str = "", gate: str = ""
) -> Rule:
    """A rule from a template. Without needles, the words of the template's first group serve."""
    words: Iterable[str] = needles.split()
    if not needles:
        words = _needles(template, language)
    return Rule(name, expand(template, language), read, language, frozenset(words), gate)


def _needles(template: str, language: Language) -> list[str]:
    for group, words in (
        ("{daywd}", language.days),
        ("{weekday}", language.weekdays),
        ("{month}", language.months),
        ("{season}", language.seasons),
        ("{unit}", language.units),
    ):
        if group in template:
            return _shortest(words)
    return [""]


def _shortest(words: Iterable[str]) -> list[str]:
    """The words that contain no other word of the list: enough to tell that one may occur."""
    kept: list[str] = []
    for word in sorted(set(words), key=len):
        if not any(short in word for short in kept):
            kept.append(word)
    return kept
