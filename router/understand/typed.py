"""A question's types with how they came about."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from router.understand.layer import IDENTITY, Layer, Shares, inputs_of

DIGITS = 4  # of what is shown


@dataclass(frozen=True, slots=True)
class Typed:
    """Probabilities per type before and after the bank's own layer, and what spoke for them."""

    shares: Shares  # in force, summing to 1
    base: Shares  # the classifier's own
    read_from: Literal["vector_and_words", "words"]
    because: Mapping[str, float]  # feature -> log odds it gives the likeliest type over the second
    signs: Mapping[str, float]  # features of the words that fired -> value times rarity
    layer: Layer = IDENTITY

    def under(self, layer: Layer) -> "Typed":
        """The same question under a bank's layer."""
        shares = layer.adjust(self.base, inputs_of(self.signs, self.base))
        return replace(self, shares=shares, layer=layer)

    def as_json(self) -> dict[str, Any]:
        """As recorded and shown in the trace."""
        return {
            "base": dict(self.base),
            "read_from": self.read_from,
            "because": {name: round(value, DIGITS) for name, value in self.because.items()},
            "fired": {name: round(value, DIGITS) for name, value in self.signs.items()},
            "layer": self.layer_json(),
        }

    def layer_json(self) -> dict[str, Any] | None:
        """What the bank's corrections changed; None while they change nothing."""
        if not self.layer.is_active:
            return None
        shifts = self.layer.shifts(inputs_of(self.signs, self.base))
        return {
            "number": self.layer.number,
            "counted": self.layer.counted,
            "room": round(self.layer.room, DIGITS),
            "base": dict(self.base),
            "shifts": {kind: round(shift, DIGITS) for kind, shift in shifts.items()},
        }
