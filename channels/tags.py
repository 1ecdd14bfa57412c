"""Feelings as tags: what is left to go by where a memory has no trajectory. Pure."""

from collections.abc import Mapping, Sequence

from channels.affect import label_state
from channels.arcs import dimension
from channels.errors import BadInput

INTENSITY = 0.4  # of a tag that counts; weaker ones are said of half of all memories


def overlap(asked: Mapping[str, float], tags: Sequence[Mapping[str, object]]) -> float:
    """Sum of asked x tagged intensity over shared labels, tags from INTENSITY up; 0: none."""
    try:
        state = label_state(tags)
    except BadInput:  # a label of another version's table
        return 0.0
    if state is None:
        return 0.0
    held = {name: float(state[dimension(name)]) for name in asked}
    return sum(asked[name] * value for name, value in held.items() if value >= INTENSITY)
