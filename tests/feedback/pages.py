"""Impressions made up for tests: ranks at random, a click at random, or anything at all."""

from datetime import UTC, datetime
from typing import Any

import numpy as np

from feedback.impression import TYPES, Impression
from feedback.library import TypeRows

CHANNELS = ("semantic", "temporal", "emotional", "keyword", "graph")
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
FEATURES = 6


def prior(weights: tuple[float, ...] = (1, 1, 0.2, 0.7, 0.35), rrf_k: float = 1.0) -> TypeRows:
    """The same row for every type."""
    return TypeRows(np.tile(np.array(weights, float), (len(TYPES), 1)), np.full(len(TYPES), rrf_k))


def random_ranks(rng: np.random.Generator, n: int = 40, depth: int = 20) -> np.ndarray:
    """Every candidate returned by at least one of five channels."""
    ranks = np.zeros((n, len(CHANNELS)), np.int16)
    for channel in range(len(CHANNELS)):
        chosen = rng.permutation(n)[:depth]
        ranks[chosen, channel] = np.arange(1, depth + 1)
    return ranks[ranks.any(axis=1)]


def impression(rng: np.random.Generator, **changes: Any) -> Impression:
    """A page of ten with one click at random; keywords replace any part."""
    ranks = changes.pop("ranks", None)
    ranks = random_ranks(rng) if ranks is None else ranks
    k = min(10, len(ranks))
    engagement = np.zeros(k)
    engagement[int(rng.integers(k))] = 1.0
    parts: dict[str, Any] = {
        "recall_id": f"r{rng.integers(1 << 40)}",
        "at": NOW,
        "actor": f"a{rng.integers(50)}",
        "api_key": None,
        "trusted": False,
        "policy": "explored",
        "propensity": 0.9,
        "version": 1,
        "channels": CHANNELS,
        "types": np.array([0.1, 0.6, 0.2, 0.05, 0.05]),
        "weights": np.array([1, 1, 0.2, 0.7, 0.35]),
        "rrf_k": 1.0,
        "ranks": ranks,
        "question": int(rng.integers(1 << 40)),
        "keys": np.arange(k),
        "page": np.arange(k),
        "positions": np.arange(1, k + 1),
        "exposed": np.ones(k, bool),
        "engagement": engagement,
        "explicit": np.zeros(k, bool),
        "features": rng.standard_normal((k, FEATURES)).astype(np.float32),
        "feature_version": 1,
    }
    return Impression(**{**parts, **changes})


def garbage(rng: np.random.Generator) -> Impression:
    """Anything that passes the door: several clicks, negatives, hidden items, odd positions."""
    k = int(rng.integers(1, 11))
    first = int(rng.integers(0, 150))
    return impression(
        rng,
        types=rng.dirichlet(np.full(len(TYPES), 0.3)),
        weights=np.maximum(rng.random(len(CHANNELS)), 0.05),
        rrf_k=float(rng.choice([0.5, 1, 60, 900])),
        keys=np.arange(k),
        page=np.arange(k),
        positions=np.arange(first + 1, first + k + 1),
        exposed=rng.random(k) < 0.8,
        engagement=np.round(rng.uniform(-1, 1, k) * (rng.random(k) < 0.5), 3),
        explicit=rng.random(k) < 0.3,
        features=rng.uniform(-50, 50, (k, FEATURES)).astype(np.float32),
        trusted=bool(rng.random() < 0.2),
        api_key=str(rng.choice(["k1", "k2"])),
    )
