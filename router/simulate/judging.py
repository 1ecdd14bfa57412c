"""How well the log of the default rows tells better rows from worse ones, without serving them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feedback.impression import Impression
from feedback.library import TypeRows, blended, normalised
from feedback.offpolicy import compare
from feedback.posterior import MatrixState
from router.presets import CHANNELS
from router.simulate.cases import DISCOUNT, Case, best
from router.simulate.gathering import Advance, Pool
from router.simulate.scoring import Half
from router.simulate.stream import Traffic, impression

CANDIDATES = 60  # rows judged: half anywhere, half near the default
FAR, NEAR = 1.0, 0.3  # sd of their log changes
SIZES = (500, 2_000)  # closed recalls on record
REPEATS = 3  # logs of each half, at most one a seed


def judged(
    pool: Pool, halves: Sequence[Half], seeds: Sequence[int], advance: Advance
) -> dict[str, Any]:
    """Rank correlation of both estimates with the truth, and how often a gate at 95 % is wrong.

    Truth: mean DCG at 10 of the same questions by their labels, less that of the default.
    """
    told: dict[int, list[dict[str, float]]] = {size: [] for size in SIZES}
    for half in halves:
        for seed in seeds[:REPEATS]:
            rows = _candidates(pool.default, seed)
            truth = _truths(half.asked, rows, pool.default)
            state, log = _log(half.asked, pool.default, seed)
            for size in SIZES:
                told[size].append(_judged(log[:size], state, rows, pool.default, truth))
                advance("live", 1)
    return {
        "sizes": {
            str(size): {name: float(np.mean([one[name] for one in its])) for name in its[0]}
            for size, its in told.items()
        }
    }


def _candidates(default: TypeRows, seed: int) -> list[TypeRows]:
    rng = np.random.default_rng([seed, CANDIDATES])
    found = []
    for number in range(CANDIDATES):
        width = FAR if number % 2 else NEAR
        change = width * rng.standard_normal(default.weights.shape[1])
        factor = float(np.exp(width * rng.standard_normal()))
        weights = normalised(default.weights * np.exp(change))
        found.append(TypeRows(weights, np.clip(default.rrf_k * factor, 0.5, 1_000.0)))
    return found


def _truths(
    cases: Sequence[Case], rows: Sequence[TypeRows], default: TypeRows
) -> NDArray[np.float64]:
    start = _dcg(cases, default)
    return np.array([_dcg(cases, one) - start for one in rows])


def _dcg(cases: Sequence[Case], rows: TypeRows) -> float:
    total = 0.0
    for case in cases:
        top = best(case, *blended(rows, case.types))
        total += float(case.relevant[top] @ DISCOUNT[: len(top)])
    return total / len(cases)


def _log(
    cases: Sequence[Case], default: TypeRows, seed: int
) -> tuple[dict[int, MatrixState], list[Impression]]:
    """The default's impressions, and what the learner had made of them at each size."""
    rng, state = np.random.default_rng(seed), MatrixState.empty(CHANNELS)
    log: list[Impression] = []
    known: dict[int, MatrixState] = {}
    for number in range(1, max(SIZES) + 1):
        case = cases[int(rng.integers(len(cases)))]
        name = f"log-{seed}-{number}"
        one, _ = impression(case, cases, default, default, Traffic(), rng, name, number)
        log.append(one)
        state.update(one, default)
        if number in SIZES:
            known[number] = MatrixState.load(state.dump())
    return known, log


def _judged(
    log: Sequence[Impression],
    known: dict[int, MatrixState],
    rows: Sequence[TypeRows],
    default: TypeRows,
    truth: NDArray[np.float64],
) -> dict[str, float]:
    state = known[len(log)]
    rate = state.accidents.rate
    values = [compare(log, one, default, state.reward, rate) for one in rows]
    robust = np.array([one.gain.mean for one in values])
    affine = np.array([one.affine.mean for one in values])
    passed = {
        "robust": np.array([one.gain.low > 0 for one in values]),
        "affine": np.array([one.affine.low > 0 for one in values]),
    }
    found = {
        "robust_spearman": spearman(robust, truth),
        "affine_spearman": spearman(affine, truth),
        "regret_of_best": float(truth.max() - truth[int(np.argmax(robust))]),
        "better": float(np.mean(truth > 0)),
    }
    for name, its in passed.items():
        found[f"{name}_promoted"] = float(its.mean())
        found[f"{name}_false"] = float(np.mean(its & (truth <= 0)))
    return found


def spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Rank correlation; ties by position, which real-valued estimates hardly have."""
    ranks = [np.argsort(np.argsort(values, kind="stable")) for values in (one, other)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])
