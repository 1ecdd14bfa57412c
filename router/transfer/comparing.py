"""What an import would meet in a bank that is there already."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from channels.base import BankKey
from channels.connection import Connection, Transaction
from router.store.statements import statement
from router.transfer import reading
from router.transfer.lines import pages
from router.transfer.manifest import PAGE, MatrixLine
from router.transfer.reading import MemoryLine

MOST_SHOWN = 100  # conflicts that are named; the rest are counted


@dataclass(frozen=True, slots=True)
class Difference:
    """Something of the bank that the import would have to overwrite, and does not."""

    what: str  # memory or matrix
    id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.what} {self.id!r}: {self.reason}"


@dataclass(slots=True)
class Survey:
    """How a bank and an export agree."""

    present: int = 0  # memories that are there and the same
    differences: list[Difference] = field(default_factory=list)
    different: int = 0  # all of them, named or not

    def add(self, what: str, name: str, reason: str, count: int = 1) -> None:
        """Note a difference; it stands for `count` of them."""
        self.different += count
        if len(self.differences) < MOST_SHOWN:
            self.differences.append(Difference(what, name, reason))


async def survey(transaction: Transaction, bank: BankKey, folder: Path) -> Survey:
    """Compare the bank with the folder, reading only. An interrupted import is no difference."""
    found = Survey()
    met = 0
    lines = pages(reading.memories(folder), PAGE)
    while page := await asyncio.to_thread(next, lines, ()):
        async with transaction(bank) as conn:
            met += await _compare(conn, bank, page, found)
    versions = list(await asyncio.to_thread(lambda: list(reading.matrices(folder))))
    async with transaction(bank) as conn:
        counts = await (await conn.execute(statement("import_counts"), {"bank": bank})).fetchone()
        held, matrices, live = counts or (0, 0, None)
        known = await _compare_matrices(conn, bank, versions, found)
    if held > met:
        reason = f"{held - met} memories of the bank are not in the export"
        found.add("bank", "memories", reason, held - met)
    if matrices > known:
        reason = f"{matrices - known} versions of the bank are not in the export"
        found.add("bank", "matrix", reason, matrices - known)
    exported = next((one.version for one in versions if one.live), None)
    if live is not None and live != exported:
        found.add("matrix", str(live), f"is live; in the export version {exported} is")
    return found


async def known_hashes(conn: Connection, bank: BankKey, ids: Sequence[str]) -> dict[str, str]:
    """Content hashes of the memories that are there, by id."""
    values = {"bank": bank, "ids": list(ids)}
    rows = await (await conn.execute(statement("import_known"), values)).fetchall()
    return {row[0]: row[1] for row in rows}


async def _compare(
    conn: Connection, bank: BankKey, page: Sequence[MemoryLine], found: Survey
) -> int:
    """Note what differs in one page; how many of its ids the bank has."""
    known = await known_hashes(conn, bank, [one.id for one in page])
    for one in page:
        held = known.get(one.id)
        if held in (one.state.content_hash, one.bare_hash):
            found.present += 1
        elif held is not None:
            reason = f"has other content than memories.jsonl line {one.line}; it was left alone"
            found.add("memory", one.id, reason)
    return len(known)


async def _compare_matrices(
    conn: Connection, bank: BankKey, lines: Sequence[MatrixLine], found: Survey
) -> int:
    known = 0
    for page in pages(lines, PAGE):
        values = {"bank": bank, "versions": [one.version for one in page]}
        rows = await (await conn.execute(statement("import_matrices_known"), values)).fetchall()
        held = {row[0]: row[1:] for row in rows}
        known += len(held)
        for one in page:
            told = (one.parent, one.rows, one.reason, one.author, one.evidence, one.at)
            if one.version in held and held[one.version] != told:
                found.add("matrix", str(one.version), "differs from the exported one")
    return known
