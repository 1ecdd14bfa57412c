"""What the graph lane stores: entities and the edges that writing a memory brings about.

Every rule is bounded: an episode links near turns only, a word or entity links only while few
memories share it, and its links go when it becomes common. One hub would cost seconds.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.entities import entity_key
from channels.similar import nearest_of
from channels.statements import statement

RARE_LEAST, RARE_MOST = 2, 8  # memories that say a word: linked while within these
ENTITY_MOST = 20  # memories that mention an entity
NEAR = 4  # turns; NEXT at 1, IN_SAME_EPISODE up to here
SIMILAR, SIMILAR_FROM = 5, 0.5  # neighbours by cosine, and the least cosine
PER_MEMORY = 24  # rare-word edges one memory starts, rarest first


@dataclass(frozen=True, slots=True)
class NewEdge:
    """An edge about to be written."""

    src: MemoryKey
    dst: MemoryKey
    type: str
    strength: float
    made_by: str
    via: int = 0


def episode_edges(ordered: Sequence[MemoryKey]) -> list[NewEdge]:
    """NEXT to the following turn, IN_SAME_EPISODE up to NEAR turns on, weaker with distance."""
    edges = []
    for place, key in enumerate(ordered):
        for distance, other in enumerate(ordered[place + 1 : place + 1 + NEAR], 1):
            kind = "NEXT" if distance == 1 else "IN_SAME_EPISODE"
            edges.append(NewEdge(key, other, kind, 1 / distance, "episode"))
    return edges


def shared_edges(
    holders: Mapping[int, Sequence[MemoryKey]],
    fresh: frozenset[MemoryKey],
    *,
    kind: str,
    made_by: str,
    per_memory: int,
) -> list[NewEdge]:
    """Edges between a fresh memory and the others that share a term or entity.

    `holders`: term -> every memory that holds it. The rarer the term, the stronger the edge
    (1 / (holders - 1)); each fresh memory starts at most `per_memory` edges, rarest terms first.
    """
    edges: list[NewEdge] = []
    started: Counter[MemoryKey] = Counter()
    for term in sorted(holders, key=lambda term: (len(holders[term]), term)):
        keys = sorted(holders[term])
        for key in keys:
            if key not in fresh:
                continue
            for other in keys:
                known = other in fresh and other <= key
                if known or other == key or started[key] >= per_memory:
                    continue
                started[key] += 1
                edges.append(NewEdge(key, other, kind, 1 / (len(keys) - 1), made_by, term))
    return edges


async def insert(conn: Connection, bank: BankKey, edges: Iterable[NewEdge], now: datetime) -> None:
    """Write the edges; one that exists keeps the greater strength."""
    by_id = {(e.src, e.dst, e.type, e.via): e for e in edges}
    if not by_id:
        return
    rows = list(by_id.values())
    await conn.execute(
        statement("insert_edges"),
        {
            "bank": bank,
            "srcs": [e.src for e in rows],
            "dsts": [e.dst for e in rows],
            "types": [e.type for e in rows],
            "vias": [e.via for e in rows],
            "strengths": [e.strength for e in rows],
            "makers": [e.made_by for e in rows],
            "now": now,
        },
    )


async def link_episodes(
    conn: Connection, bank: BankKey, windows: Iterable[Sequence[MemoryKey]], now: datetime
) -> None:
    """Write the episode edges of each window of consecutive turns anew."""
    edges: list[NewEdge] = []
    keys: list[MemoryKey] = []
    for window in windows:
        keys.extend(window)
        edges.extend(episode_edges(window))
    await conn.execute(statement("delete_episode_edges"), {"bank": bank, "keys": keys})
    await insert(conn, bank, edges, now)


async def link_rare_terms(
    conn: Connection, bank: BankKey, own: Mapping[MemoryKey, frozenset[int]], now: datetime
) -> None:
    """Link fresh memories through words that few memories say; unlink words grown common."""
    terms = sorted(set().union(*own.values())) if own else []
    values = {"bank": bank, "terms": terms, "least": RARE_LEAST, "most": RARE_MOST}
    await conn.execute(statement("unlink_common"), values)
    holders: dict[int, list[MemoryKey]] = defaultdict(list)
    for term, key in await (await conn.execute(statement("rare_holders"), values)).fetchall():
        holders[term].append(MemoryKey(key))
    edges = shared_edges(
        holders, frozenset(own), kind="SHARES_RARE_TERM", made_by="rare_term", per_memory=PER_MEMORY
    )
    await insert(conn, bank, edges, now)


async def link_entities(
    conn: Connection,
    bank: BankKey,
    mentions: Mapping[MemoryKey, Mapping[str, tuple[str, str]]],
    now: datetime,
) -> None:
    """Store entities (normal form -> (name, kind)) of fresh memories and link through rare ones."""
    by_id = {
        (key, entity_key(normal)): (name, kind)
        for key, found in mentions.items()
        for normal, (name, kind) in found.items()
    }
    rows = [(key, entity, name, kind) for (key, entity), (name, kind) in by_id.items()]
    if not rows:
        return
    entities = {entity: (name, kind) for _, entity, name, kind in rows}
    df = Counter(entity for _, entity, _, _ in rows)
    ordered = sorted(entities)
    await conn.execute(
        statement("shift_entities"),
        {
            "bank": bank,
            "entities": ordered,
            "names": [entities[entity][0] for entity in ordered],
            "kinds": [entities[entity][1] for entity in ordered],
            "counts": [df[entity] for entity in ordered],
        },
    )
    await conn.execute(
        statement("insert_mentions"),
        {"bank": bank, "keys": [row[0] for row in rows], "entities": [row[1] for row in rows]},
    )
    values = {"bank": bank, "entities": ordered, "most": ENTITY_MOST}
    await conn.execute(statement("unlink_common_entities"), values)
    holders: dict[int, list[MemoryKey]] = defaultdict(list)
    for entity, key in await (await conn.execute(statement("entity_holders"), values)).fetchall():
        holders[entity].append(MemoryKey(key))
    edges = shared_edges(
        holders,
        frozenset(mentions),
        kind="SHARES_ENTITY",
        made_by="entity",
        per_memory=2 * PER_MEMORY,
    )
    await insert(conn, bank, edges, now)


async def link_similar(
    conn: Connection, bank: BankKey, keys: Sequence[MemoryKey], embedder: int, now: datetime
) -> None:
    """Link each fresh memory to its SIMILAR nearest by cosine, from SIMILAR_FROM up."""
    rows = await nearest_of(conn, bank, keys, embedder, limit=SIMILAR, least=SIMILAR_FROM)
    edges = [
        NewEdge(src, dst, "SIMILAR_TO", min(1.0, cosine), "similarity") for src, dst, cosine in rows
    ]
    await insert(conn, bank, edges, now)


async def forget(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> None:
    """Take what the rules wrote for the memories away; edges that callers gave stay."""
    values = {"bank": bank, "keys": list(keys)}
    await conn.execute(statement("delete_rule_edges"), values)
    await conn.execute(statement("delete_mentions"), values)
