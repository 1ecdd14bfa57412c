"""A bank written into a folder, as it was at one moment, a page at a time."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from psycopg import IsolationLevel
from psycopg.rows import dict_row

from channels.connection import Connection
from channels.errors import BadInput
from router.store.banks import Bank
from router.store.session import StorePool
from router.store.statements import statement
from router.transfer.lines import LineFile
from router.transfer.manifest import (
    CONTENT,
    DECISIONS,
    EDGES,
    EVENTS,
    FORMAT,
    MANIFEST,
    MATRICES,
    MEMORIES,
    PAGE,
    PROPOSALS,
    RECALLS,
    SOURCES,
    STRUCTURE,
    SUPERSESSIONS,
    FileEntry,
    Manifest,
    Model,
    write_manifest,
)

STATEMENTS = {
    MEMORIES: "export_memories",
    EDGES: "export_edges",
    MATRICES: "export_matrices",
    SUPERSESSIONS: "export_supersessions",
    PROPOSALS: "export_proposals",
    SOURCES: "export_sources",
    RECALLS: "export_recalls",
    EVENTS: "export_events",
}
STATE = ("created_at", "expired_at", "invalid_at", "superseded_by", "content_hash")
USE = ("recalls", "uses", "last_used_at", "stability_days")
Row = Mapping[str, Any]


async def export_bank(
    pool: StorePool,
    bank: Bank,
    folder: Path,
    *,
    with_decisions: bool = False,
    tell: Callable[[str, int], None] = lambda _name, _lines: None,
) -> Manifest:
    """Write the bank into `folder` and return its manifest, which is written last.

    All files show the bank at one moment; writers are not held up. `tell` hears the file and its
    lines so far. Keys, their hashes and settings are no part of an export. Raises BadInput when
    the folder holds a finished export.
    """
    await asyncio.to_thread(_make_room, folder)
    whole = (*CONTENT, *STRUCTURE)
    names = (*whole, *DECISIONS) if with_decisions else whole
    files: dict[str, FileEntry] = {}
    async with _snapshot(pool, bank) as conn:
        for name in names:
            files[name] = await _write(conn, bank, folder / name, tell)
    manifest = Manifest(
        format=FORMAT,
        bank=bank.name,
        title=bank.title,
        config=bank.config,
        embedder=Model(name=bank.embedder_name, dim=bank.dim),
        analyser=bank.analyser,
        created_at=datetime.now(UTC),
        counts={Path(name).stem: entry.lines for name, entry in files.items()},
        files=files,
    )
    await asyncio.to_thread(write_manifest, folder, manifest)
    return manifest


def _make_room(folder: Path) -> None:
    if (folder / MANIFEST).exists():
        raise BadInput("--to", f"{folder} holds an export already; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*CONTENT, *STRUCTURE, *DECISIONS):  # without a manifest they are leftovers
        (folder / name).unlink(missing_ok=True)


@asynccontextmanager
async def _snapshot(pool: StorePool, bank: Bank) -> AsyncIterator[Connection]:
    """A transaction that sees the bank as it is now for as long as it lasts."""
    settings = {**pool.transaction_settings, "fivefold.bank": str(bank.key)}
    async with pool.connection() as conn:
        await conn.set_isolation_level(IsolationLevel.REPEATABLE_READ)
        await conn.set_read_only(True)
        try:
            async with conn.transaction():
                for name, value in settings.items():
                    await conn.execute("select set_config(%s, %s, true)", [name, value])
                yield conn
        finally:
            await conn.set_isolation_level(None)
            await conn.set_read_only(None)


async def _write(
    conn: Connection, bank: Bank, path: Path, tell: Callable[[str, int], None]
) -> FileEntry:
    file = await asyncio.to_thread(LineFile, path)
    shape = SHAPES.get(path.name, dict)
    written = 0
    try:
        async with conn.cursor(name="export", row_factory=dict_row) as cursor:
            await cursor.execute(statement(STATEMENTS[path.name]), {"bank": bank.key})
            while rows := await cursor.fetchmany(PAGE):
                await asyncio.to_thread(file.write, [_json(shape(row)) for row in rows])
                written += len(rows)
                tell(path.name, written)
        return await asyncio.to_thread(file.finish)
    finally:
        file.close()


def _memory(row: Row) -> dict[str, Any]:
    """The item as a retain request carries it, without what is empty, and its state beside it."""
    item = {
        name: value
        for name, value in row.items()
        if name not in (*STATE, *USE) and value not in (None, [], {})
    }
    state = {name: row[name] for name in STATE}
    return {**item, "state": {**state, "use": {name: row[name] for name in USE}}}


def _recall(row: Row) -> dict[str, Any]:
    return {**row, "features": bytes(row["features"]).hex()}


SHAPES: Mapping[str, Callable[[Row], dict[str, Any]]] = {MEMORIES: _memory, RECALLS: _recall}


def _json(value: Any) -> Any:
    """The value with its times in ISO 8601, UTC."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, Mapping):
        return {name: _json(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_json(part) for part in value]
    return value
