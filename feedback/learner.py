"""One bank's learner: what its closed recalls taught, and when that may be published. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from channels.errors import ConfigError
from feedback.drift import KEPT, DriftMonitor
from feedback.examination import ETA
from feedback.impression import Impression
from feedback.lane_prior import with_row
from feedback.library import TypeRows
from feedback.offpolicy import PolicyValue, compare
from feedback.packing import pack, unpack
from feedback.posterior import FleetPrior, MatrixState, heeded, learned_rows
from feedback.residual import Array, ResidualState
from feedback.voices import ACTOR_SHARE, most_of, typical
from feedback.vouched import is_vouched, only_explicit

KIND = "bank-1"
RECENT = 300  # impressions that proposed rows are judged on
SAME = 0.02  # log ratio; rows nearer than this in every weight are not worth a version


@dataclass(frozen=True, slots=True)
class Start:
    """What a bank begins with: the default rows, and the residual's features and prior mean."""

    channels: tuple[str, ...]
    rows: TypeRows
    names: tuple[str, ...]
    feature_version: int
    residual: Array  # (F,)


@dataclass(frozen=True, slots=True)
class Gate:
    """What must be known before rows are published."""

    impressions: int = 20  # with engagement; fewer say nothing about five rows
    actors: int = 1  # distinct; raise it where strangers send feedback
    trusted: int = 5  # impressions with a trusted explicit signal that may veto


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether to publish, why, and by what estimate."""

    publish: bool
    reason: str
    estimate: PolicyValue | None = None


@dataclass
class BankLearner:
    """The state of one bank."""

    matrix: MatrixState
    residual: ResidualState
    drift: DriftMonitor
    wins: float = 0.0  # held-back recalls in which the learned row's picks got more
    losses: float = 0.0
    drops: int = 0  # times evidence was forgotten

    @classmethod
    def empty(cls, start: Start) -> "BankLearner":
        """Nothing learnt yet."""
        return cls(
            MatrixState.empty(start.channels),
            ResidualState.empty(start.names, start.feature_version, start.residual),
            DriftMonitor(),
        )

    def learn(self, one: Impression, start: Start, *, eta: float = ETA) -> bool:
        """Take in one closed recall; False when it was answered by other lanes than these."""
        if one.channels != self.matrix.channels:
            return False
        self.matrix.update(one, start.rows, eta=eta)
        prior = with_row(start.residual, self.matrix, start.rows)
        self.residual.update(one, start.rows, prior, eta=eta)
        if one.teams is not None:
            won = float(one.engagement @ (2.0 * one.teams - 1.0))
            self.wins += float(won > 0)
            self.losses += float(won < 0)
        if self.drift.dropped(float(one.clicks.sum())):
            self.matrix.forget(KEPT)
            self.residual.forget(KEPT)
            self.drops += 1
        return True

    @property
    def known(self) -> int:
        """Impressions ever taken in."""
        return self.matrix.model.updates

    def rows(self, start: Start, fleet: FleetPrior) -> TypeRows:
        """The rows to serve; the default bit for bit while nothing is known."""
        return learned_rows(self.matrix, start.rows, fleet)

    def dump(self) -> bytes:
        """The state as bytes; equal states give equal bytes."""
        parts = {"matrix": self.matrix.dump(), "residual": self.residual.dump()}
        plain = {
            "drift": self.drift.seen,
            "wins": self.wins,
            "losses": self.losses,
            "drops": self.drops,
        }
        return pack(
            KIND, plain, {name: np.frombuffer(part, np.uint8) for name, part in parts.items()}
        )

    @classmethod
    def load(cls, packed: bytes, start: Start) -> "BankLearner":
        """Back from `dump`. Raises ConfigError for a state over other lanes or features."""
        plain, arrays = unpack(KIND, packed)
        matrix = MatrixState.load(arrays["matrix"].tobytes())
        residual = ResidualState.load(arrays["residual"].tobytes())
        if (matrix.channels, residual.names) != (start.channels, start.names):
            raise ConfigError(
                "learner state", "knows other lanes or features; run `fivefold learner replay`"
            )
        drift = DriftMonitor(plain["drift"])
        return cls(matrix, residual, drift, plain["wins"], plain["losses"], plain["drops"])


def judge(
    learner: BankLearner,
    proposed: TypeRows,
    live: TypeRows,
    recent: Sequence[Impression],
    gate: Gate,
    *,
    eta: float = ETA,
) -> Verdict:
    """Whether `proposed` may replace `live`, on the recent closed recalls.

    Not when hardly anything changed, when too little is known, when no recent page would have
    been another, when the affine estimate says with 95 % confidence that it is worse, or when
    trusted explicit signals do, which outweigh any clicks. Where these contradict what the clicks
    led to, clicks have no say here: else they would hold what they won.
    """
    if same_rows(proposed, live):
        return Verdict(False, "unchanged")
    engaged = [one for one in recent if not one.is_silent]
    actors = len({one.actor for one in engaged})
    if len(engaged) < gate.impressions or actors < gate.actors:
        return Verdict(
            False,
            f"{len(engaged)} recalls with engagement by {actors} actors; "
            f"{gate.impressions} by {gate.actors} are needed",
        )
    vowed = [only_explicit(one) for one in engaged if is_vouched(one)]
    _, _, heed = heeded(learner.matrix, FleetPrior.none(len(learner.matrix.channels)))
    heard = shared_out(recent) if heed == 1.0 else vowed
    value = _compared(learner, heard, proposed, live, eta)
    if value.effective == 0.0:
        return Verdict(False, "no recent page would be another", value)
    if value.affine.high < 0:
        return Verdict(False, "worse than the live rows by the off-policy estimate", value)
    if len(vowed) >= gate.trusted:
        told = _compared(learner, vowed, proposed, live, eta)
        if told.affine.high < 0:
            return Verdict(False, "trusted explicit signals speak against it", told)
    reason = "learned" if heed == 1.0 else f"learned; trusted keys let {heed:.0%} of the rest count"
    return Verdict(True, reason, value)


def shared_out(recent: Sequence[Impression]) -> list[Impression]:
    """The recalls without those by which an untrusted actor has more than its share.

    The learner caps what an actor owns of the evidence; a gate that did not would let two of them
    hold the rows they won while they were few.
    """
    most = most_of(ACTOR_SHARE, len(recent), typical(Counter(one.actor for one in recent).values()))
    counts: Counter[str] = Counter()
    kept = []
    for one in reversed(recent):
        counts[one.actor] += not one.trusted
        if one.trusted or counts[one.actor] <= most:
            kept.append(one)
    return kept[::-1]


def same_rows(one: TypeRows, other: TypeRows) -> bool:
    """Whether no weight and no constant differs noticeably: noise on served rows is 10 %."""
    return bool(
        np.abs(np.log(one.weights / other.weights)).max() < SAME
        and np.abs(np.log(one.rrf_k / other.rrf_k)).max() < SAME
    )


def _compared(
    learner: BankLearner,
    recent: Sequence[Impression],
    proposed: TypeRows,
    live: TypeRows,
    eta: float,
) -> PolicyValue:
    return compare(
        recent, proposed, live, learner.matrix.reward, learner.matrix.accidents.rate, eta=eta
    )
