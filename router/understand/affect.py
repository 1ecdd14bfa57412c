"""The feeling a question asks for: emotion words, negation, intensifiers and words of shape."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from channels.affect.core import with_core
from channels.affect.grams import tokens_and_breaks
from channels.affect.lexicon import Entry, Mark, lexicon
from channels.affect.text import felt_word
from channels.arcs import DIMENSIONS, SIGNED_SLICE, Arc, State, state_of, unit
from channels.base import AffectTarget
from router.understand.affect_extra import EXTRA, UNSPACED, entry_at
from router.understand.affect_frames import Found, framed
from router.understand.affect_negation import is_negated, is_negated_unspaced
from router.understand.affect_shape import shape_told, to_relief
from router.understand.affect_topics import without_topics
from router.understand.affect_words import (
    ANY_MORE,
    ANY_MORE_WORDS,
    BRIDGE,
    CALMED,
    CONTEXT_WINDOW,
    FEELING,
    FELT,
    FLIPPED,
    INTENSIFIERS,
    LEAST_LETTERS,
    LIST_GLUE,
    NEGATIONS,
    NO_FEELING,
    STATE,
    TOPIC_AFTER,
    TOPIC_BEFORE,
)


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
        return state_of(FLIPPED) if _is_pleasant(wanted) else None


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
    found = _read(text)
    if found.cues or found.target is not None:
        plain = without_topics(text)  # which takes longer than all the rest
        found = found if plain == text else _read(plain)
    return found


def _read(text: str) -> Feeling:
    (words, breaks), glue = tokens_and_breaks(text), " "
    cues = _spaced(words, breaks)
    if not cues and (cues := _unspaced(text.casefold())):
        words, glue = list(text.casefold()), ""  # places are those of characters
    cues = cues or _unlisted(words, breaks)
    states = [(cue, state) for cue in cues if (state := cue.state()) is not None]
    line = glue.join(words)
    if not states:
        calmed = CALMED.search(line)
        if calmed is None or cues:
            return Feeling(None, tuple(cues))
        calming = to_relief(state_of([("anger", 0.7), ("annoyance", 0.7)]))
        return Feeling(_target((calming,), (calmed[0],)), (), "relief")
    wanted = np.maximum.reduce([state for _, state in states])
    places = [((cue.start, cue.end), state) for cue, state in states]
    is_denied = all(cue.negated for cue, _ in states)
    rule, arcs, told = shape_told(words, glue, places, wanted, is_denied=is_denied)
    target = _target(arcs, (*(cue.text for cue, _ in states), *told), wanted)
    target = replace(target, is_unsure=any(cue.is_guess for cue in cues))
    return Feeling(target, tuple(cues), rule)


def _target(
    arcs: Sequence[Arc], cues: tuple[str, ...], wanted: State | None = None
) -> AffectTarget:
    asked = state_of([("relief", 1.0)]) if wanted is None else wanted
    labels = {DIMENSIONS[i]: float(asked[i]) for i in np.flatnonzero(asked > 0.0)}
    return AffectTarget(tuple(unit(arc) for arc in arcs), labels, cues)


def _spaced(words: list[str], breaks: Collection[int]) -> list[Cue]:
    """Feelings in text written with spaces."""
    cues: list[Cue] = []
    faint: list[Found] = []  # words that are feelings only where the sentence makes them one
    start = 0
    while start < len(words):
        hit = entry_at(lexicon(), words, start)
        length, entry = hit if hit is not None else (1, None)
        end = start + length
        if entry is not None and not _is_topic(words, start, end):
            if _speaks_of_feeling(words, start, entry.mark, cues):
                cues.append(_cue(words, start, end, entry))
            else:
                faint.append((start, end, entry))
        start = end
    firm = [(cue.start, cue.end, cue.entry) for cue in cues]
    listed = {start for start, _, _ in (*firm, *faint)}
    for start, end, entry in framed(words, breaks, firm, faint):
        cues.append(_cue(words, start, end, entry, is_guess=start not in listed))
    cues.sort(key=lambda cue: cue.start)
    return _denied([_weighed(words, breaks, cue) for cue in cues], words, breaks)


def _cue(
    words: Sequence[str], start: int, end: int, entry: Entry, *, is_guess: bool = False
) -> Cue:
    return Cue(start, end, " ".join(words[start:end]), entry, is_guess=is_guess)


def _denied(cues: list[Cue], words: Sequence[str], breaks: Collection[int]) -> list[Cue]:
    """Carry a negation over the list it opens: "not sad, angry or scared" denies all three."""
    for place, cue in enumerate(cues):
        if not cue.negated:
            continue
        end = place + 1
        has_or = False
        while end < len(cues):
            gap = words[cues[end - 1].end : cues[end].start]
            is_list = all(word in LIST_GLUE or word in INTENSIFIERS for word in gap)
            if not is_list or not (gap or cues[end].start in breaks):
                break
            has_or = has_or or not LIST_GLUE.isdisjoint(gap)
            end += 1
        if has_or:
            cues[place:end] = [replace(one, negated=True) for one in cues[place:end]]
    return cues


def _unlisted(words: Sequence[str], breaks: Collection[int]) -> list[Cue]:
    """A word that the lexicon lacks, where somebody says that they felt it; the model reads it."""
    for start, word in enumerate(words):
        if word in NO_FEELING or len(word) < LEAST_LETTERS or not word.isascii():
            continue
        if FELT.isdisjoint(words[max(0, start - CONTEXT_WINDOW) : start]):
            continue
        if _after_feeling(words, start, ()) and (labels := felt_word(word)):
            entry = Entry(labels, "~", max(labels, key=labels.__getitem__))
            return [_weighed(words, breaks, _cue(words, start, start + 1, entry, is_guess=True))]
    return []


def _unspaced(text: str) -> list[Cue]:
    """Feelings in Chinese or Japanese."""
    cues: list[Cue] = []
    for match in UNSPACED.finditer(text):
        entry = EXTRA.find(match[0]) or lexicon().find(match[0])
        if entry is not None:
            negated = is_negated_unspaced(text, match.start(), match.end())
            cues.append(Cue(match.start(), match.end(), match[0], entry, negated=negated))
    return cues


def _is_topic(words: Sequence[str], start: int, end: int) -> bool:
    """Whether the words beside start..end make a topic of it."""
    after = words[end] if end < len(words) else ""
    return after in TOPIC_AFTER or (start > 0 and words[start - 1] in TOPIC_BEFORE)


def _speaks_of_feeling(
    words: Sequence[str], start: int, mark: Mark, earlier: Sequence[Cue]
) -> bool:
    """Whether the words from `start` on name a feeling here."""
    if mark == "!" or _after_feeling(words, start, earlier):
        return True
    before = words[max(0, start - CONTEXT_WINDOW) : start]
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


def _weighed(words: Sequence[str], breaks: Collection[int], cue: Cue) -> Cue:
    """Give the cue its intensifier and negation, read from the words before it."""
    strength = 1.0
    for word in words[max(0, cue.start - 2) : cue.start]:
        strength = INTENSIFIERS.get(word, strength)
    negated = is_negated(words, breaks, cue.start)
    if negated and ANY_MORE.search(" ".join(words[cue.end : cue.end + ANY_MORE_WORDS])):
        negated = _is_pleasant(state_of(list(cue.entry.labels.items())))
    return replace(cue, strength=strength, negated=negated)


def _is_pleasant(state: State) -> bool:
    return bool(with_core(state)[SIGNED_SLICE.start] > 0.0)
