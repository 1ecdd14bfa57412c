"""Memories closed and opened again within a writer's transaction, with all that follows from it.

The caller holds the bank's lock, so that no two writers see the same state and act on it.
"""

from collections.abc import Sequence

from channels import links
from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.links import NewEdge
from router.structure.branches import heads_of, propose, renew_branches
from router.structure.pairs import CALLER, COPY, RESTATED, Deed, Proposed, Replaced, same_words
from router.structure.pyramids.marking import mark
from router.structure.statements import statement

Cut = tuple[MemoryKey, MemoryKey]  # older, newer


async def close(conn: Connection, bank: BankKey, pairs: Sequence[Replaced], deed: Deed) -> int:
    """Let each pair's newer memory replace the older; how many were current until now.

    Copies of an older one, said before it was replaced, go with it; later ones are proposed. Where
    one memory now has several current successors, that is proposed too.
    """
    pairs = await _not_standing(conn, bank, pairs)
    if not pairs:
        return 0
    closed = await _write(conn, bank, pairs, deed)
    values = {**_ends(pairs), "bank": bank, "now": deed.now}
    found = await conn.execute(statement("copies"), values)
    copies: dict[MemoryKey, Replaced] = {}
    later = []
    for key, older, newer, is_before in await found.fetchall():
        if is_before:
            copies.setdefault(key, Replaced(key, newer, None, COPY, older))
        else:
            later.append(Proposed(key, newer, RESTATED, {}, older))
    closed += await _write(conn, bank, list(copies.values()), deed)
    await propose(conn, bank, [one for one in later if one.older not in copies], deed.now)
    seeds = [key for one in pairs for key in (one.older, one.newer)]
    await renew_branches(conn, bank, seeds, deed.now)
    return closed


async def open_again(
    conn: Connection,
    bank: BankKey,
    key: MemoryKey,
    newer: MemoryKey | None,
    deed: Deed,
    reason: str | None = None,
) -> list[MemoryKey] | None:
    """Take back that `newer` (None: anything) replaced the memory, and what went along with it.

    The memories that are current again; None when there was nothing to take back.
    """
    cut = await _cut(conn, bank, key, newer)
    if not cut and newer is not None:
        return None
    successors = [src for _, src in cut]
    values = {"bank": bank, "key": key, "newer": successors}
    copies = await (await conn.execute(statement("copies_closed"), values)).fetchall()
    along = [pair for copy, by in copies for pair in await _cut(conn, bank, copy, by)]
    keys = sorted({key, *(older for older, _ in along)})
    rows = await (await conn.execute(statement("reopen"), {"bank": bank, "keys": keys})).fetchall()
    current = [MemoryKey(row[0]) for row in rows if row[1]]
    await mark(conn, bank, current)
    if not cut and not current:
        return None
    pairs: list[tuple[MemoryKey, MemoryKey | None]] = [*cut] or [(key, None)]
    own = [(older, by, None, CALLER, reason) for older, by in pairs]
    await _note(conn, bank, "undone", own + [(*one, key, COPY, reason) for one in along], deed)
    await conn.execute(statement("withdraw_restated"), {"bank": bank, "keys": current})
    await renew_branches(conn, bank, [*keys, *successors], deed.now)
    return current


async def ended_with(
    conn: Connection, bank: BankKey, newer: Sequence[MemoryKey]
) -> list[MemoryKey]:
    """The memories whose validity ends when one of the given begins; call before these change."""
    if not newer:
        return []
    values = {"bank": bank, "keys": list(newer)}
    rows = await (await conn.execute(statement("ended_with"), values)).fetchall()
    return [MemoryKey(row[0]) for row in rows]


