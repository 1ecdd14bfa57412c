"""What follows from memory rows: postings, trajectories, episode vectors, entities, edges.

Everything here is written in the transaction that writes the rows, under the bank's lock, so the
statistics never drift from the rows.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np
from pgvector import Vector

from channels import links, naming, postings
from channels.affect import behaviour_state, combine, label_state, text_state, trajectory
from channels.affect.combine import WINDOW
from channels.arcs import LAYOUT
from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.postings import Document, in_zone
from router.reading import body_of
from router.store.banks import Bank
from router.store.memories import Placed, half
from router.store.statements import statement
from router.timezone import zone

LENT_TO = 2 * WINDOW  # turns; a feeling fades from each to the next: below .01 in arcs behind these


@dataclass(frozen=True, slots=True)
class Turn:
    """A memory as its neighbours see it."""

    episode: str | None
    document: Document
    behaviour: Mapping[str, Any] | None
    labels: Sequence[Mapping[str, Any]]


async def forget(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> None:
    """Take back all that was derived from the memories; call before their rows change or go."""
    if not keys:
        return
    await postings.remove(conn, bank, keys)
    await links.forget(conn, bank, keys)
    await naming.forget_names(conn, bank, keys)
    await conn.execute(statement("delete_dates"), {"bank": bank, "keys": list(keys)})
    await _shift_episodes(conn, bank, keys, sign=-1)


async def derive(conn: Connection, bank: Bank, placed: Sequence[Placed], now: datetime) -> None:
    """Derive everything of freshly written rows, and what changes for their neighbours."""
    keys = [memory.key for memory in placed]
    fresh = frozenset(keys)
    windows = await _windows(conn, bank.key, keys)
    await _index(conn, bank.key, windows, fresh, now)
    await links.link_episodes(
        conn, bank.key, [[t.document.key for t in w] for w in windows if w[0].episode], now
    )
    mentions = {memory.key: memory.prepared.reading.mentions for memory in placed}
    await links.link_entities(conn, bank.key, mentions, now)
    await naming.link_names(conn, bank.key, _said(windows, fresh), now)
    await links.link_similar(conn, bank.key, keys, bank.embedder, now)
    await _feel(conn, bank.key, windows, fresh)
    await _shift_episodes(conn, bank.key, keys, sign=1)


def _said(windows: Sequence[Sequence[Turn]], fresh: frozenset[MemoryKey]) -> list[naming.Said]:
    documents = [turn.document for window in windows for turn in window]
    return [
        naming.Said(one.key, one.text, one.title, one.speaker is not None)
        for one in documents
        if one.key in fresh
    ]


async def renew_neighbours(
    conn: Connection, bank: BankKey, keys: Sequence[MemoryKey], now: datetime
) -> None:
    """Index and link memories anew whose neighbours went away."""
    if keys:
        await links.link_episodes(
            conn,
            bank,
            [[t.document.key for t in w] for w in await _windows(conn, bank, keys) if w[0].episode],
            now,
        )
        await _reindex(conn, bank, await _windows(conn, bank, keys), frozenset(keys))


async def following(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> list[MemoryKey]:
    """The turns after the memories whose trajectories hold of their feelings, these excluded."""
    if not keys:
        return []
    values = {"bank": bank, "keys": list(keys), "reach": LENT_TO}
    rows = await (await conn.execute(statement("following"), values)).fetchall()
    return sorted({MemoryKey(row[0]) for row in rows} - set(keys))


async def feel_again(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> None:
    """Store the trajectories of memories anew, what came before them having changed."""
    if keys:
        await _feel(conn, bank, await _windows(conn, bank, keys), frozenset(keys))


async def neighbours_of(
    conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]
) -> list[MemoryKey]:
    """The turns right before and after the memories in their episodes, those excluded."""
    near: set[MemoryKey] = set()
    for window in await _windows(conn, bank, keys):
        ordered = [turn.document.key for turn in window]
        near |= _beside(ordered, frozenset(keys))
    return sorted(near - set(keys))


async def _windows(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> list[list[Turn]]:
    """Consecutive turns of each touched episode, and every loose memory on its own."""
    values = {"bank": bank, "keys": list(keys)}
    found: dict[str, list[Turn]] = defaultdict(list)
    rows = await (await conn.execute(statement("episode_windows"), values)).fetchall()
    for row in rows:
        found[row[0]].append(_turn(row))
    loose = await (await conn.execute(statement("loose_turns"), values)).fetchall()
    return [*found.values(), *([_turn(row)] for row in loose)]


def _turn(row: Sequence[Any]) -> Turn:
    episode, *columns, behaviour, labels = row
    return Turn(episode, document_of(columns), behaviour, labels)


def document_of(row: Sequence[Any]) -> Document:
    """A row's document: columns of document_page.sql."""
    key, text, title, description, tags, speaker, happened, context, granularity, zone_name = row
    return Document(
        MemoryKey(key),
        body_of(text, speaker),
        title,
        description,
        tuple(tags),
        speaker,
        in_zone(happened, zone(zone_name or "UTC")),
        context=context,
        granularity=granularity,
    )


