"""Recorded runs as arrays, and what rows of weights score on them. Pure but for `read`."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from router.presets import CHANNELS
from router.understand.types import TYPES

TOP = 10
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Judged:
    """The judged questions of one set, padded to the longest candidate list."""

    ranks: NDArray[np.float32]  # (questions, candidates, channels), inf where a channel is absent
    gains: NDArray[np.float32]  # (questions, candidates), 1 for relevant
    discounts: NDArray[np.float32]  # (TOP,): what a hit at each rank is worth
    ideal: NDArray[np.float32]  # (questions,): what a perfect page would score
    types: NDArray[np.float32]  # (questions, types), probabilities
    groups: NDArray[np.str_]  # (questions,): bank, or one of FOLDS parts of a single bank
    factors: NDArray[np.float32]  # (questions, channels), on every row's weights

    def where(self, chosen: NDArray[np.bool_]) -> "Judged":
        """Only the chosen questions."""
        return Judged(
            self.ranks[chosen],
            self.gains[chosen],
            self.discounts,
            self.ideal[chosen],
            self.types[chosen],
            self.groups[chosen],
            self.factors[chosen],
        )


@dataclass(frozen=True, slots=True)
class Rows:
    """Weights (types, channels) and constants (types,)."""

    weights: NDArray[np.float64]
    rrf_k: NDArray[np.float64]

    def changed(self, kinds: Sequence[int], channel: int | None, value: float) -> "Rows":
        """The same rows with one weight (or, for None, the constant) of some types replaced."""
        weights, rrf_k = self.weights.copy(), self.rrf_k.copy()
        for kind in kinds:
            if channel is None:
                rrf_k[kind] = value
            else:
                weights[kind, channel] = value
        return Rows(weights, rrf_k)


def read(path: Path) -> Judged:
    """The judged questions of one recorded set; precision, not nDCG, for the empathetic one."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines = [line for line in lines if line["relevant"]]
    banks = {line["bank"] for line in lines}
    discounts = 1 / np.log2(np.arange(2, TOP + 2))
    if path.stem == "empathetic":
        discounts = np.full(TOP, 1 / TOP)
    found = [_candidates(line) for line in lines]
    widest = max(len(gains) for _, gains in found)
    ranks = np.full((len(lines), widest, len(CHANNELS)), np.inf, np.float32)
    gains = np.zeros((len(lines), widest), np.float32)
    for row, (own_ranks, own_gains) in enumerate(found):
        ranks[row, : len(own_gains)] = own_ranks
        gains[row, : len(own_gains)] = own_gains
    return Judged(
        ranks,
        gains,
        discounts.astype(np.float32),
        np.array([discounts[: len(line["relevant"])].sum() for line in lines], np.float32),
        np.array([[line["types"][kind] for kind in TYPES] for line in lines], np.float32),
        np.array(
            [
                line["bank"] if len(banks) >= FOLDS else str(place % FOLDS)
                for place, line in enumerate(lines)
            ]
        ),
        np.array([_factors(line) for line in lines], np.float32),
    )


def drawn(judged: Judged) -> list[str]:
    """What an interval draws anew: banks, or single questions where the groups are mere FOLDS."""
    groups: list[str] = judged.groups.tolist()
    are_folds = set(groups) <= {str(part) for part in range(FOLDS)}
    return [str(place) for place in range(len(groups))] if are_folds else groups


def _factors(line: Mapping[str, Any]) -> list[float]:
    """By channel; 1 in runs that were recorded before there were any."""
    found = line.get("factors", {})
    return [float(found.get(name, 1.0)) for name in CHANNELS]


def _candidates(line: Mapping[str, Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    ids = sorted({name for run in line["runs"].values() for name in run})
    index = {name: row for row, name in enumerate(ids)}
    ranks = np.full((len(ids), len(CHANNELS)), np.inf, np.float32)
    for column, channel in enumerate(CHANNELS):
        for rank, name in enumerate(line["runs"].get(channel, ()), 1):
            ranks[index[name], column] = rank
    relevant = frozenset(line["relevant"])
    return ranks, np.array([name in relevant for name in ids], np.float32)


def scores(judged: Judged, rows: Rows) -> NDArray[np.float32]:
    """Each question's score under blended rows, shape (questions,)."""
    weights = judged.types @ rows.weights.astype(np.float32) * judged.factors
    rrf_k = judged.types @ rows.rrf_k.astype(np.float32)
    terms = 1 / (rrf_k[:, None, None] + judged.ranks)
    fused = np.einsum("qcl,ql->qc", terms, weights)
    best = np.argsort(-fused, axis=1, kind="stable")[:, :TOP]
    found = np.where(fused > 0, judged.gains, 0)  # only what a weighed channel returned
    hits = np.take_along_axis(found, best, axis=1)
    value: NDArray[np.float32] = hits @ judged.discounts[: hits.shape[1]] / judged.ideal
    return value


def mean_score(judged: Judged, rows: Rows) -> float:
    """Mean over the questions."""
    return float(scores(judged, rows).mean())


def uniform(weights: Sequence[float], rrf_k: float) -> Rows:
    """The same row for every type."""
    return Rows(np.tile(np.array(weights), (len(TYPES), 1)), np.full(len(TYPES), rrf_k))
