"""Arcs of feeling: a run of affect states as one 132-dimensional vector, and back."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from channels.errors import BadInput

State = NDArray[np.float64]  # (33,), in the order of DIMENSIONS
Arc = NDArray[np.float32]  # (132,), dimension-major: 4 coefficients of dimension 0, then of 1, ...

LAYOUT = (
    "dct-33x4-v1"  # stored beside every vector; vectors of different layouts are never compared
)

EMOTIONS: tuple[str, ...] = (  # the 27 labels of GoEmotions (Demszky et al., ACL 2020), in [0, 1]
    *("admiration", "amusement", "anger", "annoyance", "approval", "caring", "confusion"),
    *("curiosity", "desire", "disappointment", "disapproval", "disgust", "embarrassment"),
    *("excitement", "fear", "gratitude", "grief", "joy", "love", "nervousness", "optimism"),
    *("pride", "realization", "relief", "remorse", "sadness", "surprise"),
)
SIGNED: tuple[str, ...] = ("valence", "arousal", "dominance")  # in [-1, 1]
BEHAVIOUR: tuple[str, ...] = (  # read from what was done, in [0, 1]
    *("frustration_behaviour", "confusion_behaviour", "intensity_behaviour"),
)
DIMENSIONS: tuple[str, ...] = (*EMOTIONS, *SIGNED, *BEHAVIOUR)
SIGNED_SLICE = slice(len(EMOTIONS), len(EMOTIONS) + len(SIGNED))

COEFFICIENTS = 4  # the mean and the three modes that span the six arcs of Reagan et al. 2016
LENGTH = len(DIMENSIONS) * COEFFICIENTS
LEVEL_SHARE = 0.35  # of an asking arc's level, where its shape is told
GRID = 48  # points an arc is drawn on, so that arcs of any number of turns compare
_INDEX = {name: index for index, name in enumerate(DIMENSIONS)}

# Core affect is a summary of the labels and says less about which feeling it was: at full scale it
# cost .02 P@10 on finding texts of the same emotion, at half scale nothing.
_SCALE = np.ones(len(DIMENSIONS))
_SCALE[SIGNED_SLICE] = (0.5, 0.35, 0.35)
_DAMPING = (1.0 + np.arange(COEFFICIENTS)) ** -0.5  # level counts more than shape


def _cosines() -> NDArray[np.float64]:
    """Orthonormal DCT-II rows 0..3 over sqrt(GRID): (4, 48); a constant arc c has mean c."""
    points = (np.arange(GRID) + 0.5) * np.pi / GRID
    rows = np.cos(np.outer(np.arange(COEFFICIENTS), points)) * np.sqrt(2.0 / GRID)
    rows[0] /= np.sqrt(2.0)
    scaled: NDArray[np.float64] = rows / np.sqrt(GRID)
    return scaled


_BASIS = _cosines()
_GRID_POSITIONS = np.linspace(0.0, 1.0, GRID)
_WEIGHTS = _SCALE[:, None] * _DAMPING[None, :]  # (33, 4)


def dimension(label: str) -> int:
    """Index of an affect dimension by name. Raises BadInput for a name not in DIMENSIONS."""
    if label not in _INDEX:
        raise BadInput(
            "label", f"no affect dimension {label!r}; use one of {', '.join(DIMENSIONS)}"
        )
    return _INDEX[label]


def encode(states: NDArray[np.floating]) -> Arc:
    """Return the arc of n >= 1 states in time order, (n, 33), as (132,) float32; not unit length.

    Inner product is the score, so that strong feelings count more. Linear interpolation on 48
    points, orthonormal DCT-II, first four coefficients over sqrt(48), damped by (1 + k)^-0.5.
    Raises BadInput for another shape or values that are not finite.
    """
    turns = np.asarray(states, dtype=np.float64)
    if turns.ndim != 2 or turns.shape[0] == 0 or turns.shape[1] != len(DIMENSIONS):
        raise BadInput("states", f"shape {turns.shape}; give (n >= 1, {len(DIMENSIONS)})")
    if not np.isfinite(turns).all():
        raise BadInput("states", "NaN or infinity; give finite numbers")
    coefficients = _BASIS @ _resample(turns)  # (4, 33)
    return (coefficients.T * _WEIGHTS).ravel().astype(np.float32)


def decode(vector: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the smooth arc of a vector, (48, 33), to draw. Raises BadInput for another shape."""
    if vector.shape != (LENGTH,):
        raise BadInput("affect", f"shape {vector.shape}; give ({LENGTH},)")
    coefficients = vector.astype(np.float64).reshape(len(DIMENSIONS), COEFFICIENTS) / _WEIGHTS
    drawn: NDArray[np.float64] = GRID * (coefficients @ _BASIS).T
    return drawn


