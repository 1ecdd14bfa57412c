"""Arcs of feeling: what the vector keeps, what it tells apart, what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from channels import arcs
from channels.errors import BadInput

FEAR, RELIEF, VALENCE = (arcs.dimension(name) for name in ("fear", "relief", "valence"))


def one(name: str, value: float = 1.0) -> arcs.State:
    return arcs.state_of([(name, value)])


turns = st.integers(1, 12).flatmap(
    lambda n: arrays(np.float64, (n, 33), elements=st.floats(-1, 1, width=32))
)


def test_layout_is_33_dimensions_of_4_coefficients() -> None:
    assert len(arcs.DIMENSIONS) == len(set(arcs.DIMENSIONS)) == 33
    assert len(arcs.EMOTIONS) == 27
    assert "neutral" not in arcs.DIMENSIONS
    assert arcs.LENGTH == 132
    assert arcs.LAYOUT == "dct-33x4-v1"


def test_one_turn_lives_in_the_mean_alone_and_keeps_its_intensity() -> None:
    vector = arcs.encode(one("fear", 0.8)[None, :])
    assert vector.dtype == np.float32
    assert vector[4 * FEAR] == pytest.approx(0.8)
    assert np.count_nonzero(np.abs(vector) > 1e-7) == 1


def test_two_turns_by_hand() -> None:
    # A straight line from 0 to 1 over 48 points: mean 1/2. Coefficient 1 over sqrt(48) is
    # sqrt(2)/48 * sum_i i/47 cos(pi (i + 1/2) / 48), damped by sqrt(1/2); coefficient 2 is 0.
    vector = arcs.encode(np.stack([one("fear", 0.0), one("fear", 1.0)]))
    steps = np.arange(48)
    first = np.sqrt(2) / 48 * np.sum(steps / 47 * np.cos(np.pi * (steps + 0.5) / 48)) / np.sqrt(2)
    assert vector[4 * FEAR] == pytest.approx(0.5, abs=1e-6)
    assert vector[4 * FEAR + 1] == pytest.approx(first, abs=1e-6)
    assert vector[4 * FEAR + 2] == pytest.approx(0.0, abs=1e-6)


@given(turns)
def test_encoding_is_finite_float32_of_fixed_length(states: NDArray[np.float64]) -> None:
    vector = arcs.encode(states)
    assert vector.shape == (132,)
    assert vector.dtype == np.float32
    assert np.isfinite(vector).all()


@given(turns, st.sampled_from([0.25, 0.5, 2.0]))
def test_encoding_is_linear_in_intensity(states: NDArray[np.float64], factor: float) -> None:
    np.testing.assert_allclose(
        arcs.encode(states * factor), arcs.encode(states) * factor, atol=1e-6
    )


@given(turns)
def test_time_reversal_turns_the_odd_coefficients_around(states: NDArray[np.float64]) -> None:
    forward = arcs.encode(states).reshape(33, 4)
    backward = arcs.encode(states[::-1]).reshape(33, 4)
    np.testing.assert_allclose(backward, forward * [1, -1, 1, -1], atol=1e-6)


@given(turns)
def test_decoding_keeps_the_mean_and_encodes_back_to_the_same_vector(
    states: NDArray[np.float64],
) -> None:
    vector = arcs.encode(states)
    drawn = arcs.decode(vector)
    assert drawn.shape == (48, 33)
    np.testing.assert_allclose(arcs.encode(drawn), vector, atol=1e-5)


def test_a_constant_arc_is_drawn_exactly() -> None:
    state = one("fear", 0.7) + one("valence", -0.4)
    drawn = arcs.decode(arcs.constant(state))
    np.testing.assert_allclose(drawn, np.tile(state, (48, 1)), atol=1e-6)


def test_order_matters_when_the_question_tells_the_shape() -> None:
    asked = arcs.unit(arcs.shape_first(arcs.crossfade(one("fear"), one("relief"))))
    same = arcs.encode(np.stack([one("fear"), one("fear"), one("relief"), one("relief")]))
    reverse = arcs.encode(np.stack([one("relief"), one("relief"), one("fear"), one("fear")]))
    only_fear = arcs.constant(one("fear"))
    assert asked @ same > 2 * (asked @ reverse)
    assert asked @ same > asked @ only_fear > asked @ reverse


@pytest.mark.parametrize(
    ("before", "after"), [("fear", "relief"), ("anger", "joy"), ("sadness", "joy")]
)
def test_opposite_arcs_differ_and_equal_ones_agree(before: str, after: str) -> None:
    def cosine(left: NDArray[np.floating], right: NDArray[np.floating]) -> float:
        return float(arcs.unit(left.astype(np.float32)) @ arcs.unit(right.astype(np.float32)))

    first, last = one(before), one(after)
    turned = arcs.encode(np.stack([first, first, last, last]))
    back = arcs.encode(np.stack([last, last, first, first]))
    for asked in (arcs.crossfade(first, last), turned):
        assert cosine(arcs.shape_first(asked), back) <= 0.2
        assert cosine(arcs.shape_first(asked), turned) >= 0.85
    assert cosine(turned, turned * 0.5) == pytest.approx(1.0, abs=1e-6)


def test_a_feeling_that_came_only_at_the_end_is_found_better_by_templates() -> None:
    late = arcs.encode(np.stack([*[one("joy")] * 6, one("fear")]))
    constant, *others = (arcs.unit(arc) @ late for arc in arcs.templates(one("fear")))
    assert max(others) > constant > 0


def test_the_stronger_feeling_scores_higher() -> None:
    asked = arcs.unit(arcs.constant(one("fear")))
    assert asked @ arcs.constant(one("fear", 0.9)) > asked @ arcs.constant(one("fear", 0.3))


def test_a_zero_arc_stays_zero_at_unit_length() -> None:
    assert not arcs.unit(arcs.constant(np.zeros(33))).any()


@pytest.mark.parametrize(
    "states",
    [np.zeros((0, 33)), np.zeros((2, 32)), np.zeros(33), np.full((1, 33), np.nan)],
)
def test_other_shapes_and_nan_are_refused(states: NDArray[np.float64]) -> None:
    with pytest.raises(BadInput, match="states"):
        arcs.encode(states)


def test_a_vector_of_another_length_cannot_be_drawn() -> None:
    with pytest.raises(BadInput, match=r"132"):
        arcs.decode(np.zeros(131, dtype=np.float32))


def test_an_unknown_dimension_is_named() -> None:
    with pytest.raises(BadInput, match="'hunger'"):
        arcs.dimension("hunger")
