"""Weight rows: one per query type, blended by the type probabilities. Pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from channels.errors import BadInput

FLOOR = 0.05  # of the largest: nothing is ever switched off
MAX_RRF_K = 1_000.0


@dataclass(frozen=True, slots=True)
class Row:
    """Weights of one query type: the largest is 1, none is below FLOOR."""

    weights: Mapping[str, float]
    rrf_k: float


@dataclass(frozen=True, slots=True)
class Matrix:
    """One row per query type, shape (n_types, n_channels), and the version it is known by."""

    rows: Mapping[str, Row]
    version: int


def normalised(weights: Mapping[str, float]) -> dict[str, float]:
    """The same ratios with the largest at 1, raised to FLOOR where below.

    Raises BadInput for a weight that is negative or not finite, and when all are zero.
    """
    for channel, weight in weights.items():
        if not math.isfinite(weight) or weight < 0:
            raise BadInput(f"weights.{channel}", f"{weight} is not a finite number >= 0")
    largest = max(weights.values(), default=0.0)
    if largest <= 0:
        raise BadInput("weights", "at least one weight must be above 0")
    return {channel: max(FLOOR, weight / largest) for channel, weight in weights.items()}


def blend(matrix: Matrix, types: Mapping[str, float]) -> Row:
    """The row a question is answered with: rows weighted by the probabilities of their types.

    A mixed question is served by several rows and a misread type costs little. Raises KeyError
    when a type has no row.
    """
    channels = next(iter(matrix.rows.values())).weights.keys()
    weights = {
        channel: math.fsum(p * matrix.rows[kind].weights[channel] for kind, p in types.items())
        for channel in channels
    }
    rrf_k = math.fsum(p * matrix.rows[kind].rrf_k for kind, p in types.items())
    return Row(normalised(weights), rrf_k / math.fsum(types.values()))


def from_caller(given: Mapping[str, float], rrf_k: float | None, fallback: Row) -> Row:
    """A caller's own weights over the blended row: channels not named keep their weight.

    Raises BadInput for an unknown channel, a bad weight or an rrf_k outside (0, 1000].
    """
    unknown = sorted(set(given) - set(fallback.weights))
    if unknown:
        known = ", ".join(sorted(fallback.weights))
        raise BadInput(f"weights.{unknown[0]}", f"no such channel; the channels are {known}")
    if rrf_k is not None and not 0 < rrf_k <= MAX_RRF_K:
        raise BadInput("rrf_k", f"{rrf_k} is outside (0, {MAX_RRF_K:g}]")
    weights = normalised({**fallback.weights, **given}) if given else dict(fallback.weights)
    return Row(weights, fallback.rrf_k if rrf_k is None else rrf_k)


def with_priors(row: Row, priors: Mapping[str, float]) -> Row:
    """The row with the channels it was made without, each at its prior share of the largest."""
    missing = {channel: prior for channel, prior in priors.items() if channel not in row.weights}
    if not missing:
        return row
    largest = max(row.weights.values())
    added = {channel: prior * largest for channel, prior in missing.items()}
    return Row({**row.weights, **added}, row.rrf_k)


def row_of(weights: Mapping[str, float], rrf_k: float) -> Row:
    """A row from raw numbers, normalised."""
    return Row(normalised(weights), rrf_k)


def as_json(matrix: Matrix) -> dict[str, dict[str, object]]:
    """Rows as stored and shown: type -> {"weights", "rrf_k"}."""
    return {
        kind: {"weights": dict(row.weights), "rrf_k": row.rrf_k}
        for kind, row in matrix.rows.items()
    }
