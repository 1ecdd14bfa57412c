"""One closed recall as the learners read it: a value, made by whoever read store and events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from feedback.library import normalised

TYPES = ("temporal", "factual", "multi_hop", "emotional", "general")
LEAST_TYPE = 0.05  # a type less probable than this is not credited: five ranks tables for nothing

Policy = Literal["learned", "explored", "holdback"]


@dataclass(frozen=True, slots=True)
class Impression:
    """What was asked, found, shown and engaged with. n candidates, k shown, C channels, F features.

    Arrays are never written to.
    """

    recall_id: str
    at: datetime
    actor: str
    api_key: str | None
    trusted: bool  # all that counts was sent with trusted keys, so no share caps it
    policy: Policy
    propensity: float  # with which the policy's tag was drawn, in (0, 1]
    version: int  # of the matrix that served it
    channels: tuple[str, ...]  # column order
    types: NDArray[np.float64]  # (5,) in the order of TYPES, sums to 1; one-hot when corrected
    weights: NDArray[np.float64]  # (C,) the row served, largest 1
    rrf_k: float
    ranks: NDArray[np.int16]  # (n, C), from 1, 0 = not returned; candidates in fused order
    question: int  # hash of the normalised text: the same question asked again matches
    keys: NDArray[np.int64]  # (k,) memories shown, in the order shown
    page: NDArray[np.intp]  # (k,) their rows in `ranks`
    positions: NDArray[np.int64]  # (k,) from 1, offset included
    exposed: NDArray[np.bool_]  # (k,) reported exposed; all, when nothing was reported
    engagement: NDArray[np.float64]  # (k,) in [-1, 1], net of the item's events; 0 = none
    explicit: NDArray[np.bool_]  # (k,) a thumb, correction or judgement, not a click
    teams: NDArray[np.int8] | None = None  # (k,) of a holdback: 1 learned, 0 default
    features: NDArray[np.float32] | None = None  # (k, F), centred over the candidates
    feature_version: int = 0
    factors: NDArray[np.float64] | None = None  # (C,) on every row, for this question; None: 1
    vouched: NDArray[np.float64] | None = None  # (k,) said deliberately with trusted keys, in
    # [-1, 1], whatever others say; None: all that is explicit, where `trusted`

    def heard(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Rows (..., C) as they would have served this question."""
        return weights if self.factors is None else normalised(weights * self.factors)

    @property
    def clicks(self) -> NDArray[np.float64]:
        """Positive engagement, (k,) in [0, 1]."""
        return np.maximum(self.engagement, 0.0)

    @property
    def is_silent(self) -> bool:
        """Whether nothing on the page was engaged with."""
        return not np.any(self.engagement)


def type_shares(probabilities: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """How much of an impression each type is credited with, (5,), sums to 1.

    Types below LEAST_TYPE get nothing; when none reaches it, the most probable gets all.
    """
    known = np.asarray(probabilities, np.float64)
    kept = np.where(known >= LEAST_TYPE, known, 0.0)
    if not kept.any():
        kept = np.zeros_like(known)
        kept[int(np.argmax(known))] = 1.0
    shares: NDArray[np.float64] = kept / kept.sum()
    return shares
