"""What a folder with an exported bank says about itself, and the shape of its lines."""

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from channels.errors import BadInput
from router.items import ItemId, first_problem
from router.store.banks import BankConfig

FORMAT: Final = 1
MANIFEST = "manifest.json"
MEMORIES, EDGES, MATRICES = "memories.jsonl", "edges.jsonl", "matrices.jsonl"
RECALLS, EVENTS = "recalls.jsonl", "events.jsonl"
SUPERSESSIONS, PROPOSALS, SOURCES = "supersessions.jsonl", "proposals.jsonl", "sources.jsonl"
CONTENT = (MEMORIES, EDGES, MATRICES)
STRUCTURE = (SUPERSESSIONS, PROPOSALS, SOURCES)  # exports of earlier releases have none of them
DECISIONS = (RECALLS, EVENTS)
PAGE = 500  # lines held in memory at once

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FileEntry(_Strict):
    """What a file must hold to be the one that was written."""

    sha256: Sha256
    lines: Annotated[int, Field(ge=0)]


class Model(_Strict):
    """The model of the bank's vectors. Vectors are not exported; an import makes them anew."""

    name: str
    dim: int


class Manifest(_Strict):
    """The description of an export; written last, so that a folder with one is whole."""

    format: Literal[1]
    bank: Annotated[str, Field(min_length=1, max_length=200)]
    title: str | None
    config: BankConfig
    embedder: Model
    analyser: int
    created_at: datetime  # of the export; aware, UTC
    counts: dict[str, int]
    files: dict[str, FileEntry]


class Use(_Strict):
    """What recalls and feedback made of a memory."""

    recalls: int
    uses: int
    last_used_at: datetime | None
    stability_days: float | None


class State(_Strict):
    """What became of a memory after its caller gave it."""

    created_at: datetime
    expired_at: datetime | None
    invalid_at: datetime | None
    superseded_by: ItemId | None
    content_hash: Sha256  # of the item as given; makes a second import a repetition
    use: Use


class EdgeLine(_Strict):
    """An edge that a caller gave, between memories by id."""

    source: ItemId
    target: ItemId
    type: str
    strength: Annotated[float, Field(gt=0, le=1)]
    created_at: datetime


class MatrixLine(_Strict):
    """A published version of the weights; `live` marks the one in force."""

    version: Annotated[int, Field(ge=1)]
    parent: int | None
    rows: dict[str, Any]
    reason: str
    author: str
    evidence: dict[str, Any]
    at: datetime
    live: bool


class DeedLine(_Strict):
    """One deed of the audit: what was replaced by what, or that taken back."""

    number: Annotated[int, Field(ge=1)]
    deed: Literal["superseded", "undone"]
    older: ItemId
    newer: ItemId | None
    along: ItemId | None
    rule: str
    reason: str | None
    author: str
    at: datetime


class ProposalLine(_Strict):
    """A pair put up for judgement, and the judgement."""

    number: Annotated[int, Field(ge=1)]
    older: ItemId
    newer: ItemId
    about: ItemId | None
    rule: str
    evidence: dict[str, Any]
    state: Literal["open", "accepted", "dismissed", "withdrawn"]
    at: datetime
    settled_at: datetime | None
    settled_by: str | None
    reason: str | None
    kept: str | None


class SourceLine(_Strict):
    """Evidence behind an observation."""

    observation: ItemId
    id: ItemId
    text: str
    happened: datetime | None
    proofs: Annotated[int, Field(ge=1)]
    content_hash: Sha256
    at: datetime


def read_manifest(folder: Path) -> Manifest:
    """The folder's manifest. Raises BadInput naming what is missing or wrong in it."""
    path = folder / MANIFEST
    if not path.is_file():
        raise BadInput(MANIFEST, f"is not in {folder}; the export is unfinished or lies elsewhere")
    try:
        manifest = Manifest.model_validate(json.loads(path.read_text("utf-8")))
    except ValidationError as error:
        field, reason = first_problem(error)
        raise BadInput(f"{MANIFEST}: {field}", f"{reason}; export the bank again") from error
    except ValueError as error:
        raise BadInput(MANIFEST, f"is no JSON ({error}); export the bank again") from error
    for name in CONTENT:
        if name not in manifest.files:
            raise BadInput(f"{MANIFEST}: files.{name}", "is missing; export the bank again")
    for name in manifest.files:
        if name not in (*CONTENT, *STRUCTURE, *DECISIONS):
            raise BadInput(f"{MANIFEST}: files.{name}", "is no file of this format; remove it")
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put the manifest into the folder, whole or not at all."""
    partial = folder / f"{MANIFEST}.partial"
    with partial.open("w", encoding="utf-8") as file:
        json.dump(manifest.model_dump(mode="json"), file, ensure_ascii=False, indent=2)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    partial.rename(folder / MANIFEST)
