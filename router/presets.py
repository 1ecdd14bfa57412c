"""Named weight rows: the measured default, the published row, and those of systems we can copy."""

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from json import loads
from types import MappingProxyType
from typing import Any

from channels.errors import BadInput
from channels.tokens import gives_tokens
from router.understand.types import TYPES
from router.weights import MAX_RRF_K, Matrix, Row, row_of, with_priors

CHANNELS = ("semantic", "temporal", "emotional", "keyword", "graph")
NO_PRIORS: Mapping[str, float] = MappingProxyType({})

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
ALWAYS_RECENT = frozenset(("cascade", "graymatter"))  # their recency lane answers every question
LATE_ROWS = "default_rows.json"  # chosen where late interaction orders the semantic lane
SINGLE_ROWS = "default_rows_single.json"  # chosen where one vector a text does


def default_matrix(embedder: str) -> Matrix:
    """The rows for banks of the model of that name, chosen by bench/tune_rows.py.

    A model without token vectors orders the semantic lane worse, so it is trusted less; so is a
    name that stands for no model.
    """
    return Matrix(default_rows(LATE_ROWS if gives_tokens(embedder) else SINGLE_ROWS), 0)


@cache
def default_rows(file: str) -> Mapping[str, Row]:
    """The rows in one of the two files."""
    return parse_rows(loads(files("router").joinpath(file).read_text("utf-8"))["rows"])


def preset(name: str, embedder: str) -> Matrix:
    """A named matrix; `default` is that of the embedder, any other has one row for every type.

    Raises BadInput for an unknown name.
    """
    if name == "default":
        return default_matrix(embedder)
    if name not in PRESETS:
        known = ", ".join(["default", *sorted(PRESETS)])
        raise BadInput("rows", f"no preset named {name!r}; the presets are {known}")
    row = row_of(PRESETS[name], PRESET_K)
    return Matrix(dict.fromkeys(TYPES, row), version=0)


def single(channel: str) -> Matrix:
    """Only one channel is heard; the rest stay at the floor of a tie-break."""
    row = Row({name: 1.0 if name == channel else 1e-9 for name in CHANNELS}, PRESET_K)
    return Matrix(dict.fromkeys(TYPES, row), version=0)


def parse_rows(rows: object, priors: Mapping[str, float] = NO_PRIORS) -> dict[str, Row]:
    """Rows from JSON: type -> {"weights": {channel: w}, "rrf_k": k}, every type and channel named.

    `priors`: channels of plug-ins, which rows may leave out, with the weight they then get. Raises
    BadInput naming the type, channel or number that is missing, unknown or out of bounds.
    """
    given = _named("rows", rows, TYPES)
    parsed = {kind: _row(f"rows.{kind}", given[kind], tuple(priors)) for kind in TYPES}
    return {kind: with_priors(row, priors) for kind, row in parsed.items()}


def stored_rows(rows: Mapping[str, Any], priors: Mapping[str, float] = NO_PRIORS) -> dict[str, Row]:
    """As parse_rows, of rows in the store: channels of plug-ins that are gone are left out."""
    known = {*CHANNELS, *priors}
    kept = {
        kind: {**row, "weights": {c: w for c, w in row["weights"].items() if c in known}}
        for kind, row in rows.items()
    }
    return parse_rows(kept, priors)


def completed(matrix: Matrix, priors: Mapping[str, float]) -> Matrix:
    """The matrix with the channels of plug-ins, where it has no weight for them."""
    rows = {kind: with_priors(row, priors) for kind, row in matrix.rows.items()}
    return Matrix(rows, matrix.version) if priors else matrix


def _row(field: str, row: object, further: tuple[str, ...]) -> Row:
    given = _named(field, row, ("weights",), optional=("rrf_k",))
    weights = _named(f"{field}.weights", given["weights"], CHANNELS, optional=further)
    rrf_k = given.get("rrf_k", PRESET_K)
    for name in weights:
        if not _is_number(weights[name]) or weights[name] < 0:
            raise BadInput(f"{field}.weights.{name}", f"{weights[name]!r} is no number from 0 up")
    if not any(weights.values()):
        raise BadInput(f"{field}.weights", "at least one weight must be above 0")
    if not _is_number(rrf_k) or not 0 < rrf_k <= MAX_RRF_K:
        raise BadInput(f"{field}.rrf_k", f"{rrf_k!r} is outside (0, {MAX_RRF_K:g}]")
    named = [name for name in (*CHANNELS, *further) if name in weights]
    return row_of({name: float(weights[name]) for name in named}, float(rrf_k))


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
