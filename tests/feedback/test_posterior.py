import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from channels.errors import ConfigError
from feedback.examination import examination
from feedback.gains import MOST_GAIN, Pages, row_gains
from feedback.impression import TYPES
from feedback.library import FLOOR, TypeRows, deltas
from feedback.posterior import FleetPrior, MatrixState, learned_rows
from feedback.reward import EPS_PRIOR, corrected
from tests.feedback.pages import CHANNELS, garbage, impression, prior, random_ranks

NONE = FleetPrior.none(len(CHANNELS))


def learnt(seed: int, n: int, start: TypeRows | None = None) -> MatrixState:
    rng = np.random.default_rng(seed)
    state = MatrixState.empty(CHANNELS)
    for _ in range(n):
        state.update(impression(rng), start or prior())
    return state


def test_without_feedback_the_rows_are_the_default_bit_for_bit() -> None:
    start = prior((1, 0.123456789, 0.2, 0.7, 0.35))
    rows = learned_rows(MatrixState.empty(CHANNELS), start, NONE)
    assert rows.weights.tobytes() == start.weights.tobytes()
    assert rows.rrf_k.tobytes() == start.rrf_k.tobytes()


def test_whatever_comes_in_the_rows_stay_finite_and_within_bounds() -> None:
    rng = np.random.default_rng(5)
    state = MatrixState.empty(CHANNELS)
    for number in range(600):
        state.update(garbage(rng), prior())
        if number % 20 == 0:
            rows = learned_rows(state, prior(), NONE)
            assert np.isfinite(rows.weights).all()
            assert np.isfinite(rows.rrf_k).all()
            assert rows.weights.min() >= FLOOR
            assert rows.weights.max(axis=1).tolist() == [1.0] * len(TYPES)


def test_rows_are_a_function_of_the_state() -> None:
    state = learnt(1, 60)
    one, other = learned_rows(state, prior(), NONE), learned_rows(state, prior(), NONE)
    assert one.weights.tobytes() == other.weights.tobytes()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_one_impression_moves_no_row_by_more_than_its_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = garbage(rng)
    value, share = corrected(one, examination(one.positions), EPS_PRIOR)
    gains = row_gains(one, Pages(one, prior()).of(1), np.zeros(len(one.ranks)), value, share)
    assert np.abs(gains).max() <= MOST_GAIN
    assert gains[0] == 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_doubly_robust_without_a_model_is_affine_inverse_propensity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one = impression(rng)
    value, share = corrected(one, examination(one.positions), EPS_PRIOR)
    nothing = np.zeros(len(one.ranks))
    assert np.array_equal(
        row_gains(one, Pages(one, prior()).of(1), nothing, value, share),
        row_gains(one, Pages(one, prior()).of(1), nothing, value, np.zeros_like(share)),
    )


def test_a_silent_page_moves_rows_by_no_more_than_the_accident_term() -> None:
    rng = np.random.default_rng(4)
    state = MatrixState.empty(CHANNELS)
    one = impression(rng, engagement=np.zeros(10))
    state.update(one, prior())
    discounts = 1 / np.log2(2 + np.arange(10))
    assert np.abs(state.gain).max() <= EPS_PRIOR * 2 * discounts.sum()


def test_the_lane_that_finds_what_is_used_gains_weight() -> None:
    rng = np.random.default_rng(6)
    state = MatrixState.empty(CHANNELS)
    start = prior((1, 1, 1, 1, 1))
    for _ in range(300):
        ranks = random_ranks(rng)
        order = np.argsort(-np.where(ranks > 0, 1 / (1 + ranks), 0).sum(axis=1), kind="stable")
        ranks = ranks[order]
        engagement = (ranks[:10, 3] > 0) & (ranks[:10, 3] <= 3)
        state.update(impression(rng, ranks=ranks, engagement=engagement.astype(float)), start)
    row = learned_rows(state, start, NONE).weights[1]
    assert int(np.argmax(row)) == 3
    assert row[3] > 2 * np.delete(row, 3).max()


