"""Learners that must fail on the bed, or the bed has no teeth. Never served."""

from dataclasses import dataclass, replace

import numpy as np

from bench.residual_data import Array
from feedback.examination import ETA
from feedback.impression import Impression
from feedback.lanes import base_scores, contrast_scores
from feedback.library import TypeRows, blended
from feedback.residual import RIDGE_LAST, SCALE, ResidualState, design
from feedback.reward import CLIP

RATE = 0.05  # of the naive pairs' steps


class Hasty(ResidualState):
    """The ridge does not fall with evidence: it is small from the first click (K = 0)."""

    def _ridge(self) -> float:
        return RIDGE_LAST


class Unbounded(ResidualState):
    """Neither a cap on an actor's evidence nor one vote a page."""

    def update(self, one: Impression, rows: TypeRows, prior: Array, *, eta: float = ETA) -> bool:
        return super().update(replace(one, trusted=True), rows, prior, eta=eta)

    def _vote(self, weight: float, total: float) -> float:
        return 1.0


@dataclass
class Pairs(ResidualState):
    """Clicked above skipped-above, one gradient step each: the textbook's first idea."""

    def update(self, one: Impression, rows: TypeRows, prior: Array, *, eta: float = ETA) -> bool:
        table, base = _page(one, rows)
        score = base + table @ self.weights
        for place in np.flatnonzero(one.clicks > 0):
            for above in range(int(place)):
                if one.clicks[above] == 0:
                    short = 1.0 / (1.0 + np.exp(score[place] - score[above]))
                    self.weights = self.weights + RATE * short * (table[place] - table[above])
        return True


@dataclass
class PlainPropensity(ResidualState):
    """Listwise, each click worth 1 / examination: without the term for clicks by accident."""

    def update(self, one: Impression, rows: TypeRows, prior: Array, *, eta: float = ETA) -> bool:
        weight = self.voices.weight(one.actor, one.api_key, trusted=one.trusted)
        total = float(one.clicks.sum())
        if total == 0:
            return True
        worth = np.minimum(one.clicks * one.positions.astype(np.float64) ** eta, CLIP)
        table, base = _page(one, rows)
        odds = np.exp(base + table @ self.weights - (base + table @ self.weights).max())
        chosen = odds / odds.sum()
        centred = table - chosen @ table
        fisher = float(worth.sum()) * (centred.T * chosen) @ centred
        vote = self._vote(weight, total)
        self.gram += vote * fisher
        self.moment += vote * (worth @ centred + fisher @ self.weights)
        self.clicks += vote * min(total, 2.0)
        ridge = np.full(len(self.weights), self._ridge())
        best = np.linalg.solve(self.gram + np.diag(ridge), self.moment + ridge * prior)
        self.weights = self.weights + np.clip(best - self.weights, -0.1, 0.1)
        return True


def _page(one: Impression, rows: TypeRows) -> tuple[Array, Array]:
    weights, rrf_k = blended(rows, one.types)
    base = SCALE * base_scores(one.ranks, weights, rrf_k)[one.page]
    logged = one.features
    assert logged is not None  # noqa: S101 - the bed always gives them
    return design(logged, contrast_scores(one.ranks)[one.page], base), base
