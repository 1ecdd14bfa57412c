"""Corrections for tests, as a bank would hold them."""

from router.understand.layer import Correction, inputs_of
from router.understand.typed import Typed
from router.understand.types import TypeClassifier

CLASSIFIER = TypeClassifier.load()


def typed(text: str) -> Typed:
    """The question as its words alone tell."""
    return CLASSIFIER.read(text, None, "another embedder")


def corrected(
    number: int,
    text: str,
    kind: str,
    *,
    author: str = "key-1",
    actor: str | None = None,
    trusted: bool = False,
) -> Correction:
    """What a person said of one question; every question has another asker unless named."""
    read = typed(text)
    asker = f"user-{number}" if actor is None else actor
    inputs = inputs_of(read.signs, read.base)
    return Correction(number, f"r{number}", kind, author, asker, trusted, read.base, inputs)
