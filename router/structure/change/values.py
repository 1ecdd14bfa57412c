"""One subject, another value: "the deadline is Friday", "the deadline is Tuesday". Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from router.structure.change.cues import Fired
from router.structure.change.text import FIRST_PERSON, NEGATION, Sentence, stems

Kind = Literal["date", "time", "version", "number", "code", "name", "place", "other"]
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
)
_KINDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("time", re.compile(r"^(?:at )?\d{1,2}(?::\d\d| ?[ap]\.?m\b)", re.IGNORECASE)),
    ("date", re.compile(
        rf"^(?:on |in |by |the )*(?:next |this |last )?(?:{_DAYS}|{_MONTHS}|today|tomorrow|"
        rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS})\b", re.IGNORECASE)),
    ("version", re.compile(r"^(?:version |v)?\d+(?:\.\d+)+\b", re.IGNORECASE)),
    ("code", re.compile(r"^(?=\S*\d)(?=\S*[A-Za-z-])[\w.-]+$")),
    ("number", re.compile(r"^[$€£]?\d[\d.,]*")),
    ("place", re.compile(r"^in (?:the )?[A-Z]\w+")),
    ("name", re.compile(
        r"^(?:[A-Z][\w.+#'-]*)(?: (?:of |the |de |van )?[A-Z][\w.+#'-]*)*$|^[\"'`].+[\"'`]$")),
)  # fmt: skip
_NOW = re.compile(
    r"\b(?:now|from now on|these days|currently|nowadays|again|already|as of \w+)\b ?", re.I
)
_CUT = re.compile(
    r"(?:,| (?:since|because|for|with|from|and|but|until|after|before|in|as|so|instead|rather)\b)"
    r".*$"
)
# Relations of which a subject has one at a time.
_ONE = (
    ("live in", r"lives? in|is living in|moved to|relocated to"),
    ("work at", r"works? (?:at|for)"),
    ("cost", r"costs?"),
    ("open at", r"opens? at"),
    ("close at", r"closes? at"),
    ("start at", r"starts? (?:at|on)"),
    ("report to", r"reports? to"),
    ("run version", r"(?:runs?|uses?) version"),
    ("called", r"(?:is|are) (?:called|named)"),
    ("based in", r"(?:is|are) based in"),
    ("set to", r"(?:is|are) set to"),
)
_RELATIONS = tuple(
    (name, re.compile(rf"^(?P<s>.+?)\s+(?:{verb})\s+(?P<v>.+)$", re.IGNORECASE))
    for name, verb in _ONE
)
_ASSIGNED = re.compile(
    r"^(?:set )?(?P<s>[\w./-]*(?:_|[a-z]\.[a-z]|[A-Z]{2})[\w./-]*)\s*(?:=|:)\s*(?P<v>\S.*)$"
)
_IS = re.compile(r"^(?P<s>.+?)\s+(?:is|are|will be)\s+(?P<v>.+)$", re.IGNORECASE)
_DEFINITE = re.compile(
    r"^(?:the|our|my|his|her|their|its|your) |^[\w-]+(?: [\w-]+)?(?:'s|s') |^[A-Z][A-Z0-9_]{2,}$",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:the|our|my|his|her|their|its|your|a|an) ", re.IGNORECASE)
_PLAIN = frozenset({"time", "date"})  # kinds that a bare subject may have: "standup is at 9:30"
_WORD = re.compile(r"[\w'-]+")


@dataclass(frozen=True, slots=True)
class Fact:
    """What a sentence says of a subject that has one such value at a time."""

    subject: tuple[str, ...]
    relation: str
    value: str
    kind: Kind
    own: bool  # the subject is the speaker, or the speaker's


@lru_cache(maxsize=4_096)
def fact_of(text: str) -> Fact | None:
    """The fact that a sentence states, or None."""
    if NEGATION.search(text):
        return None
    plain = " ".join(_NOW.sub("", text).split())
    for relation, pattern in _RELATIONS:
        if found := pattern.search(plain):
            return _fact(found["s"], relation, _CUT.sub("", found["v"]))
    if found := _ASSIGNED.search(plain):
        return _fact(found["s"], "set to", found["v"])
    found = _IS.search(plain)
    if found is None:
        return None
    fact = _fact(
        found["s"], "is", found["v"] if _KINDS[5][1].match(found["v"]) else _CUT.sub("", found["v"])
    )
    if fact is None or fact.kind == "other":
        return None
    return fact if _DEFINITE.match(found["s"]) or fact.kind in _PLAIN else None


def changed_value(older: Sentence, newer: Sentence) -> Fired:
    """Both say the same of one subject, with another value of one kind."""
    new = fact_of(newer.text)
    old = fact_of(older.text) if new else None
    if old is None or new is None or not _comparable(old, new):
        return None
    return {"words": newer.text, "old": old.value, "new": new.value}


def is_own(sentence: Sentence) -> bool:
    """Whether it is about its speaker."""
    return bool(FIRST_PERSON.search(sentence.text))


def _comparable(old: Fact, new: Fact) -> bool:
    if (old.subject, old.relation, old.kind, old.own) != (
        new.subject,
        new.relation,
        new.kind,
        new.own,
    ):
        return False
    if _plain(old.value) == _plain(new.value):
        return False
    return old.kind != "number" or _unit(old.value) == _unit(new.value)


def _fact(subject: str, relation: str, value: str) -> Fact | None:
    bare = _LEADING.sub("", subject)
    words = tuple(word.lower() for word in _WORD.findall(bare))
    value = value.strip(" \"'")
    if not 1 <= len(words) <= 7 or not value or len(value) > 80:
        return None
    return Fact(words, relation, value, kind_of(value), bool(FIRST_PERSON.search(subject)))


def kind_of(value: str) -> Kind:
    """What kind of thing a value is, by its form."""
    return next((kind for kind, pattern in _KINDS if pattern.search(value)), "other")


def _plain(value: str) -> str:
    return " ".join(_WORD.findall(value.casefold()))


def _unit(value: str) -> frozenset[str]:
    """What a number counts; the words behind it, and a currency sign before."""
    return stems(re.sub(r"[\d.,]+", " ", value)) | frozenset(set(value) & set("$€£%"))
