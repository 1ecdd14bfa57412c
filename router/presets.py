"""Named weight rows: the measured default, the published row, and those of systems we can copy."""

import math
from collections.abc import Mapping
from importlib.resources import files
from json import loads
from typing import Any

from channels.errors import BadInput
from router.understand.types import TYPES
from router.weights import MAX_RRF_K, Matrix, Row, row_of

CHANNELS = ("semantic", "temporal", "emotional", "keyword", "graph")

PRESETS: Mapping[str, Mapping[str, float]] = {
    # MetaMemory's configuration page: semantic 1, keyword .9, temporal .8, graph .7, emotional .6.
    "published": {
        "semantic": 1.0,
        "keyword": 0.9,
        "temporal": 0.8,
        "graph": 0.7,
        "emotional": 0.6,
    },
    # Cascade: full text 1, dense 1, recency .5; without graph and emotion: those at the floor.
    "cascade": {
        "semantic": 1.0,
        "keyword": 1.0,
        "temporal": 0.5,
        "graph": 0.05,
        "emotional": 0.05,
    },
    # graymatter: vector, TF-IDF, and recency at half a vote.
    "graymatter": {
        "semantic": 1.0,
        "keyword": 1.0,
        "temporal": 0.5,
        "graph": 0.05,
        "emotional": 0.05,
    },
    "uniform": {
        "semantic": 1.0,
        "keyword": 1.0,
        "temporal": 1.0,
        "graph": 1.0,
        "emotional": 1.0,
    },
}
PRESET_K = 60.0  # all four are published with it


def default_matrix() -> Matrix:
    """The rows in router/default_rows.json, chosen by bench/tune_rows.py on development data."""
    stored = loads(files("router").joinpath("default_rows.json").read_text("utf-8"))
    return Matrix(parse_rows(stored["rows"]), version=0)


def preset(name: str) -> Matrix:
    """A named matrix: the same row for every type. Raises BadInput for an unknown name."""
    if name == "default":
        return default_matrix()
    if name not in PRESETS:
        known = ", ".join(["default", *sorted(PRESETS)])
        raise BadInput("rows", f"no preset named {name!r}; the presets are {known}")
    row = row_of(PRESETS[name], PRESET_K)
    return Matrix(dict.fromkeys(TYPES, row), version=0)


def single(channel: str) -> Matrix:
    """Only one channel is heard; the rest stay at the floor of a tie-break."""
    row = Row({name: 1.0 if name == channel else 1e-9 for name in CHANNELS}, PRESET_K)
    return Matrix(dict.fromkeys(TYPES, row), version=0)


def parse_rows(rows: object) -> dict[str, Row]:
    """Rows from JSON: type -> {"weights": {channel: w}, "rrf_k": k}, every type and channel named.

    Raises BadInput naming the type, channel or number that is missing, unknown or out of bounds.
    """
    given = _named("rows", rows, TYPES)
    return {kind: _row(f"rows.{kind}", given[kind]) for kind in TYPES}


def _row(field: str, row: object) -> Row:
    given = _named(field, row, ("weights",), optional=("rrf_k",))
    weights = _named(f"{field}.weights", given["weights"], CHANNELS)
    rrf_k = given.get("rrf_k", PRESET_K)
    for name in CHANNELS:
        if not _is_number(weights[name]) or weights[name] < 0:
            raise BadInput(f"{field}.weights.{name}", f"{weights[name]!r} is no number from 0 up")
    if not any(weights.values()):
        raise BadInput(f"{field}.weights", "at least one weight must be above 0")
    if not _is_number(rrf_k) or not 0 < rrf_k <= MAX_RRF_K:
        raise BadInput(f"{field}.rrf_k", f"{rrf_k!r} is outside (0, {MAX_RRF_K:g}]")
    return row_of({name: float(weights[name]) for name in CHANNELS}, float(rrf_k))


def _is_number(value: object) -> bool:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return known and math.isfinite(value)  # type: ignore[arg-type] # known to be a number


def _named(
    field: str, given: object, wanted: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    """The object, which has the wanted names and no unknown one. Raises BadInput."""
    if not isinstance(given, Mapping):
        raise BadInput(field, f"{given!r} is no object with {', '.join(wanted)}")
    for name in wanted:
        if name not in given:
            raise BadInput(f"{field}.{name}", "is missing; every one must be given")
    for name in sorted(map(str, given.keys() - {*wanted, *optional})):
        raise BadInput(f"{field}.{name}", f"is unknown; known are {', '.join(wanted + optional)}")
    return given
