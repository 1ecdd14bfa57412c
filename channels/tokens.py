"""Token vectors: reduced to 128 dimensions and 4 bits a value, and compared. Pure."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import numpy as np
from numpy.typing import NDArray

from channels.errors import ConfigError
from channels.runtime import model_of

DIM = 128
LEVELS = 7  # signed 4-bit values -7..7
ROW_BYTES = 2 + DIM // 2  # half-precision scale, two values a byte: 66 B, about 2.4 KB a chat turn
VERSION = 1
BASE_WEIGHT = 0.3  # of a word the bank's idf says nothing about, beside ln-scaled idf

# Tokens compared at a time: 4 MB unpacked, which a core's cache holds. 200 memories of 925 tokens,
# as many as four windows have, take 42 ms so and 75 in one go, and 90 MB less.
AT_ONCE = 8_192
# Tokens that speak together for their memory, those of one window of MiniLM. Over all tokens of a
# long text the best matches grow with its length alone: cisi's nDCG@10 was .375 so, .392 by pieces.
PIECE = 256

Tokens = NDArray[np.float32]  # (tokens, DIM)


def gives_tokens(model: str) -> bool:
    """Whether a model of that name gives token vectors: known by its name, nothing is loaded."""
    return _fitted(model) is not None


@cache
def projection(model: str) -> NDArray[np.float32] | None:
    """Orthonormal columns, shape (model dim, DIM), for a model we have fitted, else None.

    Fitted by bench/fit_tokens.py. Raises ConfigError when the file is of another version.
    """
    found = _fitted(model)
    if found is None:
        return None
    with found.open("rb") as file:
        arrays = np.load(file, allow_pickle=False)
        if int(arrays["version"]) != VERSION:
            raise ConfigError(str(found), "is of another version; run `python -m bench.fit_tokens`")
        return np.asarray(arrays["projection"], dtype=np.float32)


def _fitted(model: str) -> Traversable | None:
    # Compared with what is there: a model may be named by any path, of any length.
    # 8 bits turn a reduced token vector by 7 degrees (cosine .99): the same columns serve.
    name = f"tokens-{model_of(model)}.npz"
    return next(
        (it for it in files("channels").joinpath("model").iterdir() if it.name == name), None
    )


def pack(tokens: Tokens) -> bytes:
    """ROW_BYTES a token: its scale, then its values rounded to LEVELS steps either side of 0."""
    scale = (np.abs(tokens).max(axis=1, initial=0.0) / LEVELS).astype(np.float16)
    safe = np.maximum(scale.astype(np.float32), 1e-8)[:, None]
    steps = np.clip(np.rint(tokens / safe), -LEVELS, LEVELS).astype(np.int8) + LEVELS + 1
    nibbles = steps.astype(np.uint8)
    table = np.empty((len(tokens), ROW_BYTES), np.uint8)
    table[:, :2] = scale.view(np.uint8).reshape(-1, 2)
    table[:, 2:] = nibbles[:, ::2] << 4 | nibbles[:, 1::2]
    return table.tobytes()


def unpack(packed: bytes) -> Tokens:
    """The token vectors of `pack`, to within half a step; of several packs joined, all of them."""
    table = np.frombuffer(packed, np.uint8).reshape(-1, ROW_BYTES)
    scale = np.ascontiguousarray(table[:, :2]).view(np.float16).astype(np.float32)
    values = np.empty((len(table), DIM), np.float32)
    values[:, ::2] = table[:, 2:] >> 4
    values[:, 1::2] = table[:, 2:] & 15
    values -= LEVELS + 1
    values *= scale
    return values


def max_sim(
    question: Tokens, weights: NDArray[np.float32], packs: list[bytes]
) -> NDArray[np.float32]:
    """For each pack, the weighted mean over question tokens of the best match among its tokens.

    Of a pack of more than PIECE tokens the best piece counts. `weights` has shape
    (question tokens,); the result (packs,). Khattab & Zaharia, SIGIR 2020, there without weights
    and pieces. An empty pack scores -1, below anything that was compared.
    """
    counts = np.array([len(pack) // ROW_BYTES for pack in packs])
    scores = np.full(len(packs), -1.0, np.float32)
    if not len(question):
        return scores
    for held in _groups(counts):
        tokens = unpack(b"".join(packs[place] for place in held))
        starts, firsts = _pieces(counts[held])
        best = np.maximum.reduceat(question @ tokens.T, starts, axis=1)
        scores[held] = np.maximum.reduceat(weights @ best / weights.sum(), firsts)
    return scores


def _pieces(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of packs of that many tokens on end: where each piece starts, and each pack's first piece."""
    number = -(-counts // PIECE)
    firsts = np.cumsum(number) - number
    within = np.arange(number.sum()) - np.repeat(firsts, number)
    return np.repeat(np.cumsum(counts) - counts, number) + PIECE * within, firsts


def _groups(counts: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Places of the packs that hold something, AT_ONCE tokens or a pack more at a time."""
    held = np.flatnonzero(counts)
    number = (np.cumsum(counts[held]) - counts[held]) // AT_ONCE
    return np.split(held, np.flatnonzero(np.diff(number)) + 1) if len(held) else []
