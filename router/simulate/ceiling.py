"""The best rows that labels could find: what a learner's gain is measured against. Pure."""

from collections.abc import Sequence

import numpy as np

from feedback.impression import TYPES
from feedback.library import TypeRows, normalised, rows_of
from router.simulate.cases import Case, main_types, mean_ndcg

BUDGET = 240  # rows tried for one row, and again for each type's own
WIDE, NARROW = 0.6, 0.2  # sd of a try's log change
LEAST_CASES = 20  # of a type, below which it keeps the common row: it would fit noise


def fitted_ceiling(cases: Sequence[Case], start: TypeRows, *, seed: int) -> TypeRows:
    """Evolution search on labelled cases: one row for all types first, then a row per type.

    No true upper bound: a learner may find better rows for unseen questions.
    """
    rng = np.random.default_rng(seed)
    best = _search(cases, start, rng, np.ones(len(TYPES), bool))
    main = main_types(cases)
    for kind in range(len(TYPES)):
        own = [case for case, its in zip(cases, main, strict=True) if its == kind]
        if len(own) >= LEAST_CASES:
            best = _search(own, best, rng, np.arange(len(TYPES)) == kind, budget=BUDGET // 4)
    return best


def best_library_row(cases: Sequence[Case], start: TypeRows) -> TypeRows:
    """The one row of the library around the general default that scores highest."""
    weights, rrf_k = rows_of(start.weights[-1], float(start.rrf_k[-1]))
    tried = [
        TypeRows(np.tile(row, (len(TYPES), 1)), np.full(len(TYPES), k))
        for row, k in zip(weights, rrf_k, strict=True)
    ]
    return max(tried, key=lambda rows: mean_ndcg(cases, rows))


def _search(
    cases: Sequence[Case],
    start: TypeRows,
    rng: np.random.Generator,
    free: np.ndarray,
    *,
    budget: int = BUDGET,
) -> TypeRows:
    best, score = start, mean_ndcg(cases, start)
    for step in range(budget):
        width = NARROW if step % 3 == 0 else WIDE
        change = np.exp(width * rng.standard_normal(start.weights.shape[1]))
        factor = np.exp(width * rng.standard_normal())
        weights = np.where(free[:, None], normalised(best.weights * change), best.weights)
        rrf_k = np.where(free, np.clip(best.rrf_k * factor, 0.5, 1_000.0), best.rrf_k)
        tried = TypeRows(weights, rrf_k)
        found = mean_ndcg(cases, tried)
        if found > score:
            best, score = tried, found
    return best
