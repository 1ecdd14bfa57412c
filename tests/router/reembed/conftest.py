"""A service over a database of its own, with two models that hash words in two ways."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from channels.base import Embedded
from channels.tokens import DIM
from router.reembed.job import Job, jobs, progress
from router.reembed.worker import Reembedder
from tests.conftest import fresh_database
from tests.router.api.conftest import HASHES, WordHashes
from tests.router.world import World, opened

OTHER = "other-hashes"


class OtherHashes(WordHashes):
    """Another model: 96 dimensions, other directions, and a token vector for every word."""

    name, dim = OTHER, 96

    def __init__(self) -> None:
        self.embedded = 0

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        self.embedded += len(texts)
        return [self._embedded(text) for text in texts]

    async def embed_question(self, text: str) -> Embedded:
        return self._embedded(text)

    def _embedded(self, text: str) -> Embedded:
        words = text.lower().split()
        tokens = np.zeros((len(words), DIM), np.float32)
        tokens[range(len(words)), [sum(word.encode()) % DIM for word in words]] = 1
        return Embedded(self._vector(text[::-1]), tokens, tuple((0, 0) for _ in words))


class Moves:
    """What tests do to a bank on its way."""

    def __init__(self, world: World, model: OtherHashes) -> None:
        self.world = world
        self.model = model

    def worker(self, **parts: Any) -> Reembedder:
        """A worker of its own, as another process has it."""
        service = self.world.service
        return Reembedder(
            service.transaction, service.embedders, service.banks, service.indexes, **parts
        )

    def ask(self, bank: str, name: str = OTHER) -> bool:
        async def work() -> bool:
            service = self.world.service
            return await service.change_model(await service.banks.get(bank), name)

        return bool(self.world.run(work()))

    def job(self, bank: str) -> Job | None:
        found = self.world.run(jobs(self.world.service.transaction, self.key(bank)))
        return found[0] if found else None

    def key(self, bank: str) -> Any:
        self.world.service.banks.forget(bank)
        return self.world.run(self.world.service.banks.get(bank)).key

    def work(self, bank: str, worker: Reembedder | None = None) -> None:
        job = self.job(bank)
        assert job is not None
        self.world.run((worker or self.worker()).work(job))

    def progress(self, bank: str) -> dict[str, Any] | None:
        found = self.world.run(progress(self.world.service.transaction, self.key(bank)))
        return found.as_json() if found else None

    def models(self, bank: str) -> set[str]:
        """Names of the models whose vectors the bank's memories have."""
        rows = self.world.rows(
            bank,
            "select distinct e.name from memories m join embedders e on e.embedder = m.embedder"
            " where m.bank_id = %(bank)s and m.embedding is not null",
        )
        return {row[0] for row in rows}


@pytest.fixture(scope="module")
def moves(server: str, template: str) -> Iterator[Moves]:
    with fresh_database(server, template) as dsn, opened(dsn) as world:
        model = OtherHashes()
        world.service.embedders.add(model)  # type: ignore[arg-type]
        yield Moves(world, model)


__all__ = ["HASHES", "OTHER"]
