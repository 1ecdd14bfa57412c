"""Weighted reciprocal rank fusion: one flat fusion, provenance kept. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from channels.base import Hit, MemoryKey

RRF_K = 60.0  # Cormack, Clarke & Büttcher 2009; each row may carry its own


@dataclass(frozen=True, slots=True)
class Vote:
    """What one channel said about one memory."""

    rank: int  # from 1
    score: float  # the lane's own; never compared across channels
    contribution: float  # weight / (rrf_k + rank)
    detail: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Fused:
    """A memory after fusion. `score` lives in [0, sum(weights) / (rrf_k + 1)]."""

    key: MemoryKey
    score: float
    votes: Mapping[str, Vote]  # only channels that returned the memory


def weighted_rrf(
    runs: Mapping[str, Sequence[Hit]], weights: Mapping[str, float], *, rrf_k: float = RRF_K
) -> list[Fused]:
    """Fuse one ranked run per channel into one list, best first.

    score(m) = sum over channels c of weights[c] / (rrf_k + rank_c(m)), rank from 1; a channel that
    did not return m adds nothing, and a channel that returned it twice votes once, at its best
    rank. Summed with math.fsum, so the order of channels changes nothing. Total order: score, then
    best channel rank, then key.

    Raises KeyError if a run has no weight: a silent zero would hide a wiring bug.
    Cormack, Clarke & Büttcher, SIGIR 2009 (there without weights, k = 60).
    """
    votes: dict[MemoryKey, dict[str, Vote]] = {}
    for channel, run in runs.items():
        weight = weights[channel]
        rank = 0
        for hit in run:
            known = votes.setdefault(hit.key, {})
            if channel in known:
                continue
            rank += 1
            known[channel] = Vote(rank, hit.score, weight / (rrf_k + rank), hit.detail)
    fused = [
        Fused(key, math.fsum(vote.contribution for vote in found.values()), found)
        for key, found in votes.items()
    ]
    return sorted(fused, key=_order)


def _order(item: Fused) -> tuple[float, int, int]:
    return (-item.score, min(vote.rank for vote in item.votes.values()), item.key)
