"""Vectors kept on disk between evaluations, found again only by model and text together."""

import hashlib
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from channels.base import Embedded
from channels.errors import ConfigError
from channels.tokens import pack, unpack
from router.store.banks import Bank

SHORT = 256  # bytes: of what is shorter, every model reads all at once
Embed = Callable[[Bank, Sequence[str]], Awaitable[list[Embedded]]]


class VectorCache:
    """An embedder's answers in one SQLite file of a folder; texts not in it are embedded."""

    def __init__(self, folder: Path, embed: Embed) -> None:
        self._embed = embed
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(folder / "vectors.sqlite")
            self._file.execute(
                "create table if not exists embedded "
                "(hash blob primary key, vector blob, tokens blob)"
            )
        except (OSError, sqlite3.Error) as error:
            reason = f"{folder} cannot hold a cache ({error}); choose a folder we can write to"
            raise ConfigError("--cache", reason) from error

    async def embed(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]:
        """Each text as the bank's own model gives it; tokens as the store would keep them."""
        hashes = [text_hash(bank.embedder_name, bank.dim, text) for text in texts]
        known = {one: found for one in hashes for found in self._read(one)}
        missing = {one: text for one, text in zip(hashes, texts, strict=True) if one not in known}
        made = await self._embed(bank, list(missing.values()))
        for one, found in zip(missing, made, strict=True):
            known[one] = found
            vector = None if found.vector is None else found.vector.astype("<f4").tobytes()
            tokens = None if found.tokens is None else pack(found.tokens)
            self._file.execute(
                "insert or ignore into embedded values (?, ?, ?)", (one, vector, tokens)
            )
        self._file.commit()
        return [known[one] for one in hashes]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def _read(self, one: bytes) -> list[Embedded]:
        asked = "select vector, tokens from embedded where hash = ?"
        return [
            Embedded(
                None if vector is None else np.frombuffer(vector, "<f4").copy(),
                None if tokens is None else unpack(tokens),
            )
            for vector, tokens in self._file.execute(asked, (one,)).fetchall()
        ]


def text_hash(model: str, dim: int, text: str) -> bytes:
    """SHA-256 over model, dimension and text, each led by its length: none runs into another."""
    digest = hashlib.sha256()
    # A text that may be longer than a model reads at once was once cut: not to be found again.
    reading = ("windows-1",) if len(text.encode()) >= SHORT else ()
    for part in (model, str(dim), text, *reading):
        raw = part.encode()
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.digest()
