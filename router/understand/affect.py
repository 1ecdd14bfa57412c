"""The feeling a question asks for: emotion words, negation, intensifiers and words of shape."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from channels.affect.core import with_core
from channels.affect.grams import tokens
from channels.affect.lexicon import Entry, Mark, lexicon
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


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


NEGATION_WINDOW = 3  # words before the feeling that are searched for a negation
CONTEXT_WINDOW = 4  # words before it in which a feeling or a state must be spoken of
FLIPPED = (("sadness", 0.5), ("disappointment", 0.5))  # "not happy" is less than sad

NEGATIONS = _words(
    "not never no without hardly barely nor neither cannot isn't wasn't aren't weren't don't "
    "doesn't didn't won't can't couldn't wouldn't hasn't haven't hadn't "
    "nicht nie kein keine pas jamais nunca sin"
)
INTENSIFIERS: Mapping[str, float] = {
    **dict.fromkeys(
        _words("extremely incredibly utterly totally completely absolutely insanely"), 1.5
    ),
    **dict.fromkeys(_words("very really so deeply super terribly most truly sehr très muy"), 1.25),
    **dict.fromkeys(_words("slightly somewhat mildly little bit faintly"), 0.5),
    **dict.fromkeys(_words("rather fairly pretty kinda"), 0.8),
}
FEELING = _words(
    "feel feels felt feeling feelings mood moods emotion emotions sense moment moments"
)
# What may stand between "felt" and the word, besides other feelings, negations and intensifiers.
BRIDGE = _words("a an of and or both more less quite too such much was is i he she we they")
STATE = _words(
    "am is are was were be been being i'm he's she's they're get gets got getting become becomes "
    "became becoming seem seems seemed look looked looks sound sounded make makes made leave left"
)
# Words that make a topic of the feeling before them ("surprise party") or of the one behind them.
TOPIC_AFTER = _words(
    "party parties hour hours birthday birthdays anniversary holidays birds button management test "
    "tests song songs movie book show level mode room factor joy division"
)
TOPIC_BEFORE = _words("kernel go golang called titled named")

GONE = re.compile(
    r"\b(calm(?:ed|s|ing)? down|cool(?:ed|ing) off|g[eo]t(?:ting)? over|recover(?:ed|ing)? from|"
    r"no longer|stop(?:ped)? being|stop(?:ped)? feeling|moved? on from|let go of)\b"
)
CALMED = re.compile(r"\bcalm(?:ed|s|ing)? down\b")
RISE = re.compile(r"\b(increasingly|more and more|growing|grew|getting|building up)\b")
FALL = re.compile(r"\b(less and less|decreasingly|fading|faded|wearing off)\b")
SPIKE = re.compile(
    r"\b(suddenly|all of a sudden|outburst|burst of|flash of|for a moment|briefly)\b"
)
START = re.compile(r"\b(from|at first|first|initially|originally|beginning|started)\b")
TURN = re.compile(
    r"\b(to|into|then|until|turned|became|ended|later|eventually|finally|before|gave way)\b"
)
BACK = re.compile(r"\bafter\b")  # "relieved after being scared": the second came first


@dataclass(frozen=True, slots=True)
class Cue:
    """One feeling found in the question."""

    start: int  # words before it
    end: int
    text: str
    entry: Entry
    strength: float = 1.0
    negated: bool = False

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


def affect_target(text: str) -> AffectTarget | None:
    """Read the feeling a question asks for, or None when it speaks of none.

    Vectors are unit arcs (132,): one when the question tells the shape ("from scared to relieved"),
    else the four templates, of which a lane takes the best. Words that are as often about a topic
    ("love", "interested", "surprise") count only where a feeling is spoken of.
    Labels lie in (0, 1].
    """
    words = tokens(text)
    cues = _spaced(words) or _unspaced(text.casefold())
    states = [(cue, state) for cue in cues if (state := cue.state()) is not None]
    line = " ".join(words)
    if not states:
        calmed = CALMED.search(line)
        if calmed is None or cues:
            return None
        calming = _to_relief(state_of([("anger", 0.7), ("annoyance", 0.7)]))
        return _target((calming,), (calmed[0],))
    wanted = np.maximum.reduce([state for _, state in states])
    arcs, shape = _shape(line, words, states, wanted)
    return _target(arcs, (*(cue.text for cue, _ in states), *shape), wanted)


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
    only = (
        "only" in before or "longer" in before
    )  # "not only sad", "no longer sad" keep the feeling
    return replace(cue, strength=strength, negated=negated and not only)


def _shape(
    line: str, words: Sequence[str], states: Sequence[tuple[Cue, State]], wanted: State
) -> tuple[tuple[Arc, ...], tuple[str, ...]]:
    """Arcs of the shape the question tells, with the words that tell it; the templates without."""
    turned = _turn(words, states)
    if turned is not None:
        return turned
    gone = GONE.search(line)
    if gone is not None:
        return (_to_relief(wanted),), (gone[0],)
    shapes: tuple[tuple[re.Pattern[str], Callable[[State], Arc]], ...] = (
        (RISE, rising),
        (FALL, falling),
        (SPIKE, spike),
    )
    full = with_core(wanted)
    for pattern, draw in shapes:
        found = pattern.search(line)
        if found is not None:
            return (shape_first(draw(full)),), (found[0],)
    return templates(full), ()


def _turn(
    words: Sequence[str], states: Sequence[tuple[Cue, State]]
) -> tuple[tuple[Arc, ...], tuple[str, ...]] | None:
    """Draw the cross-fade from the first feeling to the last, if a turn is told."""
    (first, before), (last, after) = states[0], states[-1]
    if first is last:
        return None
    opening, between = " ".join(words[: first.start]), " ".join(words[first.end : last.start])
    back = BACK.search(between)
    if back is not None:
        return (_turned(after, before),), (back[0],)
    turn = TURN.search(between)
    if turn is None or (turn[0] in ("to", "later") and START.search(opening) is None):
        return None
    return (_turned(before, after),), (turn[0],)


def _to_relief(state: State) -> Arc:
    relief = np.zeros(len(DIMENSIONS))
    relief[dimension("relief")] = 1.0
    return _turned(state, relief)


def _turned(before: State, after: State) -> Arc:
    return shape_first(crossfade(with_core(before), with_core(after)))
