"""Feeling as seen in behaviour: by hand, monotone, silent on the ordinary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.affect import behaviour_state
from channels.arcs import State, dimension
from channels.errors import BadInput


def value(state: State | None, name: str) -> float:
    assert state is not None
    return float(state[dimension(name)])


@pytest.mark.parametrize(
    ("behaviour", "probability"),
    [
        ({"retries": 1}, 0.15),
        ({"retries": 2, "errors": 1}, 0.31),
        ({"retries": 3, "errors": 2}, 0.45),
        ({"retries": 3, "errors": 2, "success": True}, 0.10),
    ],
)
def test_frustration_by_hand(behaviour: dict[str, object], probability: float) -> None:
    # sigmoid(-2.5 + 1.1 ln(1 + retries) + .7 ln(1 + errors) - 2 success) less that of nothing
    base = 1 / (1 + np.exp(2.5))
    expected = max(0.0, (probability - base) / (1 - base))
    state = behaviour_state(behaviour)
    assert value(state, "frustration_behaviour") == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(
    "behaviour",
    [{}, {"retries": 0, "errors": 0, "abandoned": False}, {"success": True}, {"duration_s": 640.0}],
)
def test_ordinary_behaviour_says_nothing(behaviour: dict[str, object]) -> None:
    assert behaviour_state(behaviour) is None


def test_time_counts_only_against_what_is_usual() -> None:
    slow = behaviour_state({"duration_s": 640.0}, usual_duration=(100.0, 100.0))
    assert value(slow, "frustration_behaviour") > 0.3
    assert behaviour_state({"duration_s": 90.0}, usual_duration=(100.0, 100.0)) is None


@given(st.integers(0, 50), st.integers(0, 50), st.booleans())
def test_frustration_grows_with_retries_and_errors(
    retries: int, errors: int, abandoned: bool
) -> None:
    def frustration(more: int) -> float:
        given = {"retries": retries + more, "errors": errors + more, "abandoned": abandoned}
        state = behaviour_state(given)
        return 0.0 if state is None else value(state, "frustration_behaviour")

    assert 0.0 <= frustration(0) <= frustration(1) <= 1.0


def test_success_after_frustration_is_a_relief() -> None:
    before = behaviour_state({"retries": 6, "errors": 5, "abandoned": True})
    assert value(behaviour_state({"success": True}, previous=before), "relief") > 0.5


@pytest.mark.parametrize(
    ("behaviour", "field"),
    [
        ({"retries": -1}, "behaviour.retries"),
        ({"errors": float("nan")}, "behaviour.errors"),
        ({"retries": "three"}, "behaviour.retries"),
        ({"retries": True}, "behaviour.retries"),
        ({"success": 1}, "behaviour.success"),
        ({"repeat_similarity": 1.5}, "behaviour.repeat_similarity"),
        ({"retires": 3}, "behaviour.retires"),
    ],
)
def test_bad_behaviour_names_its_field(behaviour: dict[str, object], field: str) -> None:
    with pytest.raises(BadInput) as refused:
        behaviour_state(behaviour)
    assert refused.value.field == field
