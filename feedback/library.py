"""The candidate rows that every event judges, and where each would have ranked a candidate. Pure.

A fixed set of changes to a prior row: scoring all of them on every event needs no gradient and no
surrogate of the metric, and the same set everywhere lets banks share what they found.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FLOOR = 0.05  # of the largest weight, as router.weights: nothing is ever switched off
ALONE = (-2.8, -1.4, -0.7, 0.7, 1.4, 2.8)  # log changes of one weight
OPPOSED = (0.8, 1.6)  # of two weights against each other
TOGETHER = (-2.0, -1.0, 1.0, 2.0)  # of two weights alike
SPREAD = 60  # rows between the axes, evenly over a normal of sd 1
K_FACTORS = (4.0, 15.0, 60.0)  # of rrf_k alone: a lane found weak is heard further down
ROUNDED = 12  # decimals of a fused score: sums in another order must still tie

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TypeRows:
    """One row per type: weights (T, C), largest 1, none below FLOOR; rrf_k (T,)."""

    weights: Rows
    rrf_k: Rows


@cache
def deltas(channels: int) -> Rows:
    """Changes to log weights and log rrf_k, shape (J, channels + 1); the first is no change.

    With five channels J = 174. The last column is rrf_k's.
    """
    rows = [np.zeros(channels + 1), *_axes(channels), *_between(channels), *_constants(channels)]
    found: Rows = np.array(rows, np.float64).round(6)
    found.flags.writeable = False
    return found


def library_id(channels: int) -> str:
    """Names the set: states learnt over another one cannot be read on."""
    return hashlib.sha256(deltas(channels).tobytes()).hexdigest()[:12]


def normalised(weights: Rows) -> Rows:
    """The last axis scaled to a largest of 1 and raised to FLOOR; applied twice, the same."""
    raised: Rows = np.maximum(weights / weights.max(axis=-1, keepdims=True), FLOOR)
    return raised


def blended(rows: TypeRows, types: Rows) -> tuple[Rows, float]:
    """The row a question of these type probabilities (T,) is served with: weights (C,), rrf_k."""
    return normalised(types @ rows.weights), float(types @ rows.rrf_k)


def rows_of(weights: Rows, rrf_k: float) -> tuple[Rows, Rows]:
    """The library around a prior row: weights (J, C) and rrf_k (J,)."""
    changes = deltas(len(weights))
    return normalised(weights * np.exp(changes[:, :-1])), rrf_k * np.exp(changes[:, -1])


def rank_table(ranks: NDArray[np.int16], weights: Rows, rrf_k: Rows) -> NDArray[np.int32]:
    """The rank that each row gives each candidate, shape (n, J), from 1.

    `ranks` (n, C), 0 = not returned. Ties as in the fusion: best channel rank, then the order in
    which the candidates come.
    """
    n, rows = len(ranks), len(weights)
    table = np.empty((rows, n), np.int32)
    if n == 0:
        return table.T
    returned = ranks > 0
    best = np.where(returned, ranks, np.iinfo(np.int16).max).min(axis=1)
    order = np.argsort(best, kind="stable")
    there, known = returned[order], ranks[order].astype(np.float64)
    place = np.arange(1, n + 1, dtype=np.int32)
    for k in np.unique(rrf_k):
        same = np.flatnonzero(rrf_k == k)
        votes = np.where(there, 1.0 / (k + known), 0.0)
        scores = np.round(weights[same] @ votes.T, ROUNDED)
        by_score = order[np.argsort(-scores, axis=1, kind="stable")]
        table[same[:, None], by_score] = place
    return table.T


def leaders(ranks: NDArray[np.int16], weights: Rows, rrf_k: Rows, top: int) -> NDArray[np.intp]:
    """The candidates that each row ranks first, best first: shape (J, min(top, n)).

    The same order as in `rank_table`, without sorting the rest: scores become whole numbers of the
    last decimal that counts, and the tie-break is their lowest part.
    """
    n, rows = len(ranks), len(weights)
    first = min(top, n)
    best = np.empty((rows, first), np.intp)
    if first == 0:
        return best
    returned = ranks > 0
    order = np.argsort(np.where(returned, ranks, np.iinfo(np.int16).max).min(axis=1), kind="stable")
    there, known = returned[order], ranks[order].astype(np.float64)
    later = np.arange(n - 1, -1, -1)
    for k in set(rrf_k.tolist()):
        same = np.flatnonzero(rrf_k == k)
        votes = np.where(there, 1.0 / (k + known), 0.0)
        scores = np.rint((weights[same] @ votes.T) * 10.0**ROUNDED).astype(np.int64)
        keys = np.partition(scores * n + later, n - first, axis=1)[:, n - first :]
        keys.sort(axis=1)
        best[same] = order[n - 1 - keys[:, ::-1] % n]
    return best


def _axes(channels: int) -> Iterator[Rows]:
    for channel in range(channels):
        for step in ALONE:
            yield _change(channels, {channel: step})
    for step in OPPOSED:
        for up, down in permutations(range(channels), 2):
            yield _change(channels, {up: step, down: -step})
    for step in TOGETHER:
        for one, other in combinations(range(channels), 2):
            yield _change(channels, {one: step, other: step})


def _between(channels: int) -> Iterator[Rows]:
    """Points of a Halton sequence through the inverse normal: even, and the same everywhere."""
    primes = [
        number for number in range(2, 100) if all(number % other for other in range(2, number))
    ]
    for point in range(1, SPREAD + 1):
        shares = [_radical_inverse(point, prime) for prime in primes[:channels]]
        yield np.array([*map(NormalDist().inv_cdf, shares), 0.0])


def _constants(channels: int) -> Iterator[Rows]:
    for factor in K_FACTORS:
        yield np.append(np.zeros(channels), np.log(factor))


def _change(channels: int, steps: dict[int, float]) -> Rows:
    row = np.zeros(channels + 1)
    for channel, step in steps.items():
        row[channel] = step
    return row


def _radical_inverse(number: int, base: int) -> float:
    value, digit = 0.0, 1.0 / base
    while number:
        number, rest = divmod(number, base)
        value += rest * digit
        digit /= base
    return value
