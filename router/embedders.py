"""The models in use: each loaded once, found by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from channels.base import Embedded
from channels.embedder import SentenceEmbedder
from channels.errors import Unavailable
from channels.no_model import NONE, NoModel, has_model
from channels.runtime import TORCH, name_for
from router.settings import Settings
from router.store.banks import Bank
from router.store.embedded import EXPORTS

Model = SentenceEmbedder | NoModel


class Embedders:
    """Loads an embedder at first use and keeps it."""

    def __init__(
        self, default: str, *, batch: int, runtime: str = TORCH, exports: Path | None = None
    ) -> None:
        self.default = name_for(default, runtime) if has_model(default) else NONE
        self._batch, self._runtime, self._exports = batch, runtime, exports
        self._loaded: dict[str, Model] = {NONE: NoModel()}

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """As the settings say; models exported for ONNX Runtime lie in the data folder."""
        return cls(
            settings.embedder,
            batch=settings.embed_batch,
            runtime=settings.embedder_runtime,
            exports=settings.data_dir.expanduser() / EXPORTS,
        )

    def add(self, embedder: SentenceEmbedder) -> None:
        """Use this embedder under its own name, instead of loading a model of that name."""
        self._loaded[embedder.name] = embedder

    def named(self, name: str | None) -> Model:
        """The embedder of that name, the default when None."""
        wanted = name or self.default
        if wanted not in self._loaded:
            self._loaded[wanted] = SentenceEmbedder(
                wanted, batch=self._batch, runtime=self._runtime, exports=self._exports
            )
        return self._loaded[wanted]

    async def warm(self, bank: Bank) -> None:
        """Load the bank's model now: no channel's deadline counts the time. Raises ConfigError."""
        await self.named(bank.embedder_name).embed_tokens(["warm"])

    async def embed(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]:
        """The texts by the bank's own model. Raises Unavailable if its size changed."""
        if not texts:
            return []
        found = await self.named(bank.embedder_name).embed_tokens(texts)
        check_dim(bank, found)
        return found

    async def embed_question(self, bank: Bank, text: str) -> Embedded:
        """The question by the bank's own model, remembered."""
        found = await self.named(bank.embedder_name).embed_question(text)
        check_dim(bank, [found])
        return found

    def close(self) -> None:
        """Release the models' threads."""
        for embedder in self._loaded.values():
            embedder.close()


def check_dim(bank: Bank, found: Sequence[Embedded]) -> None:
    """Raises Unavailable when a vector has not the dimension that the bank was made with."""
    for one in found:
        if one.vector is not None and one.vector.shape != (bank.dim,):
            raise Unavailable(
                "embedder",
                f"{bank.embedder_name!r} now gives {one.vector.shape[0]} dimensions where bank "
                f"{bank.name!r} has {bank.dim}; put the former model back, or make a new bank",
            )
