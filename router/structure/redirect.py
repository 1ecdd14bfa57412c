"""A question in the words of a replaced memory leads to what stands in its place now.

Replaced memories never compete. But a reversal need not repeat the words of what it reversed: so
the nearest of the past are looked up beside the channels, and in the semantic run the head takes
the place that its predecessor's vector would have had, when that is better than its own.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from channels.base import BankKey, Hit, MemoryKey, Question
from channels.connection import Transaction
from channels.statements import statement as lane_statement
from channels.statements import visibility
from router.search import Found
from router.store.memories import half
from router.structure.branches import heads_of
from router.structure.statements import statement

PAST = 10  # superseded memories looked at
FRESH_S = 2.0  # how long another process's first supersession may stay unseen
CHANNEL = "semantic"


@dataclass(frozen=True, slots=True)
class Redirect:
    """A superseded memory near the question, and the current one that a hit on it leads to."""

    past: str  # id
    head: MemoryKey
    head_id: str
    cosine: float  # of the question and the superseded memory


class Redirects:
    """Looks up the past of a bank; banks without any are remembered for FRESH_S seconds."""

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms
        self._without: dict[BankKey, tuple[int, float]] = {}  # current memories then, and when

    async def of(self, question: Question) -> list[Redirect]:
        """Redirects of a question about what is current, the nearest first; else none."""
        view = question.view
        if view.as_of or view.known_at or view.include_superseded or self._is_new(question):
            return []
        vector = await question.vector.get()
        if vector is None:
            return []
        values = {
            "bank": question.bank,
            "vector": half(vector),
            "embedder": question.embedder,
            "limit": PAST,
        }
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            rows = await (await conn.execute(statement("past_near"), values)).fetchall()
            if not rows:
                self._without[question.bank] = (question.live_rows, time.monotonic())
                return []
            heads = await heads_of(conn, question.bank, [MemoryKey(row[0]) for row in rows])
            keys = sorted({head.key for found in heads.values() for head in found})
            seen = visibility(question) | {"keys": keys}
            found = await conn.execute(lane_statement("visible_keys"), seen)
            visible = {row[0] for row in await found.fetchall()}
        return [
            Redirect(past, head.key, head.id, cosine)
            for key, past, cosine in rows
            for head in heads.get(MemoryKey(key), ())
            if head.key in visible
        ]

    def _is_new(self, question: Question) -> bool:
        """Whether the bank had no past a moment ago, and its memories have not changed since."""
        live, at = self._without.get(question.bank, (-1, 0.0))
        return live == question.live_rows and time.monotonic() - at < FRESH_S


async def with_redirects(found: Found, question: Question, redirects: Sequence[Redirect]) -> Found:
    """What the channels found, with the redirects applied to the semantic run."""
    if not redirects:
        return found
    nearest = await question.lookups.vectors.get()
    cosines = {
        MemoryKey(int(key)): float(cosine)
        for key, cosine in zip(nearest.keys, nearest.cosines, strict=True)
    }
    outcome = found.outcomes[CHANNEL]
    hits = tuple(redirected(outcome.hits, cosines, redirects))
    return Found({**found.outcomes, CHANNEL: replace(outcome, hits=hits)})


def redirected(
    run: Sequence[Hit], cosines: Mapping[MemoryKey, float], found: Sequence[Redirect]
) -> list[Hit]:
    """The run with each head in its predecessor's place where that is better; at most as long.

    `cosines`: of the question and the memories in the run; one unknown counts as nearer. A head
    moved up takes the score of the hit whose place it takes; its detail names the predecessor.
    """
    hits = list(run)
    best: dict[MemoryKey, Redirect] = {}
    for one in sorted(found, key=lambda one: (-one.cosine, one.head, one.past)):
        best.setdefault(one.head, one)
    for one in best.values():
        place = sum(cosines.get(hit.key, 2.0) > one.cosine for hit in hits)
        now = next((n for n, hit in enumerate(hits) if hit.key == one.head), len(hits))
        if place >= now:
            continue
        own = hits[now] if now < len(hits) else None
        detail = {**(own.detail if own else {}), "redirected_from": one.past}
        score = hits[place].score
        if own is not None:
            hits.pop(now)
        hits.insert(place, Hit(one.head, score, detail))
    return hits[: len(run)]
