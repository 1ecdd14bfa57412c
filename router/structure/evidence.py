"""What became evidence of an observation: found by its own id, named in its place, forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.errors import NotFound
from router.items import Draft
from router.structure.statements import statement


class IsEvidence(NotFound):
    """No memory any more: it is kept as evidence of another one."""

    def __init__(self, name: str, into: str) -> None:
        super().__init__("memory", name)
        self.into = into
        self.args = (f"{name!r} was consolidated into {into!r} and is kept there; name that one",)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One item that an observation stands for."""

    id: str
    text: str
    happened: datetime | None
    proofs: int
    at: datetime
    into: str  # id of the observation


async def evidence_of(conn: Connection, bank: BankKey, ids: Sequence[str]) -> dict[str, Evidence]:
    """Those of the ids that name evidence and no memory."""
    if not ids:
        return {}
    values = {"bank": bank, "ids": sorted(set(ids))}
    rows = await (await conn.execute(statement("evidence"), values)).fetchall()
    return {row[0]: Evidence(*row) for row in rows}


async def observed(conn: Connection, bank: BankKey, drafts: Sequence[Draft]) -> list[Draft]:
    """The drafts, each naming the observation where it refers to evidence of it."""
    names = {name for draft in drafts for name in draft.item.supersedes}
    names |= {edge.to for draft in drafts for edge in draft.item.edges}
    found = await evidence_of(conn, bank, sorted(names))
    if not found:
        return list(drafts)
    into = {name: one.into for name, one in found.items()}
    return [_naming(draft, into) for draft in drafts]


def _naming(draft: Draft, into: dict[str, str]) -> Draft:
    item = draft.item
    edges = [edge.model_copy(update={"to": into.get(edge.to, edge.to)}) for edge in item.edges]
    older = [into.get(name, name) for name in item.supersedes]
    return replace(draft, item=item.model_copy(update={"supersedes": older, "edges": edges}))


async def proofs_of(conn: Connection, bank: BankKey, key: MemoryKey) -> int:
    """What a memory's evidence counts, without its own."""
    values = {"bank": bank, "key": key}
    row = await (await conn.execute(statement("proofs"), values)).fetchone()
    return int(row[0]) if row else 0


async def forget_evidence(conn: Connection, bank: BankKey, memory_id: str) -> bool:
    """Forget one piece of evidence and count it off its observation; whether there was one.

    The caller holds the bank's lock.
    """
    values = {"bank": bank, "id": memory_id}
    row = await (await conn.execute(statement("forget_source"), values)).fetchone()
    if row is None:
        return False
    counted = {"bank": bank, "key": row[0], "proofs": -row[1]}
    await conn.execute(statement("raise_proof"), counted)
    return True


async def absent(conn: Connection, bank: BankKey, memory_id: str) -> NotFound:
    """What to raise when no memory bears the id: it names the observation it may have gone into."""
    found = (await evidence_of(conn, bank, [memory_id])).get(memory_id)
    return IsEvidence(memory_id, found.into) if found else NotFound("memory", memory_id)
