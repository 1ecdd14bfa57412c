"""People who click: how they look down a page and what they click. Pure.

Position-based, cascade and trust-biased users after Chuklin, Markov & de Rijke, "Click Models for
Web Search", 2015, and Vardasbi et al., CIKM 2020; parameters may come from a published file.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from channels.errors import BadInput

RELEVANT, IRRELEVANT = 0.85, 0.08  # chance of a click on what was looked at
SILENT = 0.25  # of the pages nobody engages with, whatever they show
CASCADE_STOP = 0.6  # chance that a click ends the look

Array = NDArray[np.float64]
Page = NDArray[np.bool_]  # (k,) relevance of what is shown, in the order shown
User = Callable[[np.random.Generator, Page], Array]  # engagement, (k,) in [0, 1]


@dataclass(frozen=True, slots=True)
class Position:
    """Looks at position p with chance `looks[p - 1]`, whatever stands above."""

    looks: Array
    relevant: float = RELEVANT
    irrelevant: float = IRRELEVANT
    silent: float = SILENT

    @classmethod
    def power(cls, eta: float = 1.0, **chances: float) -> "Position":
        """Looks falling as p ** -eta."""
        return cls(np.arange(1, 201, dtype=float) ** -eta, **chances)

    def __call__(self, rng: np.random.Generator, page: Page) -> Array:
        """Clicks, (k,)."""
        looked = rng.random(len(page)) < self.looks[: len(page)]
        wanted = rng.random(len(page)) < np.where(page, self.relevant, self.irrelevant)
        loud = rng.random() >= self.silent
        return (looked & wanted & loud).astype(float)


@dataclass(frozen=True, slots=True)
class Cascade:
    """Looks from the top down and mostly stops at the first click."""

    relevant: float = RELEVANT
    irrelevant: float = IRRELEVANT
    silent: float = SILENT

    def __call__(self, rng: np.random.Generator, page: Page) -> Array:
        """Clicks, (k,)."""
        clicks = np.zeros(len(page))
        if rng.random() < self.silent:
            return clicks
        for place, good in enumerate(page):
            clicks[place] = float(rng.random() < (self.relevant if good else self.irrelevant))
            if clicks[place] and rng.random() < CASCADE_STOP:
                break
        return clicks


@dataclass(frozen=True, slots=True)
class Trusting:
    """As Position, but believes the ranking: what stands high is clicked though irrelevant."""

    looks: Array
    belief: float = 0.17  # added to the chance of an irrelevant click at position 1, falling as 1/p
    relevant: float = RELEVANT
    irrelevant: float = IRRELEVANT
    silent: float = SILENT

    def __call__(self, rng: np.random.Generator, page: Page) -> Array:
        """Clicks, (k,)."""
        places = np.arange(1, len(page) + 1)
        looked = rng.random(len(page)) < self.looks[: len(page)]
        chance = np.where(page, self.relevant, self.irrelevant + self.belief / places)
        loud = rng.random() >= self.silent
        return (looked & (rng.random(len(page)) < chance) & loud).astype(float)


USERS: Mapping[str, User] = {
    "position": Position.power(),
    "steep": Position.power(1.5),
    "shallow": Position.power(2.0),
    "deep": Position.power(0.5),
    "careless": Position.power(irrelevant=0.15),
    "quiet": Position.power(silent=0.5),
    "cascade": Cascade(),
    "trusting": Trusting(Position.power().looks),
}


def published(path: Path, name: str) -> User:
    """A user from a file of click-model parameters (exam_prob, click_prob; grades 0 and 4 used).

    Raises BadInput when the file holds no position-based or trust-biased model of that name.
    """
    models = json.loads(path.read_text("utf-8"))
    if name not in models:
        raise BadInput("clicks", f"{path} has no model {name!r}; it has {', '.join(models)}")
    model = models[name]
    kind, looks = model["model_name"], model["exam_prob"]
    if kind not in ("position_biased_model", "trust_biased_model", "cascade_model"):
        raise BadInput("clicks", f"{name!r} is a {kind}, which has no curve of looks by position")
    irrelevant, relevant = float(model["click_prob"][0]), float(model["click_prob"][-1])
    if kind == "cascade_model":
        return Cascade(relevant, irrelevant)
    curve = np.concatenate([np.array(looks, float), np.full(200, float(looks[-1]))])
    if kind == "trust_biased_model":
        belief = float(model.get("extra", {}).get("epsilon_1_neg", 0.0)) - irrelevant
        return Trusting(curve, max(0.0, belief), relevant, irrelevant)
    return Position(curve, relevant, irrelevant)
