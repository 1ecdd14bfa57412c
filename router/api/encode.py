"""An answer as JSON, with every step that led to it when asked."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from channels.base import Hit, MemoryKey, Window
from router.answer import Answer
from router.api.shown_structure import standing_json
from router.fuse import Fused, Vote
from router.reach import reach
from router.rerank.candidates import candidates
from router.search import Outcome
from router.understand.read import window_json

Names = Mapping[MemoryKey, str]


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
        "policy": answer.draw.policy,
        "propensity": answer.draw.propensity,
        "reranker": None,
        "confidence": None,
        "degraded": list(answer.degraded),
        "results": [
            _result(rank, item, answer, window)
            | standing_json(answer.facts[item.key].standing, history=answer.request.history)
            for rank, item in enumerate(page, first)
        ],
        "timings_ms": timings(answer.timings_ms),
    }
    if answer.read.typed and answer.read.typed.layer.is_active:
        reply["type_layer"] = answer.read.typed.layer_json()
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


def _result(rank: int, item: Fused, answer: Answer, window: Window | None) -> dict[str, Any]:
    facts, corrected = answer.facts[item.key], answer.corrected
    page = facts.page or {}
    return {
        "rank": rank,
        "id": facts.id,
        "text": page.get("text"),
        "score": item.score,
        "kind": facts.kind,
        "occurred_at": facts.happened.isoformat() if facts.happened else None,
        "in_window": facts.in_window(window),
        "state": facts.standing.state(is_superseded=facts.is_superseded),
        "superseded_by": facts.standing.head,
        "channels": {channel: _vote(vote) for channel, vote in item.votes.items()},
        "residual": corrected.sum_of(item.key) if corrected else None,
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
            "weights": dict.fromkeys(answer.found.outcomes, 0.0) | dict(answer.row.weights),
            "candidates": len(answer.fused),
            "adjustments": [one.as_json() for one in answer.adjustments],
        },
        "reach": reach(answer.row),
        "rerank": _candidates(answer),
        "residual": _residual(answer),
        "boosts": [],
        "superseded": _redirects(answer, names),
        "summaries": _summaries(answer, names),
        "second_hop": _second_hop(answer, names),
    }


def _second_hop(answer: Answer, names: Names) -> dict[str, Any] | None:
    """Whether a second hop was made, why not, and what it brought; None when none was asked for."""
    hop = answer.hop
    if hop is None:
        return None
    return {
        "made": hop.why_not is None,
        "why": hop.why_not,
        "share": None if hop.share is None else round(hop.share, 4),
        "hits": [
            _hit(rank, hit, names) for rank, hit in enumerate(hop.hits, 1) if hit.key in names
        ],
    }


def _candidates(answer: Answer) -> dict[str, Any]:
    """Whom a reranker is given, and who is among them only because a channel had it first."""
    chosen = candidates(answer.fused, answer.request.budget)
    return {
        "most": chosen.most,
        "candidates": [answer.facts[key].id for key in chosen.keys],
        "reserved": {name: answer.facts[key].id for name, key in chosen.reserved.items()},
    }


def _residual(answer: Answer) -> list[dict[str, Any]] | None:
    """What the residual ranker did to each memory shown; None while its gate is shut."""
    corrected = answer.corrected
    if corrected is None:
        return None
    return [{"id": answer.facts[item.key].id, **corrected.trace(item.key)} for item in answer.page]


def _redirects(answer: Answer, names: Names) -> list[dict[str, Any]]:
    """Where replaced memories led: those that a current one stands in for, and those shown."""
    led = [
        {"id": hit.detail["redirected_from"], "head": names[hit.key], "rank": rank}
        for outcome in answer.found.outcomes.values()
        for rank, hit in enumerate(outcome.hits, 1)
        if "redirected_from" in hit.detail and hit.key in names
    ]
    shown = (answer.facts[item.key] for item in answer.page)
    return led + [
        {"id": facts.id, "head": facts.standing.head, "rank": None}
        for facts in shown
        if facts.is_superseded or facts.standing.copy_head
    ]


def _summaries(answer: Answer, names: Names) -> dict[str, Any] | None:
    """The summaries that lead because the question asks for an overview; None without any."""
    led = {
        hit.key: hit.detail["summary"]
        for outcome in answer.found.outcomes.values()
        for hit in outcome.hits
        if "summary" in hit.detail
    }
    if not led:
        return None
    return {
        **plain(next(iter(led.values()))),
        "ids": [names[key] for key in led if key in names],
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