def at_turns(vector: NDArray[np.floating], turns: int) -> NDArray[np.float64]:
    """Return what a vector holds at each of its turns, (turns, 33), the inverse of `encode`.

    Four modes do not hold every turn of a restless course: it comes back smoother than it was. Of
    one turn alone its place is the end, where a memory's own turn stands.
    """
    drawn = decode(vector)
    if turns == 1:
        return drawn[-1:]
    places = np.linspace(0.0, GRID - 1.0, turns)
    left = np.minimum(places.astype(int), GRID - 2)
    share = (places - left)[:, None]
    at: NDArray[np.float64] = drawn[left] * (1.0 - share) + drawn[left + 1] * share
    return at


def templates(state: NDArray[np.floating]) -> tuple[Arc, Arc, Arc, Arc]:
    """Four arcs of one state (33,): constant, falling, rising, and a spike in the middle.

    A feeling that came only at the end must still be found, so a question takes the best of them.
    """
    peak = np.asarray(state, dtype=np.float64)
    return constant(peak), falling(peak), rising(peak), spike(peak)


def constant(state: NDArray[np.floating]) -> Arc:
    """Return the arc of a state that lasts."""
    return encode(np.asarray(state)[None, :])


def rising(state: NDArray[np.floating]) -> Arc:
    """Return the arc that grows from nothing to a state."""
    return crossfade(np.zeros(len(DIMENSIONS)), state)


def falling(state: NDArray[np.floating]) -> Arc:
    """Return the arc that fades from a state to nothing."""
    return crossfade(state, np.zeros(len(DIMENSIONS)))


def spike(state: NDArray[np.floating]) -> Arc:
    """Return the arc of a state that comes and goes: highest in the middle, nothing at the ends."""
    calm = np.zeros(len(DIMENSIONS))
    return encode(np.stack([calm, calm, np.asarray(state, dtype=np.float64), calm, calm]))


def crossfade(before: NDArray[np.floating], after: NDArray[np.floating]) -> Arc:
    """Return the arc that goes in a straight line from one state (33,) to another."""
    return encode(np.stack([before, after]))


def unit(arc: Arc) -> Arc:
    """Return the same arc at unit length, for the asking side; a zero arc stays zero."""
    length = float(np.linalg.norm(arc))
    return arc if length == 0.0 else (arc / np.float32(length)).astype(np.float32)


def shape_first(arc: Arc) -> Arc:
    """Return the same arc with its level lowered, for an asking side that tells the shape.

    Level outweighs shape by far, so that without this "from scared to relieved" would find an arc
    that runs the other way almost as near as its own (cosine .3 to .45; with it at most .16, and
    the same arc keeps .87 and more). An arc of level alone keeps its direction.
    """
    shaped = arc.copy()
    shaped[::COEFFICIENTS] *= np.float32(LEVEL_SHARE)
    return shaped


def state_of(labels: Sequence[tuple[str, float]]) -> State:
    """Return a state (33,) of the named values, the rest 0. Raises BadInput for unknown names."""
    state = np.zeros(len(DIMENSIONS))
    for name, value in labels:
        state[dimension(name)] = value
    return state


def _resample(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear interpolation of (n, 33) on the 48 grid points; one turn is constant."""
    if len(turns) == 1:
        return np.repeat(turns, GRID, axis=0)
    position = _GRID_POSITIONS * (len(turns) - 1)
    left = np.minimum(position.astype(int), len(turns) - 2)
    share = (position - left)[:, None]
    resampled: NDArray[np.float64] = turns[left] * (1.0 - share) + turns[left + 1] * share
    return resampled
