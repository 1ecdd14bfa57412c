"""How memories fade: exponential, FSRS power law, linear, none. Ages in days; pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["exponential", "fsrs", "fsrs6", "linear", "none"]

FSRS_DECAY = -0.5  # FSRS v4.5 and v5
FSRS6_DECAY = -0.1542  # FSRS v6, its default for people without a history of their own
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
    """A bank's curve. `half_life_days` drives exponential, stability drives FSRS.

    A half-life that the bank sets for a kind of memory also drives FSRS, turned into a stability.
    """

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
            case "fsrs" | "fsrs6":
                return fsrs(age, stability_days or self.stability(memory_kind), decay=self._power)
            case "linear":
                return linear(age)
            case "none":
                return 1.0

    def stability(self, memory_kind: str) -> float:
        """Days until 0.9 of a memory that nobody has used yet."""
        half_life = (self.half_life_by_kind or {}).get(memory_kind)
        if half_life is not None:
            return stability_of(half_life, decay=self._power)
        return STABILITY_DAYS.get(memory_kind, DEFAULT_STABILITY_DAYS)

    @property
    def _power(self) -> float:
        return FSRS6_DECAY if self.kind == "fsrs6" else FSRS_DECAY


def exponential(age_days: float, half_life_days: float) -> float:
    """0.5 ** (age / half-life)."""
    return float(0.5 ** (age_days / half_life_days))


def fsrs(age_days: float, stability_days: float, *, decay: float = FSRS_DECAY) -> float:
    """(1 + F * age / S) ** decay with F such that R(S, S) = 0.9; 19/81 in FSRS v4.5."""
    return float((1 + factor(decay) * age_days / stability_days) ** decay)


def factor(decay: float) -> float:
    """FSRS's F = 0.9 ** (1 / decay) - 1: 19/81 for v4.5, .980346 for v6."""
    return float(0.9 ** (1 / decay) - 1)


def linear(age_days: float) -> float:
    """From 1 today to a floor of 0.1 after a year."""
    return max(LINEAR_FLOOR, 1 - (1 - LINEAR_FLOOR) * age_days / LINEAR_DAYS)


def half_life_of(stability_days: float, *, decay: float = FSRS_DECAY) -> float:
    """Days until an FSRS curve reaches one half: 12.79 times its stability, 90.4 times in v6."""
    return float(stability_days * (0.5 ** (1 / decay) - 1) / factor(decay))


def stability_of(half_life_days: float, *, decay: float = FSRS_DECAY) -> float:
    """The inverse of half_life_of."""
    return float(half_life_days * factor(decay) / (0.5 ** (1 / decay) - 1))


def proximity(distance_days: float, *, after_days: float = 30.0, before_days: float = 7.0) -> float:
    """Nearness to a window: 1 inside (distance 0), exp(-d/30) after it, exp(-d/7) before it.

    `distance_days` is positive after the window's end and negative before its start.
    """
    if distance_days > 0:
        return math.exp(-distance_days / after_days)
    return math.exp(distance_days / before_days)
