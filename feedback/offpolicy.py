"""What other rows would have been worth on the recalls that were answered. Pure.

Two estimates of DCG at 10 relative to a reference: doubly robust (which ranks candidates best) and
affine inverse propensity (which seldom promotes a wrong one, at 95 % below 1.1 % in the study).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feedback.examination import ETA, examination
from feedback.gains import DISCOUNT, TOP
from feedback.impression import Impression
from feedback.library import TypeRows, blended, leaders
from feedback.reward import corrected, rank_features

Z = 1.96
COMPARED = 2_000  # the last impressions that rows are compared on, and position bias is seen in
SOUND_SIZE = 50.0  # effective impressions below which the verdict is that too little is known

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Value:
    """A mean over impressions with its 95 % interval, in DCG at 10."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PolicyValue:
    """How rows compare with the reference."""

    gain: Value  # doubly robust, minus the reference's
    affine: Value  # affine inverse propensity, minus the reference's
    impressions: int
    effective: float  # impressions in which the two rows differ among what was shown
    coverage: float  # share of the rows' own top ranks that was shown to somebody
    verdict: str


def compare(
    impressions: Sequence[Impression],
    rows: TypeRows,
    reference: TypeRows,
    reward: Callable[[Impression, Array], Array],
    rate: float,
    *,
    eta: float = ETA,
) -> PolicyValue:
    """`rows` against `reference` on closed impressions.

    `reward(impression, features)` imputes each candidate, (n,); zeros make both estimates equal.
    `rate`: engagement by accident, as in feedback.reward.
    """
    robust, affine, differ, covered = [], [], [], []
    for one in impressions:
        ours, theirs = _discounts(one, rows), _discounts(one, reference)
        seen = examination(one.positions, eta)
        value, share = corrected(one, seen, rate)
        imputed = reward(one, rank_features(one.ranks, one.channels))
        change = ours - theirs
        shown = change[one.page]
        affine.append(float(value @ shown))
        robust.append(float(imputed @ change + (value - imputed[one.page] * share) @ shown))
        differ.append(float(np.abs(shown).sum() > 0))
        covered.append(float(ours[one.page].sum() / max(ours.sum(), 1e-12)))
    effective = float(np.sum(differ))
    told = _value(affine), _value(robust)
    return PolicyValue(
        gain=told[1],
        affine=told[0],
        impressions=len(impressions),
        effective=effective,
        coverage=float(np.mean(covered)) if covered else 0.0,
        verdict=_verdict(told[1], told[0], effective),
    )


def _discounts(one: Impression, rows: TypeRows) -> Array:
    """DCG discount of each candidate under the rows, (n,); 0 below TOP."""
    weights, rrf_k = blended(rows, one.types)
    first = leaders(one.ranks, one.heard(weights)[None, :], np.array([rrf_k]), TOP)[0]
    discount = np.zeros(len(one.ranks))
    discount[first] = DISCOUNT[: len(first)]
    return discount


def _value(values: Sequence[float]) -> Value:
    if not values:
        return Value(0.0, 0.0, 0.0)
    known = np.array(values)
    spread = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    half = Z * spread / len(known) ** 0.5
    mean = float(known.mean())
    return Value(mean, mean - half, mean + half)


def _verdict(gain: Value, affine: Value, effective: float) -> str:
    if effective < SOUND_SIZE:
        return "too little evidence"
    if affine.low > 0:
        return "better"
    if affine.high < 0:
        return "worse"
    if gain.low > 0:
        return "probably better"
    if gain.high < 0:
        return "probably worse"
    return "no difference that shows"
