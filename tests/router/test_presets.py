"""Named rows, and rows read from JSON."""

from typing import Any

import pytest

from channels.errors import BadInput
from router.presets import CHANNELS, PRESETS, default_matrix, parse_rows, preset, single
from router.understand.types import TYPES
from router.weights import as_json


def test_published_row_has_the_published_numbers() -> None:
    for row in preset("published").rows.values():
        assert row.weights == {
            "semantic": 1.0, "keyword": 0.9, "temporal": 0.8, "graph": 0.7, "emotional": 0.6,
        }  # fmt: skip
        assert row.rrf_k == 60.0


@pytest.mark.parametrize("name", ["published", "cascade", "graymatter", "uniform", "default"])
def test_every_preset_has_a_bounded_row_for_every_type(name: str) -> None:
    matrix = preset(name)
    assert set(matrix.rows) == set(TYPES)
    for row in matrix.rows.values():
        assert set(row.weights) == set(CHANNELS)
        assert max(row.weights.values()) == 1.0
        assert min(row.weights.values()) >= 0.05


def test_recency_has_half_a_vote_where_systems_give_it_one() -> None:
    for name in ("cascade", "graymatter"):
        assert PRESETS[name]["temporal"] == 0.5
        assert PRESETS[name]["keyword"] == PRESETS[name]["semantic"] == 1.0


def test_uniform_gives_every_channel_the_same_vote() -> None:
    assert set(PRESETS["uniform"].values()) == {1.0}


def test_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="default, cascade, graymatter, published, uniform"):
        preset("best")


def test_single_channel_leaves_the_others_only_to_break_ties() -> None:
    for row in single("graph").rows.values():
        assert row.weights["graph"] == 1.0
        assert all(weight < 1e-6 for name, weight in row.weights.items() if name != "graph")


def test_rows_survive_being_stored_and_read() -> None:
    matrix = default_matrix()
    assert parse_rows(as_json(matrix)) == matrix.rows


def rows(**changes: Any) -> dict[str, Any]:
    plain = {"weights": dict.fromkeys(CHANNELS, 1.0), "rrf_k": 60}
    return {kind: {**plain, "weights": dict(plain["weights"])} for kind in TYPES} | changes  # type: ignore[call-overload]


def row(rrf_k: object = 60, **weights: object) -> dict[str, Any]:
    return {"weights": {**dict.fromkeys(CHANNELS, 1.0), **weights}, "rrf_k": rrf_k}


def test_row_without_a_constant_has_sixty() -> None:
    given = rows(general={"weights": dict.fromkeys(CHANNELS, 0.5)})
    found = parse_rows(given)["general"]
    assert found.rrf_k == 60.0
    assert set(found.weights.values()) == {1.0}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ([], "rows"),
        (None, "rows"),
        ({}, "rows.temporal"),
        (rows(dreamy=row()), "rows.dreamy"),
        (rows(general=5), "rows.general"),
        (rows(general={}), "rows.general.weights"),
        (rows(general={"weights": [1, 2]}), "rows.general.weights"),
        (rows(general={"weights": {"keyword": 1}}), "rows.general.weights.semantic"),
        (rows(general={**row(), "k": 60}), "rows.general.k"),
        (rows(general=row(smell=1.0)), "rows.general.weights.smell"),
        (rows(general=row(graph="much")), "rows.general.weights.graph"),
        (rows(general=row(graph=None)), "rows.general.weights.graph"),
        (rows(general=row(graph=True)), "rows.general.weights.graph"),
        (rows(general=row(graph=-0.1)), "rows.general.weights.graph"),
        (rows(general=row(graph=float("nan"))), "rows.general.weights.graph"),
        (rows(general=row(**dict.fromkeys(CHANNELS, 0))), "rows.general.weights"),
        (rows(general=row(0)), "rows.general.rrf_k"),
        (rows(general=row(1_001)), "rows.general.rrf_k"),
        (rows(general=row("60")), "rows.general.rrf_k"),
        (rows(general=row(True)), "rows.general.rrf_k"),
        (rows(general=row(float("inf"))), "rows.general.rrf_k"),
    ],
)
def test_bad_rows_are_refused_by_field(given: object, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_rows(given)
    assert refused.value.field == field