def test_other_types_never_outweigh_a_type_without_evidence() -> None:
    state = learnt(2, 0)
    rng = np.random.default_rng(2)
    for _ in range(120):
        state.update(impression(rng, types=np.array([0, 1.0, 0, 0, 0])), prior())
    rows = learned_rows(state, prior(), NONE)
    for kind in (0, 2, 3, 4):
        assert rows.weights[kind].tobytes() == prior().weights[kind].tobytes()
    assert rows.weights[1].tobytes() != prior().weights[1].tobytes()


def test_one_actor_owns_a_hundredth_of_the_evidence_or_three_impressions_for_any_stream() -> None:
    voices, owned = MatrixState.empty(CHANNELS).voices, 0.0
    for number in range(1, 3_001):
        loud = number % 3 > 0
        weight = voices.weight("loud" if loud else f"a{number}", None, trusted=False)
        owned += weight if loud else 0.0
        assert owned <= max(3.0, 0.01 * number) + 1e-9
    assert owned == pytest.approx(30.0, abs=0.05)  # it grows with the others' recalls


def test_state_survives_its_bytes_and_goes_on_alike() -> None:
    state = learnt(3, 40)
    again = MatrixState.load(state.dump())
    assert again.dump() == state.dump()
    rng_a, rng_b = np.random.default_rng(8), np.random.default_rng(8)
    for _ in range(12):
        state.update(impression(rng_a), prior())
        again.update(impression(rng_b), prior())
    assert again.dump() == state.dump()
    assert len(state.dump()) < 48 * 1024


def test_state_over_another_library_is_refused_with_the_way_out() -> None:
    packed = learnt(3, 2).dump().replace(b'"library":"', b'"library":"x', 1)
    with pytest.raises(ConfigError, match="learner replay"):
        MatrixState.load(packed)


def test_sums_of_two_workers_are_the_sums_of_one_where_nothing_runs_on() -> None:
    rng = np.random.default_rng(9)
    pages = [impression(rng) for _ in range(60)]
    value = [corrected(one, examination(one.positions), EPS_PRIOR) for one in pages]
    gains = [
        row_gains(one, Pages(one, prior()).of(1), np.zeros(len(one.ranks)), *found)
        for one, found in zip(pages, value, strict=True)
    ]
    whole = np.sum(gains, axis=0)
    halves = np.sum(gains[::2], axis=0) + np.sum(gains[1::2], axis=0)
    assert np.abs(whole - halves).max() < 1e-12


def test_forgetting_only_shrinks() -> None:
    state = learnt(10, 50)
    before = np.abs(state.gain).copy()
    state.forget(0.05)
    assert np.all(np.abs(state.gain) <= before)


def test_permuting_the_channels_permutes_the_gains_of_the_rows() -> None:
    rng = np.random.default_rng(11)
    one = impression(rng)
    value, share = corrected(one, examination(one.positions), EPS_PRIOR)
    nothing = np.zeros(len(one.ranks))
    known = row_gains(one, Pages(one, prior((1, 1, 1, 1, 1))).of(1), nothing, value, share)
    order = [4, 2, 0, 1, 3]
    moved = impression(rng, ranks=one.ranks[:, order])
    found = row_gains(moved, Pages(moved, prior((1, 1, 1, 1, 1))).of(1), nothing, value, share)
    changes = deltas(5)
    for row in range(1, 31):
        channel = int(np.flatnonzero(changes[row, :-1])[0])
        same = next(
            at for at in range(1, 31) if changes[at, order.index(channel)] == changes[row, channel]
        )
        assert abs(found[same] - known[row]) < 1e-9


def test_an_update_takes_no_more_than_a_few_milliseconds() -> None:
    rng = np.random.default_rng(12)
    pages = [impression(rng, ranks=random_ranks(rng, n=260, depth=60)) for _ in range(20)]
    state = MatrixState.empty(CHANNELS)
    started = time.process_time()
    for one in pages:
        state.update(one, prior())
    assert (time.process_time() - started) / len(pages) < 0.02
