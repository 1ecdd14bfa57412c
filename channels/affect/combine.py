"""Put together what text, behaviour and caller say of a turn, and turns into an arc."""

from collections.abc import Sequence

import numpy as np

from channels.arcs import DIMENSIONS, SIGNED_SLICE, Arc, State, encode

TEXT_TRUST = 0.7  # words can be borrowed or ironic
BEHAVIOUR_TRUST = 0.9  # what was done is harder to mistake
PERSISTENCE = 0.6  # a frustrated user tends to stay frustrated (Feild, Allan & Jones, SIGIR 2010)
WINDOW = 8  # turns an arc looks back on


def combine(
    text: State | None,
    behaviour: State | None,
    labels: State | None,
    previous: State | None = None,
) -> State | None:
    """Return the state (33,) of one turn, or None when nothing speaks of a feeling.

    Noisy-OR of text and behaviour, then the fading rest of `previous`, the state of the turn before
    in the same episode. What the caller gives replaces the text's reading, and is kept exactly. A
    turn of its own without signal stays None: a mood is not carried onto turns that do not show it.
    """
    read = text if labels is None else None
    own = [state for state in (read, behaviour, labels) if state is not None and state.any()]
    if not own:
        return None
    state = _noisy_or(read, behaviour)
    if previous is not None:
        faded = PERSISTENCE * previous
        state = np.where(np.abs(faded) > np.abs(state), faded, state)
    if labels is not None:
        state = np.where(labels != 0.0, labels, state)
    return np.clip(state, -1.0, 1.0)


def trajectory(states: Sequence[State | None], last: int = WINDOW) -> Arc | None:
    """Return the arc (132,) of a turn: its own state and those of the turns before, oldest first.

    Only the last `last` turns count. Turns without a state are left out, not taken for calm; when
    the turn's own state, the last, is None, so is its arc.
    """
    if not states or states[-1] is None:
        return None
    return encode(np.stack([state for state in states[-last:] if state is not None]))


def _noisy_or(text: State | None, behaviour: State | None) -> State:
    """1 - (1 - .7 text)(1 - .9 behaviour); the signed dimensions are a trust-weighted mean."""
    nothing = np.zeros(len(DIMENSIONS))
    from_text = TEXT_TRUST * (nothing if text is None else text)
    from_behaviour = BEHAVIOUR_TRUST * (nothing if behaviour is None else behaviour)
    state: State = 1.0 - (1.0 - from_text) * (1.0 - from_behaviour)
    signed = from_text[SIGNED_SLICE] + from_behaviour[SIGNED_SLICE]
    if text is not None and behaviour is not None:
        signed = signed / (TEXT_TRUST + BEHAVIOUR_TRUST)
    state[SIGNED_SLICE] = signed
    return state
