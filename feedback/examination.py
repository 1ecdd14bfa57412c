"""How likely a position is looked at: the curve, and its estimate from logged variation. Pure.

Joachims, Swaminathan & Schnabel, WSDM 2017 (inverse propensity); Agarwal et al., WSDM 2019
(intervention harvesting: the same memory shown at different positions by different rankings).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feedback.impression import Impression

ETA = 1.0  # theta(p) = p ** -ETA; with the truth between .5 and 1.5 two thirds of the gain are kept
EVERY = 250  # impressions between two measurements of a bank's own
MOST_ETA = 3.0
LAST = 10  # positions compared; clicks further down are too few
LEAST_CLICKS = 100.0  # matched clicks below which an estimate says nothing
STEPS = 601  # of the grid over [0, MOST_ETA]; .005 apart, far finer than the interval

Share = tuple[int, int, float, float]  # positions p < q, clicks at p, at q, equally often shown


@dataclass(frozen=True, slots=True)
class EtaEstimate:
    """An exponent with its 95 % interval and the matched clicks behind it."""

    eta: float
    low: float
    high: float
    clicks: float


def examination(positions: NDArray[np.int64], eta: float = ETA) -> NDArray[np.float64]:
    """Probability that each position is looked at, in (0, 1]; 1 at position 1."""
    seen: NDArray[np.float64] = np.asarray(positions, np.float64) ** -eta
    return seen


def estimate_eta(impressions: Iterable[Impression]) -> EtaEstimate | None:
    """The exponent that clicks on the same memory at different positions speak for.

    Only a question asked again and answered in another order matches, each pair of positions
    weighted so that both were shown equally often; of its clicks the share at the upper position is
    1 / (1 + (p / q) ** eta), whatever the memory is worth. Clicks by accident draw the estimate
    towards 0. None while fewer than LEAST_CLICKS match.
    """
    groups = _matched(impressions)
    shares = [share for group in groups for share in group]
    clicks = sum(above + below for _, _, above, below in shares)
    if clicks < LEAST_CLICKS:
        return None
    grid = np.linspace(0.0, MOST_ETA, STEPS)
    fit = sum(_likelihood(share, grid) for share in shares)
    eta = float(grid[int(np.argmax(fit))])
    half = 1.96 * _error(groups, eta)
    return EtaEstimate(eta, max(0.0, eta - half), min(MOST_ETA, eta + half), clicks)


def measured_eta(impressions: Iterable[Impression]) -> float:
    """ETA, moved as far as the interval of the estimate asks for: its nearer end when outside.

    People who go down a page until they have clicked look at nearly all of it; taken for people who
    hardly look, what is shown first seems worthless and what is shown last precious.
    """
    found = estimate_eta(impressions)
    return ETA if found is None else round(min(max(ETA, found.low), found.high), 2)


def _error(groups: Sequence[Sequence[Share]], eta: float) -> float:
    """Standard error of the estimate.

    A click of a memory at one position is matched with each other position it was shown at, so its
    shares are no independent draws: the error is the larger of the likelihood's and the one that
    treats each memory as one observation (Liang & Zeger 1986). The first alone covers 90 % of the
    time when it says 95 %.
    """
    known = sum(_information(share, eta) for group in groups for share in group)
    slopes = [sum(_slope(share, eta) for share in group) for group in groups]
    spread = float(np.sum(np.square(slopes)))
    return float(max(known, spread) ** 0.5 / max(known, 1e-9))


def _matched(impressions: Iterable[Impression]) -> list[list[Share]]:
    """What each memory under each question says."""
    shown: Mapping[tuple[int, int], Counter[int]] = defaultdict(Counter)
    clicked: Mapping[tuple[int, int], Counter[int]] = defaultdict(Counter)
    for one in impressions:
        for place in np.flatnonzero(one.exposed & (one.positions <= LAST)).tolist():
            pair = (one.question, int(one.keys[place]))
            position = int(one.positions[place])
            shown[pair][position] += 1
            clicked[pair][position] += int(one.clicks[place] > 0)
    groups = []
    for pair, seen in shown.items():
        places, shares = sorted(seen), []
        for at, p in enumerate(places):
            for q in places[at + 1 :]:
                both = min(seen[p], seen[q])
                above = both * clicked[pair][p] / seen[p]
                below = both * clicked[pair][q] / seen[q]
                shares.append((p, q, above, below))
        groups.append(shares)
    return groups


def _likelihood(share: Share, eta: NDArray[np.float64]) -> NDArray[np.float64]:
    p, q, above, below = share
    odds = eta * np.log(q / p)  # of the upper position
    fit: NDArray[np.float64] = above * odds - (above + below) * np.logaddexp(0.0, odds)
    return fit


def _slope(share: Share, eta: float) -> float:
    p, q, above, below = share
    gap = float(np.log(q / p))
    return gap * (above - (above + below) / (1 + float(np.exp(-eta * gap))))


def _information(share: Share, eta: float) -> float:
    p, q, above, below = share
    gap = float(np.log(q / p))
    upper = 1 / (1 + np.exp(-eta * gap))
    return float((above + below) * gap**2 * upper * (1 - upper))
