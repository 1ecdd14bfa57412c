"""The feeling a question asks for: emotion words, negation, intensifiers and words of shape."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from channels.affect.core import with_core
from channels.affect.grams import tokens
from channels.affect.lexicon import Entry, Mark, lexicon
from channels.affect.text import felt_word
from channels.arcs import (
    DIMENSIONS,
    SIGNED_SLICE,
    Arc,
    State,
    crossfade,
    dimension,
    falling,
    rising,
    shape_first,
    spike,
    state_of,
    templates,
    unit,
)
from channels.base import AffectTarget
from router.understand.affect_words import (
    BACK,
    BRIDGE,
    CALMED,
    CONTEXT_WINDOW,
    FALL,
    FEELING,
    FELT,
    FLIPPED,
    GONE,
    INTENSIFIERS,
    KEEPS,
    LEAST_LETTERS,
    NEGATION_WINDOW,
    NEGATIONS,
    NO_FEELING,
    RISE,
    SPIKE,
    START,
    STATE,
    TOPIC_AFTER,
    TOPIC_BEFORE,
    TURN,
    WITH_START,
)

Told = tuple[str, tuple[Arc, ...], tuple[str, ...]]  # rule, arcs, the words that tell the shape


@dataclass(frozen=True, slots=True)
class Cue:
    """One feeling found in the question."""

    start: int  # words before it
    end: int
    text: str
    entry: Entry
    strength: float = 1.0
    negated: bool = False
    is_guess: bool = False  # the model's, of a word that is in no table

    def as_json(self) -> dict[str, Any]:
        """The words, the labels they stand for, and what changed them; for the trace."""
        taken = self.state() is None
        effect = "taken away" if taken else "turned round" if self.negated else "as it is"
        return {
            "words": self.text,
            "labels": dict(self.entry.labels),
            "strength": self.strength,
            "negation": effect if self.negated else None,
        }

    def state(self) -> State | None:
        """State asked for, (33,) without core affect; None when negation takes it away."""
        pairs = [
            (name, min(1.0, value * self.strength)) for name, value in self.entry.labels.items()
        ]
        wanted = state_of(pairs)
        if not self.negated:
            return wanted
        pleasant = with_core(wanted)[SIGNED_SLICE.start] > 0.0
        return state_of(FLIPPED) if pleasant else None


@dataclass(frozen=True, slots=True)
class Feeling:
    """What a question says of feelings, and by which rule."""

    target: AffectTarget | None
    cues: tuple[Cue, ...] = ()  # those that negation took away too
    shape: str | None = None  # turn, return, relief, rising, falling, spike; any without a word

    def as_json(self) -> dict[str, Any] | None:
        """The rules that fired, for the trace; None without any."""
        if self.target is None and not self.cues:
            return None
        return {"cues": [cue.as_json() for cue in self.cues], "shape": self.shape}


def affect_target(text: str) -> AffectTarget | None:
    """The feeling a question asks for, or None when it speaks of none; see `read_feeling`."""
    return read_feeling(text).target


def read_feeling(text: str) -> Feeling:
    """Read the feeling a question asks for, or None when it speaks of none.

    Vectors are unit arcs (132,): one when the question tells the shape ("from scared to relieved"),
    else the four templates, of which a lane takes the best. Words that are as often about a topic
    ("love", "interested", "surprise") count only where a feeling is spoken of.
    Labels lie in (0, 1].
    """
    words, glue = tokens(text), " "
    cues = _spaced(words)
    if not cues and (cues := _unspaced(text.casefold())):
        words, glue = list(text.casefold()), ""  # places are those of characters
    cues = cues or _unlisted(words)
    states = [(cue, state) for cue in cues if (state := cue.state()) is not None]
    line = glue.join(words)
    if not states:
        calmed = CALMED.search(line)
        if calmed is None or cues:
            return Feeling(None, tuple(cues))
        calming = _to_relief(state_of([("anger", 0.7), ("annoyance", 0.7)]))
        return Feeling(_target((calming,), (calmed[0],)), (), "relief")
    wanted = np.maximum.reduce([state for _, state in states])
    rule, arcs, told = _shape(words, glue, states, wanted)
    target = _target(arcs, (*(cue.text for cue, _ in states), *told), wanted)
    target = replace(target, is_unsure=any(cue.is_guess for cue in cues))
    return Feeling(target, tuple(cues), rule)


def _target(
    arcs: Sequence[Arc], cues: tuple[str, ...], wanted: State | None = None
) -> AffectTarget:
    asked = state_of([("relief", 1.0)]) if wanted is None else wanted
    labels = {DIMENSIONS[i]: float(asked[i]) for i in np.flatnonzero(asked > 0.0)}
    return AffectTarget(tuple(unit(arc) for arc in arcs), labels, cues)


def _spaced(words: list[str]) -> list[Cue]:
    """Feelings in text written with spaces."""
    cues: list[Cue] = []
    start = 0
    while start < len(words):
        hit = lexicon().at(words, start)
        length, entry = hit if hit is not None else (1, None)
        if entry is not None and _speaks_of_feeling(words, start, start + length, entry.mark, cues):
            text = " ".join(words[start : start + length])
            cues.append(_weighed(words, Cue(start, start + length, text, entry)))
        start += length
    return cues


def _unlisted(words: Sequence[str]) -> list[Cue]:
    """A word that the lexicon lacks, where somebody says that they felt it; the model reads it."""
    for start, word in enumerate(words):
        if word in NO_FEELING or len(word) < LEAST_LETTERS or not word.isascii():
            continue
        if FELT.isdisjoint(words[max(0, start - CONTEXT_WINDOW) : start]):
            continue
        if _after_feeling(words, start, ()) and (labels := felt_word(word)):
            entry = Entry(labels, "~", max(labels, key=labels.__getitem__))
            return [_weighed(words, Cue(start, start + 1, word, entry, is_guess=True))]
    return []


def _unspaced(text: str) -> list[Cue]:
    """Feelings in Chinese or Japanese; negation stands right before the word."""
    cues: list[Cue] = []
    for match in lexicon().unspaced.finditer(text):
        entry = lexicon().find(match[0])
        if entry is not None:
            negated = text[: match.start()].endswith(("不", "没", "没有", "未"))
            cues.append(Cue(match.start(), match.end(), match[0], entry, negated=negated))
    return cues


def _speaks_of_feeling(
    words: Sequence[str], start: int, end: int, mark: Mark, earlier: Sequence[Cue]
) -> bool:
    """Whether the words start..end name a feeling here, and no topic."""
    before = words[max(0, start - CONTEXT_WINDOW) : start]
    after = words[end] if end < len(words) else ""
    if after in TOPIC_AFTER or (before and before[-1] in TOPIC_BEFORE):
        return False
    if mark == "!" or _after_feeling(words, start, earlier):
        return True
    return mark == "?" and any(word in STATE for word in before)


def _after_feeling(words: Sequence[str], start: int, earlier: Sequence[Cue]) -> bool:
    """Whether only small words stand between a word for feeling and `start`."""
    cued = {position for cue in earlier for position in range(cue.start, cue.end)}
    for position in range(start - 1, max(-1, start - 1 - CONTEXT_WINDOW), -1):
        word = words[position]
        if word in FEELING:
            return True
        small = word in BRIDGE or word in NEGATIONS or word in INTENSIFIERS or word.endswith("ly")
        if not small and position not in cued:
            return False
    return False


def _weighed(words: Sequence[str], cue: Cue) -> Cue:
    """Give the cue its intensifier and negation, read from the words before it."""
    before = words[max(0, cue.start - NEGATION_WINDOW) : cue.start]
    strength = 1.0
    for word in before[-2:]:
        strength = INTENSIFIERS.get(word, strength)
    negated = any(word in NEGATIONS for word in before)
    return replace(cue, strength=strength, negated=negated and KEEPS.isdisjoint(before))


def _shape(
    words: Sequence[str], glue: str, states: Sequence[tuple[Cue, State]], wanted: State
) -> Told:
    """Rule and arcs of the shape the question tells, with its words; the templates without."""
    turned = _turn(words, glue, states)
    if turned is not None:
        return turned
    line = glue.join(words)
    gone = GONE.search(line)
    if gone is not None:
        return "relief", (_to_relief(wanted),), (gone[0],)
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


def _turn(words: Sequence[str], glue: str, states: Sequence[tuple[Cue, State]]) -> Told | None:
    """Draw the cross-fade from the first feeling to the last, if a turn is told."""
    (first, before), (last, after) = states[0], states[-1]
    if first is last:
        return None
    opening, between = glue.join(words[: first.start]), glue.join(words[first.end : last.start])
    back = BACK.search(between)
    if back is not None:
        return "return", (_turned(after, before),), (back[0],)
    turn = TURN.search(between)
    if turn is None or (turn[0] in WITH_START and START.search(opening) is None):
        return None
    return "turn", (_turned(before, after),), (turn[0],)


def _to_relief(state: State) -> Arc:
    relief = np.zeros(len(DIMENSIONS))
    relief[dimension("relief")] = 1.0
    return _turned(state, relief)


def _turned(before: State, after: State) -> Arc:
    return shape_first(crossfade(with_core(before), with_core(after)))
