"""Named rows, and rows read from JSON."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.embedder import PACKAGED
from channels.errors import BadInput
from router.presets import (
    CHANNELS,
    LATE_ROWS,
    PRESETS,
    SINGLE_ROWS,
    default_matrix,
    default_rows,
    parse_rows,
    preset,
    single,
)
from router.understand.types import TYPES
from router.weights import Row, as_json

OTHER = "some/other-model"


def test_published_row_has_the_published_numbers() -> None:
    for row in preset("published", PACKAGED).rows.values():
        assert row.weights == {
            "semantic": 1.0, "keyword": 0.9, "temporal": 0.8, "graph": 0.7, "emotional": 0.6,
        }  # fmt: skip
        assert row.rrf_k == 60.0


@pytest.mark.parametrize("embedder", [PACKAGED, OTHER])
@pytest.mark.parametrize("name", ["published", "cascade", "graymatter", "uniform", "default"])
def test_every_preset_has_a_bounded_row_for_every_type(name: str, embedder: str) -> None:
    matrix = preset(name, embedder)
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
        preset("best", PACKAGED)


def test_default_depends_on_whether_the_model_gives_token_vectors() -> None:
    assert default_matrix(PACKAGED).rows == default_rows(LATE_ROWS)
    assert default_matrix(OTHER).rows == default_rows(SINGLE_ROWS)
    assert preset("default", OTHER) == default_matrix(OTHER)


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "emotional"])
def test_one_vector_is_trusted_less_than_late_interaction(kind: str) -> None:
    # But for feelings, which share no words with the question.
    assert _trust(default_rows(SINGLE_ROWS)[kind]) < _trust(default_rows(LATE_ROWS)[kind])


def _trust(row: Row) -> float:
    return row.weights["semantic"] / row.weights["keyword"]


@pytest.mark.parametrize("name", ["", "none", "/models/all-MiniLM-L6-v2", "some/all-MiniLM-L6-v2"])
def test_name_without_a_fitted_model_has_the_rows_for_one_vector(name: str) -> None:
    assert default_matrix(name).rows == default_rows(SINGLE_ROWS)


@pytest.mark.parametrize("file", [LATE_ROWS, SINGLE_ROWS])
def test_no_default_weight_is_below_a_tenth_of_the_largest(file: str) -> None:
    assert min(min(row.weights.values()) for row in default_rows(file).values()) >= 0.1


@given(st.text(max_size=40).filter(lambda name: not name.startswith(PACKAGED)))
def test_no_other_name_has_the_rows_for_token_vectors(name: str) -> None:
    assert default_matrix(name).rows == default_rows(SINGLE_ROWS)


def test_single_channel_leaves_the_others_only_to_break_ties() -> None:
    for row in single("graph").rows.values():
        assert row.weights["graph"] == 1.0
        assert all(weight < 1e-6 for name, weight in row.weights.items() if name != "graph")


def test_rows_survive_being_stored_and_read() -> None:
    matrix = default_matrix(PACKAGED)
    assert parse_rows(as_json(matrix)) == matrix.rows


def rows(**changes: Any) -> dict[str, Any]:
    plain = {"weights": dict.fromkeys(CHANNELS, 1.0), "rrf_k": 60}
    return {kind: {**plain, "weights": dict(plain["weights"])} for kind in TYPES} | changes  # type: ignore[call-overload]


def row(rrf_k: object = 60, **weights: object) -> dict[str, Any]:
    return {"weights": {**dict.fromkeys(CHANNELS, 1.0), **weights}, "rrf_k": rrf_k}


def test_row_without_a_constant_has_sixty() -> None:
    given_rows = rows(general={"weights": dict.fromkeys(CHANNELS, 0.5)})
    found = parse_rows(given_rows)["general"]
    assert found.rrf_k == 60.0
    assert set(found.weights.values()) == {1.0}


@pytest.mark.parametrize(
    ("bad", "field"),
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
def test_bad_rows_are_refused_by_field(bad: object, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_rows(bad)
    assert refused.value.field == field
