"""The steps of a move to another model: vectors kept aside, swapped at once, then links renewed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from channels import links
from channels.base import Embedded, MemoryKey
from channels.connection import Connection, Transaction
from channels.sql_files import load
from channels.tokens import pack
from router.embedders import Embedders
from router.reading import embed_text
from router.reembed.job import PACKAGE, Job
from router.store.banks import Bank
from router.store.memories import half
from router.store.statements import statement as stored

BATCH = 64  # memories embedded between two looks at the claim
LINKS = 200  # memories linked in one transaction, which holds the bank's writers up meanwhile
SWAP_TIMEOUT_MS = 900_000  # of each statement; 100,000 rows with their index entries are rewritten


@dataclass(frozen=True, slots=True)
class _Waiting:
    key: MemoryKey
    text: str
    content_hash: bytes


async def embed_some(transaction: Transaction, embedders: Embedders, bank: Bank, job: Job) -> int:
    """Embed the next memories by the new model and keep that aside; how many there were."""
    async with transaction(job.bank) as conn:
        waiting = await _pending(conn, job)
    if waiting:
        found = await _embed(embedders, bank, job, waiting)
        async with transaction(job.bank) as conn:
            await _keep(conn, job, waiting, found)
    return len(waiting)


async def swap(transaction: Transaction, embedders: Embedders, bank: Bank, job: Job) -> bool:
    """Let the bank use the new model, all of it in one transaction.

    False when that cannot be now: more memories came meanwhile, or the request was taken back.
    The bank's writers wait; questions are answered by the old vectors until it commits.
    """
    async with transaction(job.bank, timeout_ms=SWAP_TIMEOUT_MS) as conn:
        await conn.execute(stored("lock_bank"), {"bank": job.bank})
        asked = {"bank": job.bank, "embedder": job.embedder}
        wanted = await (await conn.execute(load(PACKAGE, "wanted"), asked)).fetchone()
        waiting = await _pending(conn, job)
        if wanted is None or len(waiting) == BATCH:
            return False
        if waiting:  # what a busy writer slipped in; else it could go on like that for ever
            await _keep(conn, job, waiting, await _embed(embedders, bank, job, waiting))
        values = asked | {"now": datetime.now(UTC)}
        for name in (
            "swap_vectors", "drop_tokens", "swap_tokens", "drop_episodes", "swap_episodes",
            "swap_bank", "drop_renewed", "swapped",
        ):  # fmt: skip
            await conn.execute(load(PACKAGE, name), values)
    return True


async def link_some(transaction: Transaction, job: Job, after: int) -> int | None:
    """Renew SIMILAR_TO of the next memories; the last one's key, or None when all are done."""
    async with transaction(job.bank, timeout_ms=SWAP_TIMEOUT_MS) as conn:
        await conn.execute(stored("lock_bank"), {"bank": job.bank})
        values: dict[str, Any] = {"bank": job.bank, "after": after, "limit": LINKS}
        rows = await (await conn.execute(load(PACKAGE, "unlinked"), values)).fetchall()
        if not rows:
            return None
        keys = [MemoryKey(row[0]) for row in rows]
        await conn.execute(load(PACKAGE, "drop_similar"), {"bank": job.bank, "keys": keys})
        await links.link_similar(conn, job.bank, keys, job.embedder, datetime.now(UTC))
        await conn.execute(load(PACKAGE, "linked"), {"bank": job.bank, "key": keys[-1]})
    return int(keys[-1])


async def _pending(conn: Connection, job: Job) -> list[_Waiting]:
    values = {"bank": job.bank, "embedder": job.embedder, "limit": BATCH}
    rows = await (await conn.execute(load(PACKAGE, "pending"), values)).fetchall()
    return [
        _Waiting(MemoryKey(key), embed_text(text, speaker, title, context), bytes(content_hash))
        for key, text, speaker, title, context, content_hash in rows
    ]


async def _embed(
    embedders: Embedders, bank: Bank, job: Job, waiting: Sequence[_Waiting]
) -> list[Embedded]:
    renewed = replace(bank, embedder=job.embedder, embedder_name=job.embedder_name, dim=job.dim)
    return await embedders.embed(renewed, [one.text for one in waiting])


async def _keep(
    conn: Connection, job: Job, waiting: Sequence[_Waiting], found: Sequence[Embedded]
) -> None:
    rows = [
        {
            "bank": job.bank,
            "key": one.key,
            "embedder": job.embedder,
            "hash": one.content_hash,
            "embedding": half(made.vector),
            "tokens": None if made.tokens is None else pack(made.tokens),
        }
        for one, made in zip(waiting, found, strict=True)
    ]
    async with conn.cursor() as cursor:
        await cursor.executemany(load(PACKAGE, "keep"), rows)
