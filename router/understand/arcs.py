"""A course of feeling that a caller tells turn by turn, as what a question asks for."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from channels.affect import label_state
from channels.arcs import DIMENSIONS, State, encode, shape_first, unit
from channels.base import AffectTarget
from channels.errors import BadInput


class Felt(Protocol):
    """A label with its intensity."""

    @property
    def label(self) -> str: ...

    @property
    def intensity(self) -> float: ...


def told_arc(turns: Sequence[Sequence[Felt]]) -> AffectTarget:
    """The arc of the turns, in order; a turn without a label is calm.

    Raises BadInput for an unknown label, or when no turn has any feeling.
    """
    states = [_state(turn, f"arc.turns[{place}]") for place, turn in enumerate(turns)]
    table = np.stack(states)
    if not table.any():
        raise BadInput("arc.turns", "no turn has a feeling; give labels with intensities")
    most = np.abs(table).max(axis=0)
    labels = {DIMENSIONS[one]: float(most[one]) for one in np.flatnonzero(most)}
    cues = tuple(" + ".join(f"{one.label} {one.intensity:g}" for one in turn) for turn in turns)
    return AffectTarget((unit(shape_first(encode(table))),), labels, cues, is_told=True)


def _state(turn: Sequence[Felt], field: str) -> State:
    labels = [{"label": one.label, "intensity": one.intensity} for one in turn]
    try:
        found = label_state(labels)
    except BadInput as error:
        raise BadInput(error.field.replace("affect", field, 1), error.reason) from error
    return np.zeros(len(DIMENSIONS)) if found is None else found
