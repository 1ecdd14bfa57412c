"""Whom a reranker reads: the head of the fused list, with a place kept for every channel. Pure.

A pair of texts costs a cross-encoder milliseconds, so the list is cut; and what is cut off cannot
come back. Where rows weigh one channel high, its run fills the head of the list, and a memory that
only a lightly weighted channel found, the one with the asked error code say, would never be read.
How deep one channel's run may reach is `depth`, as for fusion.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from channels.base import MemoryKey
from router.fuse import Fused

Budget = Literal["low", "mid", "high"]
MOST: Mapping[Budget, int] = {"low": 50, "mid": 100, "high": 300}


@dataclass(frozen=True, slots=True)
class Candidates:
    """Whom a reranker is given, in fused order."""

    keys: tuple[MemoryKey, ...]
    reserved: Mapping[str, MemoryKey]  # channel -> its first hit, where only that let it in
    most: int


def candidates(fused: Sequence[Fused], budget: Budget = "mid") -> Candidates:
    """The first MOST[budget] of the fused list, best first, and every channel's first hit.

    A first hit from beyond the cut takes the place of the last candidate that is nobody's first
    hit, so that there are never more than the budget allows.
    """
    most = MOST[budget]
    head = {item.key for item in fused[:most]}
    firsts = {
        channel: item.key
        for item in fused
        for channel, vote in item.votes.items()
        if vote.rank == 1
    }
    kept = set(firsts.values())
    others = [item.key for item in fused if item.key not in kept]
    kept.update(others[: max(0, most - len(kept))])
    reserved = {channel: key for channel, key in sorted(firsts.items()) if key not in head}
    return Candidates(tuple(item.key for item in fused if item.key in kept), reserved, most)
