"""Rows of weights: their bounds, their blend, and what a caller may give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.embedder import PACKAGED
from channels.errors import BadInput
from router.presets import CHANNELS, default_matrix
from router.understand.types import TYPES
from router.weights import FLOOR, Matrix, Row, as_json, blend, from_caller, normalised, row_of

RAW = st.fixed_dictionaries({name: st.floats(0, 1e6) for name in CHANNELS}).filter(
    lambda weights: max(weights.values()) > 0
)
ROWS = st.builds(row_of, RAW, st.floats(0.5, 1_000))
MATRICES = st.fixed_dictionaries(dict.fromkeys(TYPES, ROWS)).map(lambda rows: Matrix(rows, 1))


def shares(parts: list[int]) -> dict[str, float]:
    return {kind: part / sum(parts) for kind, part in zip(TYPES, parts, strict=True)}


PROBABILITIES = st.lists(
    st.integers(0, 100), min_size=len(TYPES), max_size=len(TYPES)
).filter(any).map(shares)  # fmt: skip


@given(RAW)
def test_largest_weight_is_one_and_none_is_below_the_floor(weights) -> None:
    found = normalised(weights)
    assert max(found.values()) == 1.0
    assert min(found.values()) >= FLOOR


@given(RAW)
def test_normalising_twice_changes_nothing(weights) -> None:
    assert normalised(normalised(weights)) == normalised(weights)


@given(RAW)
def test_ratios_above_the_floor_stay(weights) -> None:
    largest = max(weights.values())
    for name, weight in normalised(weights).items():
        if weight > FLOOR:
            assert weight == pytest.approx(weights[name] / largest)


@pytest.mark.parametrize("bad", [-0.1, float("nan"), float("inf"), float("-inf")])
def test_weight_that_is_negative_or_not_finite_is_refused_by_name(bad: float) -> None:
    with pytest.raises(BadInput) as refused:
        normalised({"keyword": 1.0, "graph": bad})
    assert refused.value.field == "weights.graph"


@pytest.mark.parametrize("weights", [{}, {"keyword": 0.0, "graph": 0.0}])
def test_weights_that_are_all_zero_are_refused(weights: dict[str, float]) -> None:
    with pytest.raises(BadInput) as refused:
        normalised(weights)
    assert refused.value.field == "weights"


@given(MATRICES, st.sampled_from(TYPES))
def test_blend_of_a_pure_type_is_its_row(matrix, pure) -> None:
    types = {kind: float(kind == pure) for kind in TYPES}
    assert blend(matrix, types) == matrix.rows[pure]


@given(MATRICES, PROBABILITIES)
def test_blend_is_a_bounded_row_between_its_rows(matrix, types) -> None:
    row = blend(matrix, types)
    assert max(row.weights.values()) == 1.0
    assert min(row.weights.values()) >= FLOOR
    constants = [matrix.rows[kind].rrf_k for kind, share in types.items() if share > 0]
    assert min(constants) <= row.rrf_k * (1 + 1e-9)
    assert row.rrf_k <= max(constants) * (1 + 1e-9)


def test_blend_by_hand() -> None:
    # Half (1, .4) and half (.2, 1) is (.6, .7), shown with the largest at 1.
    rows = {"factual": Row({"a": 1.0, "b": 0.4}, 60.0), "general": Row({"a": 0.2, "b": 1.0}, 20.0)}
    row = blend(Matrix(rows, 1), {"factual": 0.5, "general": 0.5})
    assert row.weights == pytest.approx({"a": 6 / 7, "b": 1.0})
    assert row.rrf_k == 40.0


def test_type_without_a_row_raises() -> None:
    with pytest.raises(KeyError, match="dream"):
        blend(default_matrix(PACKAGED), {"dream": 1.0})


BASE = Row({"keyword": 1.0, "graph": 0.5, "semantic": 0.4}, 60.0)


def test_channels_the_caller_does_not_name_keep_their_weight() -> None:
    assert from_caller({"graph": 0.8}, None, BASE).weights == {
        "keyword": 1.0, "graph": 0.8, "semantic": 0.4,
    }  # fmt: skip


def test_weights_of_the_caller_are_bounded_like_all_others() -> None:
    row = from_caller({"graph": 100.0, "semantic": 0.0}, 5.0, BASE)
    assert row.weights == {"keyword": FLOOR, "graph": 1.0, "semantic": FLOOR}
    assert row.rrf_k == 5.0


def test_caller_who_gives_nothing_gets_the_row() -> None:
    assert from_caller({}, None, BASE) == BASE


@pytest.mark.parametrize(
    ("weights", "rrf_k", "field"),
    [
        ({"smell": 1.0}, None, "weights.smell"),
        ({"graph": -1.0}, None, "weights.graph"),
        ({"graph": float("nan")}, None, "weights.graph"),
        ({"keyword": 0.0, "graph": 0.0, "semantic": 0.0}, None, "weights"),
        ({}, 0.0, "rrf_k"),
        ({}, -1.0, "rrf_k"),
        ({}, 1_000.1, "rrf_k"),
        ({}, float("nan"), "rrf_k"),
    ],
)
def test_bad_weights_of_the_caller_are_refused_by_field(weights, rrf_k, field) -> None:
    with pytest.raises(BadInput) as refused:
        from_caller(weights, rrf_k, BASE)
    assert refused.value.field == field


def test_matrix_as_json_names_every_type_and_channel() -> None:
    shown = as_json(default_matrix(PACKAGED))
    assert set(shown) == set(TYPES)
    for row in shown.values():
        assert set(row) == {"weights", "rrf_k"}
        assert set(row["weights"]) == set(CHANNELS)  # type: ignore[call-overload]
