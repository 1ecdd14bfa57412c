"""Stored things as JSON: banks, memories, decisions, matrices."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from feedback.checking import Known
from router.api.moments import moment
from router.api.shown_learner import learner_json
from router.features import FEATURE_VERSION, feature_names
from router.reach import reach
from router.store.banks import Bank
from router.store.matrices import Published, Rows
from router.weights import Matrix, as_json

GIVEN = (  # what callers say about a memory, in the contract's order
    "id", "text", "context", "title", "description", "kind", "speaker", "episode", "position",
    "occurred_at", "occurred_start", "occurred_end", "mentioned_at", "granularity", "tags", "topic",
    "entities", "affect", "behaviour", "proof_count", "supersedes", "edges", "metadata",
)  # fmt: skip


def bank_json(bank: Bank) -> dict[str, Any]:
    """A bank as listed."""
    return {
        "bank": bank.name,
        "name": bank.title,
        "memories": bank.live_rows,
        "embedder": {"name": bank.embedder_name, "dim": bank.dim},
        "analyser": bank.analyser,
        "indexed": bank.indexed,
        "created_at": moment(bank.created_at),
        "config": bank.config.model_dump(mode="json"),
    }


def neighbour_json(edge: Mapping[str, Any]) -> dict[str, Any]:
    """An edge seen from one of its ends; its times as ISO 8601."""
    times = ("created_at", "valid_from", "valid_to")
    shown = {**edge, **{name: moment(edge[name]) for name in times}}
    del shown["via"]  # only orders edges that are alike in all else
    return shown


def item_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """A memory as its caller gave it: what a retain request would hold."""
    return {name: _plain(row[name]) for name in GIVEN if name in row}


def memory_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """A memory and what became of it."""
    return item_json(row) | {
        "state": "current" if row["expired_at"] is None else "superseded",
        "superseded_by": row["superseded_by"],
        "happened": moment(row["happened"]),
        "valid_at": moment(row["valid_at"]),
        "invalid_at": moment(row["invalid_at"]),
        "created_at": moment(row["created_at"]),
        "expired_at": moment(row["expired_at"]),
    }


def decision_line(row: Mapping[str, Any]) -> dict[str, Any]:
    """A decision as listed."""
    line = {name: _plain(value) for name, value in row.items()}
    line["recall_id"] = line.pop("id")
    line["shown"] = line.pop("shown_ids")
    line["type"] = row["corrected_type"] or _likeliest(row["types"])
    return line


def decision_json(row: Mapping[str, Any], events: Sequence[Any]) -> dict[str, Any]:
    """A decision in full: what was asked, found, weighed and shown, and what came back."""
    tables = ("ranks", "scores", "fused", "candidate_ids", "features", "feature_version")
    line = decision_line({name: value for name, value in row.items() if name not in tables})
    channels = list(row["channels"])
    line["weights"] = dict(zip(channels, row["weights"], strict=True))
    line["candidates"] = _candidates(row, channels)
    line["features"] = _features(row, channels)
    line["events"] = [_event(event) for event in events]
    return line


def matrix_json(
    matrix: Matrix, head: Published | None, default: Matrix, known: Known
) -> dict[str, Any]:
    """The live matrix with what the bank's learner knows of each row.

    `prior`: the rows that evidence moves away from, the default as other banks have moved it;
    `evidence`: impressions that still count; `gain` and `interval`: of the learned row over the
    default, in DCG at 10; `candidates`: the rows it believes most.
    """
    evidence = known.evidence or {}
    return {
        "version": matrix.version,
        "parent": head.parent if head else None,
        "reason": head.reason if head else "default rows",
        "author": head.author if head else "fivefold",
        "at": moment(head.at) if head else None,
        "rows": {
            kind: {
                "weights": dict(row.weights),
                "rrf_k": row.rrf_k,
                **_evidence(evidence.get(kind)),
                "reach": reach(row),
            }
            for kind, row in matrix.rows.items()
        },
        "default": as_json(default),
        "prior": dict(known.prior),
        "residual": dict(known.residual),
        "position_bias": dict(known.position_bias),
        "learner": learner_json(known),
    }


def _evidence(told: Mapping[str, Any] | None) -> dict[str, Any]:
    told = told or {}
    return {
        "evidence": told.get("n", 0),
        "gain": told.get("gain"),
        "interval": told.get("interval"),
        "candidates": told.get("candidates", []),
    }


def version_json(published: Published) -> dict[str, Any]:
    """A published version as listed."""
    return {
        "version": published.version,
        "parent": published.parent,
        "rows": published.rows,
        "reason": published.reason,
        "author": published.author,
        "evidence": published.evidence,
        "at": moment(published.at),
    }


def diff_json(former: int, rows: Rows, later: int, others: Rows) -> dict[str, Any]:
    """What differs between two versions, by type; what is alike is left out."""
    told = ((kind, _changes(rows.get(kind, {}), others[kind])) for kind in others)
    return {"from": former, "to": later, "changes": {kind: its for kind, its in told if its}}


def _changes(row: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """A row's weights and constant that changed, before and after; null: there was none."""
    before, after = row.get("weights", {}), other.get("weights", {})
    weights = {
        name: {"from": before.get(name), "to": after.get(name)}
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    }
    constants = {"from": row.get("rrf_k"), "to": other.get("rrf_k")}
    found: dict[str, Any] = {"weights": weights} if weights else {}
    return found | ({"rrf_k": constants} if constants["from"] != constants["to"] else {})


def _plain(value: Any) -> Any:
    return moment(value) if isinstance(value, datetime) else value


def _likeliest(types: Mapping[str, float]) -> str:
    return min(types, key=lambda kind: (-types[kind], kind))


def _candidates(row: Mapping[str, Any], channels: Sequence[str]) -> list[dict[str, Any]]:
    width = len(channels)
    shown = {name: rank for rank, name in enumerate(row["shown_ids"], row["shown_from"] + 1)}
    return [
        {
            "id": name,
            "score": row["fused"][place],
            "shown_rank": shown.get(name),
            "channels": {
                channel: {"rank": rank, "score": row["scores"][place * width + column]}
                for column, channel in enumerate(channels)
                if (rank := row["ranks"][place * width + column]) > 0
            },
        }
        for place, name in enumerate(row["candidate_ids"])
    ]


def _features(row: Mapping[str, Any], channels: Sequence[str]) -> dict[str, Any]:
    """Names, and a row of numbers for each memory shown; none when the recall was degraded."""
    shown = len(row["shown_ids"])
    table = np.frombuffer(row["features"], np.float16)
    rows = table.reshape(shown, -1).tolist() if shown and table.size else []
    names = feature_names(channels) if row["feature_version"] == FEATURE_VERSION else None
    return {"version": row["feature_version"], "names": names, "rows": rows}


def _event(event: Any) -> dict[str, Any]:
    return {
        "event_id": event.event_id,
        "action_name": event.action,
        "memory_id": event.memory_id,
        "position": event.position,
        "value": event.value,
        "confidence": event.confidence,
        "annotator": event.annotator,
        "timestamp": moment(event.happened),
        "received": moment(event.received),
        "state": event.state,
        "trusted": event.trusted,
        "applied_version": event.applied_version,
    }
