import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Hit, MemoryKey
from feedback.library import FLOOR, deltas, leaders, library_id, normalised, rank_table, rows_of
from router.fuse import weighted_rrf
from tests.feedback.pages import CHANNELS, random_ranks

SEEDS = st.integers(0, 10_000)
ROWS = st.lists(st.floats(0.001, 1_000), min_size=5, max_size=5).map(np.array)


def test_library_begins_with_the_prior_itself_and_has_no_row_twice() -> None:
    found = deltas(5)
    assert not found[0].any()
    assert len({row.tobytes() for row in found}) == len(found) == 174


@pytest.mark.parametrize("channels", [2, 5, 7])
def test_library_is_the_same_wherever_it_is_made(channels: int) -> None:
    known = {2: "5c12", 5: "6039", 7: "0d70"}
    assert library_id(channels)[:4] == known[channels]


@given(ROWS)
def test_rows_are_bounded_and_normalising_again_changes_nothing(weights: np.ndarray) -> None:
    rows, rrf_k = rows_of(normalised(weights), 1.0)
    assert rows.max(axis=1).tolist() == [1.0] * len(rows)
    assert rows.min() >= FLOOR
    assert np.array_equal(normalised(rows), rows)
    assert rrf_k.min() >= 1.0


@given(ROWS, st.sampled_from([2.0**power for power in range(-6, 7)]))
def test_scaling_a_row_changes_nothing(weights: np.ndarray, factor: float) -> None:
    assert np.array_equal(normalised(weights), normalised(factor * weights))


@given(SEEDS, ROWS, st.sampled_from([0.5, 1.0, 15.0, 60.0]))
def test_ranks_are_those_of_the_fusion(seed: int, weights: np.ndarray, rrf_k: float) -> None:
    ranks = random_ranks(np.random.default_rng(seed), n=25, depth=12)
    row = normalised(weights)
    found = rank_table(ranks, row[None, :], np.array([rrf_k]))[:, 0]
    runs = {
        name: [
            Hit(MemoryKey(int(key)), 1.0)
            for key in sorted(np.flatnonzero(ranks[:, column]), key=lambda at: ranks[at, column])
        ]
        for column, name in enumerate(CHANNELS)
    }
    fused = weighted_rrf(runs, dict(zip(CHANNELS, row.tolist(), strict=True)), rrf_k=rrf_k)
    scores = [item.score for item in fused]
    apart = {
        item.key
        for at, item in enumerate(fused)
        if all(abs(item.score - other) > 1e-9 for place, other in enumerate(scores) if place != at)
    }
    for place, item in enumerate(fused, 1):
        if item.key in apart:
            assert found[item.key] == place


@given(SEEDS)
def test_every_row_ranks_every_candidate_once(seed: int) -> None:
    ranks = random_ranks(np.random.default_rng(seed))
    table = rank_table(ranks, *rows_of(np.array([1, 1, 0.2, 0.7, 0.35]), 1.0))
    assert np.array_equal(np.sort(table, axis=0)[:, 0], np.arange(1, len(ranks) + 1))
    assert table.sum(axis=0).tolist() == [len(ranks) * (len(ranks) + 1) // 2] * table.shape[1]


@given(SEEDS, st.permutations(range(5)))
def test_channels_in_another_order_give_the_same_ranks(seed: int, order: list[int]) -> None:
    ranks = random_ranks(np.random.default_rng(seed))
    rows, rrf_k = rows_of(np.array([1, 0.9, 0.2, 0.7, 0.35]), 1.0)
    moved = rank_table(ranks[:, order], rows[:, order], rrf_k)
    assert np.array_equal(moved, rank_table(ranks, rows, rrf_k))


def test_no_candidates_have_no_ranks() -> None:
    assert rank_table(np.zeros((0, 5), np.int16), np.ones((3, 5)), np.ones(3)).shape == (0, 3)


@given(SEEDS, st.integers(1, 12), st.sampled_from([1.0, 60.0]))
def test_leaders_are_the_first_of_the_rank_table_ties_included(
    seed: int, top: int, rrf_k: float
) -> None:
    rng = np.random.default_rng(seed)
    ranks = random_ranks(rng, n=int(rng.integers(8, 30)), depth=8)[: int(rng.integers(1, 30))]
    rows, constants = rows_of(np.array([1, 1, 0.2, 1, 0.2]), rrf_k)
    table = rank_table(ranks, rows, constants)
    found = leaders(ranks, rows, constants, top)
    assert found.shape == (len(rows), min(top, len(ranks)))
    for row, first in enumerate(found):
        assert table[first, row].tolist() == list(range(1, len(first) + 1))
