"""What a bank's learner works with, besides the log: on record with each change of it. Pure."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from feedback.credit import RULES
from feedback.examination import ETA, EVERY
from feedback.impression import TYPES
from feedback.learner import KIND, Gate, Start
from feedback.library import TypeRows, library_id
from feedback.posterior import KIND as MATRIX_KIND
from feedback.posterior import FleetPrior
from feedback.residual import KIND as RESIDUAL_KIND
from feedback.values import ActionValue, action_values

FORMATS = (KIND, MATRIX_KIND, RESIDUAL_KIND, RULES)  # of a stored state, and of what made it


@dataclass(frozen=True, slots=True)
class LearnerSettings:
    """All that decides what a log teaches. Equal settings and log give equal states."""

    start: Start
    logged: int  # features on record for each memory shown; the first of start.names
    eta: float = ETA
    measured_at: int | None = None  # impressions known when η was last measured, 0: not yet;
    # None: somebody set it
    event_values: Mapping[str, Any] = field(default_factory=dict)  # the bank's own

    @property
    def values(self) -> Mapping[str, ActionValue]:
        """What each action says."""
        return action_values(self.event_values)

    @property
    def kin(self) -> str:
        """Names library and default rows: banks that agree in both may share what they found."""
        rows = self.start.rows
        told = repr((library_id(len(self.start.channels)), self.start.channels)).encode()
        return hashlib.sha256(told + rows.weights.tobytes() + rows.rrf_k.tobytes()).hexdigest()[:16]

    @property
    def eta_source(self) -> Literal["set", "assumed", "measured"]:
        """Where the exponent comes from; assumed until what was measured speaks against it."""
        if self.measured_at is None:
            return "set"
        return "assumed" if self.eta == ETA else "measured"

    def measured_as(self, stored: Mapping[str, Any] | None) -> "LearnerSettings":
        """These, with the exponent last measured; as they are where somebody set it."""
        at = stored.get("measured_at") if stored else None
        if self.measured_at is None or stored is None or at is None:
            return self
        return replace(self, eta=float(stored["eta"]), measured_at=int(at))

    def is_to_measure(self, known: int) -> bool:
        """Whether the exponent is measured now that so many impressions are known."""
        return self.measured_at is not None and not 0 <= known - self.measured_at < EVERY

    def goes_on_from(self, stored: Mapping[str, Any]) -> bool:
        """Whether a state learnt with the stored settings can be learnt on, else anew."""
        mine = _start_json(self)
        return mine == {name: stored.get(name) for name in mine}

    def as_json(self) -> dict[str, Any]:
        """Plain values; numbers keep every bit."""
        return {
            **_start_json(self),
            "eta": self.eta,
            "measured_at": self.measured_at,
            "event_values": json.loads(json.dumps(dict(self.event_values))),
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> "LearnerSettings":
        """Back from `as_json`."""
        rows = TypeRows(
            np.array([plain["weights"][kind] for kind in TYPES], np.float64),
            np.array([plain["rrf_k"][kind] for kind in TYPES], np.float64),
        )
        start = Start(
            channels=tuple(plain["channels"]),
            rows=rows,
            names=tuple(plain["names"]),
            feature_version=plain["feature_version"],
            residual=np.array(plain["residual"], np.float64),
        )
        return cls(
            start,
            plain["logged"],
            float(plain["eta"]),
            plain.get("measured_at"),
            plain["event_values"],
        )


@dataclass(frozen=True, slots=True)
class Setup:
    """How one bank is learnt for now: the settings, and what may be served and shared."""

    settings: LearnerSettings
    gate: Gate
    shares: bool = True  # gives to its fleet and takes from it
    waives_gate: bool = True  # a fleet's word stands in for the least number of impressions

    def gate_with(self, fleet: FleetPrior) -> Gate:
        """The gate for rows that rest on a fleet too: one impression of its own is enough then."""
        if self.waives_gate and fleet.gain.any():
            return replace(self.gate, impressions=1)
        return self.gate


def _start_json(settings: LearnerSettings) -> dict[str, Any]:
    start = settings.start
    return {
        "channels": list(start.channels),
        "library": library_id(len(start.channels)),
        "formats": [*FORMATS],
        "weights": {kind: start.rows.weights[at].tolist() for at, kind in enumerate(TYPES)},
        "rrf_k": {kind: float(start.rows.rrf_k[at]) for at, kind in enumerate(TYPES)},
        "names": list(start.names),
        "feature_version": start.feature_version,
        "residual": start.residual.tolist(),
        "logged": settings.logged,
    }
