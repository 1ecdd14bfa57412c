"""The residual ranker: a small linear model over named features on top of the fused score. Pure.

Learnt from closed pages by the conditional click likelihood with a position offset and a floor of
accidental clicks; second-order statistics; a ridge that falls as clicks come in. It is served only
while a gate says that it explains clicks better than the base does with a slope of its own: an
estimate of DCG switches on in pure noise, this likelihood does not. And only as far as trusted keys
bear it out: many accounts that agree can be told as well as taste can. See docs/learning.md.
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.errors import ConfigError
from feedback.examination import ETA, examination
from feedback.impression import Impression
from feedback.lanes import base_scores, contrast_scores
from feedback.library import TypeRows, blended
from feedback.packing import pack, unpack
from feedback.reward import DEEP, EPS_MASS, EPS_PRIOR
from feedback.voices import Voices
from feedback.vouched import DOUBT_FROM, DOUBT_TO, is_vouched, only_explicit

KIND = "residual-3"
SERVED = "residual-served-1"
SCALE = 8.0  # T: log odds that the whole range of the base score is worth before anything is learnt
RIDGE_LAST = 0.5  # lambda
RIDGE_FIRST, RIDGE_FALL = 3e4, 1.5  # added at no click, falling with (1 + clicks) ^ -1.5
RIDGE_SLOPE = 1.0  # of the base's own slope
# Added per click: the same questions come again, and their clicks are not independent. Without it
# a bank learns a hundred questions by heart and loses a third of its gain on others.
RIDGE_KEPT = 0.002
YOUNG = 20.0  # what is left of RIDGE_FIRST while features are too young to stand in for the base
STEP = 0.1  # most that a weight moves in one impression
MOST_SURPRISE = 3.0  # log likelihood ratio that one page may add to the gate
GATE = 1.0  # z at which it opens; it shuts at 0
GATE_KEPT = 0.999  # of the gate's sums, per impression: half in 690
TRIED = 10.0  # pages rated by trusted keys until what they say must be for the model
BORNE_OUT_FROM, BORNE_OUT_TO = 0.0, 1.0  # z of the trial: from the first on a part, then all
MOST_CLICKS = 2.0  # of one page, as the ridge counts them
LEAST_SLOPE = -1.0  # of the base: lanes' scores and contrasts may take its place

Array = NDArray[np.float64]


@dataclass
class Rival:
    """The base alone with a slope refitted to clicks: what the model must tell them better than."""

    slope: float = 0.0
    gram: float = 0.0
    moment: float = 0.0

    def learn(self, page: "_Page", rate: float, vote: float, start: float) -> None:
        """Take in a page's clicks; `start`: the prior mean of the slope."""
        column = page.rival[:, None]
        change, fisher = page.gradient(column, self.score(page), rate)
        self.gram += vote * float(fisher[0, 0])
        self.moment += vote * float(change[0] + fisher[0, 0] * self.slope)
        aim = (self.moment + RIDGE_SLOPE * start) / (self.gram + RIDGE_SLOPE)
        self.slope += float(np.clip(aim - self.slope, -STEP, STEP))

    def score(self, page: "_Page") -> Array:
        """Log odds of the page's memories, (k,)."""
        return (1 + self.slope) * page.rival


@dataclass
class Trial:
    """Model against rival on what trusted keys said deliberately; no other account can move it.

    A page that the model has already spoilt shows little of what it could be told wrong by. So not
    to be contradicted is enough only while trusted keys have hardly spoken: after TRIED pages they
    must bear the model out, and until they do the base's pages, which say more, are served.
    """

    rival: Rival
    total: float = 0.0
    square: float = 0.0
    pages: float = 0.0

    @property
    def heed(self) -> float:
        """How much of the model to serve, in [0, 1]: whole while nobody spoke."""
        tried = min(1.0, self.pages / TRIED)
        low = DOUBT_TO + tried * (BORNE_OUT_FROM - DOUBT_TO)
        high = DOUBT_FROM + tried * (BORNE_OUT_TO - DOUBT_FROM)
        z = self.total / (self.square + 1.0) ** 0.5
        return float(np.clip((z - low) / (high - low), 0.0, 1.0))

    def add(self, gain: float) -> None:
        """One page's verdict."""
        self.total = GATE_KEPT * self.total + gain
        self.square = GATE_KEPT * self.square + gain**2
        self.pages = GATE_KEPT * self.pages + 1.0

    def forget(self, kept: float) -> None:
        """Keep only that share."""
        self.total *= kept
        self.square *= kept
        self.pages *= kept


