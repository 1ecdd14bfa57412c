"""Who asks, and what is clicked: honest users with known biases, and spammers. Pure.

Position-based, cascade and trust-bias users; a share of traffic belongs to few spam actors.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Browsing = Literal["position", "cascade", "trust"]
Spam = Literal["random", "irrelevant", "bottom", "shortest"]
SPAM_CLICK = 0.3  # of each memory that a spammer has in view
BOTTOM = 3  # memories at the end of the page


@dataclass(frozen=True, slots=True)
class Scenario:
    """One kind of traffic. The usual one is what the bars are set on."""

    name: str = "usual"
    browsing: Browsing = "position"
    eta: float = 1.0  # examination p ** -eta, unless `looked_at` says otherwise
    looked_at: tuple[float, ...] = ()  # examination by position
    relevant: float = 0.85  # clicked when examined
    irrelevant: float = 0.08
    trust: tuple[float, ...] = ()  # clicked by trust alone, when examined, by position
    silent: float = 0.25  # of honest impressions without any click
    spam: float = 0.2  # of impressions
    spam_kind: Spam = "random"
    spammers: int = 2
    honest: int = 200
    trusted: float = 0.0  # of the honest actors: they rate by thumb half of what they click on


USUAL = Scenario()
NOISE = replace(USUAL, name="noise", relevant=USUAL.irrelevant)
COLLUSION = replace(USUAL, name="collusion", spam_kind="shortest", spammers=40)
RATED = 0.5  # of a trusted actor's pages with clicks


@dataclass(frozen=True, slots=True)
class Look:
    """What one actor did with a page of k memories."""

    actor: str
    clicks: Array  # (k,) of 0 and 1
    trusted: bool = False
    rated: bool = False  # by thumb: deliberately


def scenarios(parameters: Mapping[str, Mapping[str, object]] | None) -> list[Scenario]:
    """What may go wrong; with published click parameters (see `published`), those users too."""
    found = [
        replace(USUAL, name="eta_half", eta=0.5),
        replace(USUAL, name="eta_two", eta=2.0),
        replace(USUAL, name="cascade", browsing="cascade"),
        replace(USUAL, name="trust", browsing="trust", trust=_falling(0.17)),
        replace(USUAL, name="spam_irrelevant", spam_kind="irrelevant"),
        replace(USUAL, name="spam_bottom", spam_kind="bottom"),
        replace(USUAL, name="spam_shortest", spam_kind="shortest"),
        replace(USUAL, name="half_silent", silent=0.5),
        replace(USUAL, name="trusted_tenth", trusted=0.1),
        COLLUSION,
        replace(COLLUSION, name="collusion_trusted_twentieth", trusted=0.05),
        replace(COLLUSION, name="collusion_trusted_tenth", trusted=0.1),
    ]
    return found + ([] if parameters is None else _as_published(parameters))


def published(path: Path) -> Mapping[str, Mapping[str, object]]:
    """Click parameters of the ULTRA toolbox by model."""
    known: Mapping[str, Mapping[str, object]] = json.loads(path.read_text("utf-8"))
    return known


def _as_published(parameters: Mapping[str, Mapping[str, object]]) -> list[Scenario]:
    """Binary relevance takes the ends of the published grades."""
    position = parameters["pbm_0.1_1.0_4_1.0"]
    trusting = parameters["trust_bias"]
    extra = trusting["extra"]
    assert isinstance(extra, dict)  # noqa: S101 - the file's own layout
    grades, looks = position["click_prob"], position["exam_prob"]
    assert isinstance(grades, list)  # noqa: S101
    assert isinstance(looks, list)  # noqa: S101
    low, high = float(grades[0]), float(grades[-1])
    like = replace(USUAL, relevant=high, irrelevant=low, looked_at=tuple(map(float, looks)))
    first = float(extra["epsilon_1_neg"])
    return [
        replace(like, name="published_position"),
        replace(like, name="published_cascade", browsing="cascade"),
        replace(like, name="published_trust", browsing="trust", trust=_falling(first)),
    ]


def _falling(first: float) -> tuple[float, ...]:
    return tuple(first / place for place in range(1, 11))


@dataclass
class Crowd:
    """Draws actors and their clicks for pages of at most ten."""

    scenario: Scenario
    rng: np.random.Generator

    def impression(self, relevant: NDArray[np.bool_], length: NDArray[np.float32]) -> Look:
        """Who looks at a page shown in that order, and what is clicked."""
        if self.rng.random() < self.scenario.spam:
            actor = f"spam{self.rng.integers(self.scenario.spammers)}"
            return Look(actor, self._spam(relevant, length))
        number = int(self.rng.integers(self.scenario.honest))
        trusted = number < self.scenario.trusted * self.scenario.honest
        if self.rng.random() < self.scenario.silent:
            return Look(f"user{number}", np.zeros(len(relevant)), trusted)
        clicks = self._honest(relevant)
        rated = trusted and bool(clicks.any()) and self.rng.random() < RATED
        return Look(f"user{number}", clicks, trusted, rated)

    def _honest(self, relevant: NDArray[np.bool_]) -> Array:
        traffic, k = self.scenario, len(relevant)
        seen = np.arange(1, k + 1, dtype=np.float64) ** -traffic.eta
        if traffic.looked_at:
            seen = np.array(traffic.looked_at[:k])
        attracted = np.where(relevant, traffic.relevant, traffic.irrelevant)
        if traffic.trust:
            attracted = attracted + (1 - attracted) * np.array(traffic.trust[:k])
        if traffic.browsing != "cascade":
            return (self.rng.random(k) < seen * attracted).astype(np.float64)
        clicks = np.zeros(k)
        clicked = np.flatnonzero(self.rng.random(k) < attracted)
        clicks[clicked[:1]] = 1.0  # goes down the page and leaves with the first
        return clicks

    def _spam(self, relevant: NDArray[np.bool_], length: NDArray[np.float32]) -> Array:
        k = len(relevant)
        match self.scenario.spam_kind:
            case "random":
                aimed = np.ones(k, bool)
            case "irrelevant":
                aimed = ~relevant
            case "bottom":
                aimed = np.arange(k) >= k - BOTTOM
            case "shortest":
                clicks = np.zeros(k)
                clicks[int(np.argmin(length))] = 1.0
                return clicks
        return (aimed & (self.rng.random(k) < SPAM_CLICK)).astype(np.float64)
