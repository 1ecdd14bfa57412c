"""The feeling of a memory: read from its text, from behaviour, or given by the caller."""

from channels.affect.behaviour import behaviour_state
from channels.affect.combine import combine, trajectory
from channels.affect.labels import label_state
from channels.affect.text import felt_word, text_state

__all__ = [
    "behaviour_state",
    "combine",
    "felt_word",
    "label_state",
    "text_state",
    "trajectory",
]