@dataclass
class ResidualState:
    """What one bank has learnt. F weights; the last is the base's slope (a nuisance)."""

    names: tuple[str, ...]  # logged features, contrasts of the lanes, slope
    version: int  # of the list of logged features
    gram: Array  # A, (F, F): Fisher information of the clicks
    moment: Array  # b, (F,)
    weights: Array  # w, (F,)
    clicks: float = 0.0
    accident_clicks: float = 0.0
    accident_looks: float = 0.0
    rival: Rival = field(default_factory=Rival)
    trial: Trial = field(default_factory=lambda: Trial(Rival()))
    gate_sum: float = 0.0
    gate_square: float = 0.0
    is_on: bool = False
    impressions: int = 0
    voices: Voices = field(default_factory=Voices)

    @classmethod
    def empty(cls, names: tuple[str, ...], version: int, prior: Array) -> "ResidualState":
        """No evidence: the weights are the prior mean, bit for bit, and the gate is shut."""
        size, slope = len(names), float(prior[-1])
        return cls(
            names,
            version,
            np.zeros((size, size)),
            np.zeros(size),
            prior.copy(),
            rival=Rival(slope),
            trial=Trial(Rival(slope)),
        )

    @property
    def accident_rate(self) -> float:
        """Clicks per look at an irrelevant memory."""
        return (EPS_PRIOR * EPS_MASS + self.accident_clicks) / (EPS_MASS + self.accident_looks)

    @property
    def gate(self) -> float:
        """How many standard errors better than the base the model tells clicks (z)."""
        return float(self.gate_sum / (self.gate_square + 1.0) ** 0.5)

    def update(self, one: Impression, rows: TypeRows, prior: Array, *, eta: float = ETA) -> bool:
        """Take in one closed page; False when its features are of another list or missing.

        `rows`: the default, whose score the model corrects. Its rival in the gate is the row that
        was served: where the matrix learner has found a better one, that is what must be beaten.
        """
        if one.features is None or one.feature_version != self.version:
            return False
        there = np.flatnonzero(one.exposed)
        seen = examination(one.positions[there], eta)
        clicks = one.clicks[there]
        weight = self.voices.weight(one.actor, one.api_key, trusted=one.trusted)
        self.impressions += 1
        if is_vouched(one):
            self._try(only_explicit(one), rows, prior, eta)
        self._count_accidents(one.positions[there], seen, clicks, weight)
        if clicks.sum() == 0:
            self._close_gate(0.0)
            return True
        page = _page(one, rows, there, seen, clicks)
        self._close_gate(weight * self._surprise(page, self.rival, self.accident_rate))
        self._learn(page, prior, weight)
        return True

    def to_serve(self) -> "ServedResidual | None":
        """What answers are corrected by from now on; None while that is nothing."""
        if not self.is_served:
            return None
        return ServedResidual(self.names, self.version, self.served())

    def served(self) -> Array:
        """What is added to the base, (F,); zeros while nothing is served."""
        return self.trial.heed * self.ungated() if self.is_on else np.zeros_like(self.weights)

    @property
    def is_served(self) -> bool:
        """Whether the gate is open and trusted keys do not speak against it altogether."""
        return self.is_on and self.trial.heed > 0.0

    def ungated(self) -> Array:
        """What would be added were the gate open, (F,).

        The slope stays in: with steep default rows the lanes' own scores and contrasts replace the
        base almost whole (labels give a slope near -1), and to divide by what is left of it would
        serve another order than the one that was learnt.
        """
        return servable(self.weights, self._least_slope())

    def forget(self, kept: float) -> None:
        """Keep only that share of the evidence: the world has changed."""
        self.gram *= kept
        self.moment *= kept
        self.clicks *= kept
        self.gate_sum *= kept
        self.gate_square *= kept
        self.trial.forget(kept)

    def _count_accidents(
        self, positions: NDArray[np.int64], seen: Array, clicks: Array, weight: float
    ) -> None:
        deep = (positions >= DEEP.start) & (positions < DEEP.stop)
        self.accident_clicks += weight * float(clicks[deep].sum())
        self.accident_looks += weight * float(seen[deep].sum())

    def _surprise(self, page: "_Page", rival: Rival, rate: float) -> float:
        """How much better the model told this page than the base did, before learning from it."""
        ours = page.shares(page.base + page.features @ self.weights, rate)[0]
        theirs = page.shares(rival.score(page), rate)[0]
        gain = float(page.clicks @ (np.log(ours) - np.log(theirs)))
        return float(np.clip(gain, -MOST_SURPRISE, MOST_SURPRISE))

    def _try(self, told: Impression, rows: TypeRows, prior: Array, eta: float) -> None:
        """Let what trusted keys said, for and against, tell model and base apart."""
        there = np.flatnonzero(told.exposed)
        if not there.size:
            return
        seen = examination(told.positions[there], eta)
        page = _page(told, rows, there, seen, told.engagement[there])
        # The common rate of accidents would let others drown what is said here.
        self.trial.add(self._surprise(page, self.trial.rival, EPS_PRIOR))
        liked = replace(page, clicks=np.maximum(page.clicks, 0.0))
        if total := float(liked.clicks.sum()):
            self.trial.rival.learn(liked, EPS_PRIOR, self._vote(1.0, total), float(prior[-1]))

    def _close_gate(self, surprise: float) -> None:
        self.gate_sum = GATE_KEPT * self.gate_sum + surprise
        self.gate_square = GATE_KEPT * self.gate_square + surprise**2
        self.is_on = self.gate > (0.0 if self.is_on else GATE)

    def _learn(self, page: "_Page", prior: Array, weight: float) -> None:
        rate, total = self.accident_rate, float(page.clicks.sum())
        vote = self._vote(weight, total)
        score = page.base + page.features @ self.weights
        slope, fisher = page.gradient(page.features, score, rate)
        self.gram += vote * fisher
        self.moment += vote * (slope + fisher @ self.weights)
        self.clicks += vote * min(total, MOST_CLICKS)
        ridge = np.full(len(self.weights), self._ridge())
        ridge[-1] = RIDGE_SLOPE
        best = np.linalg.solve(self.gram + np.diag(ridge), self.moment + ridge * prior)
        self.weights = self.weights + np.clip(best - self.weights, -STEP, STEP)
        self.rival.learn(page, rate, vote, float(prior[-1]))

    def _vote(self, weight: float, total: float) -> float:
        """What each click counts: a page has one vote, however much of it was clicked."""
        return weight * min(1.0, 1.0 / total)

    def _ridge(self) -> float:
        falling = RIDGE_FIRST / (1.0 + self.clicks) ** RIDGE_FALL
        return float(RIDGE_LAST + falling + RIDGE_KEPT * self.clicks)

    def _least_slope(self) -> float:
        """The slope learns at once, the features do not: until then half of the base must stay."""
        falling = RIDGE_FIRST / (1.0 + self.clicks) ** RIDGE_FALL
        return float(LEAST_SLOPE + 0.5 * falling / (falling + YOUNG))

    def dump(self) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        plain = {name: getattr(self, name) for name in PLAIN} | {
            "names": list(self.names),
            "voices": self.voices.pack(),
            "rival": asdict(self.rival),
            "trial": asdict(self.trial),
        }
        arrays = {"gram": self.gram, "moment": self.moment, "weights": self.weights}
        return pack(KIND, plain, arrays)

    @classmethod
    def load(cls, packed: bytes) -> "ResidualState":
        """Back from `dump`. Raises ConfigError for bytes of another kind."""
        plain, arrays = unpack(KIND, packed)
        if set(plain) != {*PLAIN, "names", "voices", "rival", "trial"}:
            raise ConfigError("learner state", "is torn; run `fivefold learner replay`")
        known: dict[str, Any] = {name: plain[name] for name in PLAIN} | arrays
        trial = plain["trial"]
        return cls(
            names=tuple(plain["names"]),
            voices=Voices.unpack(plain["voices"]),
            rival=Rival(**plain["rival"]),
            trial=Trial(Rival(**trial.pop("rival")), **trial),
            **known,
        )


