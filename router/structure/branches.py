"""Pairs put up for judgement, and the current heads of what was replaced."""

from collections.abc import Sequence
from datetime import datetime

from psycopg.types.json import Jsonb

from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from router.structure.pairs import BRANCH, Head, Proposed
from router.structure.statements import statement


async def propose(conn: Connection, bank: BankKey, found: Sequence[Proposed], now: datetime) -> int:
    """Put pairs up for judgement; how many are open now. One that was settled stays settled."""
    by_pair = {(one.older, one.newer): one for one in reversed(found)}  # the first of a pair
    rows = [by_pair[pair] for pair in sorted(by_pair)]
    if not rows:
        return 0
    values = {
        "bank": bank,
        "older": [one.older for one in rows],
        "newer": [one.newer for one in rows],
        "about": [one.about for one in rows],
        "rules": [one.rule for one in rows],
        "evidence": [Jsonb(dict(one.evidence)) for one in rows],
        "now": now,
    }
    return (await conn.execute(statement("propose"), values)).rowcount


async def renew_branches(
    conn: Connection, bank: BankKey, seeds: Sequence[MemoryKey], now: datetime
) -> None:
    """Propose every pair of current memories that stand in for the same one; withdraw the rest."""
    keys = await family_of(conn, bank, seeds)
    found = await conn.execute(statement("branches"), {"bank": bank, "keys": keys})
    pairs = [Proposed(row[0], row[1], BRANCH, {}, row[2]) for row in await found.fetchall()]
    ends = {"older": [one.older for one in pairs], "newer": [one.newer for one in pairs]}
    await conn.execute(statement("withdraw_branches"), {"bank": bank, "keys": keys, **ends})
    await conn.execute(statement("renew_restated"), {"bank": bank, "keys": keys})
    await propose(conn, bank, pairs, now)


async def family_of(conn: Connection, bank: BankKey, seeds: Sequence[MemoryKey]) -> list[MemoryKey]:
    """The memories and all tied to them by SUPERSEDES, either way and through others."""
    values = {"bank": bank, "keys": sorted(set(seeds))}
    rows = await (await conn.execute(statement("family"), values)).fetchall()
    return [MemoryKey(row[0]) for row in rows]


async def heads_of(
    conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]
) -> dict[MemoryKey, list[Head]]:
    """The current heads of each superseded memory, the latest first; several are a branch."""
    found: dict[MemoryKey, list[Head]] = {}
    if keys:
        values = {"bank": bank, "keys": list(keys)}
        for row in await (await conn.execute(statement("heads"), values)).fetchall():
            found.setdefault(MemoryKey(row[0]), []).append(Head(MemoryKey(row[1]), *row[2:]))
    return found
