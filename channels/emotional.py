"""The emotional lane: the shape and strength of feeling over an episode, gated by content."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from channels.arcs import LAYOUT, Arc, shape_first, unit
from channels.base import Hit, MemoryKey, Question, best_first
from channels.connection import Connection, Transaction
from channels.course import MOST as MOST_TURNS
from channels.course import course_of, turns_of
from channels.errors import ChannelError, RecallError
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
NO_ARC = "no_arc"  # the reason, where the memory or episode of an arc shows no feeling


class Emotional:
    """Ranks by inner product with the feeling asked for, so that intensity counts."""

    name = "emotional"

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def search(self, question: Question, depth: int) -> list[Hit]:
        """At most `depth` hits, best first. An empty list where no feeling is asked for.

        Raises ChannelError(NO_ARC) when the memory or episode whose arc is asked for shows no
        feeling: the caller relies on the arc, and an answer of words alone would look like one.
        """
        asked = await self._asked(question)
        return [] if asked is None else await self._by_affect(question, asked, depth)

    async def _asked(self, question: Question) -> "Asked | None":
        """What feeling is asked for; given arcs before words for feelings."""
        if question.arc_of is not None:
            return await self._experience(question, question.arc_of)
        if question.arc_episode is not None:
            return await self._episode(question, question.arc_episode)
        if question.affect is None:
            return None
        if question.affect.is_told:
            return Asked(question.affect.vectors, arc="turns")
        return Asked(question.affect.vectors, text=await _text_of(question))

    async def _experience(self, question: Question, memory_id: str) -> "Asked":
        """A memory's own trajectory; words play no part."""
        values = {"bank": question.bank, "id": memory_id, "layout": LAYOUT}
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            row = await (await conn.execute(statement("arc_of"), values)).fetchone()
        arc = None if row is None else read_arc(row[1])
        if row is None or arc is None or not arc.any():
            raise ChannelError(self.name, NO_ARC)
        return Asked((unit(shape_first(arc)),), arc="memory", memory=row[0])

    async def _episode(self, question: Question, episode: str) -> "Asked":
        """The trajectory of a whole episode, which is no answer to itself."""
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            turns, _ = await turns_of(conn, question.bank, episode, most=MOST_TURNS)
        arc = (await asyncio.to_thread(course_of, turns, len(turns))).arc
        if arc is None or not arc.any():
            raise ChannelError(self.name, NO_ARC)
        return Asked((unit(shape_first(arc)),), arc="episode", episode=episode)

    async def _by_affect(self, question: Question, asked: "Asked", depth: int) -> list[Hit]:
        values = visibility(question) | {
            "targets": "{" + ",".join(f'"{_literal(target)}"' for target in asked.targets) + "}",
            "vector": asked.text,
            "embedder": question.embedder,
            "layout": LAYOUT,
            "except": asked.memory,
            "without": asked.episode,
            "floor": ANY_FEELING if _is_unsure(question) else FLOOR,
            "feeling_share": FEELING_SHARE if asked.text is not None else 1.0,
            "limit": depth,
        }
        near = await _near(question) if question.live_rows > LARGE and asked.arc is None else []
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            if question.live_rows > LARGE:
                rows = await _strongest(conn, values | {"near": key_array(near), "most": MOST})
            else:
                rows = await (await conn.execute(statement("by_affect"), values)).fetchall()
            tagged = []
            if len(rows) < depth and question.affect is not None and not _is_stored(asked):
                cursor = await conn.execute(statement("by_tags"), values | {"most": TAGGED})
                tagged = by_tags(question.affect.labels, await cursor.fetchall())
        hits = best_first([_hit(*row, arc=asked.arc) for row in rows], depth)
        return [*hits, *below(hits, tagged)][:depth]


@dataclass(frozen=True, slots=True)
class Asked:
    """The feeling that memories are compared with."""

    targets: tuple[Arc, ...]  # the best over them counts
    text: str | None = None  # the question's vector, where its content counts too
    arc: Literal["memory", "turns", "episode"] | None = None  # given in the place of words
    memory: int = NO_MEMORY  # whose arc it is
    episode: str | None = None


def read_arc(text: str) -> Arc:
    """A stored arc as the database writes it, (132,)."""
    return np.array([float(part) for part in text.strip("[]").split(",")], np.float32)


def _is_stored(asked: Asked) -> bool:
    """Whether the arc is one of the bank's own, which the question's words say nothing of."""
    return asked.arc in ("memory", "episode")


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
    given = question.arc_of or question.arc_episode
    return given is None and question.affect is not None and question.affect.is_unsure


async def _strongest(conn: Connection, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
    async with conn.transaction():
        await conn.execute(BY_LENGTH)
        return await (await conn.execute(statement("by_affect_strongest"), values)).fetchall()


async def _near(question: Question) -> list[MemoryKey]:
    """What the shared look-up found near the question; nothing where it fails, as below."""
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


def _hit(key: int, product: float, cosine: float | None, score: float, *, arc: str | None) -> Hit:
    detail: dict[str, object] = {"feeling": round(product, 4)}
    if arc is not None:
        detail["arc"] = arc
    if cosine is not None:
        detail["cosine"] = round(cosine, 4)
    return Hit(MemoryKey(key), float(score), detail)


def _literal(vector: NDArray[np.float32]) -> str:
    return "[" + ",".join(f"{float(part):.6g}" for part in vector) + "]"
