"""How a recall explores, and how probably: noise on its row, or a held-back comparison. Pure.

Everything follows from the recall's id, so that a logged decision can be drawn again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feedback.impression import Policy
from feedback.library import normalised

NOISE = 0.1  # sd of the log-normal change of each weight; pages differ, their quality hardly
HOLDBACK = 0.1  # of recalls are answered half by the default, for ever: what says it still helps

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Draw:
    """What one recall is answered with."""

    policy: Policy
    propensity: float  # with which this policy was drawn, in (0, 1]
    seed: int  # of the noise and of the team draft, in [0, 2^63)
    noise: float  # sd in log weight; 0 when the row is served as it is


def draw(recall_id: str, *, explores: bool) -> Draw:
    """The policy of a recall: without exploration the learned row itself, with certainty."""
    seed = int.from_bytes(hashlib.sha256(recall_id.encode()).digest()[:8], "big") >> 1
    if not explores:
        return Draw("learned", 1.0, seed, 0.0)
    if np.random.default_rng(seed).random() < HOLDBACK:
        return Draw("holdback", HOLDBACK, seed, 0.0)
    return Draw("explored", 1.0 - HOLDBACK, seed, NOISE)


def noisy(weights: Array, chosen: Draw) -> Array:
    """The row with its noise, (C,), normalised; the row itself when there is none."""
    if chosen.noise == 0:
        return weights
    rng = np.random.default_rng([chosen.seed, 1])
    return normalised(weights * np.exp(chosen.noise * rng.standard_normal(len(weights))))


def team_draft(
    learned: Sequence[int], default: Sequence[int], chosen: Draw
) -> tuple[list[int], list[int]]:
    """Two rankings of the same memories in one: the order, and who placed each (1 learned, 0 not).

    In each round a coin says who picks first; each picks its best that is not yet placed. Team
    draft interleaving, Radlinski, Kurup & Joachims, CIKM 2008.
    """
    rng = np.random.default_rng([chosen.seed, 2])
    waiting = {1: iter(learned), 0: iter(default)}
    placed: dict[int, int] = {}
    while len(placed) < len(learned):
        first = int(rng.integers(2))
        for team in (first, 1 - first):
            pick = next((key for key in waiting[team] if key not in placed), None)
            if pick is not None:
                placed[pick] = team
    return list(placed), list(placed.values())
