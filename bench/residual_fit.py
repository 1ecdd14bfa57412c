"""The residual ranker fitted to labels: what clicks could at best teach. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.residual_data import Judged

RIDGE = 0.3
STEPS = 30
ENOUGH = 1e-7  # a step smaller than this ends the fit
LEAST_SHARE = 1e-6  # of a step, when its length is halved

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stacked:
    """Questions one below the other, for fits in a few matrix products."""

    table: Array  # (candidates of all, F)
    base: Array
    share: Array  # (candidates of all,): 1 / relevant candidates where relevant, else 0
    starts: NDArray[np.intp]  # first candidate of each question
    sizes: NDArray[np.intp]


def fit(judged: Sequence[Judged], *, ridge: float = RIDGE) -> Array:
    """Weights (F,) of the listwise softmax likelihood of the relevant, each question one vote.

    Newton's method with halved steps; the objective is concave. Questions without a relevant
    candidate say nothing.
    """
    stacked = stack([one for one in judged if one.relevant.any()])
    weights = np.zeros(stacked.table.shape[1])
    value, slope, curvature = _likelihood(stacked, weights, ridge)
    for _ in range(STEPS):
        step = np.linalg.solve(curvature, slope)
        share = 1.0
        while share > LEAST_SHARE:
            found = _likelihood(stacked, weights + share * step, ridge)
            if found[0] >= value:
                break
            share /= 2
        weights = weights + share * step
        value, slope, curvature = found
        if share * np.abs(step).max() < ENOUGH:
            break
    return weights


def stack(judged: Sequence[Judged]) -> Stacked:
    """The questions as one table."""
    sizes = np.array([len(one.base) for one in judged])
    return Stacked(
        np.concatenate([one.table for one in judged]),
        np.concatenate([one.base for one in judged]),
        np.concatenate([one.relevant / one.relevant.sum() for one in judged]),
        np.concatenate([[0], np.cumsum(sizes)[:-1]]),
        sizes,
    )


def _likelihood(stacked: Stacked, weights: Array, ridge: float) -> tuple[float, Array, Array]:
    """Log likelihood less the ridge, its gradient, and its negated curvature."""
    score = stacked.base + stacked.table @ weights
    top = np.maximum.reduceat(score, stacked.starts)
    odds = np.exp(score - np.repeat(top, stacked.sizes))
    whole = np.add.reduceat(odds, stacked.starts)
    chosen = odds / np.repeat(whole, stacked.sizes)
    value = float(stacked.share @ score - (top + np.log(whole)).sum())
    slope = (stacked.share - chosen) @ stacked.table
    means = np.add.reduceat(chosen[:, None] * stacked.table, stacked.starts)
    curvature = (stacked.table * chosen[:, None]).T @ stacked.table - means.T @ means
    return (
        value - ridge / 2 * float(weights @ weights),
        slope - ridge * weights,
        curvature + ridge * np.eye(len(weights)),
    )
