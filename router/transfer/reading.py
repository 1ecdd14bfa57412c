"""An exported folder read back: every line checked for damage and for sense before any is used."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ValidationError

from channels.errors import BadInput
from router.items import first_problem, read_items
from router.jsonl import Line, read_lines
from router.transfer.lines import row_of, verified
from router.transfer.manifest import (
    EDGES,
    MATRICES,
    MEMORIES,
    PROPOSALS,
    SOURCES,
    SUPERSESSIONS,
    DeedLine,
    EdgeLine,
    Manifest,
    MatrixLine,
    ProposalLine,
    SourceLine,
    State,
)

UTC_ZONE = ZoneInfo("UTC")
M = TypeVar("M", bound=BaseModel)
SHAPES: Mapping[str, type[BaseModel]] = {
    EDGES: EdgeLine,
    MATRICES: MatrixLine,
    SUPERSESSIONS: DeedLine,
    PROPOSALS: ProposalLine,
    SOURCES: SourceLine,
}


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A memory of an export. Whom it refers to is stored apart, once every memory is there."""

    line: int
    id: str
    item: dict[str, Any]  # as a retain request carries it, without `supersedes`
    supersedes: tuple[str, ...]
    state: State
    bare_hash: str  # content hash of `item`: what is stored until the state is restored


def verify(folder: Path, manifest: Manifest) -> None:
    """Read every file the manifest names. Raises BadInput naming file and line."""
    for name, entry in manifest.files.items():
        for line in verified(folder / name, entry):
            if name == MEMORIES:
                _memory(line)
            elif name in SHAPES:
                _parsed(SHAPES[name], name, line)


def memories(folder: Path) -> Iterator[MemoryLine]:
    """The memories in order of arrival. Raises BadInput."""
    for line in _rows(folder / MEMORIES):
        yield _memory(line)


def edges(folder: Path) -> Iterator[tuple[int, EdgeLine]]:
    """The edges with their line numbers. Raises BadInput."""
    for line in _rows(folder / EDGES):
        yield line.number, _parsed(EdgeLine, EDGES, line)


def matrices(folder: Path) -> Iterator[MatrixLine]:
    """The versions of the matrix, the oldest first. Raises BadInput."""
    for line in _rows(folder / MATRICES):
        yield _parsed(MatrixLine, MATRICES, line)


def structure(folder: Path, name: str) -> Iterator[BaseModel]:
    """The lines of one file of STRUCTURE. Raises BadInput."""
    for line in _rows(folder / name):
        yield _parsed(SHAPES[name], name, line)


def arrivals(found: Iterator[MemoryLine]) -> Iterator[list[MemoryLine]]:
    """Runs of memories that were stored together.

    What is derived from a memory depends on what was there when it came, so that an import repeats
    the batches of the original: memories of one transaction share `created_at`.
    """
    run: list[MemoryLine] = []
    for one in found:
        if run and one.state.created_at != run[0].state.created_at:
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def _rows(path: Path) -> Iterator[Line]:
    for line in read_lines(path):
        yield Line(line.number, row_of(path.name, line))


def _memory(line: Line) -> MemoryLine:
    place = f"{MEMORIES} line {line.number}"
    row = dict(line.value)
    try:
        state = State.model_validate(row.pop("state", None))
    except ValidationError as error:
        raise _wrong(place, "state", error) from error
    supersedes = row.pop("supersedes", [])
    drafts, errors = read_items([row], UTC_ZONE)
    if errors:
        raise BadInput(f"{place}: {errors[0].field}", errors[0].reason)
    name = drafts[0].item.id
    if name is None or drafts[0].item.edges:
        raise BadInput(f"{place}: id", f"must be there, and edges must stand in {EDGES}")
    bare_hash = drafts[0].content_hash.hex()
    return MemoryLine(line.number, name, row, tuple(supersedes), state, bare_hash)


def _parsed(shape: type[M], name: str, line: Line) -> M:
    try:
        return shape.model_validate(line.value)
    except ValidationError as error:
        raise _wrong(f"{name} line {line.number}", "", error) from error


def _wrong(place: str, within: str, error: ValidationError) -> BadInput:
    field, reason = first_problem(error)
    path = ".".join(part for part in (within, field) if part)
    return BadInput(f"{place}: {path}", f"{reason}; export the bank again")
