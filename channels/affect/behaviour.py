"""Feeling as seen in behaviour: retries, errors, time taken, giving up, succeeding."""

import math
from collections.abc import Mapping

import numpy as np

from channels.affect.core import with_core
from channels.arcs import DIMENSIONS, State, dimension
from channels.errors import BadInput

# Log-odds of frustration, set by hand. Feild, Allan & Jones (SIGIR 2010) found that such counts
# tell more than sensors. Time counts little, since absorbed work is slow too; success outweighs a
# few retries.
BASE = -2.5
PER_RETRY = 1.1  # times ln(1 + retries)
PER_ERROR = 0.7  # times ln(1 + errors)
PER_SLOWNESS = 0.5  # times the deviations above the user's usual duration
PER_ABANDON = 0.6
PER_REPETITION = 0.8  # times the likeness in [0, 1] to the user's own recent turns
PER_CLARIFICATION = 1.1  # times ln(1 + clarifications), for confusion
PER_BLIND_RETRY = 0.5  # times ln(1 + retries without an error), for confusion
PER_SUCCESS = -2.0
EFFORT_SCALE = 5.0  # retries and errors at which intensity reaches 63 %
RELIEF_AFTER = 0.5  # earlier frustration from which a success is a relief

COUNTS = ("retries", "errors", "clarifications", "duration_s", "repeat_similarity")
FLAGS = ("abandoned", "success")


def behaviour_state(
    behaviour: Mapping[str, object],
    *,
    usual_duration: tuple[float, float] | None = None,
    previous: State | None = None,
) -> State | None:
    """Return the state (33,) that behaviour shows, or None when nothing unusual happened.

    `usual_duration` is the user's median and median absolute deviation in seconds; without it the
    duration says nothing. A success right after frustration is relief. Raises BadInput for an
    unknown field or a value that is no count, number or flag.
    """
    counts = {name: _number(behaviour, name) for name in COUNTS}
    abandoned, success = (_flag(behaviour, name) for name in FLAGS)
    _no_others(behaviour)
    outcome = PER_ABANDON * abandoned + PER_SUCCESS * success
    outcome += PER_SLOWNESS * _slowness(counts["duration_s"], usual_duration)
    state = np.zeros(len(DIMENSIONS))
    state[dimension("frustration_behaviour")] = _above_base(
        outcome
        + PER_RETRY * math.log1p(counts["retries"])
        + PER_ERROR * math.log1p(counts["errors"])
        + PER_REPETITION * counts["repeat_similarity"]
    )
    state[dimension("confusion_behaviour")] = _above_base(
        outcome
        + PER_CLARIFICATION * math.log1p(counts["clarifications"])
        + PER_BLIND_RETRY * math.log1p(max(0.0, counts["retries"] - counts["errors"]))
    )
    effort = counts["retries"] + counts["errors"]
    state[dimension("intensity_behaviour")] = 1.0 - math.exp(-effort / EFFORT_SCALE)
    state[dimension("relief")] = _relief(success > 0.0, previous)
    return with_core(state) if state.any() else None


def _above_base(evidence: float) -> float:
    """Probability in [0, 1], rescaled so that no evidence is 0."""
    base = 1.0 / (1.0 + math.exp(-BASE))
    probability = 1.0 / (1.0 + math.exp(-min(BASE + evidence, 50.0)))
    return max(0.0, (probability - base) / (1.0 - base))


def _slowness(seconds: float, usual: tuple[float, float] | None) -> float:
    if usual is None or usual[1] <= 0.0:
        return 0.0
    return max(0.0, (seconds - usual[0]) / usual[1])


def _relief(success: bool, previous: State | None) -> float:
    if not success or previous is None:
        return 0.0
    before = float(previous[dimension("frustration_behaviour")])
    return before if before >= RELIEF_AFTER else 0.0


def _number(behaviour: Mapping[str, object], name: str) -> float:
    value = behaviour.get(name)
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadInput(f"behaviour.{name}", f"{value!r} is no number; give a number from 0 on")
    number = float(value)
    if not math.isfinite(number) or number < 0.0:
        raise BadInput(f"behaviour.{name}", f"{value!r} is out of range; give a number from 0 on")
    if name == "repeat_similarity" and number > 1.0:
        raise BadInput(f"behaviour.{name}", f"{value!r} is above 1; give a likeness in [0, 1]")
    return number


def _flag(behaviour: Mapping[str, object], name: str) -> float:
    value = behaviour.get(name)
    if value is not None and not isinstance(value, bool):
        raise BadInput(f"behaviour.{name}", f"{value!r} is no flag; give true or false")
    return float(bool(value))


def _no_others(behaviour: Mapping[str, object]) -> None:
    known = (*COUNTS, *FLAGS)
    for name in behaviour:
        if name not in known:
            raise BadInput(f"behaviour.{name}", f"unknown; use {', '.join(known)}")
