"""Candidates described: their features, from look-ups made for the reply and two statements."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.analyser import term_key
from channels.base import MemoryKey, Question
from channels.connection import Connection
from channels.statements import key_array
from router.facts import Facts
from router.features import LookedUp, Surroundings, features
from router.fuse import Fused
from router.store.statements import statement


async def describe(
    conn: Connection,
    question: Question,
    fused: Sequence[Fused],
    facts: Mapping[MemoryKey, Facts],
    channels: Sequence[str],
) -> NDArray[np.float32]:
    """Features of the fused candidates, as router.features has them.

    Raises what a failed look-up of the question raised; one that was given up is a TimeoutError.
    """
    looked_up = await looked_up_of(question)
    around = await surroundings(conn, question, [item.key for item in fused])
    return features(question, fused, facts, looked_up, around, channels)


async def looked_up_of(question: Question) -> LookedUp:
    """What the lanes of this question shared. Raises as `describe`."""
    lookups = question.lookups
    try:
        keywords, vectors, known = await asyncio.gather(
            lookups.keywords.get(), lookups.vectors.get(), lookups.statistics.get()
        )
        late = await lookups.late.get() if lookups.late else None
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise TimeoutError("a look-up of this question was given up") from None
    return LookedUp(keywords, vectors, late, known)


async def surroundings(
    conn: Connection, question: Question, keys: Sequence[MemoryKey]
) -> Surroundings:
    """Turns beside the memories and the asked words they hold."""
    values: Mapping[str, Any] = {"bank": question.bank, "keys": key_array(keys)}
    before: dict[MemoryKey, MemoryKey] = {}
    after: dict[MemoryKey, MemoryKey] = {}
    for src, dst in await (await conn.execute(statement("beside"), values)).fetchall():
        before[MemoryKey(dst)], after[MemoryKey(src)] = MemoryKey(src), MemoryKey(dst)
    terms = {term_key(term.text): term.text for term in question.terms}
    rows = await (
        await conn.execute(statement("held_terms"), {**values, "terms": list(terms)})
    ).fetchall()
    holds: dict[MemoryKey, set[str]] = {}
    for key, term in rows:
        holds.setdefault(MemoryKey(key), set()).add(terms[term])
    return Surroundings(
        {key: (before.get(key), after.get(key)) for key in keys},
        {key: frozenset(found) for key, found in holds.items()},
    )
