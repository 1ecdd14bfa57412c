"""Weighted RRF: the formula by hand, and what holds for every input."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Hit, MemoryKey
from router.fuse import Fused, weighted_rrf

NAMES = ("semantic", "temporal", "emotional", "keyword", "graph")


def run(*keys: int) -> list[Hit]:
    return [Hit(MemoryKey(key), 1.0 / place) for place, key in enumerate(keys, 1)]


def order(fused: list[Fused]) -> list[int]:
    return [int(item.key) for item in fused]


RUNS = st.dictionaries(
    st.sampled_from(NAMES), st.lists(st.integers(1, 15), unique=True, max_size=10), min_size=1
)
WEIGHTS = st.fixed_dictionaries({name: st.floats(0.05, 1) for name in NAMES})
CONSTANTS = st.floats(0.5, 200)


def lists(runs: dict[str, list[int]]) -> dict[str, list[Hit]]:
    return {name: run(*keys) for name, keys in runs.items()}


def test_score_by_hand() -> None:
    # Two lists at k = 60: 1/61 + .5/63 for the memory in both, .5/61 and 1/62 for the others.
    runs = {"keyword": run(1, 2), "graph": run(3, 4, 1)}
    fused = weighted_rrf(runs, {"keyword": 1.0, "graph": 0.5})
    assert order(fused) == [1, 2, 3, 4]
    expected = [1 / 61 + 0.5 / 63, 1 / 62, 0.5 / 61, 0.5 / 62]
    assert [item.score for item in fused] == pytest.approx(expected)


@given(RUNS, WEIGHTS, CONSTANTS, st.randoms(use_true_random=False))
def test_order_of_channels_changes_nothing(runs, weights, rrf_k, random) -> None:
    names = list(runs)
    random.shuffle(names)
    shuffled = {name: lists(runs)[name] for name in names}
    one = weighted_rrf(lists(runs), weights, rrf_k=rrf_k)
    other = weighted_rrf(shuffled, weights, rrf_k=rrf_k)
    assert [(item.key, item.score) for item in one] == [(item.key, item.score) for item in other]


@given(RUNS, WEIGHTS, CONSTANTS, st.integers(-20, 20))
def test_scaling_all_weights_by_a_power_of_two_keeps_the_order(runs, weights, rrf_k, power) -> None:
    scaled = {name: weight * 2.0**power for name, weight in weights.items()}
    assert order(weighted_rrf(lists(runs), weights, rrf_k=rrf_k)) == order(
        weighted_rrf(lists(runs), scaled, rrf_k=rrf_k)
    )


@given(RUNS, WEIGHTS, CONSTANTS)
def test_every_memory_comes_once_and_none_is_lost(runs, weights, rrf_k) -> None:
    fused = weighted_rrf(lists(runs), weights, rrf_k=rrf_k)
    assert sorted(order(fused)) == sorted({key for keys in runs.values() for key in keys})


@given(RUNS, WEIGHTS, CONSTANTS)
def test_score_is_the_sum_of_contributions_and_bounded(runs, weights, rrf_k) -> None:
    for item in weighted_rrf(lists(runs), weights, rrf_k=rrf_k):
        parts = [vote.contribution for vote in item.votes.values()]
        assert item.score == math.fsum(parts)
        assert 0 < item.score <= sum(weights.values()) / (rrf_k + 1) * (1 + 1e-12)


@given(RUNS, WEIGHTS, CONSTANTS)
def test_best_comes_first_and_ties_go_by_best_rank_then_key(runs, weights, rrf_k) -> None:
    fused = weighted_rrf(lists(runs), weights, rrf_k=rrf_k)
    places = [
        (-item.score, min(vote.rank for vote in item.votes.values()), item.key) for item in fused
    ]
    assert places == sorted(places)


@given(st.lists(st.integers(1, 8), max_size=20), CONSTANTS)
def test_channel_votes_once_for_each_memory(keys, rrf_k) -> None:
    unique = list(dict.fromkeys(keys))
    fused = weighted_rrf({"graph": run(*keys)}, {"graph": 1.0}, rrf_k=rrf_k)
    assert order(fused) == unique
    assert [item.votes["graph"].rank for item in fused] == list(range(1, len(unique) + 1))


def test_exact_tie_goes_to_the_older_memory() -> None:
    fused = weighted_rrf({"keyword": run(9), "graph": run(4)}, {"keyword": 1.0, "graph": 1.0})
    assert order(fused) == [4, 9]


def test_tie_in_score_goes_to_the_better_single_rank() -> None:
    # 2/(1+3) = 1/(1+1): third with double weight ties with first, and first was nearer the top.
    runs = {"keyword": run(9), "graph": run(1, 2, 3)}
    fused = weighted_rrf(runs, {"keyword": 1.0, "graph": 2.0}, rrf_k=1.0)
    assert order(fused) == [1, 2, 9, 3]


def test_channel_without_weight_is_a_wiring_bug_and_raises() -> None:
    with pytest.raises(KeyError, match="graph"):
        weighted_rrf({"graph": run(1)}, {"keyword": 1.0})


def test_silent_channels_leave_nothing_to_fuse() -> None:
    assert weighted_rrf({"graph": [], "keyword": []}, {"graph": 1.0, "keyword": 1.0}) == []


@given(st.floats(1e-3, 1e6))
def test_third_in_three_lists_beats_first_in_one_for_every_constant(rrf_k) -> None:
    # 3/(k+3) > 1/(k+1) for every k > 0.
    runs = {name: run(10 * place, 10 * place + 1, 1) for place, name in enumerate(NAMES[:3], 1)}
    fused = weighted_rrf({**runs, "graph": run(2)}, dict.fromkeys(NAMES, 1.0), rrf_k=rrf_k)
    assert order(fused).index(1) < order(fused).index(2)


@given(st.floats(1, 1_000))
def test_merely_recent_memory_at_half_weight_loses_to_one_three_channels_agree_on(rrf_k) -> None:
    runs = {"temporal": run(2), "semantic": run(1), "keyword": run(1), "graph": run(1)}
    weights = {"temporal": 0.5, "semantic": 1.0, "keyword": 1.0, "graph": 1.0}
    assert order(weighted_rrf(runs, weights, rrf_k=rrf_k)) == [1, 2]
    late = {**runs, "semantic": run(7, 8, 1), "keyword": run(7, 8, 1), "graph": run(7, 8, 1)}
    assert order(weighted_rrf(late, weights, rrf_k=rrf_k)).index(1) < order(
        weighted_rrf(late, weights, rrf_k=rrf_k)
    ).index(2)


def test_graph_neighbour_is_fused_by_its_rank_never_by_its_cosine() -> None:
    # The trap: a direct hit first in two channels has 2/61 = .0328; a neighbour's cosine of .55
    # would pass it at once if the two kinds of number ever met in one list.
    neighbour = [Hit(MemoryKey(2), 0.55)]
    fused = weighted_rrf(
        {"semantic": run(1), "keyword": run(1), "graph": neighbour},
        {"semantic": 1.0, "keyword": 1.0, "graph": 1.0},
    )
    assert order(fused) == [1, 2]
    assert fused[0].score == pytest.approx(2 / 61)
    assert fused[1].score == pytest.approx(1 / 61)
    assert fused[1].votes["graph"].score == 0.55
