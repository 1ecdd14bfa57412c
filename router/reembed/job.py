"""What is asked for and how far it is: a bank's way to another embedding model, as rows."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from channels.base import BankKey
from channels.connection import Connection, Transaction
from channels.sql_files import load
from router.store.banks import Bank
from router.store.statements import statement as stored

PACKAGE = "router.reembed"


@dataclass(frozen=True, slots=True)
class Job:
    """One bank's way to another model."""

    bank: BankKey
    bank_name: str
    former: int
    embedder: int
    embedder_name: str
    dim: int
    swapped_at: datetime | None  # from then on the bank uses the new model
    linked: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a bank is on its way."""

    embedder: str
    dim: int
    former: str
    phase: str  # embedding, then linking
    done: int
    of: int
    problem: str | None

    def as_json(self) -> dict[str, Any]:
        """As `GET /v1/banks/{bank}` shows it."""
        return {
            "to": {"name": self.embedder, "dim": self.dim},
            "from": self.former,
            "phase": self.phase,
            "done": self.done,
            "of": self.of,
            "problem": self.problem,
        }


async def jobs(transaction: Transaction, bank: BankKey | None = None) -> list[Job]:
    """Every open job, oldest first, or that of one bank."""
    async with transaction("all") as conn:
        rows = await (await conn.execute(load(PACKAGE, "jobs"), {"bank": bank})).fetchall()
    return [Job(*row) for row in rows]


async def request(transaction: Transaction, bank: Bank, embedder_name: str, dim: int) -> bool:
    """Ask for the bank to move to that model; whether it is on its way now.

    Asking for the model that it still uses takes an unfulfilled request back.
    """
    async with transaction("all") as conn:
        await conn.execute(stored("lock_banks"))
        values = {"name": embedder_name, "dim": dim}
        row = await (await conn.execute(stored("embedder"), values)).fetchone()
        assert row is not None  # noqa: S101 - the statement returns the old or the new row
        await conn.execute(stored("lock_bank"), {"bank": bank.key})
        current = await model(conn, bank.key)
        if current[0] == row[0]:
            withdrawn = await conn.execute(load(PACKAGE, "withdraw"), {"bank": bank.key})
            if withdrawn.rowcount:
                await conn.execute(load(PACKAGE, "drop_renewed"), {"bank": bank.key})
            return False
        asked = {"bank": bank.key, "embedder": row[0], "now": datetime.now(UTC)}
        await conn.execute(load(PACKAGE, "request"), asked)
        return True


async def progress(transaction: Transaction, bank: BankKey) -> Progress | None:
    """How far the bank is on its way to another model; None when it is on none."""
    async with transaction(bank) as conn:
        row = await (await conn.execute(load(PACKAGE, "progress"), {"bank": bank})).fetchone()
    if row is None:
        return None
    name, dim, former, swapped, done, of, problem = row
    return Progress(name, dim, former, "linking" if swapped else "embedding", done, of, problem)


async def model(conn: Connection, bank: BankKey) -> tuple[int, str, int]:
    """Number, name and dimension of the model that the bank uses now, as committed."""
    row = await (await conn.execute(stored("model_of"), {"bank": bank})).fetchone()
    assert row is not None  # noqa: S101 - the bank is there for as long as its lock is held
    number, name, dim = row
    return number, name, dim
