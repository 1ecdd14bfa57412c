"""Affect that the caller states: labels with intensities, in their words or in ours."""

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import numpy as np

from channels.affect.core import core_affect
from channels.affect.lexicon import lexicon
from channels.arcs import DIMENSIONS, SIGNED, SIGNED_SLICE, State, dimension
from channels.errors import BadInput

NEUTRAL = "neutral"  # says that there is no feeling, whatever the text may look like


def label_state(labels: Sequence[Mapping[str, object]]) -> State | None:
    """Return the state (33,) the caller gives, or None when no label is given.

    Each label is `{"label": ..., "intensity": ...}` (1 when left out): a GoEmotions label or any
    dimension, or a common word such as "frustrated"; valence, arousal and dominance are signed and
    kept exactly, the others lie in [0, 1]. Core affect not given follows from the labels. `neutral`
    alone gives zeros. Raises BadInput, which names the place and the nearest known words.
    """
    if not labels:
        return None
    state = np.zeros(len(DIMENSIONS))
    given: dict[str, float] = {}
    for position, item in enumerate(labels):
        name = _name(item, f"affect[{position}].label")
        intensity = _intensity(item, name, f"affect[{position}].intensity")
        if name in SIGNED:
            given[name] = intensity
            continue
        for label, share in _meaning(name, f"affect[{position}].label").items():
            state[dimension(label)] = max(state[dimension(label)], share * intensity)
    state[SIGNED_SLICE] = core_affect(state)
    for name, value in given.items():
        state[dimension(name)] = value
    return state


def _meaning(name: str, field: str) -> Mapping[str, float]:
    """Dimensions a label stands for, with their shares."""
    if name == NEUTRAL:
        return {}
    if name in DIMENSIONS:
        return {name: 1.0}
    entry = lexicon().find(name)
    if entry is None:
        known = [*DIMENSIONS, NEUTRAL, *lexicon().known()]
        nearest = ", ".join(get_close_matches(name, known, n=3, cutoff=0.0))
        raise BadInput(field, f"unknown label {name!r}; the nearest known are {nearest}")
    return entry.labels


def _name(item: Mapping[str, object], field: str) -> str:
    name = item.get("label")
    if not isinstance(name, str) or not name.strip():
        raise BadInput(field, "missing; give the name of a feeling, such as frustration")
    return name.strip().casefold()


def _intensity(item: Mapping[str, object], name: str, field: str) -> float:
    value = item.get("intensity", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadInput(field, f"{value!r} is no number; give one up to 1")
    low = -1.0 if name in SIGNED else 0.0
    if not low <= value <= 1.0:
        raise BadInput(field, f"{value} is out of range; {name} takes {low:g} to 1")
    return float(value)
