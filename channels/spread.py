"""Spreading activation over typed edges. Pure: edges come in, activations and best paths go out.

Collins & Loftus 1975; here a walk sum of at most three edges with symmetric normalisation, the
variant that reached 76 % of two-hop targets where no normalisation reached 6 %.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from channels.base import MemoryKey

PER_EDGE = 0.6  # what one edge lets through
LEAST = 1e-4  # weaker flows are dropped
FRONTIER = 60  # memories that may pass activation on at each step

EDGE_WEIGHTS: Mapping[str, float] = {  # how far each type of edge is trusted
    "SUPERSEDES": 1.0,
    "CAUSES": 0.9,
    "NAMES": 0.9,
    "SHARES_ENTITY": 0.8,
    "REFERS_TO": 0.8,
    "SHARES_RARE_TERM": 0.7,
    "PART_OF": 0.6,
    "NEXT": 0.5,
    "SIMILAR_TO": 0.5,
    "IN_SAME_EPISODE": 0.4,
    "DERIVED_FROM": 0.4,
    "CONTRADICTS": 0.3,
}


class Edge(NamedTuple):
    """One step from a memory to another; `weight` is type weight times strength, in (0, 1].

    A tuple, because a question makes four thousand of them.
    """

    source: MemoryKey
    target: MemoryKey
    type: str
    weight: float


@dataclass(frozen=True, slots=True)
class Step:
    """How activation arrived: from which memory, over which type of edge."""

    source: MemoryKey
    type: str


def degrees(edges: Mapping[MemoryKey, tuple[Edge, ...]]) -> dict[MemoryKey, float]:
    """Summed weight of each memory's (capped) edges."""
    return {key: math.fsum(edge.weight for edge in found) for key, found in edges.items()}


def flow(
    active: Mapping[MemoryKey, float],
    edges: Mapping[MemoryKey, tuple[Edge, ...]],
    degree: Mapping[MemoryKey, float],
) -> tuple[dict[MemoryKey, float], dict[MemoryKey, Step]]:
    """Activation after one more edge, and each memory's strongest way in.

    out(j) = PER_EDGE * sum over i of active(i) * w_ij / sqrt(degree_i * degree_j); a target whose
    degree is unknown counts with the edge's own weight, the least its degree can be.
    """
    parts: dict[MemoryKey, list[float]] = {}
    best: dict[MemoryKey, tuple[float, Step]] = {}
    for key in sorted(active):
        for edge in edges.get(key, ()):
            scale = math.sqrt(degree[key] * max(degree.get(edge.target, 0.0), edge.weight))
            amount = PER_EDGE * active[key] * edge.weight / scale
            if amount < LEAST:
                continue
            parts.setdefault(edge.target, []).append(amount)
            if amount > best.get(edge.target, (0.0, None))[0]:
                best[edge.target] = (amount, Step(key, edge.type))
    return (
        {key: math.fsum(found) for key, found in parts.items()},
        {key: step for key, (_, step) in best.items()},
    )


def strongest(active: Mapping[MemoryKey, float], limit: int = FRONTIER) -> list[MemoryKey]:
    """The memories that may pass activation on, strongest first, ties by key."""
    return sorted(active, key=lambda key: (-active[key], key))[:limit]
