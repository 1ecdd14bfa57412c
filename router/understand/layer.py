"""A bank's own layer over the classifier: what corrections add, within bounds. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

TYPES: Final[tuple[str, ...]] = ("temporal", "factual", "multi_hop", "emotional", "general")
CAP: Final = 3.0  # log odds: what the model holds for surer than .953 is never overruled
HALF: Final = 10.0  # corrections' worth at which half of CAP is open: few can move little
MOST: Final = 500  # newest corrections that count: people and banks change, replays stay short
COMMON: Final = 0.3  # value of what every question has, the bias and the base shares; a sign that
# one question in a hundred has is worth 4.6, so that corrections stay with questions of their kind
ALONE: Final = 20.0  # corrections' worth that one voice has however few others speak
ALONE_TRUSTED: Final = 60.0  # the same for a trusted key

Shares = Mapping[str, float]  # type -> probability
Inputs = Mapping[str, float]  # feature -> value


@dataclass(frozen=True, slots=True)
class Correction:
    """One question and the type a person said it has."""

    number: int  # counts up within a bank
    recall_id: str
    type: str
    author: str  # the key, or local
    actor: str | None  # who had asked
    trusted: bool
    base: Shares
    inputs: Inputs


@dataclass(frozen=True, slots=True)
class Layer:
    """What was learnt: a weight per type and feature, and how much evidence stands behind it."""

    weights: Mapping[str, Inputs]  # type -> feature -> log odds
    evidence: float  # corrections' worth under the caps
    number: int  # the last deed it knows of
    counted: int  # corrections learnt from

    @property
    def room(self) -> float:
        """Log odds by which it may move a type at most, in [0, CAP)."""
        return CAP * self.evidence / (self.evidence + HALF)

    @property
    def is_active(self) -> bool:
        """Whether it moves anything."""
        return bool(self.weights)

    def shifts(self, inputs: Inputs) -> dict[str, float]:
        """What it adds to the log of each type's share, within half of `room` either way."""
        most = self.room / 2  # two types apart by it make `room`
        found = {kind: _dot(self.weights.get(kind, {}), inputs) for kind in TYPES}
        return {kind: min(most, max(-most, shift)) for kind, shift in found.items()}

    def adjust(self, base: Shares, inputs: Inputs) -> dict[str, float]:
        """The shares with the layer's shifts, summing to 1; `base` itself while it is inactive.

        The log odds of no type move by more than `room`.
        """
        if not self.is_active:
            return dict(base)
        powers = {kind: base[kind] * math.exp(shift) for kind, shift in self.shifts(inputs).items()}
        total = math.fsum(powers.values())
        return {kind: power / total for kind, power in powers.items()}


IDENTITY: Final = Layer({}, 0.0, 0, 0)


def inputs_of(signs: Inputs, base: Shares) -> dict[str, float]:
    """What the layer reads of a question, of unit length: bias, base shares, signs that fired.

    `signs` come with their rarity, see TypeClassifier.read.
    """
    found = {"bias": COMMON, **{f"share:{kind}": COMMON * base[kind] for kind in TYPES}, **signs}
    length = math.sqrt(math.fsum(value * value for value in found.values()))
    return {name: value / length for name, value in sorted(found.items()) if value}


def worths(corrections: Sequence[Correction]) -> list[float]:
    """What each correction counts for, in (0, 1], in the given order.

    A voice (a key, and likewise a person who asked) counts at most as much as all others together,
    but never less than ALONE; its corrections share that evenly.
    """
    keys = _fair([(one.author, one.trusted) for one in corrections])
    actors = _fair([(one.actor, one.trusted) for one in corrections])
    return [min(pair) for pair in zip(keys, actors, strict=True)]


def _fair(voices: Sequence[tuple[str | None, bool]]) -> list[float]:
    said = Counter(voice for voice, _ in voices)
    return [
        min(1.0, max(ALONE_TRUSTED if trusted else ALONE, len(voices) - said[voice]) / said[voice])
        for voice, trusted in voices
    ]


def _dot(weights: Inputs, inputs: Inputs) -> float:
    """Exact, so that the order in which features are stored changes nothing."""
    return math.fsum(weights.get(name, 0.0) * value for name, value in inputs.items())