PLAIN = (
    "version",
    "clicks",
    "accident_clicks",
    "accident_looks",
    "gate_sum",
    "gate_square",
    "is_on",
    "impressions",
)


@dataclass(frozen=True, slots=True)
class ServedResidual:
    """Weights as answers are corrected by them, (F,), and the features they are of."""

    names: tuple[str, ...]
    version: int
    weights: Array

    def dump(self) -> bytes:
        """As bytes."""
        plain = {"names": list(self.names), "version": self.version}
        return pack(SERVED, plain, {"weights": self.weights})

    @classmethod
    def load(cls, packed: bytes) -> "ServedResidual":
        """Back from `dump`. Raises ConfigError for bytes of another kind."""
        plain, arrays = unpack(SERVED, packed)
        return cls(tuple(plain["names"]), int(plain["version"]), arrays["weights"])


@dataclass(frozen=True, slots=True)
class _Page:
    """The looked-at part of a page: features (k, F); log odds of default and served row (k,)."""

    features: Array
    base: Array
    rival: Array
    seen: Array
    clicks: Array

    def shares(self, score: Array, rate: float) -> tuple[Array, Array, Array]:
        """Each memory's share of the page's clicks; its softmax; both with the floor added."""
        odds = np.exp(score - score.max())
        chosen = odds / odds.sum()
        floored = chosen + rate
        share = self.seen * floored
        return share / share.sum(), chosen, floored

    def gradient(self, features: Array, score: Array, rate: float) -> tuple[Array, Array]:
        """Gradient of the clicks' log likelihood, (F,), and its Fisher information, (F, F)."""
        share, chosen, floored = self.shares(score, rate)
        change = (chosen / floored)[:, None] * (features - chosen @ features)
        change = change - share @ change
        fisher = float(self.clicks.sum()) * (change.T * share) @ change
        return self.clicks @ change, fisher


