"""The graph lane: activation spreads from what the question's words and entities hit."""

import math
from collections.abc import Callable, Mapping

from channels.activation import Activation
from channels.base import Hit, MemoryKey, Question
from channels.connection import Connection, Transaction
from channels.content import content_scores, seed_scores
from channels.edges import further, web_near
from channels.entities import entity_keys
from channels.spread import Step
from channels.statements import key_array, statement, visibility

SEEDS = 20  # of the keyword list; keyword seeds reach .515 where semantic seeds reach .250
HOPS = 2  # edges; entities are edges between memories here, so two make a bridge
PER_ENTITY = 50  # memories an asked entity may seed
KEYWORD_SHARE = 0.7  # of the seed mass, when entities resolve too
NAMING = 3  # best of the keyword list, whose names count as what the question leads to


class Graph:
    """Ranks by content plus activation; each hit carries its best path back to a seed."""

    name = "graph"

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def search(self, question: Question, depth: int) -> list[Hit]:
        keywords = await seed_scores(question)
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            entity_seeds = await self._entity_seeds(conn, question)
            seeds = seed_mass(dict(list(keywords.items())[:SEEDS]), entity_seeds)
            if not seeds:
                return []
            spread = await self._spread(conn, question, seeds)
            activation = spread.by_key()
            others = [key for key in activation if key not in keywords]
            visible = await self._visible(conn, question, others, depth)
        content = await content_scores(question)  # of visible memories only, as the keywords are
        visible |= activation.keys() & (keywords.keys() | content.keys())
        best = max(activation.values())
        naming = frozenset(list(keywords)[:NAMING])
        scores = {key: content.get(key, 0.0) + activation[key] / best for key in visible}
        return [
            Hit(
                key,
                scores[key],
                {
                    "activation": round(activation[key], 6),
                    "seed": key in seeds,
                    "path": path(key, spread.came_from, seeds),
                    **named(spread.came_from(key), naming),
                },
            )
            for key in sorted(scores, key=lambda key: (-scores[key], key))[:depth]
        ]

    async def _entity_seeds(self, conn: Connection, question: Question) -> dict[MemoryKey, float]:
        if not question.entities:
            return {}
        values = {
            "bank": question.bank,
            "entities": entity_keys(question.entities),
            "per_entity": PER_ENTITY,
        }
        mass: dict[MemoryKey, float] = {}
        for key, _, df in await (await conn.execute(statement("entity_seeds"), values)).fetchall():
            mass[MemoryKey(key)] = mass.get(MemoryKey(key), 0.0) + 1 / math.log1p(1 + df)
        return mass

    async def _spread(
        self, conn: Connection, question: Question, seeds: Mapping[MemoryKey, float]
    ) -> Activation:
        spread = Activation.of(await web_near(conn, question.bank, seeds), seeds)
        for hop in range(HOPS):
            if hop:  # the first hop's edges and degrees are in the web near the seeds
                spread = spread.widened(*await further(conn, question.bank, spread))
            spread = spread.hop()
        return spread

    async def _visible(
        self, conn: Connection, question: Question, ordered: list[MemoryKey], enough: int
    ) -> set[MemoryKey]:
        """The visible ones of at least the `enough` first of them that are.

        A memory without content ranks by activation alone: behind `enough` visible ones that have
        more of it, it is no hit.
        """
        found: set[MemoryKey] = set()
        for keys in (ordered[: 2 * enough], ordered[2 * enough :]):
            if not keys or len(found) >= enough:
                break
            values = visibility(question) | {"keys": key_array(keys)}
            rows = await (await conn.execute(statement("visible_keys"), values)).fetchall()
            found |= {MemoryKey(row[0]) for row in rows}
        return found


def seed_mass(
    keywords: Mapping[MemoryKey, float], entities: Mapping[MemoryKey, float]
) -> dict[MemoryKey, float]:
    """Seeds that sum to 1: keyword hits by score, entity holders by rarity, .7 to .3 when both."""
    share = KEYWORD_SHARE if entities and keywords else 1.0
    mass: dict[MemoryKey, float] = {}
    for part, scores in ((share, keywords), (1 - share if keywords else 1.0, entities)):
        whole = math.fsum(scores.values())
        for key, score in scores.items():
            mass[key] = mass.get(key, 0.0) + part * score / whole
    return mass


def named(step: Step | None, naming: frozenset[MemoryKey]) -> dict[str, object]:
    """That activation came to the memory by a name, from one of those that the words find best.

    Of seeds too: that the question's words find a memory as well makes the name no weaker.
    """
    is_named = step is not None and step.type == "NAMES" and step.source in naming
    return {"named": True} if is_named else {}


def path(
    key: MemoryKey,
    came_from: Callable[[MemoryKey], Step | None],
    seeds: Mapping[MemoryKey, float],
) -> list[dict[str, object]]:
    """The way from a seed to the memory: steps {from, type}, seed first; empty for a pure seed."""
    steps: list[dict[str, object]] = []
    current, seen = key, {key}
    while current not in seeds and len(steps) < HOPS and (step := came_from(current)):
        steps.append({"from": step.source, "type": step.type})
        if step.source in seen:
            break
        current = step.source
        seen.add(current)
    return steps[::-1]
