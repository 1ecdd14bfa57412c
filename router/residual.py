"""The residual ranker at work: the fused list in a new order, and what each feature did. Pure.

A memory's final score is SCALE times the default row's fused score, in [0, 1], plus what the
weighted features say: log odds that it is the one clicked, up to a constant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from json import loads
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.base import MemoryKey
from feedback.lanes import base_scores, contrast_scores
from feedback.residual import SCALE, design
from router.features import ranks_and_scores
from router.fuse import Fused
from router.weights import Row

PRIOR = "residual_prior.json"  # made by bench/fit_residual_prior.py
DECIMALS = 6  # of what is shown
EQUAL = 9  # decimals in which scores must differ to change places

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corrected:
    """The fused list after correction. Arrays are in the order before it."""

    fused: tuple[Fused, ...]
    row: Mapping[MemoryKey, int]  # memory -> its line in the arrays
    names: tuple[str, ...]
    base: Array  # (n,) SCALE * fused score of the default row
    parts: Array  # (n, F): weight times value of each feature
    logged: NDArray[np.float32]  # (n, features on record)

    def sum_of(self, key: MemoryKey) -> float:
        """What the features together add to a memory's base."""
        return float(self.parts[self.row[key]].sum())

    def features_of(self, fused: Sequence[Fused]) -> NDArray[np.float32]:
        """The logged features of these memories, in their order."""
        return self.logged[[self.row[item.key] for item in fused]]

    def trace(self, key: MemoryKey) -> dict[str, Any]:
        """Base, features that moved the memory, and their sum."""
        line = self.row[key]
        told = {
            name: round(float(part), DECIMALS)
            for name, part in zip(self.names, self.parts[line], strict=True)
            if part
        }
        base, added = float(self.base[line]), self.sum_of(key)
        return {"base": round(base, DECIMALS), "features": told, "residual": round(added, DECIMALS)}


def correct(
    fused: Sequence[Fused],
    channels: Sequence[str],
    default: Row,
    logged: NDArray[np.float32],
    names: tuple[str, ...],
    weights: Array,
) -> Corrected:
    """The list by base plus residual, best first; equal ones stay in fused order.

    `weights` (F,) are what ResidualState.served gives, over the columns `names`; `logged` (n, .)
    are the candidates' features as they go on record.
    """
    ranks, _ = ranks_and_scores(fused, channels)
    shares = np.array([default.weights[channel] for channel in channels])
    base = SCALE * base_scores(ranks, shares, default.rrf_k)
    parts = np.zeros((0, len(names)))
    if len(fused):
        parts = design(logged, contrast_scores(ranks), base) * weights
    final = np.round(base + parts.sum(axis=1), EQUAL)  # sums in another order differ in last bits
    order = np.argsort(-final, kind="stable")
    row = {item.key: line for line, item in enumerate(fused)}
    return Corrected(tuple(fused[line] for line in order), row, names, base, parts, logged)


def shipped_prior(names: Sequence[str]) -> Array:
    """The weak prior mean that a new bank starts from, (F,); 0 for a feature it does not know."""
    known = _shipped()
    return np.array([known.get(name, 0.0) for name in names])


@cache
def _shipped() -> Mapping[str, float]:
    weights: Mapping[str, float] = loads(files("router").joinpath(PRIOR).read_text("utf-8"))[
        "weights"
    ]
    return weights
