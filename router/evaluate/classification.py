"""How well questions are told apart: accuracy and calibration against labelled types. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from channels.errors import BadInput
from router.understand.types import TYPES

BINS: Final = 10  # of equal width over [0, 1]
DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question of a file, with its label where it has one."""

    text: str
    type: str | None
    also: tuple[str, ...] = ()
    source: str = "unknown"
    doubt: str = ""


def labelled(value: object, place: str) -> Labelled:
    """One line of a file. Raises BadInput naming place and field."""
    if not isinstance(value, Mapping):
        raise BadInput(place, "is no JSON object")
    text = value.get("text")
    if not isinstance(text, str) or not text.strip():
        raise BadInput(f"{place}: text", "is missing, blank or no text")
    also = value.get("also") or []
    if not isinstance(also, list):
        raise BadInput(f"{place}: also", "must be a list of types")
    given = value.get("type")
    return Labelled(
        text,
        None if given is None else type_name(given, f"{place}: type"),
        tuple(type_name(one, f"{place}: also") for one in also),
        str(value.get("source") or "unknown"),
        str(value.get("doubt") or ""),
    )


def type_name(given: object, field: str) -> str:
    """The type's own name; `multi-hop` is `multi_hop`. Raises BadInput for any other."""
    name = str(given).replace("-", "_")
    if name not in TYPES:
        raise BadInput(field, f"{given!r} is no type; use one of {', '.join(TYPES)}")
    return name


def summarise(
    rows: Sequence[Labelled], probabilities: Sequence[Mapping[str, float]]
) -> dict[str, Any]:
    """The report of `fivefold classify`; measures are None when no row has a label.

    `n` counts labelled rows. `accuracy_with_also` takes a type in `also` for right too.
    """
    pairs = [pair for pair in zip(rows, probabilities, strict=True) if pair[0].type is not None]
    sure = [pair for pair in pairs if pair[0].doubt != "high"]
    return {
        **_measures(pairs),
        "per_type": _grouped(pairs, lambda row: str(row.type)),
        "per_source": _grouped(pairs, lambda row: row.source),
        "without_high_doubt": {
            **_measures(sure),
            "per_type": _grouped(sure, lambda row: str(row.type)),
            "per_source": _grouped(sure, lambda row: row.source),
        },
        "rows": [
            {"text": row.text, "probabilities": dict(found)}
            for row, found in zip(rows, probabilities, strict=True)
        ],
    }


Pair = tuple[Labelled, Mapping[str, float]]


def top(probabilities: Mapping[str, float]) -> str:
    """The likeliest type; of equals the first in the order of TYPES."""
    return max(TYPES, key=lambda kind: probabilities[kind])


def calibration_error(confidence: Sequence[float], right: Sequence[bool]) -> float:
    """Expected calibration error in [0, 1]: over ten bins of equal width, |accuracy - confidence|.

    Weighted by how many fall into each bin; n >= 1. Naeini, Cooper & Hauskrecht, AAAI 2015.
    """
    sure, hit = np.asarray(confidence, np.float64), np.asarray(right, np.float64)
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, weights=hit - sure, minlength=BINS)
    return float(np.abs(gaps).sum() / len(sure))


def _measures(pairs: Sequence[Pair]) -> dict[str, Any]:
    if not pairs:
        return {"n": 0, "accuracy": None, "accuracy_with_also": None, "ece": None}
    told = [top(found) for _, found in pairs]
    right = [row.type == kind for (row, _), kind in zip(pairs, told, strict=True)]
    near = [kind in (row.type, *row.also) for (row, _), kind in zip(pairs, told, strict=True)]
    confidence = [found[kind] for (_, found), kind in zip(pairs, told, strict=True)]
    return {
        "n": len(pairs),
        "accuracy": round(sum(right) / len(pairs), DIGITS),
        "accuracy_with_also": round(sum(near) / len(pairs), DIGITS),
        "ece": round(calibration_error(confidence, right), DIGITS),
    }


def _grouped(pairs: Sequence[Pair], key: Callable[[Labelled], str]) -> dict[str, Any]:
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        groups.setdefault(key(pair[0]), []).append(pair)
    return {name: _measures(groups[name]) for name in sorted(groups)}