async def renew_ends(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> None:
    """Let the validity of superseded memories end when their successor begins, as it says now."""
    if keys:
        await conn.execute(statement("renew_ends"), {"bank": bank, "keys": list(keys)})


async def bridge(
    conn: Connection, bank: BankKey, key: MemoryKey, memory_id: str, deed: Deed
) -> None:
    """Let what superseded a memory stand for what that one had superseded; call before it goes.

    The older ones stay closed from when they were, and the audit tells of the link that is gone.
    """
    values = {"bank": bank, "key": key, "id": memory_id}
    rows = await (await conn.execute(statement("bridge"), values)).fetchall()
    reason = f"{memory_id!r}, which stood between them, was forgotten"
    if lines := [(*row, reason) for row in rows]:
        await _note(conn, bank, "superseded", lines, deed)


async def restate(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey], deed: Deed) -> int:
    """See to fresh memories that say word for word what a superseded one said; how many it closes.

    One whose own time lies before the replacement is a late copy and closed with it. Any other may
    be a decision taken anew: it stays current, is marked, and is proposed.
    """
    found = await conn.execute(statement("restated"), {"bank": bank, "keys": list(keys)})
    rows = await found.fetchall()
    heads = await heads_of(conn, bank, sorted({MemoryKey(row[1]) for row in rows}))
    late: dict[MemoryKey, Replaced] = {}
    doubtful: dict[MemoryKey, Proposed] = {}
    for key, text, old, is_late in ((row[0], row[3], row[1], row[2]) for row in rows):
        head = next((one for one in heads.get(old, ()) if one.key != key), None)
        if head is None or same_words(head.text, text):
            continue
        if is_late:
            late.setdefault(key, Replaced(key, head.key, None, COPY, old))
        else:
            doubtful.setdefault(key, Proposed(key, head.key, RESTATED, {}, old))
    closed = await _write(conn, bank, list(late.values()), deed)
    kept = [one for key, one in doubtful.items() if key not in late]
    await propose(conn, bank, kept, deed.now)
    return closed


async def _write(conn: Connection, bank: BankKey, pairs: Sequence[Replaced], deed: Deed) -> int:
    """Write edges, states and audit of the pairs; the first successor of a memory is its own."""
    if not pairs:
        return 0
    edges = [NewEdge(one.newer, one.older, "SUPERSEDES", 1.0, CALLER) for one in pairs]
    await links.insert(conn, bank, edges, deed.now)
    first = {one.older: one.newer for one in reversed(pairs)}
    values = {"bank": bank, "older": list(first), "newer": list(first.values()), "now": deed.now}
    rows = await (await conn.execute(statement("close"), values)).fetchall()
    await mark(conn, bank, list(first))
    told = [(one.older, one.newer, one.along, one.rule, one.reason) for one in pairs]
    await _note(conn, bank, "superseded", told, deed)
    return sum(1 for _, was_current in rows if was_current)


async def _not_standing(
    conn: Connection, bank: BankKey, pairs: Sequence[Replaced]
) -> list[Replaced]:
    """The pairs that are new, each once."""
    if not pairs:
        return []
    values = {**_ends(pairs), "bank": bank}
    rows = await (await conn.execute(statement("standing_pairs"), values)).fetchall()
    known = {(row[0], row[1]) for row in rows}
    fresh = {(one.older, one.newer): one for one in reversed(pairs)}
    return [
        one
        for one in pairs
        if fresh.get((one.older, one.newer)) is one and (one.older, one.newer) not in known
    ]


def _ends(pairs: Sequence[Replaced]) -> dict[str, list[MemoryKey]]:
    return {"older": [one.older for one in pairs], "newer": [one.newer for one in pairs]}


async def _cut(
    conn: Connection, bank: BankKey, key: MemoryKey, newer: MemoryKey | None
) -> list[Cut]:
    values = {"bank": bank, "keys": [key], "newer": newer}
    rows = await (await conn.execute(statement("cut"), values)).fetchall()
    return sorted((MemoryKey(row[0]), MemoryKey(row[1])) for row in rows)


Line = tuple[MemoryKey, MemoryKey | None, MemoryKey | None, str, str | None]


async def _note(
    conn: Connection, bank: BankKey, kind: str, lines: Sequence[Line], deed: Deed
) -> None:
    """Add lines (older, newer, along, rule, reason) to the audit."""
    older, newer, along, rules, reasons = map(list, zip(*lines, strict=True))
    values = {
        "bank": bank,
        "deed": kind,
        "older": older,
        "newer": newer,
        "along": along,
        "rules": rules,
        "reasons": reasons,
        "author": deed.author,
        "now": deed.now,
    }
    await conn.execute(statement("insert_deeds"), values)
