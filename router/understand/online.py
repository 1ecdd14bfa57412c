"""Learns a bank's layer from its corrections, one after another, by river's softmax regression."""

import math
from collections.abc import Sequence
from typing import Any, Final

from river import linear_model, optim

from router.understand.layer import (
    IDENTITY,
    TYPES,
    Correction,
    Layer,
    Shares,
    worths,
)

RATE: Final = 0.5  # inputs have unit length: one correction moves its own question by under .5
L2: Final = 0.02  # pulls towards the classifier's own word, which is where all weights are 0


class WeightedLoss(optim.losses.CrossEntropy):
    """Cross entropy, times what the correction at hand counts for."""

    weight = 1.0

    def gradient(self, y_true: Any, y_pred: dict[Any, float]) -> dict[Any, float]:
        slopes = super().gradient(y_true, y_pred)
        return {kind: self.weight * slope for kind, slope in slopes.items()}


class Residual(linear_model.SoftmaxRegression):
    """Softmax regression that starts from given shares: with all weights 0 it repeats them."""

    def __init__(self, rate: float, l2: float) -> None:
        self.weighted = WeightedLoss()
        super().__init__(optim.SGD(rate), self.weighted, l2)
        self.base: Shares = {}
        for kind in TYPES:
            self.weights[kind]  # touched, so that each type has its weights from the start

    def predict_proba_one(self, x: dict[Any, float], **_: Any) -> dict[Any, float]:
        logs = {
            kind: math.log(max(self.base[kind], 1e-12))
            + math.fsum(self.weights[kind][name] * value for name, value in x.items())
            for kind in TYPES
        }
        highest = max(logs.values())
        powers = {kind: math.exp(value - highest) for kind, value in logs.items()}
        total = math.fsum(powers.values())
        return {kind: power / total for kind, power in powers.items()}

    def learn_from(self, one: Correction, worth: float) -> None:
        """One step towards what the person said."""
        self.base, self.weighted.weight = one.base, worth
        inputs = dict(sorted(one.inputs.items()))
        self.learn_one(inputs, one.type)  # type: ignore[no-untyped-call] # river's own

    def learnt(self) -> dict[str, dict[str, float]]:
        """Weights that are not 0."""
        kept = {
            kind: {name: weight for name, weight in sorted(self.weights[kind].items()) if weight}
            for kind in TYPES
        }
        return {kind: weights for kind, weights in kept.items() if weights}


def learn(corrections: Sequence[Correction], number: int) -> Layer:
    """The layer after all corrections, the same bit for bit whatever order they are given in.

    They are learnt in the order of their numbers. `number` is the last deed it stands for.
    """
    ordered = sorted(corrections, key=lambda one: one.number)
    if not ordered:
        return Layer(IDENTITY.weights, 0.0, number, 0)
    model = Residual(RATE, L2)
    counted = worths(ordered)
    for one, worth in zip(ordered, counted, strict=True):
        model.learn_from(one, worth)
    weights: dict[str, Any] = model.learnt()
    return Layer(weights, math.fsum(counted), number, len(ordered))
