"""The layer over a bank's types and its audit as JSON."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from router.api.moments import moment
from router.store.type_corrections import Deed
from router.understand.layer import CAP, TYPES, Correction, Layer, Shares, worths


def layer_json(layer: Layer, standing: Sequence[Correction]) -> dict[str, Any]:
    """A layer with the bounds it keeps, its voices, and what it does to its own questions."""
    return {
        "active": layer.is_active,
        "number": layer.number,
        "counted": layer.counted,
        "evidence": layer.evidence,
        "room": layer.room,
        "cap": CAP,
        "voices": _voices(standing),
        "effect": _effect(layer, standing),
        "weights": {kind: dict(layer.weights.get(kind, {})) for kind in TYPES},
    }


def deed_json(deed: Deed) -> dict[str, Any]:
    """One entry of the audit."""
    return {**asdict(deed), "at": moment(deed.at)}


def _voices(standing: Sequence[Correction]) -> list[dict[str, Any]]:
    said = Counter(one.author for one in standing)
    worth: dict[str, float] = {}
    for one, counts in zip(standing, worths(standing), strict=True):
        worth[one.author] = worth.get(one.author, 0.0) + counts
    return [
        {"author": author, "corrections": said[author], "worth": worth[author]}
        for author in sorted(worth)
    ]


def _effect(layer: Layer, standing: Sequence[Correction]) -> Mapping[str, Any] | None:
    """Over the corrected questions: how many are told right, and how far shares move on average."""
    if not standing:
        return None
    after = [layer.adjust(one.base, one.inputs) for one in standing]
    moved = (
        math.fsum(abs(told[kind] - one.base[kind]) for kind in TYPES) / 2
        for one, told in zip(standing, after, strict=True)
    )
    return {
        "questions": len(standing),
        "right_before": sum(_likeliest(one.base) == one.type for one in standing),
        "right_after": sum(
            _likeliest(told) == one.type for one, told in zip(standing, after, strict=True)
        ),
        "mean_shift": math.fsum(moved) / len(standing),
    }


def _likeliest(shares: Shares) -> str:
    return max(TYPES, key=lambda kind: shares[kind])
