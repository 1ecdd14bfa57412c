"""The row that the matrix learner found, as a prior mean for the residual's lane features. Pure.

A broken lane shows in the matrix after a hundred pages, in the residual after a thousand. Where the
library is sure of a row, the residual starts from it; as its ridge falls, the clicks take over.
"""

from functools import cache

import numpy as np

from feedback.lanes import CONTRAST_K, contrasts, rank_terms
from feedback.library import TypeRows, deltas, normalised
from feedback.posterior import DISTANCE, MatrixState
from feedback.residual import SCALE, Array

# Standard errors of the best row's gain at which it begins to count, whole one above. The best of
# 174 rows is at 2 by chance too often: healthy banks lost a tenth of their gain at 300 recalls.
SURE = 3.0
DEPTH = 50  # ranks over which one row is told by another's base and contrasts
DECIMALS = 9  # of weights, in what is remembered


def with_row(prior: Array, state: MatrixState, rows: TypeRows) -> Array:
    """`prior` (F,) with its contrasts and slope moved to the library's best row, if it is sure."""
    best, sureness = surest(state)
    if sureness <= SURE:
        return prior
    known = state.count / max(float(state.count.sum()), 1e-12)
    weights, rrf_k = normalised(known @ rows.weights), float(known @ rows.rrf_k)
    moved = min(1.0, sureness - SURE) * _told(tuple(weights.round(DECIMALS)), rrf_k, best)
    changed = prior.copy()
    changed[-len(moved) :] += moved
    return changed


def surest(state: MatrixState) -> tuple[int, float]:
    """The row of the library with the surest gain over all types, and how sure (z)."""
    size = np.abs(deltas(len(state.channels))).sum(axis=1)
    gain, square = state.gain.sum(axis=0), state.square.sum(axis=0)
    z = (gain - DISTANCE * size) / np.sqrt(square + 1.0)
    best = int(np.argmax(z))
    return best, float(z[best])


@cache
def _told(weights: tuple[float, ...], rrf_k: float, best: int) -> Array:
    """Weights of contrasts and slope, (C,), under which the base scores as that row would.

    A memory's scores are sums over lanes, so memories of one lane each say all; a memory at rank r
    counts 1 / r, for that is where the order is read. Exact while both rows share the contrasts'
    constant.
    """
    channels = len(weights)
    change = deltas(channels)[best]
    own = np.array(weights)
    other = normalised(own * np.exp(change[:-1]))
    other_k = rrf_k * float(np.exp(change[-1]))
    ranks = np.kron(np.eye(channels, dtype=np.int16), np.arange(1, DEPTH + 1, dtype=np.int16)).T
    base = SCALE * rank_terms(ranks, rrf_k) @ own / own.sum()
    aim = SCALE * rank_terms(ranks, other_k) @ other / other.sum()
    table = np.column_stack([rank_terms(ranks, CONTRAST_K) @ contrasts(channels).T, base])
    heed = np.sqrt(1.0 / ranks.max(axis=1))[:, None]
    found: Array = np.linalg.lstsq(heed * table, heed[:, 0] * (aim - base), rcond=None)[0]
    found.flags.writeable = False
    return found
