"""BM25 over postings as arrays: what each memory gathers, and the most it could reach. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

POSTING = np.dtype([("key", ">i8"), ("tf", ">f4"), ("length", ">f4")])  # as bm25_read.sql packs it
DENSE = 16  # keys are places of an array while it is at most so many times as long as the postings
TAIL = 100  # postings at the end of a list left early, the best of which bounds those behind it

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Formula:
    """BM25's constants for one bank (Robertson & Zaragoza 2009)."""

    k1: float
    b: float
    mean_length: float

    @property
    def most(self) -> float:
        """What no posting's impact reaches."""
        return self.k1 + 1

    def impacts(self, postings: NDArray[np.void]) -> Floats:
        """What each posting adds to its memory's score before idf; shape (postings,)."""
        tf = postings["tf"].astype(np.float64)
        norm = 1 - self.b + self.b * postings["length"].astype(np.float64) / self.mean_length
        return np.asarray(tf * (self.k1 + 1) / (tf + self.k1 * norm))


@dataclass(frozen=True, slots=True)
class Postings:
    """One term's list, best impact first, as far as it was read."""

    packed: bytes  # POSTING after POSTING
    weight: float  # idf and the question's own weight
    whole: bool  # nothing was left unread


@dataclass(frozen=True, slots=True)
class Tally:
    """Memories that were read of; arrays of equal length, in the order of the keys."""

    keys: NDArray[np.int64]
    scores: Floats  # gathered from what was read: the score itself once every list is whole
    bounds: Floats  # the most the score can be, given where each list was left

    def best(self, count: int) -> tuple[NDArray[np.int64], Floats]:
        """The `count` highest scores with their keys, ties by key."""
        chosen = np.arange(len(self.keys))
        if count < len(chosen):
            chosen = np.flatnonzero(self.scores >= np.partition(self.scores, -count)[-count])
        order = chosen[np.lexsort((self.keys[chosen], -self.scores[chosen]))][:count]
        return self.keys[order], self.scores[order]

    def hopeful(self, sure: int, count: int) -> NDArray[np.int64]:
        """Keys worth a full score: the `sure` highest so far and the `count` highest bounds.

        When at most `count` bounds reach the n-th score, and no memory that was not read of can
        reach it either, the n best of all are among these.
        """
        near = np.concatenate([_highest(self.scores, sure), _highest(self.bounds, count)])
        return np.asarray(self.keys[np.unique(near)])


def shares(counts: Sequence[int], total: int) -> list[int]:
    """Postings to read of each list, `total` at most: short lists whole, the others alike."""
    read = [0] * len(counts)
    left = total
    order = sorted(range(len(counts)), key=lambda place: counts[place])
    for done, place in enumerate(order):
        read[place] = min(counts[place], left // (len(order) - done))
        left -= read[place]
    return read


def add_up(lists: Sequence[Postings], formula: Formula) -> Tally:
    """Add the lists' postings up by memory."""
    read = [np.frombuffer(one.packed, POSTING) for one in lists]
    impacts = [formula.impacts(rows) * one.weight for rows, one in zip(read, lists, strict=True)]
    floors = [_floor(one, found, formula) for one, found in zip(lists, impacts, strict=True)]
    keys = np.concatenate([rows["key"] for rows in read]).astype(np.int64)
    if not len(keys):
        return Tally(keys, np.empty(0), np.empty(0))
    names, places = _places(keys)
    scores = np.bincount(places, np.concatenate(impacts)).astype(np.float64, copy=False)
    held = np.flatnonzero(scores)
    bounds = scores = scores[held]
    if any(floors):
        counted = np.repeat(floors, [len(found) for found in impacts])
        bounds = scores + (sum(floors) - np.bincount(places, counted)[held])
    return Tally(held + keys.min() if names is None else names[held], scores, bounds)


def _floor(one: Postings, impacts: Floats, formula: Formula) -> float:
    """The most a posting behind those read can add."""
    if one.whole:
        return 0.0
    return float(impacts[-TAIL:].max()) if len(impacts) else one.weight * formula.most


def _places(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64] | None, NDArray[np.int64]]:
    """The distinct keys and the place of each posting's; None: the place is the key less the least.

    Sorting takes four times as long as counting in an array with a few holes.
    """
    low, high = int(keys.min()), int(keys.max())
    if high - low < DENSE * len(keys):
        return None, keys - low
    return np.unique(keys, return_inverse=True)


def _highest(values: Floats, count: int) -> NDArray[np.int64]:
    """Places of the `count` highest values, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, -count)[-count:]
