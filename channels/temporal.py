"""The temporal lane: content seen through time. Silent when the question says nothing of time."""

from collections.abc import Mapping, Sequence

from channels.base import Hit, MemoryKey, Question, Window, best_first
from channels.connection import Transaction
from channels.content import content_scores
from channels.statements import key_array, statement, visibility
from channels.times import Times, nearness, retention
from channels.topic import has_topic

TIME_WORD = 0.3  # gain of a memory that carries a time, when the question asks for one
WINDOW_GAIN = 1.0  # a memory inside the window counts double its content
IN_WINDOW = 200  # candidates the window itself proposes
RECENT_SHARE = 0.5  # age against content, when the question asks for what is recent
TIE_BREAK = 1e-3  # of content, among memories equally near
LAST_GATE = 0.5  # share of the best content that "the last thing about X" must reach


class Temporal:
    """Content x (1 + nearness to the window), x (1 + time word), or blended with decay by age."""

    name = "temporal"

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def search(self, question: Question, depth: int) -> list[Hit]:
        if question.window is None and not question.asks_date and question.recency == "none":
            return []
        topic = has_topic(question)
        if question.window is None and not topic:
            return await self._newest(question, depth)
        content = await content_scores(question)
        if question.window is None and question.recency == "last":
            return await self._last(question, content, depth)
        times = await self._times(question, content)
        if not any(bears_time(question, known) for known in times.values()):
            return []  # time tells none of them apart: the order would be content's, counted twice
        if question.window is not None and not topic:
            return by_nearness(question.window, content, times, depth)
        return best_first(
            [
                Hit(key, *rank_value(question, content.get(key, 0.0), known))
                for key, known in times.items()
            ],
            depth,
        )

    async def _times(
        self, question: Question, content: Mapping[MemoryKey, float]
    ) -> dict[MemoryKey, Times]:
        keys = set(content)
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            if question.window is not None:
                values = visibility(question) | {
                    "start": question.window.start,
                    "end": question.window.end,
                    "limit": IN_WINDOW,
                }
                rows = await (await conn.execute(statement("in_window"), values)).fetchall()
                keys |= {MemoryKey(row[0]) for row in rows}
            cursor = await conn.execute(
                statement("times"), {"bank": question.bank, "keys": key_array(sorted(keys))}
            )
            return {MemoryKey(row[0]): _times_of(row) for row in await cursor.fetchall()}

    async def _last(
        self, question: Question, content: Mapping[MemoryKey, float], depth: int
    ) -> list[Hit]:
        """Newest first: among what matches the words, or everything when no word matches."""
        keywords = (await question.lookups.keywords.get()).as_dict()
        if not keywords:
            return await self._newest(question, depth)
        gate = LAST_GATE * max(keywords.values())
        matching = {key: content[key] for key, score in keywords.items() if score >= gate}
        times = await self._times(question, matching)
        dated = [(known.start, key) for key, known in times.items() if known.start is not None]
        ordered = [key for _, key in sorted(dated, key=lambda pair: (pair[0], pair[1]))][::-1]
        return [
            Hit(key, 1 / rank, {"why": "newest match", "content": round(matching[key], 4)})
            for rank, key in enumerate(ordered[:depth], 1)
        ]

    async def _newest(self, question: Question, depth: int) -> list[Hit]:
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            cursor = await conn.execute(
                statement("newest"), visibility(question) | {"limit": depth}
            )
            keys = [MemoryKey(row[0]) for row in await cursor.fetchall()]
        return [Hit(key, 1 / rank, {"why": "newest"}) for rank, key in enumerate(keys, 1)]


def by_nearness(
    window: Window, content: Mapping[MemoryKey, float], times: Mapping[MemoryKey, Times], depth: int
) -> list[Hit]:
    """What lies in the window, or what lies nearest when nothing does; content breaks ties."""
    near = {key: nearness(window, known) for key, known in times.items()}
    inside = {key: value for key, value in near.items() if value >= 1}
    return best_first(
        [
            Hit(key, value + TIE_BREAK * content.get(key, 0.0), {"near": round(value, 4)})
            for key, value in (inside or near).items()
        ],
        depth,
    )


def bears_time(question: Question, known: Times) -> bool:
    """Whether the memory's time, or a time in its text, can count for this question."""
    is_dated = known.start is not None
    if question.window is not None:
        is_dated = is_dated or bool(known.intervals)
    elif question.recency == "none":
        is_dated = False
    return is_dated or (question.asks_date and known.has_time)


def rank_value(question: Question, content: float, known: Times) -> tuple[float, dict[str, object]]:
    """Score of one memory and what made it: near, time_word, retention."""
    score, why = content, {"content": round(content, 4)}
    if question.window is not None:
        near = nearness(question.window, known)
        score, why["near"] = score * (1 + WINDOW_GAIN * near), round(near, 4)
    if question.asks_date and known.has_time:
        score, why["time_word"] = score * (1 + TIME_WORD), 1.0
    if question.recency != "none" and question.window is None:
        kept = retention(question.decay, question.asked_at, known)
        score, why["retention"] = (1 - RECENT_SHARE) * score + RECENT_SHARE * kept, round(kept, 4)
    return score, dict(why)


def _times_of(row: Sequence[object]) -> Times:
    _, start, end, kind, stability, has_time, starts, ends = row
    return Times(start, end, kind, stability, has_time, tuple(zip(starts or (), ends or ())))  # type: ignore[arg-type,call-overload] # noqa: B905 - columns of one row, parallel by the statement
