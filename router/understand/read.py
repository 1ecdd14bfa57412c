"""A question read: one value comes out, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from channels.analyser import identifiers, question_terms
from channels.base import AffectTarget, Recency, Term, Window
from channels.entities import extract_entities, normal_form
from router.understand.affect import affect_target
from router.understand.time import asks_for_date, find_window, recency_asked

NAME_WORDS = 3  # longer questions are sentences, and no entity bears one as its name


@dataclass(frozen=True, slots=True)
class Understanding:
    """What the words of a question say; the vector and the types come apart."""

    terms: tuple[Term, ...]
    identifiers: tuple[str, ...]
    entities: tuple[str, ...]
    window: Window | None
    asks_date: bool
    recency: Recency
    affect: AffectTarget | None
    fired: Mapping[str, Any] = field(default_factory=dict)  # rule -> what it matched

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
        }


def understand(text: str, asked_at: datetime, timezone: str) -> Understanding:
    """Read the question's words, time, identifiers, entities and feeling; no model, no I/O."""
    window = find_window(text, asked_at, timezone)
    asks_date = asks_for_date(text)
    recency: Recency = recency_asked(text)
    affect = affect_target(text)
    fired: dict[str, Any] = {}
    if window is not None:
        fired["window"] = window.rule
    if affect is not None:
        fired["affect"] = list(affect.cues)
    return Understanding(
        terms=question_terms(text),
        identifiers=identifiers(text),
        entities=tuple(dict.fromkeys([*extract_entities(text), *_whole(text)])),
        window=window,
        asks_date=asks_date,
        recency=recency,
        affect=affect,
        fired=fired,
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


def _whole(text: str) -> tuple[str, ...]:
    """A short question may itself be the name of an entity."""
    normal = normal_form(text)
    return (normal,) if 0 < len(normal.split()) <= NAME_WORDS else ()
