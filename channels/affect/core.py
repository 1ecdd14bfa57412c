"""Where each emotion lies in valence, arousal and dominance: our own anchors, in [-1, 1]."""

import numpy as np
from numpy.typing import NDArray

from channels.arcs import BEHAVIOUR, DIMENSIONS, EMOTIONS, SIGNED, SIGNED_SLICE, State

# Set by hand after the circumplex (Russell 1980) and PAD (Mehrabian 1996): valence, arousal,
# dominance.
ANCHORS: dict[str, tuple[float, float, float]] = {
    "admiration": (0.7, 0.3, 0.0),
    "amusement": (0.7, 0.4, 0.3),
    "anger": (-0.7, 0.8, 0.3),
    "annoyance": (-0.5, 0.5, 0.0),
    "approval": (0.5, 0.0, 0.3),
    "caring": (0.6, 0.0, 0.2),
    "confusion": (-0.3, 0.2, -0.5),
    "curiosity": (0.3, 0.3, 0.1),
    "desire": (0.4, 0.4, 0.0),
    "disappointment": (-0.6, -0.2, -0.4),
    "disapproval": (-0.5, 0.2, 0.2),
    "disgust": (-0.7, 0.4, 0.1),
    "embarrassment": (-0.5, 0.3, -0.6),
    "excitement": (0.8, 0.9, 0.4),
    "fear": (-0.7, 0.8, -0.7),
    "gratitude": (0.8, 0.2, 0.0),
    "grief": (-0.9, -0.1, -0.7),
    "joy": (0.9, 0.5, 0.4),
    "love": (0.9, 0.4, 0.2),
    "nervousness": (-0.5, 0.6, -0.6),
    "optimism": (0.6, 0.3, 0.4),
    "pride": (0.8, 0.4, 0.7),
    "realization": (0.1, 0.2, 0.1),
    "relief": (0.7, -0.3, 0.3),
    "remorse": (-0.6, -0.1, -0.5),
    "sadness": (-0.7, -0.4, -0.5),
    "surprise": (0.1, 0.7, -0.1),
    "frustration_behaviour": (-0.6, 0.5, -0.4),
    "confusion_behaviour": (-0.3, 0.2, -0.5),
    "intensity_behaviour": (0.0, 0.3, 0.0),
}
_MATRIX = np.zeros((len(DIMENSIONS), len(SIGNED)))
for _name in (*EMOTIONS, *BEHAVIOUR):
    _MATRIX[DIMENSIONS.index(_name)] = ANCHORS[_name]


def core_affect(state: State) -> NDArray[np.float64]:
    """Valence, arousal, dominance that the other dimensions of a state imply: (3,), in [-1, 1]."""
    implied: NDArray[np.float64] = np.clip(state @ _MATRIX, -1.0, 1.0)
    return implied


def with_core(state: State) -> State:
    """Return a copy of the state with its core affect filled in from the other dimensions."""
    filled = state.copy()
    filled[SIGNED_SLICE] = core_affect(state)
    return filled
