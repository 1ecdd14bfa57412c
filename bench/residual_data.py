"""Recorded candidates of judged questions, as the residual ranker reads them."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.errors import ConfigError
from feedback.impression import TYPES
from feedback.lanes import base_scores, contrast_scores
from feedback.library import TypeRows, blended, normalised
from feedback.residual import SCALE, design
from router.features import FEATURE_VERSION, feature_names
from router.presets import CHANNELS, LATE_ROWS, default_rows

TOP = 10
FEW = 5  # banks below which the questions are halved instead
DISCOUNT = 1 / np.log2(np.arange(2, TOP + 2))

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Judged:
    """One question over its n candidates, in fused order."""

    name: str
    group: str  # bank, or half of the questions where there are few banks
    types: Array  # (5,)
    weights: Array  # (C,) of the default row
    rrf_k: float
    ranks: NDArray[np.int16]  # (n, C)
    features: NDArray[np.float32]  # (n, F) as logged, centred
    relevant: NDArray[np.bool_]  # (n,)
    ideal: float  # DCG@10 of a perfect page
    base: Array  # (n,) SCALE * fused score of the default row
    table: Array  # (n, F + C): what the model weighs, see feedback.residual.design

    def ndcg(self, weights: Array | None = None) -> float:
        """nDCG@10 of the order by base + table @ weights; ties keep the fused order."""
        return self.worth(self.page(weights))

    def worth(self, page: NDArray[np.intp]) -> float:
        """nDCG@10 of a page."""
        return float(self.relevant[page] @ DISCOUNT[: len(page)]) / self.ideal

    def page(self, weights: Array | None = None) -> NDArray[np.intp]:
        """The first TOP candidates of that order."""
        score = self.base if weights is None else self.base + self.table @ weights
        return np.argsort(-score, kind="stable")[:TOP]


def read(path: Path) -> list[Judged]:
    """The judged questions that `fivefold eval SET --dump PATH` recorded with features."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines = [line for line in lines if line["relevant"]]
    few = len({line["bank"] for line in lines}) < FEW
    rows = default_type_rows()
    return [
        _judged(line, str(place % 2) if few else line["bank"], rows)
        for place, line in enumerate(lines)
    ]


def default_type_rows() -> TypeRows:
    """The default rows as the learner holds them."""
    rows = default_rows(LATE_ROWS)
    weights = [[rows[kind].weights[channel] for channel in CHANNELS] for kind in TYPES]
    return TypeRows(np.array(weights), np.array([rows[kind].rrf_k for kind in TYPES]))


def mean_ndcg(judged: Sequence[Judged], weights: Array | None = None) -> float:
    """Mean nDCG@10 over the questions."""
    return float(np.mean([one.ndcg(weights) for one in judged]))


def _judged(line: Mapping[str, Any], group: str, rows: TypeRows) -> Judged:
    ranks, logged, ids = _candidates(line["candidates"])
    types = np.array([line["types"][kind] for kind in TYPES])
    weights, rrf_k = blended(rows, types)
    relevant = frozenset(line["relevant"])
    base = SCALE * base_scores(ranks, normalised(weights), rrf_k)
    width = logged.shape[1] + len(CHANNELS)
    table = design(logged, contrast_scores(ranks), base) if ids else np.zeros((0, width))
    return Judged(
        line["query"],
        group,
        types,
        weights,
        rrf_k,
        ranks,
        logged,
        np.array([name in relevant for name in ids], np.bool_),
        float(DISCOUNT[: len(relevant)].sum()),
        base,
        table,
    )


def _candidates(
    found: Mapping[str, Any],
) -> tuple[NDArray[np.int16], NDArray[np.float32], Sequence[str]]:
    """Ranks, features (zeros where the recall was degraded) and ids."""
    n, width = len(found["ids"]), len(feature_names(CHANNELS))
    if found["feature_version"] != FEATURE_VERSION:
        raise ConfigError("runs", "hold another list of features; record them anew with --dump")
    ranks = np.frombuffer(base64.b64decode(found["ranks"]), "<i2").reshape(n, len(CHANNELS))
    logged = np.zeros((n, width), np.float32)
    if found["features"]:
        packed = np.frombuffer(base64.b64decode(found["features"]), "<f2")
        logged = packed.reshape(n, width).astype(np.float32)
    return ranks.astype(np.int16), logged, found["ids"]
