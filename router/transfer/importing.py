"""A folder with an exported bank read into a bank, whole or resumed, with vectors made anew."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from channels.errors import BadInput, Conflict, NotFound
from router.store.banks import Bank
from router.transfer import reading
from router.transfer.comparing import Difference, Survey, known_hashes, survey
from router.transfer.lines import pages
from router.transfer.manifest import (
    DECISIONS,
    MEMORIES,
    PAGE,
    STRUCTURE,
    Manifest,
    read_manifest,
)
from router.transfer.reading import MemoryLine, verify
from router.transfer.restoring import (
    count_live,
    restore_arrival,
    restore_edges,
    restore_matrices,
    restore_state,
)
from router.transfer.structure import restore_structure
from router.wiring import Service


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of an import. With `different` above 0 nothing was written."""

    bank: str
    embedder: str
    stored: int
    present: int  # memories that were there already, the same
    edges: int
    matrices: int
    left_out: tuple[str, ...]  # files that are read by people and programs, not by an import
    different: int
    differences: tuple[Difference, ...]  # the first of them


async def import_bank(
    service: Service,
    folder: Path,
    *,
    name: str | None = None,
    embedder: str | None = None,
    tell: Callable[[int], None] = lambda _lines: None,
) -> Imported:
    """Read the export in `folder` into the bank `name` (None: its old name).

    Everything is verified before anything is written. Interrupted, it goes on where it stopped when
    called again; called once more it changes nothing. A bank with other content is left alone and
    the differences returned. `tell` hears how many memories are done.

    Raises BadInput for a damaged folder, naming file and line; Conflict when the bank is bound to
    another model than `embedder`.
    """
    manifest = await asyncio.to_thread(read_manifest, folder)
    await asyncio.to_thread(verify, folder, manifest)
    wanted = name or manifest.bank
    found = await _survey(service, wanted, folder, embedder)
    left_out = tuple(one for one in DECISIONS if one in manifest.files)
    if found.different:
        model = (await service.banks.get(wanted)).embedder_name
        told = tuple(found.differences)
        return Imported(wanted, model, 0, found.present, 0, 0, left_out, found.different, told)
    bank = await _bank(service, wanted, manifest, embedder)
    stored = await _store(service, bank, folder, tell)
    edges, matrices = await _restore(service, bank, folder, manifest)
    present = manifest.files[MEMORIES].lines - stored
    return Imported(wanted, bank.embedder_name, stored, present, edges, matrices, left_out, 0, ())


async def _survey(service: Service, name: str, folder: Path, embedder: str | None) -> Survey:
    try:
        bank = await service.banks.get(name)
    except NotFound:
        return Survey()
    if embedder is not None and service.embedders.named(embedder).name != bank.embedder_name:
        reason = f"bank {name!r} is bound to {bank.embedder_name!r}; import under another name"
        raise Conflict("--embedder", reason)
    return await survey(service.transaction, bank.key, folder)


async def _bank(service: Service, name: str, manifest: Manifest, embedder: str | None) -> Bank:
    """The bank as it is, or made with the export's configuration."""
    try:
        return await service.banks.get(name)
    except NotFound:
        pass
    model = service.embedders.named(embedder or manifest.embedder.name)
    dim = await asyncio.to_thread(lambda: model.dim)
    if embedder is None and dim != manifest.embedder.dim:
        reason = (
            f"{model.name!r} has {dim} dimensions here and had {manifest.embedder.dim}; "
            "it is another model now: name the one you want with --embedder"
        )
        raise BadInput("manifest.json: embedder", reason)
    config = manifest.config
    if embedder is not None or config.embedder is not None:
        config = config.model_copy(update={"embedder": model.name})
    return await service.banks.create(name, manifest.title, config, model.name, dim)


async def _store(service: Service, bank: Bank, folder: Path, tell: Callable[[int], None]) -> int:
    """Store what is not there yet, batch by batch as it once came; how many were stored."""
    stored = done = 0
    groups = reading.arrivals(reading.memories(folder))
    nothing: list[MemoryLine] = []
    while group := await asyncio.to_thread(next, groups, nothing):
        for part in pages(group, PAGE * 2):  # a retain request takes no more
            stored += await _retain(service, bank, part)
            await restore_arrival(service.transaction, bank.key, part)
        done += len(group)
        tell(done)
    return stored


async def _retain(service: Service, bank: Bank, group: Sequence[MemoryLine]) -> int:
    async with service.transaction(bank.key) as conn:
        known = await known_hashes(conn, bank.key, [one.id for one in group])
    fresh = [one for one in group if one.id not in known]
    if not fresh:
        return 0
    receipt = await service.retain(bank, [one.item for one in fresh], atomic=True)
    for error in receipt.errors:
        place = f"{MEMORIES} line {fresh[error.index].line}: {error.field}"
        raise BadInput(place, error.reason)
    return receipt.accepted


async def _restore(
    service: Service, bank: Bank, folder: Path, manifest: Manifest
) -> tuple[int, int]:
    """Give the memories their state, edges and matrices back; how many of the last two."""
    lines = pages(reading.memories(folder), PAGE)
    while page := await asyncio.to_thread(next, lines, ()):
        await restore_state(service.transaction, bank.key, page)
    await count_live(service.transaction, bank.key)
    edges = 0
    given = pages(reading.edges(folder), PAGE)
    while some := await asyncio.to_thread(next, given, ()):
        await restore_edges(service.transaction, bank.key, some)
        edges += len(some)
    versions = await asyncio.to_thread(lambda: list(reading.matrices(folder)))
    await restore_matrices(service.transaction, bank.key, versions)
    for name in STRUCTURE:
        if name in manifest.files:
            found = await asyncio.to_thread(list, reading.structure(folder, name))
            await restore_structure(service.transaction, bank.key, name, found)
    service.live.forget(bank.key)
    service.banks.forget(bank.name)
    return edges, len(versions)
