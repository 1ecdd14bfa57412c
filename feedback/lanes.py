"""Ranks of the lanes as a linear model uses them: the base, and what it leaves out. Pure."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

CONTRAST_K = (
    1.0  # of the contrasts' rank terms: that of the default rows, so that any row can be told
)

Array = NDArray[np.float64]


def rank_terms(ranks: NDArray[np.int16], rrf_k: float) -> Array:
    """(k + 1) / (k + rank), in (0, 1]; 0 where a lane did not return the memory. Shape of ranks."""
    terms: Array = np.where(ranks > 0, (rrf_k + 1.0) / (rrf_k + ranks), 0.0)
    return terms


def base_scores(ranks: NDArray[np.int16], weights: Array, rrf_k: float) -> Array:
    """The fused score of each candidate, (n,), scaled to [0, 1]: first in every lane is 1."""
    scores: Array = rank_terms(ranks, rrf_k) @ weights / weights.sum()
    return scores


def contrast_scores(ranks: NDArray[np.int16]) -> Array:
    """How the lanes disagree, (n, C - 1), centred over the candidates."""
    found = rank_terms(ranks, CONTRAST_K) @ contrasts(ranks.shape[1]).T
    centred: Array = found - found.mean(axis=0, keepdims=True)
    return centred


@cache
def contrasts(channels: int) -> Array:
    """Orthonormal rows (C - 1, C), each summing to 0 (Helmert): the same for every row of weights.

    A basis that followed the served weights would turn under the learner with each new version.
    """
    rows = np.zeros((channels - 1, channels))
    for place in range(1, channels):
        rows[place - 1, :place] = 1.0
        rows[place - 1, place] = -place
        rows[place - 1] /= (place * (place + 1)) ** 0.5
    rows.flags.writeable = False
    return rows
