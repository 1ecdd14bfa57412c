"""A question read: one value comes out, and why."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from channels.analyser import identifiers, question_terms
from channels.base import AffectTarget, Recency, Term, Window
from channels.entities import entity_rules, normal_form
from channels.operators import quotes
from router.understand.affect import read_feeling
from router.understand.customs import USUAL, Customs
from router.understand.shapes import shape_of
from router.understand.time import date_words, find_window, ready, recency_words
from router.understand.typed import Typed

RULES_READY = ready()  # a process that reads questions waits at its start, not at the first one
NO_NAMES: Mapping[str, str] = MappingProxyType({})
NAME_CHARS = 100
NAME_SIGNS = 6  # of a script without spaces
UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")  # Thai, kana, Han
NAME_WORDS = 3  # longer questions are sentences, and no entity bears one as its name


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a question says: its words at once, its types when the vector is there."""

    terms: tuple[Term, ...]
    identifiers: tuple[str, ...]
    entities: tuple[str, ...]
    window: Window | None
    asks_date: bool
    recency: Recency
    affect: AffectTarget | None
    fired: Mapping[str, Any] = field(default_factory=dict)  # rule -> what it matched
    typed: Typed | None = None

    def as_json(self) -> dict[str, Any]:
        """As recorded and shown in the trace."""
        return {
            "terms": [term.text for term in self.terms],
            "identifiers": list(self.identifiers),
            "entities": list(self.entities),
            "window": window_json(self.window),
            "asks_date": self.asks_date,
            "recency": self.recency,
            "affect": None
            if self.affect is None
            else {"labels": dict(self.affect.labels), "cues": list(self.affect.cues)},
            "rules": dict(self.fired),
            "types": None if self.typed is None else self.typed.as_json(),
        }


def understand(
    text: str,
    asked_at: datetime,
    timezone: str,
    customs: Customs = USUAL,
    names: Mapping[str, str] = NO_NAMES,
) -> Understanding:
    """Read the question's words, time, identifiers, entities and feeling; no I/O.

    `names`: further names a model found, with their kinds; rules alone find the others.
    """
    window = find_window(text, asked_at, timezone, customs)
    asks = date_words(text)
    recency, newest = recency_words(text)
    feeling = read_feeling(text)
    found = identifiers(text)
    entities = _entities(text, found, names)
    if window is not None:  # neither Christmas nor a Monday is asked for by name
        entities = _without(entities, window.text)
    elif asks is None and not feeling.cues:
        entities = _or_whole(text, entities)
    fired = {
        "window": window and window.rule,
        "asks_date": asks,
        "recency": newest,
        "identifiers": {name: shape_of(name) for name in found},
        "entities": entities,
        "affect": feeling.as_json(),
        "quotes": quotes(text).as_json(),
    }
    return Understanding(
        terms=question_terms(text),
        identifiers=found,
        entities=tuple(entities),
        window=window,
        asks_date=asks is not None,
        recency=recency,
        affect=feeling.target,
        fired={rule: told for rule, told in fired.items() if told},
    )


def window_json(window: Window | None) -> dict[str, Any] | None:
    """A window as answered, times in UTC."""
    if window is None:
        return None
    return {
        "start": window.start.isoformat() if window.start else None,
        "end": window.end.isoformat() if window.end else None,
        "granularity": window.granularity,
        "text": window.text,
        "confidence": window.confidence,
    }


def _entities(text: str, known: tuple[str, ...], names: Mapping[str, str]) -> dict[str, str]:
    """Normal forms of the names asked for, with the rule that found each."""
    found = entity_rules(text, known=known)
    for name, kind in names.items():
        found.setdefault(normal_form(name), f"model:{kind}")
    found.pop("", None)
    return found


def _without(entities: Mapping[str, str], time: str) -> dict[str, str]:
    """The names that are no part of the words for a time; what is quoted stays."""
    words = f" {normal_form(time)} "
    return {
        name: rule
        for name, rule in entities.items()
        if rule == "quoted" or f" {name} " not in words
    }


def _or_whole(text: str, entities: dict[str, str]) -> dict[str, str]:
    """A question of a few words may itself be the name of an entity."""
    if len(text) > NAME_CHARS:
        return entities
    whole = normal_form(text)
    spaced = whole.isascii() or not UNSPACED.search(whole)
    if whole and (len(whole.split()) <= NAME_WORDS if spaced else len(whole) <= NAME_SIGNS):
        entities.setdefault(whole, "whole_question")
    return entities
