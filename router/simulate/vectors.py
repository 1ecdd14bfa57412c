"""An embedding model whose vectors mean nothing: the bed's bad day."""

import hashlib
from collections.abc import Sequence

import numpy as np

from channels.base import Embedded
from channels.embedder import SentenceEmbedder

NAME, DIM = "simulate/noise", 384


class NoiseEmbedder(SentenceEmbedder):
    """Every text gets a direction of its own, drawn from its hash; there are no token vectors."""

    def __init__(self) -> None:
        super().__init__(NAME)

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return DIM

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        """Unit vectors."""
        return [_noise(text) for text in texts]

    async def embed_question(self, text: str) -> Embedded:
        """As a text, salted: a question is no nearer to its own words."""
        return _noise(f"?{text}")


def _noise(text: str) -> Embedded:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(DIM).astype(np.float32)
    return Embedded(vector / np.linalg.norm(vector))
