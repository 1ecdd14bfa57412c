"""The matrix learner: every event scores every row of the library, in DCG, off-policy. Pure.

Channels are not credited: a memory that is engaged with ranks well in every channel, so credit
measures agreement and pulls each row towards uniform. Instead each candidate row is asked where it
would have ranked what was engaged with (doubly robust, affine inverse propensity), and the row that
is served is the weighted mean of the library, shrunk to the prior. See docs/learning.md.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.errors import ConfigError
from feedback.examination import ETA, examination
from feedback.gains import Pages, row_gains
from feedback.impression import TYPES, Impression, type_shares
from feedback.library import TypeRows, deltas, library_id, normalised, rows_of
from feedback.packing import pack, unpack
from feedback.reward import Accidents, RewardModel, corrected, rank_features
from feedback.voices import Voices
from feedback.vouched import Vouched

KIND = "matrix-3"
KEPT = 0.9995  # of the evidence, per impression: half is gone after 1,400
DISTANCE = 1.0  # DCG a row must earn per unit of log change before it is believed
DOUBT = 0.5  # standard deviations taken off before rows are compared
SHARPNESS, CALM = 6.0, 20.0  # of the softmax over rows, and the spread below which nothing is sure
BORROWED = 60.0  # impressions' worth that other types may lend one that has few

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FleetPrior:
    """What other banks found: a start for S per type, worth so many impressions. (T, J)"""

    gain: Array
    square: Array

    @classmethod
    def none(cls, channels: int) -> "FleetPrior":
        """Nothing known: the default rows stand."""
        rows = len(deltas(channels))
        return cls(np.zeros((len(TYPES), rows)), np.zeros((len(TYPES), rows)))


@dataclass
class MatrixState:
    """Additive evidence of one bank about every row of the library, per type."""

    channels: tuple[str, ...]
    gain: Array  # S, (T, J)
    square: Array  # Q, (T, J)
    count: Array  # n, (T,)
    model: RewardModel
    accidents: Accidents
    voices: Voices
    vouched: Vouched

    @classmethod
    def empty(cls, channels: tuple[str, ...]) -> "MatrixState":
        """No evidence: the rows are the prior's, bit for bit."""
        shape = (len(TYPES), len(deltas(len(channels))))
        return cls(
            channels,
            np.zeros(shape),
            np.zeros(shape),
            np.zeros(len(TYPES)),
            RewardModel.empty(len(channels)),
            Accidents(),
            Voices(),
            Vouched.empty(shape[1]),
        )

    def update(self, one: Impression, prior: TypeRows, *, eta: float = ETA) -> None:
        """Take in one closed impression of the same channels."""
        shares = type_shares(one.types)
        seen = examination(one.positions, eta)
        weight = self.voices.weight(one.actor, one.api_key, trusted=one.trusted)
        self.accidents.count(one, seen, weight)
        value, share = corrected(one, seen, self.accidents.rate)
        features = rank_features(one.ranks, self.channels)
        pages = Pages(one, prior)
        votes = min(1.0, 1.0 / max(float(np.abs(one.engagement).sum()), 1.0))
        for kind in np.flatnonzero(shares):
            reward = self.model.predict(features, int(kind), float(self.count[kind]))
            gain = weight * votes * row_gains(one, pages.of(int(kind)), reward, value, share)
            kept = KEPT ** float(shares[kind])
            self.gain[kind] = kept * self.gain[kind] + shares[kind] * gain
            self.square[kind] = kept * self.square[kind] + shares[kind] * gain**2
            self.count[kind] = kept * self.count[kind] + shares[kind] * weight
        looked = np.flatnonzero(one.exposed)
        per_look = value[looked] / np.maximum(share[looked], 1e-12)
        self.model.learn(features[one.page[looked]], weight * seen[looked], per_look, shares)
        self.vouched.update(one, prior, eta=eta, kept=KEPT)

    def reward(self, one: Impression, features: Array) -> Array:
        """What the reward model imputes for each candidate, (n,), types weighed."""
        shares = type_shares(one.types)
        total = np.zeros(len(features))
        for kind in np.flatnonzero(shares).tolist():
            known = float(self.count[kind])
            total += shares[kind] * self.model.predict(features, kind, known)
        return total

    def forget(self, kept: float) -> None:
        """Keep only that share of the evidence: the world has changed."""
        self.gain *= kept
        self.square *= kept
        self.count *= kept
        self.vouched.forget(kept)

    def dump(self) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        model = self.model
        plain = {
            "channels": list(self.channels),
            "library": library_id(len(self.channels)),
            "updates": model.updates,
            "accidents": self.accidents.pair(),
            "vouched": self.vouched.accidents.pair(),
            "voices": self.voices.pack(),
        }
        arrays = {
            "gain": self.gain,
            "square": self.square,
            "count": self.count,
            "vouched_gain": self.vouched.gain,
            "vouched_square": self.vouched.square,
        }
        return pack(
            KIND,
            plain,
            {**arrays, "gram": model.gram, "moment": model.moment, "beta": model.beta},
        )

    @classmethod
    def load(cls, packed: bytes) -> "MatrixState":
        """Back from `dump`. Raises ConfigError for a state over another library."""
        plain, arrays = unpack(KIND, packed)
        channels = tuple(plain["channels"])
        _same_library(plain, len(channels))
        model = RewardModel(arrays["gram"], arrays["moment"], arrays["beta"], plain["updates"])
        return cls(
            channels,
            arrays["gain"],
            arrays["square"],
            arrays["count"],
            model,
            Accidents(*plain["accidents"]),
            Voices.unpack(plain["voices"]),
            Vouched(arrays["vouched_gain"], arrays["vouched_square"], Accidents(*plain["vouched"])),
        )


