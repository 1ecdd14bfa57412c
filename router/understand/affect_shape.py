"""The course of the feelings a question tells: a turn, a rise, a relief, or none."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from channels.affect.core import with_core
from channels.arcs import (
    DIMENSIONS,
    Arc,
    State,
    crossfade,
    dimension,
    falling,
    rising,
    shape_first,
    spike,
    templates,
)
from router.understand.affect_words import (
    BACK,
    FALL,
    GONE,
    OPENING,
    RISE,
    SPIKE,
    START,
    TURN,
    WITH_OPENING,
    WITH_START,
)

Told = tuple[str, tuple[Arc, ...], tuple[str, ...]]  # rule, arcs, the words that tell the shape
Place = tuple[int, int]  # words before a feeling, words to its end


def shape_told(
    words: Sequence[str],
    glue: str,
    states: Sequence[tuple[Place, State]],
    wanted: State,
    *,
    is_denied: bool = False,
) -> Told:
    """Rule and arcs of the shape the question tells, with its words; the templates without."""
    turned = _turn(words, glue, states)
    if turned is not None:
        return turned
    line = glue.join(words)
    gone = None if is_denied else GONE.search(line)  # losing a pleasant feeling is no relief
    if gone is not None:
        return "relief", (to_relief(wanted),), (gone[0],)
    shapes: tuple[tuple[str, re.Pattern[str], Callable[[State], Arc]], ...] = (
        ("rising", RISE, rising),
        ("falling", FALL, falling),
        ("spike", SPIKE, spike),
    )
    full = with_core(wanted)
    for rule, pattern, draw in shapes:
        found = pattern.search(line)
        if found is not None:
            return rule, (shape_first(draw(full)),), (found[0],)
    return "any", templates(full), ()


def _turn(words: Sequence[str], glue: str, states: Sequence[tuple[Place, State]]) -> Told | None:
    """Draw the cross-fade from the first feeling to the last, if a turn is told."""
    (first, before), (last, after) = states[0], states[-1]
    if first == last:
        return None
    rule, told = turn_told(words, glue, first, last)
    if rule == "return":
        return rule, (_turned(after, before),), (told,)
    return (rule, (_turned(before, after),), (told,)) if rule == "turn" else None


def turn_told(words: Sequence[str], glue: str, first: Place, last: Place) -> tuple[str, str]:
    """Whether the words make a turn, or a return, of two feelings, and the words that do."""
    opening, between = glue.join(words[: first[0]]), glue.join(words[first[1] : last[0]])
    back = BACK.search(between)
    if back is not None:
        return "return", back[0]
    if (
        between == "から" and words[first[1] - 1] not in "いただ"
    ):  # 不安から安心へ; 怖いから: because
        return "turn", between
    for turn in TURN.finditer(between):
        opens = OPENING.search(opening) or OPENING.search(between)
        begins = opens or START.search(opening)
        needed = opens if turn[0] in WITH_OPENING else begins if turn[0] in WITH_START else True
        if needed:
            return "turn", turn[0]
    return "", ""


def to_relief(state: State) -> Arc:
    """The arc from a state to relief."""
    relief = np.zeros(len(DIMENSIONS))
    relief[dimension("relief")] = 1.0
    return _turned(state, relief)


def _turned(before: State, after: State) -> Arc:
    return shape_first(crossfade(with_core(before), with_core(after)))
