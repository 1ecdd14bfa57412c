"""An answer as JSON, with every step that led to it when asked."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from channels.base import Hit, MemoryKey, Window
from router.facts import Facts
from router.fuse import Fused, Vote
from router.reach import reach
from router.recall import Answer
from router.search import Outcome
from router.understand.read import window_json

Names = Mapping[MemoryKey, str]
POLICY = "learned"
PROPENSITY = 1.0  # nothing is drawn


def answer_json(answer: Answer, names: Names, *, explain: bool) -> dict[str, Any]:
    """The reply of a recall. `names` gives the ids of memories that only a path runs through."""
    window = window_of(answer)
    page = answer.page
    first = answer.request.offset + 1
    reply: dict[str, Any] = {
        "recall_id": answer.recall_id,
        "query_id": answer.recall_id,
        "types": dict(answer.types),
        "window": _window(answer, window),
        "weights": dict(answer.row.weights),
        "rrf_k": answer.row.rrf_k,
        "matrix_version": answer.matrix_version,
        "policy": POLICY,
        "propensity": PROPENSITY,
        "reranker": None,
        "confidence": None,
        "degraded": list(answer.degraded),
        "results": [
            _result(rank, item, answer.facts[item.key], window)
            for rank, item in enumerate(page, first)
        ],
        "timings_ms": timings(answer.timings_ms),
    }
    if explain:
        known = {key: facts.id for key, facts in answer.facts.items()}
        reply["trace"] = _trace(answer, {**names, **known})
    return reply


def window_of(answer: Answer) -> Window | None:
    """The window in force: the caller's own, else the one read from the question."""
    return answer.request.window or answer.read.window


def path_keys(answer: Answer) -> set[MemoryKey]:
    """Memories that paths run through and that are no candidates themselves."""
    steps = (
        step
        for outcome in answer.found.outcomes.values()
        for hit in outcome.hits
        for step in _steps(hit.detail)
    )
    return {MemoryKey(int(step["from"])) for step in steps} - answer.facts.keys()


def timings(measured: Mapping[str, float]) -> dict[str, float]:
    """Milliseconds of every step that the contract names, and of those beyond it."""
    named = ("understand", "embed", "channels", "fuse", "rerank", "record", "total")
    return {**{name: measured.get(name, 0.0) for name in named}, **measured}


def plain(value: Any) -> Any:
    """The value in types that JSON has; a number that is not finite is null."""
    match value:
        case np.generic():
            return plain(value.item())
        case np.ndarray():
            return plain(value.tolist())
        case float() if not math.isfinite(value):
            return None
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(name): plain(item) for name, item in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(item) for item in value]
        case None | str() | bool() | int() | float():
            return value
        case _:
            return str(value)


def _window(answer: Answer, window: Window | None) -> dict[str, Any] | None:
    shown = window_json(window)
    if shown is None:
        return None
    inside = sum(1 for facts in answer.facts.values() if facts.in_window(window))
    return {**shown, "in_window": inside}


def _result(rank: int, item: Fused, facts: Facts, window: Window | None) -> dict[str, Any]:
    page = facts.page or {}
    return {
        "rank": rank,
        "id": facts.id,
        "text": page.get("text"),
        "score": item.score,
        "kind": facts.kind,
        "occurred_at": facts.happened.isoformat() if facts.happened else None,
        "in_window": facts.in_window(window),
        "state": "superseded" if facts.is_superseded else "current",
        "superseded_by": facts.superseded_by,
        "channels": {channel: _vote(vote) for channel, vote in item.votes.items()},
        "residual": None,
        "rerank": None,
        "tags": page.get("tags", []),
        "topic": page.get("topic"),
        "metadata": page.get("metadata", {}),
    }


def _vote(vote: Vote) -> dict[str, Any]:
    return {"rank": vote.rank, "score": vote.score, "contribution": vote.contribution}


def _trace(answer: Answer, names: Names) -> dict[str, Any]:
    return {
        "question": plain(answer.read.as_json()),
        "types": dict(answer.types),
        "channels": {
            channel: _run(outcome, names) for channel, outcome in answer.found.outcomes.items()
        },
        "fusion": {
            "rrf_k": answer.row.rrf_k,
            "weights": dict(answer.row.weights),
            "candidates": len(answer.fused),
        },
        "reach": reach(answer.row),
        "residual": None,
        "boosts": [],
        "superseded": [],
    }


def _run(outcome: Outcome, names: Names) -> dict[str, Any]:
    if outcome.failure is not None:
        state = f"failed:{outcome.failure}"
    else:
        state = "ok" if outcome.hits else "silent"
    return {
        "outcome": state,
        "ms": round(outcome.ms, 3),
        "hits": [
            _hit(rank, hit, names) for rank, hit in enumerate(outcome.hits, 1) if hit.key in names
        ],
    }


def _hit(rank: int, hit: Hit, names: Names) -> dict[str, Any]:
    detail = plain(hit.detail)
    if "path" in hit.detail:
        detail["path"] = [
            {**plain(step), "from": names.get(MemoryKey(int(step["from"])))}
            for step in _steps(hit.detail)
        ]
    return {"rank": rank, "id": names[hit.key], "score": hit.score, "detail": detail}


def _steps(detail: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    path: Sequence[Mapping[str, Any]] = detail.get("path", ())
    return path
