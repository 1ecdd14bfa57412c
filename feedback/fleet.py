"""What a bank without evidence may assume from the others: empirical Bayes over banks. Pure.

Only sums over the library are shared, never an event; a bank can neither be told apart nor read
through them. With fewer than three banks nothing is shared at all.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from feedback.impression import TYPES
from feedback.library import deltas
from feedback.posterior import FleetPrior, MatrixState

LEAST_BANKS = 3
MOST_WORTH = 200.0  # impressions that the fleet's word may be worth
FEW_WORTH = 10.0  # when too few banks know a type to say how much banks differ
PROBATION = 150.0  # impressions for which a newcomer is compared before the fleet is believed whole
TRUST_AT, DOUBT_AT = -0.25, 1.25  # standard errors of the comparison: full trust, and its width

Array = NDArray[np.float64]


def fleet_prior(states: Sequence[MatrixState], channels: int) -> FleetPrior:
    """The prior that these banks (never the asking one) give; none with fewer than three."""
    if len(states) < LEAST_BANKS:
        return FleetPrior.none(channels)
    rows = len(deltas(channels))
    gain, square = np.zeros((len(TYPES), rows)), np.zeros((len(TYPES), rows))
    for kind in range(len(TYPES)):
        known = [state for state in states if state.count[kind] > 0]
        n = float(sum(state.count[kind] for state in known))
        if n == 0:
            continue
        worth = _worth(known, kind)
        share = worth / n * (n / (n + worth))
        gain[kind] = share * np.sum([state.gain[kind] for state in known], axis=0)
        square[kind] = share * np.sum([state.square[kind] for state in known], axis=0)
    return FleetPrior(gain, square)


def on_probation(prior: FleetPrior, wins: float, losses: float) -> FleetPrior:
    """The prior as far as a newcomer's own comparison with the default bears it out.

    `wins` and `losses` of the learned row in held-back recalls. A bank unlike its fleet is back at
    the default after about a hundred impressions.
    """
    z = (wins - losses) / (wins + losses + 1.0) ** 0.5
    trust = float(np.clip(1.0 + (z - TRUST_AT) / DOUBT_AT, 0.0, 1.0))
    return FleetPrior(trust * prior.gain, trust * prior.square)


def _worth(known: Sequence[MatrixState], kind: int) -> float:
    """Impressions: variance within banks over variance between them, by the method of moments."""
    if len(known) < LEAST_BANKS:
        return FEW_WORTH
    counts = np.array([state.count[kind] for state in known])
    means = np.array([state.gain[kind] / state.count[kind] for state in known])
    squares = np.array([state.square[kind] / state.count[kind] for state in known])
    within = float(np.mean(np.maximum(squares - means**2, 0.0)))
    noise = within * float(np.mean(1.0 / counts))
    between = float(np.mean(means.var(axis=0, ddof=1))) - noise
    if between <= 0:
        return MOST_WORTH
    return float(np.clip(within / between, FEW_WORTH, MOST_WORTH))
