"""The emotional lane: the shape and strength of feeling over an episode, gated by content."""

import numpy as np
from numpy.typing import NDArray

from channels.arcs import LAYOUT
from channels.base import Hit, MemoryKey, Question, best_first
from channels.connection import Transaction
from channels.errors import RecallError
from channels.statements import statement, visibility

FEELING_SHARE = (
    0.3  # against content, both in standard deviations: P@10 .37 where cosine alone has .30
)
FLOOR = 0.02  # weakest inner product that counts as feeling at all
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
        length = float(np.linalg.norm(arc))
        if length == 0:
            return []
        return await self._by_affect(question, (arc / length,), None, row[0], depth)

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
            "floor": FLOOR,
            "feeling_share": FEELING_SHARE if vector is not None else 1.0,
            "limit": depth,
        }
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            rows = await (await conn.execute(statement("by_affect"), values)).fetchall()
        return best_first([_hit(*row) for row in rows], depth)


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
