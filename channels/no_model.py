"""No embedding model at all: words, time, feeling and graph answer, and nothing is loaded."""

from collections.abc import Sequence

from channels.base import Embedded, Vector

NONE = "none"  # the name that stands for it; a model in a folder of that name is ./none


class NoModel:
    """Gives every text no vector, so that what needs one has no signal."""

    name, dim, served = NONE, 0, "without a model"

    async def embed(self, texts: Sequence[str]) -> list[Vector | None]:
        """No vector a text."""
        return [None for _ in texts]

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        """No vector and no tokens a text."""
        return [Embedded(None) for _ in texts]

    async def embed_question(self, text: str) -> Embedded:
        """No vector and no tokens."""
        del text
        return Embedded(None)

    def close(self) -> None:
        """Nothing is held."""


def has_model(name: str) -> bool:
    """Whether an embedder of that name makes vectors."""
    return name != NONE
