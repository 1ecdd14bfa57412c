"""How memories stand, what is in dispute, and the audit, as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from router.api.moments import moment
from router.api.shown import memory_json
from router.structure.consolidate import KIND
from router.structure.evidence import Evidence
from router.structure.standing import Link, Standing

Row = Mapping[str, Any]


def standing_json(standing: Standing, *, history: bool = False) -> dict[str, Any]:
    """What is to be told of a memory beside its state; nothing of one that stands alone."""
    told: dict[str, Any] = {}
    if standing.conflicts_with:
        told["conflicts_with"] = list(standing.conflicts_with)
    if len(standing.heads) > 1:
        told["heads"] = list(standing.heads)
    if standing.copy_head is not None:
        told["duplicate_of"] = standing.copy_of
    if history:
        told["history"] = [_link(link) for link in standing.history]
    return told


def standing_memory(row: Row, standing: Standing, *, history: bool = False) -> dict[str, Any]:
    """A stored memory with its state among the others; `superseded_by` is what is current now."""
    is_superseded = row["expired_at"] is not None
    own = {
        "state": standing.state(is_superseded=is_superseded),
        "superseded_by": standing.head,
    }
    return memory_json(row) | own | standing_json(standing, history=history)


def conflict_json(row: Row) -> dict[str, Any]:
    """One pair that waits, or waited, for somebody's word."""
    settled = None
    if row["settled_at"] is not None:
        settled = {
            "at": moment(row["settled_at"]),
            "by": row["settled_by"],
            "kept": row["kept"],
            "reason": row["reason"],
        }
    return {
        "id": row["number"],
        "rule": row["rule"],
        "state": row["state"],
        "older": _end(row, "older"),
        "newer": _end(row, "newer"),
        "about": row["about"],
        "evidence": row["evidence"],
        "at": moment(row["at"]),
        "settled": settled,
    }


def deed_json(row: Row) -> dict[str, Any]:
    """One line of the audit."""
    return {**row, "at": moment(row["at"])}


def sources_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The evidence behind an observation."""
    return [{**row, "happened": moment(row["happened"]), "at": moment(row["at"])} for row in rows]


def evidence_json(found: Evidence) -> dict[str, Any]:
    """What is no memory of its own any more, and the observation that stands for it."""
    return {
        "id": found.id,
        "text": found.text,
        "kind": KIND,
        "proof_count": found.proofs,
        "happened": moment(found.happened),
        "created_at": moment(found.at),
        "state": "consolidated",
        "consolidated_into": found.into,
    }


def _end(row: Row, end: str) -> dict[str, Any]:
    happened = moment(row[f"{end}_happened"])
    return {"id": row[end], "text": row[f"{end}_text"], "occurred_at": happened}


def _link(link: Link) -> dict[str, Any]:
    times = {name: moment(getattr(link, name)) for name in ("valid_from", "valid_to", "at")}
    return {**asdict(link), **times}
