"""The feeling of a text: our small linear model for the 27 labels, VADER for valence."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from channels.affect.core import core_affect
from channels.affect.grams import grams, tokens
from channels.arcs import DIMENSIONS, EMOTIONS, SIGNED_SLICE, State
from channels.errors import ConfigError

MODEL_VERSION = 1  # of the artefact's arrays; another version does not load
LABELS = (*EMOTIONS, "neutral")  # columns of the weights
# Probability of "no feeling" from which a text has no state; what it costs is in the card.
NEUTRAL_FROM = 0.4
# A label this probable, and as sure as in a typical text of it, outweighs that: people say that
# they are furious about a bill in the flattest of sentences.
CERTAIN_FROM = 0.25
WEAK_SHARE = 0.05  # of the strongest label: below it is noise
_VADER_CHARACTERS = 1500  # its time grows with length, its answer hardly changes any more


@dataclass(frozen=True, slots=True)
class TextModel:
    """One-versus-rest logistic regression over hashed grams, weights in 8 bits."""

    hashes: NDArray[np.uint32]  # (n,) ascending; row i of weights belongs to hashes[i]
    weights: NDArray[np.int8]  # (n, 28), columns LABELS
    scale: NDArray[np.float32]  # (28,) logit per step of weight
    bias: NDArray[np.float32]  # (28,)
    prior: NDArray[np.float32]  # (27,) share of training texts with the label
    typical: NDArray[np.float32]  # (27,) median excess over the prior among texts with the label

    def probabilities(self, found: list[int]) -> NDArray[np.float64] | None:
        """Probability of each of LABELS, (28,), from gram hashes; None when all are unknown."""
        wanted = np.array(found, dtype=np.uint32)
        rows = np.minimum(np.searchsorted(self.hashes, wanted), len(self.hashes) - 1)
        rows = rows[self.hashes[rows] == wanted]
        if len(rows) == 0:
            return None
        total = self.weights[rows].sum(axis=0, dtype=np.int64) * self.scale / np.sqrt(len(rows))
        chances: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-(total + self.bias)))
        return chances

    def intensities(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        """Base-rate corrected intensity in [0, 1], (..., 27).

        1 = as sure as of a typical text of the label. Without taking off the base rate each
        neutral sentence looks a little joyful.
        """
        emotional = chances[..., : len(EMOTIONS)]
        excess = np.maximum(0.0, (emotional - self.prior) / (1.0 - self.prior))
        strength: NDArray[np.float64] = np.minimum(1.0, excess / self.typical)
        return strength

    def is_silent(self, chances: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether texts of these chances (..., 28) show no feeling, (...)."""
        strength = self.intensities(chances)
        certain = (chances[..., :-1] >= CERTAIN_FROM) & (strength >= 1.0)
        plain = (chances[..., -1] >= NEUTRAL_FROM) & ~certain.any(axis=-1)
        silent: NDArray[np.bool_] = plain | ~strength.any(axis=-1)
        return silent


@cache
def text_model() -> TextModel:
    """Return the packaged weights, read once. Raises ConfigError for another version."""
    resource = files("channels").joinpath("model", "affect.npz")
    with as_file(resource) as path, np.load(path, allow_pickle=False) as arrays:
        version = int(arrays["version"])
        if version != MODEL_VERSION or tuple(arrays["labels"].tolist()) != LABELS:
            reason = f"version {version}, this code reads {MODEL_VERSION}; run bench.train_affect"
            raise ConfigError("channels/model/affect.npz", reason)
        names = ("hashes", "weights", "scale", "bias", "prior", "typical")
        return TextModel(**{name: arrays[name] for name in names})


@cache
def _vader() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()


def vader_valence(text: str) -> float:
    """VADER's compound valence in [-1, 1] (Hutto & Gilbert, ICWSM 2014); 0 without such words."""
    return float(_vader().polarity_scores(text[:_VADER_CHARACTERS])["compound"])


def felt_word(word: str) -> dict[str, float]:
    """What the model reads into "I felt <word>", the strongest label at 1, weak ones left out.

    For words that are not in the lexicon; empty for a word that the model does not know either.
    """
    model = text_model()
    chances = model.probabilities(grams(tokens(f"i felt {word}")))
    if chances is None or model.probabilities(grams(tokens(word))) is None:
        return {}
    strength = model.intensities(chances)
    most = float(strength.max())
    if most <= 0.0:
        return {}
    return {
        name: float(value / most)
        for name, value in zip(EMOTIONS, strength, strict=True)
        if value >= WEAK_SHARE * most
    }


def text_state(text: str) -> State | None:
    """Return the state (33,) a text shows, or None when it shows no feeling. English only.

    None from a probability NEUTRAL_FROM of "no feeling" on, unless a label is CERTAIN_FROM: a plain
    text has no mood, and no arousal by default. Valence is the mean of what the labels imply and of
    VADER.
    """
    model = text_model()
    chances = model.probabilities(grams(tokens(text)))
    if chances is None or model.is_silent(chances):
        return None
    state = np.zeros(len(DIMENSIONS))
    state[: len(EMOTIONS)] = model.intensities(chances)
    state[SIGNED_SLICE] = core_affect(state)
    state[SIGNED_SLICE.start] = (state[SIGNED_SLICE.start] + vader_valence(text)) / 2.0
    return state
