"""The emotional lane: the shape and strength of feeling over an episode, gated by content."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.arcs import LAYOUT, shape_first, unit
from channels.base import Hit, MemoryKey, Question, best_first
from channels.connection import Connection, Transaction
from channels.errors import RecallError
from channels.statements import key_array, statement, visibility
from channels.tags import overlap

FEELING_SHARE = (
    0.3  # against content, both in standard deviations: P@10 .37 where cosine alone has .30
)
FLOOR = 0.02  # weakest inner product that counts as feeling at all
# In a bank of more than LARGE memories only the MOST strongest feelings are compared with: no
# inner product passes a feeling's own length, and what is near by its words is added.
LARGE, MOST = 20_000, 10_000  # half as many took .55 of the time at 100,000 memories
# Row security makes the planner expect a fraction of the bank's rows, and it would sort them all.
BY_LENGTH = "select set_config('enable_sort', 'off', true)"
ANY_FEELING = -1e9  # the floor where the asked feeling is a guess: content then sorts the rest
TAGGED = 2_000  # newest memories that have tags alone
NO_MEMORY = 0  # keys start at 1


class Emotional:
    """Ranks by inner product with the feeling asked for, so that intensity counts."""

    name = "emotional"

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def search(self, question: Question, depth: int) -> list[Hit]:
        if question.arc_of is not None:
            return await self._similar_experience(question, question.arc_of, depth)
        if question.affect is None:
            return []
        text = await _text_of(question)
        return await self._by_affect(question, question.affect.vectors, text, NO_MEMORY, depth)

    async def _similar_experience(
        self, question: Question, memory_id: str, depth: int
    ) -> list[Hit]:
        """Memories whose trajectory resembles that memory's own; words play no part."""
        values = {"bank": question.bank, "id": memory_id, "layout": LAYOUT}
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            row = await (await conn.execute(statement("arc_of"), values)).fetchone()
        if row is None:
            return []
        arc = np.array([float(part) for part in row[1].strip("[]").split(",")], np.float32)
        if not arc.any():
            return []
        return await self._by_affect(question, (unit(shape_first(arc)),), None, row[0], depth)

    async def _by_affect(
        self,
        question: Question,
        targets: tuple[NDArray[np.float32], ...],
        vector: str | None,
        exclude: int,
        depth: int,
    ) -> list[Hit]:
        values = visibility(question) | {
            "targets": "{" + ",".join(f'"{_literal(target)}"' for target in targets) + "}",
            "vector": vector,
            "embedder": question.embedder,
            "layout": LAYOUT,
            "except": exclude,
            "floor": ANY_FEELING if _is_unsure(question) else FLOOR,
            "feeling_share": FEELING_SHARE if vector is not None else 1.0,
            "limit": depth,
        }
        near = await _near(question) if question.live_rows > LARGE else []
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            if question.live_rows > LARGE:
                rows = await _strongest(conn, values | {"near": key_array(near), "most": MOST})
            else:
                rows = await (await conn.execute(statement("by_affect"), values)).fetchall()
            tagged = []
            if len(rows) < depth and question.affect is not None and question.arc_of is None:
                cursor = await conn.execute(statement("by_tags"), values | {"most": TAGGED})
                tagged = by_tags(question.affect.labels, await cursor.fetchall())
        hits = best_first([_hit(*row) for row in rows], depth)
        return [*hits, *below(hits, tagged)][:depth]


def by_tags(
    asked: Mapping[str, float], rows: Sequence[tuple[int, Sequence[Mapping[str, object]]]]
) -> list[Hit]:
    """Memories by the feelings their callers named, best first; the detail tells the fallback."""
    scored = ((overlap(asked, tags), key) for key, tags in rows)
    found = [
        Hit(MemoryKey(key), score, {"fallback": "tags", "overlap": round(score, 4)})
        for score, key in scored
        if score > 0
    ]
    return best_first(found, len(found))


def below(hits: Sequence[Hit], tagged: Sequence[Hit]) -> list[Hit]:
    """Tagged memories as a list of their own below the hits: same order, scores further down."""
    least = hits[-1].score if hits else 0.0
    return [Hit(hit.key, least - place, hit.detail) for place, hit in enumerate(tagged, 1)]


def _is_unsure(question: Question) -> bool:
    return question.arc_of is None and question.affect is not None and question.affect.is_unsure


async def _strongest(conn: Connection, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
    async with conn.transaction():
        await conn.execute(BY_LENGTH)
        return await (await conn.execute(statement("by_affect_strongest"), values)).fetchall()


async def _near(question: Question) -> list[MemoryKey]:
    """What the shared look-up found near the question; nothing where it fails, as below."""
    if question.arc_of is not None:
        return []
    try:
        found = await question.lookups.vectors.get()
    except (RecallError, TimeoutError):
        return []
    return [MemoryKey(key) for key in found.keys.tolist()]


async def _text_of(question: Question) -> str | None:
    """The question's vector as text; None when it has none or the model fails.

    That failure is the semantic lane's to report; feeling is known without the model.
    """
    try:
        vector = await question.vector.get()
    except RecallError:
        return None
    return None if vector is None else _literal(vector)


def _hit(key: int, product: float, cosine: float | None, score: float) -> Hit:
    detail: dict[str, object] = {"feeling": round(product, 4)}
    if cosine is not None:
        detail["cosine"] = round(cosine, 4)
    return Hit(MemoryKey(key), float(score), detail)


def _literal(vector: NDArray[np.float32]) -> str:
    return "[" + ",".join(f"{float(part):.6g}" for part in vector) + "]"