def _beside(ordered: Sequence[MemoryKey], keys: frozenset[MemoryKey]) -> set[MemoryKey]:
    return {
        key
        for place, key in enumerate(ordered)
        if any(other in keys for other in ordered[max(0, place - 1) : place + 2])
    }


async def _index(
    conn: Connection,
    bank: BankKey,
    windows: Sequence[Sequence[Turn]],
    fresh: frozenset[MemoryKey],
    now: datetime,
) -> None:
    own = await _reindex(conn, bank, windows, fresh)
    await links.link_rare_terms(
        conn, bank, {key: terms for key, terms in own.items() if key in fresh}, now
    )


async def _reindex(
    conn: Connection,
    bank: BankKey,
    windows: Sequence[Sequence[Turn]],
    touched: frozenset[MemoryKey],
) -> dict[MemoryKey, frozenset[int]]:
    """Postings of the touched memories and of the turns beside them, written anew."""
    documents: list[Document] = []
    for window in windows:
        beside = _beside([turn.document.key for turn in window], touched)
        texts = [None, *(turn.document.text for turn in window), None]
        for place, turn in enumerate(window):
            if turn.document.key in beside:
                before, after = texts[place], texts[place + 2]
                documents.append(replace(turn.document, previous=before, following=after))
    row = await (await conn.execute(statement("mean_length"), {"bank": bank})).fetchone()
    await postings.remove(conn, bank, [document.key for document in documents])
    return await postings.add(conn, bank, documents, row[0] if row else 0.0)


async def _feel(
    conn: Connection,
    bank: BankKey,
    windows: Sequence[Sequence[Turn]],
    fresh: frozenset[MemoryKey],
) -> None:
    """Store the trajectory of each fresh memory: its own turn and up to seven before it."""
    rows = []
    for window in windows:
        states: list[Any] = []
        for turn in window:
            states.append(
                combine(
                    text_state(turn.document.text),
                    behaviour_state(turn.behaviour) if turn.behaviour else None,
                    label_state(turn.labels) if turn.labels else None,
                    states[-1] if states else None,
                )
            )
            arc = trajectory(states)
            if turn.document.key in fresh:
                rows.append(
                    {
                        "bank": bank,
                        "key": turn.document.key,
                        "affect": half(arc),
                        "layout": None if arc is None else LAYOUT,
                    }
                )
    async with conn.cursor() as cursor:
        await cursor.executemany(statement("set_affect"), rows)


async def _shift_episodes(
    conn: Connection, bank: BankKey, keys: Sequence[MemoryKey], *, sign: int
) -> None:
    """Add (or take) the memories' unit vectors to their episodes' sums."""
    rows = await (
        await conn.execute(statement("old_vectors"), {"bank": bank, "keys": list(keys)})
    ).fetchall()
    sums: dict[str, list[Any]] = defaultdict(list)
    for _, episode, vector in rows:
        if episode is not None and vector is not None:
            sums[episode].append(vector.to_numpy().astype(np.float32))
    if not sums:
        return
    stored = await (
        await conn.execute(statement("episode_vectors"), {"bank": bank, "episodes": list(sums)})
    ).fetchall()
    known = {row[0]: (row[1], row[3].to_numpy()) for row in stored}
    embedder = await _embedder_of(conn, bank)
    for episode, vectors in sums.items():
        members, total = known.get(episode, (0, np.zeros_like(vectors[0])))
        members += sign * len(vectors)
        total = total + sign * np.sum(vectors, axis=0)
        length = float(np.linalg.norm(total))
        if members <= 0 or length < 1e-6:
            await conn.execute(statement("delete_episode"), {"bank": bank, "episode": episode})
            continue
        await conn.execute(
            statement("upsert_episode"),
            {
                "bank": bank,
                "episode": episode,
                "members": members,
                "embedder": embedder,
                "vector_sum": Vector(total),
                "mean": half(total / length),
            },
        )


async def _embedder_of(conn: Connection, bank: BankKey) -> int:
    row = await (
        await conn.execute("select embedder from banks where bank_id = %s", [bank])
    ).fetchone()
    assert row is not None  # noqa: S101 - the bank is locked by the caller
    return int(row[0])
