"""A second hop, on request: from a first result that the lanes agree on to what it is linked with.

The graph lane starts from words; this starts from what all lanes together found. Measured with
SEEDS 1 and WEIGHT .3 on recorded runs: nDCG@10 +.023 [.011, .036] on hotpotqa_100, +.001 [-.003,
.005] on locomo, +.002 [-.004, .008] on realtalk. Where no question needs two steps it only costs a
statement: it is off unless a question asks for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from channels.activation import Activation
from channels.base import Hit, MemoryKey, Question
from channels.connection import Transaction
from channels.edges import web_near
from channels.statements import key_array, statement, visibility
from router.fuse import Fused
from router.weights import Row

NAME = "second_hop"  # among a result's votes
GATE = 0.5  # share of the best possible fused score that the first result must have
SEEDS = 1  # results it starts from; three brought no more
MOST = 25  # memories it brings
WEIGHT = 0.3  # of its run, beside a largest of 1


@dataclass(frozen=True, slots=True)
class Hop:
    """What became of a second hop that was asked for."""

    hits: tuple[Hit, ...] = ()
    # nothing_found; not_confident, with the share below GATE; nothing_linked; unavailable
    why_not: str | None = None  # None: it was made
    share: float | None = None  # of the best possible fused score that the first result has


def share_of_best(fused: Sequence[Fused], runs: Mapping[str, Sequence[Hit]], row: Row) -> float:
    """How much of what it would have as first of every run the first result has, in [0, 1]."""
    best = sum(row.weights[name] for name, run in runs.items() if run) / (row.rrf_k + 1)
    return fused[0].score / best if fused else 0.0


def is_confident(fused: Sequence[Fused], runs: Mapping[str, Sequence[Hit]], row: Row) -> bool:
    """Whether the first result has GATE of what it would have as first of every run."""
    return bool(fused) and share_of_best(fused, runs, row) >= GATE


async def linked(
    transaction: Transaction, question: Question, fused: Sequence[Fused], *, timeout_ms: int
) -> tuple[Hit, ...]:
    """At most MOST visible memories that the first results are linked with, strongest first."""
    seeds = {item.key: item.score for item in fused[:SEEDS]}
    async with transaction(question.bank, timeout_ms=timeout_ms) as conn:
        web = await web_near(conn, question.bank, seeds)
        reached = Activation.of(web, seeds).hop()
        amounts = {key: amount for key, amount in reached.by_key().items() if key not in seeds}
        values = visibility(question) | {"keys": key_array(amounts)}
        rows = await (await conn.execute(statement("visible_keys"), values)).fetchall()
    visible = {MemoryKey(row[0]) for row in rows}
    hits = [
        Hit(key, amount, {"path": [{"from": step.source, "type": step.type}]})
        for key, amount in amounts.items()
        if key in visible and (step := reached.came_from(key)) is not None
    ]
    return tuple(hits[:MOST])
