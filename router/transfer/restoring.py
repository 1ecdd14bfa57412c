"""What retaining alone cannot say: arrival, supersession, callers' edges and the matrix."""

from collections.abc import Sequence

from psycopg.types.json import Jsonb

from channels.base import BankKey
from channels.connection import Connection, Transaction
from channels.errors import BadInput
from router.store.statements import statement
from router.structure.pyramids.marking import mark_all
from router.transfer.comparing import known_hashes
from router.transfer.manifest import EDGES, MEMORIES, EdgeLine, MatrixLine
from router.transfer.reading import MemoryLine

WRITE_TIMEOUT_MS = 120_000


async def restore_arrival(
    transaction: Transaction, bank: BankKey, group: Sequence[MemoryLine]
) -> None:
    """Give a stored group the time and hashes it had, and close what it replaced.

    Closed now and not at the end, because later memories are linked to current ones only.
    """
    arrived = {
        "bank": bank,
        "ids": [one.id for one in group],
        "created": [one.state.created_at for one in group],
        "hashes": [one.state.content_hash for one in group],
        "bare": [one.bare_hash for one in group],
    }
    pairs = [(older, one.id) for one in group for older in one.supersedes]
    async with transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
        await conn.execute(statement("lock_bank"), {"bank": bank})
        await conn.execute(statement("import_arrival"), arrived)
        if pairs:
            older, newer = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            values = {"bank": bank, "older": older, "newer": newer}
            closed = (await conn.execute(statement("import_supersede"), values)).rowcount
            if closed:
                await conn.execute(statement("shift_live"), {"bank": bank, "count": -closed})


async def restore_state(
    transaction: Transaction, bank: BankKey, page: Sequence[MemoryLine]
) -> None:
    """Give memories exactly the state and counters they had. Raises BadInput."""
    ids = [one.id for one in page]
    states = [one.state for one in page]
    state = {
        "bank": bank,
        "ids": ids,
        "expired": [one.expired_at for one in states],
        "invalid": [one.invalid_at for one in states],
        "by": [one.superseded_by for one in states],
    }
    use = {
        "bank": bank,
        "ids": ids,
        "recalls": [one.use.recalls for one in states],
        "uses": [one.use.uses for one in states],
        "last_used": [one.use.last_used_at for one in states],
        "stability": [one.use.stability_days for one in states],
    }
    named = [(one.line, one.state.superseded_by) for one in page if one.state.superseded_by]
    async with transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
        await conn.execute(statement("lock_bank"), {"bank": bank})
        await _require(conn, bank, MEMORIES, named)
        await conn.execute(statement("import_state"), state)
        await conn.execute(statement("import_use"), use)


async def count_live(transaction: Transaction, bank: BankKey) -> None:
    """Count the current memories anew, after their state was restored."""
    async with transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
        await conn.execute(statement("lock_bank"), {"bank": bank})
        await conn.execute(statement("import_live"), {"bank": bank})
        await mark_all(conn, bank)


async def restore_edges(
    transaction: Transaction, bank: BankKey, page: Sequence[tuple[int, EdgeLine]]
) -> None:
    """Write the edges that callers gave. Raises BadInput."""
    lines = [edge for _, edge in page]
    values = {
        "bank": bank,
        "sources": [edge.source for edge in lines],
        "targets": [edge.target for edge in lines],
        "types": [edge.type for edge in lines],
        "strengths": [edge.strength for edge in lines],
        "created": [edge.created_at for edge in lines],
    }
    named = [(line, name) for line, edge in page for name in (edge.source, edge.target)]
    async with transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
        await conn.execute(statement("lock_bank"), {"bank": bank})
        await _require(conn, bank, EDGES, named)
        await conn.execute(statement("import_edges"), values)


async def restore_matrices(
    transaction: Transaction, bank: BankKey, versions: Sequence[MatrixLine]
) -> None:
    """Write the versions as they were and make the live one live, all in one transaction."""
    rows = [
        {
            **one.model_dump(exclude={"live"}),
            "bank": bank,
            "rows": Jsonb(one.rows),
            "evidence": Jsonb(one.evidence),
        }
        for one in versions
    ]
    async with transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
        await conn.execute(statement("lock_bank"), {"bank": bank})
        async with conn.cursor() as cursor:
            await cursor.executemany(statement("import_matrix"), rows)
        for one in versions:
            if one.live:
                await conn.execute(statement("import_head"), {"bank": bank, "version": one.version})


async def _require(
    conn: Connection, bank: BankKey, name: str, wanted: Sequence[tuple[int, str]]
) -> None:
    known = await known_hashes(conn, bank, sorted({memory for _, memory in wanted}))
    for line, memory in wanted:
        if memory not in known:
            reason = f"names memory {memory!r}, which {MEMORIES} has not; export the bank again"
            raise BadInput(f"{name} line {line}", reason)
