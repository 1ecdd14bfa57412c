"""How memories fade: exponential, FSRS power law, linear, none. Ages in days; pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["exponential", "fsrs", "linear", "none"]

FSRS_DECAY = -0.5  # FSRS v4.5 and v5
FSRS_FACTOR = 0.9 ** (1 / FSRS_DECAY) - 1  # 19/81, so that retention after one stability is 0.9
LINEAR_FLOOR, LINEAR_DAYS = 0.1, 365.0
STABILITY_DAYS: Mapping[str, float] = {  # days until 0.9, by kind; design values
    "turn": 7.0,
    "observation": 30.0,
    "fact": 60.0,
    "summary": 60.0,
    "decision": 180.0,
    "preference": 180.0,
    "identity": 3_650.0,
}
DEFAULT_STABILITY_DAYS = 7.0


@dataclass(frozen=True, slots=True)
class Decay:
    """A bank's curve. `half_life_days` drives exponential, stability (by kind) drives FSRS."""

    kind: Kind = "exponential"
    half_life_days: float = 30.0
    half_life_by_kind: Mapping[str, float] | None = None

    def retention(self, age_days: float, memory_kind: str, stability_days: float | None) -> float:
        """What is left, in [0, 1], after `age_days`; a negative age, the future, counts as now."""
        age = max(0.0, age_days)
        match self.kind:
            case "exponential":
                by_kind = self.half_life_by_kind or {}
                return exponential(age, by_kind.get(memory_kind, self.half_life_days))
            case "fsrs":
                default = STABILITY_DAYS.get(memory_kind, DEFAULT_STABILITY_DAYS)
                return fsrs(age, stability_days or default)
            case "linear":
                return linear(age)
            case "none":
                return 1.0


def exponential(age_days: float, half_life_days: float) -> float:
    """0.5 ** (age / half-life)."""
    return float(0.5 ** (age_days / half_life_days))


def fsrs(age_days: float, stability_days: float) -> float:
    """(1 + 19/81 * age / S) ** -0.5: R(S, S) = 0.9 (FSRS v4.5)."""
    return float((1 + FSRS_FACTOR * age_days / stability_days) ** FSRS_DECAY)


def linear(age_days: float) -> float:
    """From 1 today to a floor of 0.1 after a year."""
    return max(LINEAR_FLOOR, 1 - (1 - LINEAR_FLOOR) * age_days / LINEAR_DAYS)


def half_life_of(stability_days: float) -> float:
    """Days until an FSRS curve reaches one half: 12.79 times its stability."""
    return float(stability_days * (0.5 ** (1 / FSRS_DECAY) - 1) / FSRS_FACTOR)


def stability_of(half_life_days: float) -> float:
    """The inverse of half_life_of."""
    return float(half_life_days * FSRS_FACTOR / (0.5 ** (1 / FSRS_DECAY) - 1))


def proximity(distance_days: float, *, after_days: float = 30.0, before_days: float = 7.0) -> float:
    """Nearness to a window: 1 inside (distance 0), exp(-d/30) after it, exp(-d/7) before it.

    `distance_days` is positive after the window's end and negative before its start.
    """
    if distance_days > 0:
        return math.exp(-distance_days / after_days)
    return math.exp(distance_days / before_days)
