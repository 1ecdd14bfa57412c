"""The type of a question as calibrated probabilities, read from a stored linear model."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from channels.errors import BadInput, ConfigError
from channels.runtime import model_of
from router.understand.layer import TYPES
from router.understand.surface import FEATURES, fired, place_of, surface, telling_of
from router.understand.typed import Typed

VERSION: Final = 2  # of the artefact's layout; a file of another version is refused
SETTING: Final = "router/understand/model/types.npz"
RETRAIN: Final = "retrain it with `python -m bench.train_types`"
REASONS: Final = 6  # features named for a type; the rest of 170 words add little each
__all__ = ["TYPES", "Head", "TypeClassifier"]


@dataclass(frozen=True, slots=True)
class Head:
    """One multinomial logistic regression with its temperature folded in."""

    weights: NDArray[np.float32]  # (n_types, n_inputs)
    bias: NDArray[np.float32]  # (n_types,)

    def probabilities(self, inputs: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shape (n_types,), in (0, 1), sums to 1, for inputs of shape (n_inputs,)."""
        logits = (self.weights @ inputs + self.bias).astype(np.float64)
        powers = np.exp(logits - logits.max())
        shares: NDArray[np.float64] = powers / powers.sum()
        return shares

    def reasons(self, inputs: NDArray[np.float32], shares: NDArray[np.float64]) -> dict[str, float]:
        """What gave the likeliest type its lead over the second, in log odds, the most first.

        The features that fired by name, all of the vector as one.
        """
        second, first = np.argsort(shares, kind="stable")[-2:]
        parts = (self.weights[first] - self.weights[second]) * inputs
        dim = len(parts) - len(FEATURES)
        found = {name: float(parts[dim + place_of(name)]) for name in telling_of(inputs[dim:])}
        if dim:
            found["vector"] = float(parts[:dim].sum())
        ranked = sorted(found.items(), key=lambda one: (-abs(one[1]), one[0]))
        return dict(ranked[:REASONS])


@dataclass(frozen=True, slots=True)
class TypeClassifier:
    """Two heads: one over embedding and surface features, one over the surface alone."""

    full: Head
    surface_only: Head
    rarity: NDArray[np.float32]  # (n_features,): -log of the share of questions that have it
    embedder_name: str  # the embedder whose vectors the full head was trained on

    @classmethod
    def load(cls, source: Traversable | None = None) -> "TypeClassifier":
        """Load the model shipped with the package, or the one in `source`.

        Raises ConfigError when the file cannot be read or was made for another version, other
        types or other surface features.
        """
        arrays = _read(source if source is not None else _shipped())
        _check(arrays)
        return cls(
            full=Head(arrays["full_weights"], arrays["full_bias"]),
            surface_only=Head(arrays["surface_weights"], arrays["surface_bias"]),
            rarity=arrays["rarity"],
            embedder_name=str(arrays["embedder"]),
        )

    def probabilities(
        self, text: str, vector: NDArray[np.float32] | None, embedder_name: str
    ) -> dict[str, float]:
        """Probability per type in the order of TYPES; they sum to 1.

        The vector is the question's unit embedding; it is used when it comes from the embedder
        the model was trained on, otherwise (or without one) the surface alone decides. Raises
        BadInput when a vector of that embedder has another length or is not finite.
        """
        return dict(self.read(text, vector, embedder_name).base)

    def read(self, text: str, vector: NDArray[np.float32] | None, embedder_name: str) -> Typed:
        """The probabilities as above with what spoke for them; no layer has touched them yet."""
        inputs = seen = surface(text)
        head = self.surface_only
        if vector is not None and model_of(embedder_name) == self.embedder_name:
            inputs, head = np.concatenate([self._checked(vector), seen]), self.full
        found = head.probabilities(inputs)
        shares = dict(zip(TYPES, found.tolist(), strict=True))
        return Typed(
            shares=shares,
            base=shares,
            read_from="words" if head is self.surface_only else "vector_and_words",
            because=head.reasons(inputs, found),
            signs=telling_of(np.minimum(seen, 1.0) * self.rarity),
        )

    def explain(self, text: str) -> tuple[str, ...]:
        """Names of the surface features that fired."""
        return fired(text)

    def _checked(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        dim = self.full.weights.shape[1] - len(FEATURES)
        if vector.shape != (dim,) or not np.isfinite(vector).all():
            raise BadInput(
                "vector",
                f"shape {vector.shape} is not a finite ({dim},) vector of {self.embedder_name}; "
                "embed the question again or pass None",
            )
        return vector


def _shipped() -> Traversable:
    return files("router.understand") / "model" / "types.npz"


def _read(source: Traversable) -> dict[str, NDArray[np.float32]]:
    try:
        with source.open("rb") as handle, np.load(handle, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError, EOFError) as error:
        raise ConfigError(SETTING, f"cannot be read ({error}); {RETRAIN}") from error


def _check(arrays: Mapping[str, NDArray[np.float32]]) -> None:
    missing = {"version", "embedder", "classes", "features", "rarity"} - arrays.keys()
    if missing:
        raise ConfigError(SETTING, f"lacks {', '.join(sorted(missing))}; {RETRAIN}")
    if int(arrays["version"]) != VERSION:
        raise ConfigError(SETTING, f"is version {arrays['version']}, not {VERSION}; {RETRAIN}")
    if tuple(arrays["classes"].tolist()) != TYPES:
        raise ConfigError(SETTING, f"knows types {arrays['classes'].tolist()}; {RETRAIN}")
    if tuple(arrays["features"].tolist()) != FEATURES:
        raise ConfigError(SETTING, f"was trained on other surface features; {RETRAIN}")
    rarity = arrays["rarity"]
    if rarity.shape != (len(FEATURES),) or not (rarity > 0).all():
        raise ConfigError(SETTING, f"has no rarity of every feature; {RETRAIN}")
    _check_head(arrays, "full", least=len(FEATURES) + 1)
    _check_head(arrays, "surface", least=len(FEATURES))


def _check_head(arrays: Mapping[str, NDArray[np.float32]], head: str, *, least: int) -> None:
    weights, bias = arrays.get(f"{head}_weights"), arrays.get(f"{head}_bias")
    if weights is None or bias is None or weights.ndim != 2 or bias.shape != (len(TYPES),):
        raise ConfigError(SETTING, f"has no well-formed head {head!r}; {RETRAIN}")
    fits = weights.shape[0] == len(TYPES) and weights.shape[1] >= least
    if not fits or not (np.isfinite(weights).all() and np.isfinite(bias).all()):
        raise ConfigError(SETTING, f"head {head!r} has shape {weights.shape} or gaps; {RETRAIN}")
