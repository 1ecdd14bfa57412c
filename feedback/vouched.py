"""What trusted keys said deliberately: an anchor that no number of other accounts can move. Pure.

Twenty accounts that agree look like taste, whatever each may own of the evidence. But where their
taste is nobody else's, the few whose keys an operator vouched for contradict the rows that it leads
to. Each row's gain is therefore summed a second time from their deliberate signals alone, and the
rest of the evidence is heeded as far as that sum bears it out.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from feedback.examination import examination
from feedback.gains import Pages, row_gains
from feedback.impression import Impression, type_shares
from feedback.library import TypeRows
from feedback.reward import Accidents, corrected

# Standard errors by which the vouched sum speaks against what the others lead to: up to the first
# they are heeded whole (noise alone says as much one time in six), from the second not at all.
DOUBT_FROM, DOUBT_TO = -1.0, -2.5
CALM = 1.0  # DCG squared below which the spread of few signals is not believed

Array = NDArray[np.float64]


@dataclass
class Vouched:
    """Sums over the rows of the library, all types together: a few signals are all there is."""

    gain: Array  # (J,)
    square: Array  # (J,)
    accidents: Accidents  # of these alone: others could raise the common rate

    @classmethod
    def empty(cls, rows: int) -> "Vouched":
        """Nobody vouched for anything."""
        return cls(np.zeros(rows), np.zeros(rows), Accidents())

    def update(self, one: Impression, prior: TypeRows, *, eta: float, kept: float) -> None:
        """Take in an impression with deliberate signals of trusted keys; no other counts.

        Without the reward model: that is fitted to everybody's clicks.
        """
        if not is_vouched(one):
            return
        told = only_explicit(one)
        seen = examination(told.positions, eta)
        self.accidents.count(told, seen, 1.0)
        value, share = corrected(told, seen, self.accidents.rate)
        nothing, shares = np.zeros(len(told.ranks)), type_shares(told.types)
        gain, pages = np.zeros_like(self.gain), Pages(told, prior)
        for kind in np.flatnonzero(shares).tolist():
            gain += shares[kind] * row_gains(told, pages.of(kind), nothing, value, share)
        self.gain = kept * self.gain + gain
        self.square = kept * self.square + gain**2

    def heed(self, belief: Array) -> float:
        """How much of the other evidence to heed, in [0, 1], where it leads to `belief` (J,)."""
        z = float(belief @ self.gain) / float(belief @ self.square + CALM) ** 0.5
        return float(np.clip((z - DOUBT_TO) / (DOUBT_FROM - DOUBT_TO), 0.0, 1.0))

    def forget(self, kept: float) -> None:
        """Keep only that share."""
        self.gain *= kept
        self.square *= kept


def is_vouched(one: Impression) -> bool:
    """Whether a trusted key said something deliberately; what others said plays no part."""
    return bool(np.any(_word(one)))


def only_explicit(one: Impression) -> Impression:
    """The impression with what trusted keys said deliberately and nothing else."""
    word = _word(one)
    return replace(one, engagement=word, exposed=one.exposed | (word != 0))


def _word(one: Impression) -> Array:
    if one.vouched is not None:
        return one.vouched
    return np.where(one.explicit & one.trusted, one.engagement, 0.0)
