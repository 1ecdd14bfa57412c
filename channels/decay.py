"""How memories fade: exponential, FSRS power law, linear, none. Ages in days; pure."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["exponential", "fsrs", "fsrs6", "linear", "none"]

FSRS_DECAY = -0.5  # FSRS v4.5 and v5
FSRS6_DECAY = -0.1542  # FSRS v6, its default for people without a history of their own
EXPONENTIAL_DAYS = 30.0  # half-life, unless the bank has its own
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
    """A bank's curve.

    A half-life, of a kind of memory or else of all, is where any of the curves is at one half; to
    FSRS it gives the stability a memory begins with. Without one: exponential 30 days, linear a
    floor after a year, FSRS its stabilities by kind. `none` has no half-life.
    """

    kind: Kind = "exponential"
    half_life_days: float | None = None
    half_life_by_kind: Mapping[str, float] | None = None

    def retention(self, age_days: float, memory_kind: str, stability_days: float | None) -> float:
        """What is left, in [0, 1], after `age_days`; a negative age, the future, counts as now."""
        age = max(0.0, age_days)
        match self.kind:
            case "exponential":
                return exponential(age, self._half_life(memory_kind) or EXPONENTIAL_DAYS)
            case "fsrs" | "fsrs6":
                return fsrs(age, stability_days or self.stability(memory_kind), decay=self._power)
            case "linear":
                half_life = self._half_life(memory_kind)
                return linear(age, LINEAR_DAYS if half_life is None else floor_days_of(half_life))
            case "none":
                return 1.0

    def stability(self, memory_kind: str) -> float:
        """Days until 0.9 of a memory that nobody has used yet."""
        half_life = self._half_life(memory_kind)
        if half_life is not None:
            return stability_of(half_life, decay=self._power)
        return STABILITY_DAYS.get(memory_kind, DEFAULT_STABILITY_DAYS)

    def _half_life(self, memory_kind: str) -> float | None:
        return (self.half_life_by_kind or {}).get(memory_kind, self.half_life_days)

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


def linear(age_days: float, floor_days: float = LINEAR_DAYS) -> float:
    """From 1 today to a floor of 0.1 after a year, or after `floor_days`."""
    return max(LINEAR_FLOOR, 1 - (1 - LINEAR_FLOOR) * age_days / floor_days)


def floor_days_of(half_life_days: float) -> float:
    """Days until a line that is at one half after `half_life_days` reaches its floor: 1.8 times."""
    return half_life_days * (1 - LINEAR_FLOOR) / 0.5


def half_life_of(stability_days: float, *, decay: float = FSRS_DECAY) -> float:
    """Days until an FSRS curve reaches one half: 12.79 times its stability, 90.4 times in v6."""
    return float(stability_days * (0.5 ** (1 / decay) - 1) / factor(decay))


def stability_of(half_life_days: float, *, decay: float = FSRS_DECAY) -> float:
    """The inverse of half_life_of."""
    return float(half_life_days * factor(decay) / (0.5 ** (1 / decay) - 1))


def stated_half_life(stored: object) -> float | None:
    """The half-life that a bank's stored configuration states, in days; None: it states none.

    It is stored as text. A number is of the releases before, which stored the default of 30 whether
    it was given or not: that one states nothing, or an upgrade would bend linear and FSRS curves.
    """
    match stored:
        case str():
            return float(stored)
        case int() | float() if stored != EXPONENTIAL_DAYS:
            return float(stored)
        case _:
            return None


def proximity(distance_days: float, *, after_days: float = 30.0, before_days: float = 7.0) -> float:
    """Nearness to a window: 1 inside (distance 0), exp(-d/30) after it, exp(-d/7) before it.

    `distance_days` is positive after the window's end and negative before its start.
    """
    if distance_days > 0:
        return math.exp(-distance_days / after_days)
    return math.exp(distance_days / before_days)
