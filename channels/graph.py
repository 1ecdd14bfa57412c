"""The graph lane: activation spreads from what the question's words and entities hit."""

import math
from collections.abc import Iterable, Mapping

from channels.analyser import term_key
from channels.base import Hit, MemoryKey, Question
from channels.connection import Connection, Transaction
from channels.content import content_scores
from channels.spread import EDGE_WEIGHTS, FRONTIER, Edge, Step, degrees, flow, strongest
from channels.statements import statement, visibility

SEEDS = 20  # of the keyword list; keyword seeds reach .515 where semantic seeds reach .250
HOPS = 2  # edges; entities are edges between memories here, so two make a bridge
FAN_OUT = 15  # edges a memory may pass activation over; 50 found nothing more, at 3 times the time
PER_ENTITY = 50  # memories an asked entity may seed
KEYWORD_SHARE = 0.7  # of the seed mass, when entities resolve too


class Graph:
    """Ranks by content plus activation; each hit carries its best path back to a seed."""

    name = "graph"

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def search(self, question: Question, depth: int) -> list[Hit]:
        keywords = (await question.lookups.keywords.get()).as_dict()
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            entity_seeds = await self._entity_seeds(conn, question)
            seeds = seed_mass(dict(list(keywords.items())[:SEEDS]), entity_seeds)
            if not seeds:
                return []
            activation, came_from = await self._spread(conn, question, seeds)
            visible = await self._visible(conn, question, activation)
        content = await content_scores(question)
        best = max(activation.values())
        scores = {key: content.get(key, 0.0) + activation[key] / best for key in visible}
        return [
            Hit(
                key,
                scores[key],
                {
                    "activation": round(activation[key], 6),
                    "seed": key in seeds,
                    "path": path(key, came_from, seeds),
                },
            )
            for key in sorted(scores, key=lambda key: (-scores[key], key))[:depth]
        ]

    async def _entity_seeds(self, conn: Connection, question: Question) -> dict[MemoryKey, float]:
        if not question.entities:
            return {}
        values = {
            "bank": question.bank,
            "entities": [term_key(entity) for entity in question.entities],
            "per_entity": PER_ENTITY,
        }
        mass: dict[MemoryKey, float] = {}
        for key, _, df in await (await conn.execute(statement("entity_seeds"), values)).fetchall():
            mass[MemoryKey(key)] = mass.get(MemoryKey(key), 0.0) + 1 / math.log1p(1 + df)
        return mass

    async def _spread(
        self,
        conn: Connection,
        question: Question,
        seeds: Mapping[MemoryKey, float],
    ) -> tuple[dict[MemoryKey, float], dict[MemoryKey, Step]]:
        total = dict(seeds)
        came_from: dict[MemoryKey, Step] = {}
        active: dict[MemoryKey, float] = dict(seeds)
        known = await self._edges(conn, question, strongest(active))
        degree = degrees(known)
        for _ in range(HOPS):
            front = strongest(active)
            fresh = strongest(reached(front, active, known), 2 * FRONTIER)
            if fresh:
                found = await self._edges(conn, question, fresh)
                known |= found
                degree |= degrees(found)
            active, steps = flow({key: active[key] for key in front}, known, degree)
            for key, amount in active.items():
                total[key] = total.get(key, 0.0) + amount
                came_from.setdefault(key, steps[key])
        return total, came_from

    async def _edges(
        self,
        conn: Connection,
        question: Question,
        keys: Iterable[MemoryKey],
    ) -> dict[MemoryKey, tuple[Edge, ...]]:
        wanted = list(keys)
        values = {
            "bank": question.bank,
            "keys": wanted,
            "types": list(EDGE_WEIGHTS),
            "weights": list(EDGE_WEIGHTS.values()),
            "fan_out": FAN_OUT,
        }
        found: dict[MemoryKey, list[Edge]] = {key: [] for key in wanted}
        rows = await (await conn.execute(statement("edges_of"), values)).fetchall()
        for row in rows:
            found[row[0]].append(Edge._make(row))
        return {key: tuple(edges) for key, edges in found.items()}

    async def _visible(
        self,
        conn: Connection,
        question: Question,
        activation: Mapping[MemoryKey, float],
    ) -> list[MemoryKey]:
        values = visibility(question) | {"keys": list(activation)}
        rows = await (await conn.execute(statement("visible_keys"), values)).fetchall()
        return [MemoryKey(row[0]) for row in rows]


def reached(
    front: Iterable[MemoryKey],
    active: Mapping[MemoryKey, float],
    known: Mapping[MemoryKey, tuple[Edge, ...]],
) -> dict[MemoryKey, float]:
    """Memories one edge on whose own edges are unknown, by what would flow there unnormalised."""
    found: dict[MemoryKey, float] = {}
    for key in front:
        for edge in known.get(key, ()):
            if edge.target not in known:
                found[edge.target] = found.get(edge.target, 0.0) + active[key] * edge.weight
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


def path(
    key: MemoryKey, came_from: Mapping[MemoryKey, Step], seeds: Mapping[MemoryKey, float]
) -> list[dict[str, object]]:
    """The way from a seed to the memory: steps {from, type}, seed first; empty for a pure seed."""
    steps: list[dict[str, object]] = []
    current, seen = key, {key}
    while current not in seeds and current in came_from and len(steps) < HOPS:
        step = came_from[current]
        steps.append({"from": step.source, "type": step.type})
        if step.source in seen:
            break
        current = step.source
        seen.add(current)
    return steps[::-1]
