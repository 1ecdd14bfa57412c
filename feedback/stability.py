"""How lasting a memory is, in days until 0.9 of it is left: it grows by use. FSRS v6. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from channels.decay import FSRS6_DECAY, FSRS_DECAY, Decay, fsrs

Grade = Literal[1, 3, 4]  # again, good, easy, as FSRS counts them
GRADES: Mapping[str, Grade] = {  # the events that are a review of one memory
    "memory_cited": 3,
    "memory_used_in_tool": 3,
    "memory_thumbs_up": 4,
    "memory_thumbs_down": 1,
    "memory_corrected": 1,
}
DIFFICULTY = 5.0  # of 1..10. It tells how hard a person finds a card; a stored memory has no such
LEAST_DAYS, MOST_DAYS = 0.5, 36_500.0  # so that no flood of events puts a memory out of reach
SAME_DAY = 1.0  # days; reviews closer than that follow the short rule
SECONDS_A_DAY = 86_400.0

# Default weights of FSRS v6, by their published numbers.
W8, W9, W10 = 1.8722, 0.1666, 0.796  # recall
W11, W12, W13, W14 = 1.4835, 0.0614, 0.2629, 1.6483  # lapse
W16 = 1.8729  # easy
W17, W18, W19 = 0.5425, 0.0912, 0.0658  # the same day


@dataclass(frozen=True, slots=True)
class Held:
    """What is kept of one memory, and how its bank lets it fade."""

    key: int
    kind: str
    stability_days: float | None  # None: not reviewed yet
    since: datetime  # last use, else when it happened or came
    decay: Decay


def reviewed(held: Held, grades: Sequence[Grade], now: datetime) -> float:
    """The memory's stability after reviews of these grades at `now`, in days."""
    stability = held.stability_days or held.decay.stability(held.kind)
    elapsed = max(0.0, (now - held.since).total_seconds() / SECONDS_A_DAY)
    power = FSRS6_DECAY if held.decay.kind == "fsrs6" else FSRS_DECAY
    for grade in grades:
        stability = after(stability, elapsed, grade, power)
        elapsed = 0.0
    return stability


def after(stability_days: float, elapsed_days: float, grade: Grade, power: float) -> float:
    """Stability after one review, in [LEAST_DAYS, MOST_DAYS].

    A memory that proves useful lasts longer, the more the less of it was left (an old one that
    helps becomes durable); one that proves wrong lapses.
    """
    left = fsrs(elapsed_days, stability_days, decay=power)
    if elapsed_days < SAME_DAY:
        found = again_today(stability_days, grade)
    elif grade == 1:
        found = lapsed(stability_days, left)
    else:
        found = recalled(stability_days, left, is_easy=grade == 4)
    return min(MOST_DAYS, max(LEAST_DAYS, found))


def recalled(stability_days: float, left: float, *, is_easy: bool = False) -> float:
    """S (1 + e^w8 (11 - D) S^-w9 (e^(w10 (1 - R)) - 1) easy)."""
    growth = math.exp(W8) * (11 - DIFFICULTY) * stability_days**-W9
    growth *= math.expm1(W10 * (1 - left)) * (W16 if is_easy else 1.0)
    return float(stability_days * (1 + growth))


def lapsed(stability_days: float, left: float) -> float:
    """min(w11 D^-w12 ((S + 1)^w13 - 1) e^(w14 (1 - R)), S / e^(w17 w18))."""
    forgotten = W11 * DIFFICULTY**-W12 * ((stability_days + 1) ** W13 - 1)
    forgotten *= math.exp(W14 * (1 - left))
    return float(min(forgotten, stability_days / math.exp(W17 * W18)))


def again_today(stability_days: float, grade: Grade) -> float:
    """S e^(w17 (G - 3 + w18)) S^-w19; what proves useful never lasts shorter for it."""
    change = math.exp(W17 * (grade - 3 + W18)) * stability_days**-W19
    return float(stability_days * (max(1.0, change) if grade >= 3 else change))
