"""Which stored memories are nearest to freshly written ones: a few by statement, many by matrix."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.base import BankKey, MemoryKey, Vector
from channels.connection import Connection
from channels.statements import statement

# A statement takes .8 ms to compare one memory with 1,000; reading 1,000 as a matrix takes 3 ms.
MATRIX_FROM = 8
BLOCK = 5_000  # rows read at a time: 8 MB of vectors, 20 MB of cosines for 1,000 fresh memories
HEADER = 2  # 16-bit numbers before the values: dimension, and one that is unused
DECIMALS = 6  # of a cosine, so that equal vectors tie whatever the order of their sums

Found = tuple[MemoryKey, MemoryKey, float]  # from, to, cosine


async def nearest_of(
    conn: Connection,
    bank: BankKey,
    keys: Sequence[MemoryKey],
    embedder: int,
    *,
    limit: int,
    least: float,
) -> list[Found]:
    """At most `limit` nearest current memories of each given one, from cosine `least` up.

    Exact; ties by key. A memory without a vector of that model has none.
    """
    values: dict[str, Any] = {"bank": bank, "keys": list(keys), "embedder": embedder}
    if len(keys) < MATRIX_FROM:
        bounds = {"limit": limit, "least": least}
        return await (await conn.execute(statement("similar_to"), values | bounds)).fetchall()
    fresh, vectors = await _read(conn, "vectors_of", values)
    found: list[Found] = []
    after = 0
    while len(fresh):
        others, block = await _read(conn, "vectors_after", values | {"after": after})
        if not len(others):
            break
        after = int(others[-1])
        found += await asyncio.to_thread(
            block_nearest, fresh, vectors, others, block, limit=limit, least=least
        )
    return _best(found, limit)


def block_nearest(
    fresh: NDArray[np.int64],
    vectors: Vector,
    others: NDArray[np.int64],
    block: Vector,
    *,
    limit: int,
    least: float,
) -> list[Found]:
    """The nearest of one block, at least `limit` a row where there are so many: ties are kept.

    `vectors` and `block` have length 1 a row; a memory is not near itself.
    """
    cosines = np.round(vectors @ block.T, DECIMALS)
    cosines[fresh[:, None] == others[None, :]] = -2.0
    bar = np.full((len(fresh), 1), least, np.float32)
    if len(others) > limit:
        kept = np.partition(cosines, -limit, axis=1)[:, -limit, None]
        bar = np.maximum(bar, kept)
    rows, columns = np.nonzero(cosines >= bar)
    return list(
        zip(
            fresh[rows].tolist(),
            others[columns].tolist(),
            cosines[rows, columns].tolist(),
            strict=True,
        )
    )


def _best(found: Sequence[Found], limit: int) -> list[Found]:
    ordered = sorted(found, key=lambda one: (one[0], -one[2], one[1]))
    best: list[Found] = []
    for one in ordered:
        if len(best) < limit or best[-limit][0] != one[0]:
            best.append(one)
    return best


async def _read(
    conn: Connection, name: str, values: Mapping[str, Any]
) -> tuple[NDArray[np.int64], Vector]:
    """Keys and vectors at length 1 of a statement's rows; bytes come as they are, not as hex."""
    async with conn.cursor(binary=True) as cursor:
        await cursor.execute(statement(name), {**values, "limit": BLOCK})
        rows = await cursor.fetchall()
    if not rows:
        return np.empty(0, np.int64), np.empty((0, 0), np.float32)
    packed = np.frombuffer(b"".join(row[1] for row in rows), ">f2").reshape(len(rows), -1)
    matrix = packed[:, HEADER:].astype(np.float32)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
    return np.array([row[0] for row in rows], np.int64), matrix
