"""What learns in the bed: the product's own learner, and those it must beat or outlive."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from feedback.examination import ETA, EVERY, examination, measured_eta
from feedback.fleet import on_probation
from feedback.impression import TYPES, Impression
from feedback.lanes import rank_terms
from feedback.learner import RECENT, BankLearner, Gate, Start, judge, shared_out
from feedback.library import TypeRows, normalised
from feedback.offpolicy import COMPARED
from feedback.posterior import FleetPrior

IPS_RATE, IPS_CLIP, IPS_SCALE = 0.12, 3.0, 8.0

Array = NDArray[np.float64]


class Learner(Protocol):
    """Takes impressions in and gives rows out."""

    def learn(self, one: Impression) -> None:
        """Take in one closed recall."""
        ...

    def publish(self) -> TypeRows:
        """The rows to serve from now on."""
        ...


@dataclass
class Fivefold:
    """The product's learner behind its own gate."""

    start: Start
    fleet: FleetPrior
    gate: Gate = field(default_factory=Gate)

    def __post_init__(self) -> None:
        self.state = BankLearner.empty(self.start)
        self.live = self.start.rows
        self.eta = ETA
        self._seen: list[Impression] = []

    def learn(self, one: Impression) -> None:
        """Take in one closed recall."""
        if self.state.known and self.state.known % EVERY == 0:
            self.eta = measured_eta(shared_out(self._seen))
        self.state.learn(one, self.start, eta=self.eta)
        self._seen = [*self._seen[-COMPARED + 1 :], one]

    def publish(self) -> TypeRows:
        """The learner's rows where its gate lets them pass, else the live ones."""
        state, fleet, gate = self.state, self.fleet, self.gate
        if fleet.gain.any():  # as feedback.concluding: own evidence first, then the fleet's word
            if not state.matrix.count.any():
                return self.live
            fleet = on_probation(fleet, state.wins, state.losses)
            gate = replace(gate, impressions=1) if fleet.gain.any() else gate
        proposed = state.rows(self.start, fleet)
        recent = self._seen[-RECENT:]
        verdict = judge(state, proposed, self.live, recent, gate, eta=self.eta)
        self.live = proposed if verdict.publish else self.live
        return self.live


@dataclass
class Static:
    """Never learns."""

    start: Start

    def learn(self, one: Impression) -> None:
        """Nothing."""

    def publish(self) -> TypeRows:
        """The default."""
        return self.start.rows


@dataclass
class NaiveCredit:
    """Credits each channel with its share of a clicked memory's score: the first thing tried."""

    start: Start

    def __post_init__(self) -> None:
        self._credit = np.zeros(len(self.start.channels))

    def learn(self, one: Impression) -> None:
        """Share every click out over the channels that ranked the memory."""
        votes = rank_terms(one.ranks[one.page], one.rrf_k)
        parts = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1e-12)
        self._credit += one.clicks @ parts

    def publish(self) -> TypeRows:
        """Weights by credit."""
        if not self._credit.any():
            return self.start.rows
        row = normalised(self._credit + 1.0)
        return TypeRows(np.tile(row, (len(TYPES), 1)), self.start.rows.rrf_k)


@dataclass
class InversePropensity:
    """Gradient on log weights, clicked against all candidates, by inverse propensity."""

    start: Start

    def __post_init__(self) -> None:
        self._logs = np.log(self.start.rows.weights)

    def learn(self, one: Impression) -> None:
        """One step of the gradient of the clicked memories' softmax."""
        terms = rank_terms(one.ranks, one.rrf_k)
        worth = np.minimum(one.clicks / examination(one.positions), IPS_CLIP)
        for kind in np.flatnonzero(one.types > 0.05):
            weights = np.exp(self._logs[kind])
            score = IPS_SCALE * terms @ weights / weights.sum()
            chance = np.exp(score - score.max())
            chance /= chance.sum()
            pull = worth @ (terms[one.page] - chance @ terms)
            self._logs[kind] += IPS_RATE * one.types[kind] * pull * weights / weights.max()
            self._logs[kind] = np.clip(self._logs[kind] - self._logs[kind].max(), np.log(0.05), 0.0)

    def publish(self) -> TypeRows:
        """The rows as they stand."""
        return TypeRows(normalised(np.exp(self._logs)), self.start.rows.rrf_k)


def start_of(channels: Sequence[str], rows: TypeRows) -> Start:
    """A start without features: the bed judges the matrix alone."""
    names = (*(f"contrast_{place}" for place in range(1, len(channels))), "slope")
    return Start(tuple(channels), rows, names, 0, np.zeros(len(names)))
