"""Forgetting curves: what they share, where they part, and how one is turned into another."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from channels.decay import (
    DEFAULT_STABILITY_DAYS,
    FSRS6_DECAY,
    FSRS_DECAY,
    LINEAR_FLOOR,
    STABILITY_DAYS,
    Decay,
    exponential,
    factor,
    fsrs,
    half_life_of,
    linear,
    proximity,
    stability_of,
    stated_half_life,
)

days = st.floats(0, 20_000)
stabilities = st.floats(0.1, 5_000)
KINDS = ("exponential", "fsrs", "fsrs6", "linear", "none")
powers = st.sampled_from((FSRS_DECAY, FSRS6_DECAY))


@given(stabilities, powers)
def test_nine_tenths_are_left_after_one_stability(stability, power):
    assert fsrs(stability, stability, decay=power) == pytest.approx(0.9)


def test_factor_is_nineteen_eighty_firsts_and_in_version_6_almost_one():
    assert factor(FSRS_DECAY) == pytest.approx(19 / 81)
    assert factor(FSRS6_DECAY) == pytest.approx(0.980346, abs=1e-5)


@pytest.mark.parametrize(
    ("age", "left"), [(0, 1), (1, 0.953), (7, 0.767), (30, 0.5), (90, 0.316), (365, 0.163)]
)
def test_fsrs_of_a_month_of_half_life_is_as_by_hand(age, left):
    assert fsrs(age, 2.346) == pytest.approx(left, abs=5e-4)


@pytest.mark.parametrize(
    ("age", "left"), [(0, 1), (1, 0.809), (7, 0.622), (30, 0.5), (90, 0.423), (365, 0.341)]
)
def test_version_6_of_a_month_of_half_life_is_as_by_hand(age, left):
    assert fsrs(age, 0.332, decay=FSRS6_DECAY) == pytest.approx(left, abs=1e-3)


@pytest.mark.parametrize(
    ("age", "left"), [(0, 1), (1, 0.977), (7, 0.851), (30, 0.5), (90, 0.125), (180, 0.016)]
)
def test_exponential_of_a_month_of_half_life_is_as_by_hand(age, left):
    assert exponential(age, 30.0) == pytest.approx(left, abs=5e-4)


def test_linear_falls_to_a_tenth_in_a_year_and_stays_there():
    assert linear(0) == 1
    assert linear(182.5) == pytest.approx(0.55)
    assert linear(365) == pytest.approx(LINEAR_FLOOR)
    assert linear(4_000) == LINEAR_FLOOR


@given(stabilities, powers)
def test_half_life_and_stability_turn_into_each_other_both_ways(value, power):
    assert stability_of(half_life_of(value, decay=power), decay=power) == pytest.approx(value)
    assert half_life_of(stability_of(value, decay=power), decay=power) == pytest.approx(value)


@given(stabilities)
def test_half_is_left_after_the_half_life_of_a_stability(stability):
    assert half_life_of(stability) == pytest.approx(12.789 * stability, rel=1e-4)
    assert fsrs(half_life_of(stability), stability) == pytest.approx(0.5)


@given(st.sampled_from(KINDS), days, days)
def test_no_curve_grows_with_age_or_leaves_the_unit_interval(kind, one, other):
    decay = Decay(kind)
    young, old = (decay.retention(age, "turn", None) for age in sorted((one, other)))
    assert 1 >= young >= old >= 0


@given(st.sampled_from(KINDS), st.floats(-20_000, 0))
def test_the_future_is_now(kind, age):
    assert Decay(kind).retention(age, "turn", None) == 1


@given(st.lists(st.integers(0, 400), min_size=2, max_size=20, unique=True))
def test_exponential_and_fsrs_rank_alike_when_age_alone_decides(ages):
    def ranked(decay):
        return sorted(ages, key=lambda age: -decay.retention(age, "turn", 10.0))

    assert ranked(Decay("exponential", half_life_of(10.0))) == ranked(Decay("fsrs")) == sorted(ages)
    assert ranked(Decay("fsrs6")) == sorted(ages)


def test_exponential_and_fsrs_rank_otherwise_when_content_is_blended_in():
    def preferred(decay):
        scores = {
            "new": 0.5 * 0.3 + 0.5 * decay.retention(30, "turn", stability_of(30.0)),
            "old": 0.5 * 0.55 + 0.5 * decay.retention(90, "turn", stability_of(30.0)),
        }
        return max(scores, key=scores.__getitem__)

    # Both keep half at 30 days; at 90 the power law keeps .316 where the exponential keeps .125.
    assert preferred(Decay("exponential", 30.0)) == "new"  # .40 against .3375
    assert preferred(Decay("fsrs")) == "old"  # .40 against .433


def test_stability_is_the_memorys_own_else_that_of_its_kind():
    decay = Decay("fsrs")
    assert decay.retention(50, "decision", 50.0) == pytest.approx(0.9)
    for kind, stability in STABILITY_DAYS.items():
        assert decay.retention(stability, kind, None) == pytest.approx(0.9)
    assert decay.retention(DEFAULT_STABILITY_DAYS, "unheard_of", None) == pytest.approx(0.9)


def test_half_life_is_that_of_the_kind_else_the_banks():
    decay = Decay("exponential", 30.0, {"decision": 300.0})
    assert decay.retention(300, "decision", None) == pytest.approx(0.5)
    assert decay.retention(30, "turn", None) == pytest.approx(0.5)


def test_a_kinds_half_life_drives_the_power_law_too():
    for kind in ("fsrs", "fsrs6"):
        decay = Decay(kind, None, {"decision": 300.0})
        assert decay.retention(300, "decision", None) == pytest.approx(0.5)
        assert decay.retention(20, "decision", 20.0) == pytest.approx(0.9)  # its own comes first
        assert decay.retention(7, "turn", None) == pytest.approx(0.9)


def test_nearness_fades_over_a_month_after_a_window_and_over_a_week_before_it():
    assert proximity(0) == 1
    assert proximity(30) == pytest.approx(0.367879, abs=1e-6)
    assert proximity(-7) == pytest.approx(0.367879, abs=1e-6)


@given(st.floats(-5_000, 5_000), st.floats(-5_000, 5_000))
def test_nearness_never_grows_with_distance_on_either_side(one, other):
    assume(one * other >= 0)
    near, far = sorted((one, other), key=abs)
    assert 1 >= proximity(near) >= proximity(far) >= 0


@given(st.sampled_from(("exponential", "fsrs", "fsrs6", "linear")), st.floats(0.5, 20_000))
def test_half_is_left_after_the_half_life_whatever_the_curve(kind, half_life):
    decay = Decay(kind, half_life, {"decision": 2 * half_life})
    assert decay.retention(half_life, "turn", None) == pytest.approx(0.5)
    assert decay.retention(2 * half_life, "decision", None) == pytest.approx(0.5)


def test_a_stability_of_its_own_comes_before_the_banks_half_life():
    assert Decay("fsrs", 1.0).retention(20, "turn", 20.0) == pytest.approx(0.9)


def test_a_line_with_a_half_life_reaches_its_floor_after_nine_fifths_of_it():
    decay = Decay("linear", 100.0)
    assert decay.retention(90, "turn", None) == pytest.approx(0.55)
    assert decay.retention(180, "turn", None) == pytest.approx(LINEAR_FLOOR)
    assert decay.retention(1_000, "turn", None) == LINEAR_FLOOR


def test_without_a_half_life_every_curve_is_its_own():
    assert Decay("exponential").retention(30, "turn", None) == pytest.approx(0.5)
    assert Decay("linear").retention(182.5, "turn", None) == pytest.approx(0.55)
    assert Decay("fsrs").retention(7, "turn", None) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("stored", "stated"), [("30.0", 30.0), ("7", 7.0), (30.0, None), (7.0, 7.0), (None, None)]
)
def test_a_default_that_earlier_releases_stored_states_nothing(stored, stated):
    assert stated_half_life(stored) == stated
