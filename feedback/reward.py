"""What an engagement says about relevance, once position and accident are taken out. Pure.

Affine inverse propensity (Vardasbi, Oosterhuis & de Rijke, CIKM 2020): a click at p says c / theta,
less the rate of clicks on what is irrelevant. Without that term the learner has a seventh of its
gain. The reward model imputes what was not shown (doubly robust, Dudik et al. 2011).
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from feedback.impression import TYPES, Impression

CLIP = 3.0  # most that one engagement can be worth
EPS_PRIOR, EPS_MASS = 0.08, 150.0  # rate of clicks by accident, and the looks it is believed for
DEEP = range(6, 11)  # positions where what is clicked is seldom what was asked for
RIDGE = 5.0
RAMP = 100.0  # impressions at which the model of a type counts half: sooner it wrecks rare types
MOST_REWARD = 0.8
MODEL_K = 60.0  # of the rank terms 61 / (60 + rank) that the model sees
REFIT = 5  # updates between two fits

Array = NDArray[np.float64]


@dataclass
class Accidents:
    """The running rate of engagement by accident: c.f. EPS_PRIOR."""

    clicked: float = 0.0
    looked: float = 0.0

    @property
    def rate(self) -> float:
        """Clicks per look at an irrelevant memory."""
        return (EPS_PRIOR * EPS_MASS + self.clicked) / (EPS_MASS + self.looked)

    def pair(self) -> list[float]:
        """Both counts, for a state's bytes."""
        return [self.clicked, self.looked]

    def count(self, one: Impression, seen: Array, weight: float) -> None:
        """Take in what the lower positions of a page got."""
        deep = np.isin(one.positions, DEEP) & one.exposed
        self.clicked += weight * float(one.clicks[deep].sum())
        self.looked += weight * float(seen[deep].sum())


def corrected(one: Impression, seen: Array, rate: float) -> tuple[Array, Array]:
    """Corrected engagement of the shown and the share of it that one look carries, each (k,).

    E[corrected] = share * relevance-beyond-accident: 0 for a shown irrelevant memory, clipped or
    not. What was not exposed is 0 in both.
    """
    share = np.where(one.exposed, np.minimum(1.0, CLIP * seen), 0.0)
    value = np.clip(one.engagement / seen, -CLIP, CLIP)
    return np.where(one.exposed, value, 0.0) - rate * share, share


def rank_features(ranks: NDArray[np.int16], channels: tuple[str, ...]) -> Array:
    """Shape (n, 2 + 2 C): 1, rank terms, their fourth powers, both of semantic and keyword."""
    terms = np.where(ranks > 0, (MODEL_K + 1) / (MODEL_K + ranks), 0.0)
    both = np.ones(len(ranks))
    for name in ("semantic", "keyword"):
        if name in channels:
            both = np.minimum(both, terms[:, channels.index(name)])
    return np.column_stack([np.ones(len(ranks)), terms, terms**4, both])


@dataclass
class RewardModel:
    """Ridge regression of corrected engagement on rank features: pooled, plus a part per type."""

    gram: Array  # (T, f, f)
    moment: Array  # (T, f)
    beta: Array  # (T, f), as last fitted
    updates: int = 0

    @classmethod
    def empty(cls, channels: int) -> "RewardModel":
        """Knows nothing: predicts 0."""
        size = 2 * channels + 2
        kinds = len(TYPES)
        return cls(np.zeros((kinds, size, size)), np.zeros((kinds, size)), np.zeros((kinds, size)))

    def predict(self, features: Array, kind: int, known: float) -> Array:
        """Reward in [0, MOST_REWARD] of each candidate, held back while `known` is small."""
        trust = known / (known + RAMP)
        reward: Array = np.clip(features @ self.beta[kind], 0.0, MOST_REWARD) * trust
        return reward

    def learn(self, features: Array, seen: Array, value: Array, shares: Array) -> None:
        """Take in shown memories: features (k, f), weights `seen` (k,), values per look (k,)."""
        gram = (features * seen[:, None]).T @ features
        moment = features.T @ (seen * value)
        self.gram += shares[:, None, None] * gram
        self.moment += shares[:, None] * moment
        self.updates += 1
        if self.updates % REFIT == 0:
            self._fit()

    def _fit(self) -> None:
        ridge = RIDGE * np.eye(self.gram.shape[1])
        pooled = np.linalg.solve(self.gram.sum(axis=0) + ridge, self.moment.sum(axis=0))
        for kind in range(len(self.gram)):
            rest = self.moment[kind] - self.gram[kind] @ pooled
            self.beta[kind] = pooled + np.linalg.solve(self.gram[kind] + ridge, rest)


@dataclass
class RewardState:
    """Both, as a bank's state keeps them."""

    model: RewardModel
    accidents: Accidents = field(default_factory=Accidents)