def posterior(state: MatrixState, fleet: FleetPrior) -> Array:
    """How far each row of the library is believed, per type, (T, J); each line sums to 1.

    What trusted keys said deliberately takes the place of the bank's evidence as far as it speaks
    against the rows that this leads to.
    """
    gain, square, heed = heeded(state, fleet)
    return _belief(len(state.channels), gain, square, state.count, fleet, lends=heed)


def heeded(state: MatrixState, fleet: FleetPrior) -> tuple[Array, Array, float]:
    """S and Q, (T, J), as far as trusted keys bear them out, and how far that is, in [0, 1]."""
    led_to = _belief(len(state.channels), state.gain, state.square, state.count, fleet)
    known = state.count / max(float(state.count.sum()), 1e-12)
    vouched, heed = state.vouched, state.vouched.heed(known @ led_to)
    if heed == 1.0:
        return state.gain, state.square, heed
    gain = heed * state.gain + (1.0 - heed) * vouched.gain
    square = heed * state.square + (1.0 - heed) * vouched.square
    return gain, square, heed


def _belief(
    channels: int,
    gain: Array,
    square: Array,
    count: Array,
    fleet: FleetPrior,
    *,
    lends: float = 1.0,
) -> Array:
    """As `posterior`, of sums (T, J) and counts (T,); `lends` scales what other types lend."""
    lines = []
    size = np.abs(deltas(channels)).sum(axis=1)
    for kind in range(len(TYPES)):
        own = min(BORROWED, float(count[kind]))
        others = float(count.sum() - count[kind])
        lent = lends * own / (others + own) if others + own > 0 else 0.0
        rest = np.arange(len(TYPES)) != kind
        its = gain[kind] + fleet.gain[kind] + lent * gain[rest].sum(axis=0)
        spread = square[kind] + fleet.square[kind] + lent * square[rest].sum(axis=0)
        score = its - DISTANCE * size - DOUBT * np.sqrt(spread)
        sharp = SHARPNESS * score / np.sqrt(spread.mean() + CALM)
        belief = np.exp(sharp - sharp.max())
        lines.append(belief / belief.sum())
    return np.array(lines)


def learned_rows(state: MatrixState, prior: TypeRows, fleet: FleetPrior) -> TypeRows:
    """The rows to serve: the library's mean in logs. Without evidence the prior, bit for bit."""
    belief = posterior(state, fleet)
    weights, rrf_k = prior.weights.copy(), prior.rrf_k.copy()
    for kind in range(len(TYPES)):
        if not (state.count[kind] or fleet.gain[kind].any()):
            continue
        rows, constants = rows_of(prior.weights[kind], float(prior.rrf_k[kind]))
        weights[kind] = normalised(np.exp(belief[kind] @ np.log(rows)))
        rrf_k[kind] = float(np.exp(belief[kind] @ np.log(constants)))
    return TypeRows(weights, rrf_k)


def _same_library(plain: dict[str, Any], channels: int) -> None:
    if plain["library"] != library_id(channels):
        raise ConfigError(
            "learner state", "was learnt over another library; run `fivefold learner replay`"
        )