def _page(
    one: Impression,
    rows: TypeRows,
    there: NDArray[np.intp],
    seen: Array,
    clicks: Array,
) -> _Page:
    assert one.features is not None  # noqa: S101 - for mypy; `update` looked
    # Only the shown: centred over these or over all candidates, the shares of clicks are the same.
    weights, rrf_k = blended(rows, one.types)
    ranks = one.ranks[one.page[there]]
    base = SCALE * base_scores(ranks, one.heard(weights), rrf_k)
    rival = SCALE * base_scores(ranks, one.weights, one.rrf_k)
    features = design(one.features[there], contrast_scores(ranks), base)
    return _Page(features, base, rival, seen, clicks)


def design(logged: NDArray[np.float32], lanes: Array, base: Array) -> Array:
    """Columns in the order of the names, (k, F): logged features, contrasts, slope."""
    return np.column_stack([np.asarray(logged, np.float64), lanes, base - base.mean()])


def servable(weights: Array, least: float = LEAST_SLOPE) -> Array:
    """Weights as they are served, (F,): the base may count for nothing, never against itself."""
    bounded = weights.copy()
    bounded[-1] = max(least, float(weights[-1]))
    return bounded


def prior_mean(fitted: Array, *, share: float = 0.5) -> Array:
    """Weights learnt elsewhere as a cautious start: part of the way from the base to them."""
    return share * servable(fitted)
