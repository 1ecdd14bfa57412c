"""Fields laid over a stored memory, as the writer's own transaction reads it."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from psycopg.rows import dict_row

from channels.base import BankKey
from channels.connection import Connection
from channels.errors import BadInput
from router.items import TIMES, Draft, MemoryItem, read_items
from router.store.statements import statement
from router.structure.evidence import absent, observed, proofs_of
from router.structure.fresh import taken_back
from router.written import whole


async def laid_over(
    conn: Connection, bank: BankKey, memory_id: str, given: Mapping[str, object], zone: ZoneInfo
) -> Draft:
    """The stored memory with the given fields in the place of its own.

    Raises NotFound; BadInput naming the field, also where it would say of a supersession what a
    rewrite does not do.
    """
    cursor = conn.cursor(row_factory=dict_row)
    await cursor.execute(statement("memory"), {"bank": bank, "id": memory_id})
    row = await cursor.fetchone()
    if row is None:
        raise await absent(conn, bank, memory_id)
    stored = {name: row[name] for name in MemoryItem.model_fields}
    if any(whole(given.get(name)) for name in TIMES):
        stored["granularity"] = None  # it told of the time that is replaced
    merged = await proofs_of(conn, bank, row["key"])
    own = {"proof_count": _own_proofs(stored, given, merged)}
    drafts, errors = read_items([{**stored, **given, **own}], zone)
    if errors:
        raise BadInput(errors[0].field, errors[0].reason)
    (draft,) = await observed(conn, bank, drafts)
    if "supersedes" in given:
        _refuse_dropping(draft, stored["supersedes"])
    if "supersedes" in given or "edges" in given:
        await _refuse_taken_back(conn, bank, draft, memory_id)
    return draft


def _own_proofs(stored: Mapping[str, Any], given: Mapping[str, object], merged: int) -> object:
    """What the memory counts itself, `merged` being the count of its evidence."""
    if "proof_count" not in given:
        return max(1, stored["proof_count"] - merged)
    wanted = given["proof_count"]
    if not isinstance(wanted, int) or isinstance(wanted, bool) or not merged:
        return wanted
    if wanted <= merged:
        raise BadInput(
            "proof_count",
            f"{wanted} is less than its evidence counts with it; give {merged + 1} or more",
        )
    return wanted - merged


def _refuse_dropping(draft: Draft, stored: Sequence[str]) -> None:
    named = {name for _, name in draft.replaced}
    if dropped := [name for name in stored if name not in named]:
        raise BadInput(
            "supersedes",
            f"leaves out {dropped[0]!r}, which this memory supersedes; name it too, or take it back"
            f" with DELETE …/memories/{dropped[0]}/supersede?by={draft.item.id}",
        )


async def _refuse_taken_back(conn: Connection, bank: BankKey, draft: Draft, memory_id: str) -> None:
    undone = await taken_back(conn, bank, [(name, memory_id) for _, name in draft.replaced])
    for field, name in draft.replaced:
        if (name, memory_id) in undone:
            raise BadInput(
                field,
                f"{name!r} was taken back from this memory; to supersede it again, POST"
                f" …/memories/{name}/supersede",
            )
