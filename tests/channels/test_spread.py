"""Spreading activation, apart from any store: what it may never do, and one web by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import MemoryKey
from channels.spread import EDGE_WEIGHTS, LEAST, PER_EDGE, Edge, Step, degrees, flow, strongest

KEYS = range(1, 9)
pairs = st.tuples(st.sampled_from(KEYS), st.sampled_from(KEYS)).filter(lambda p: p[0] < p[1])
weights = st.floats(0.05, 1.0)
webs = st.dictionaries(pairs, weights, max_size=20)
mass = st.dictionaries(st.sampled_from(KEYS), st.floats(0.01, 1.0), min_size=1)


def both_ways(web) -> dict[MemoryKey, tuple[Edge, ...]]:
    """Each pair's edge seen from either side, as the store gives it."""
    found: dict[MemoryKey, list[Edge]] = {MemoryKey(key): [] for key in KEYS}
    for (one, other), weight in web.items():
        found[one].append(Edge(one, other, "CAUSES", weight))
        found[other].append(Edge(other, one, "CAUSES", weight))
    return {key: tuple(edges) for key, edges in found.items()}


def length(active) -> float:
    return math.sqrt(math.fsum(amount**2 for amount in active.values()))


@given(webs, mass)
def test_activation_is_never_negative_and_stays_within_reach(web, active):
    edges = both_ways(web)
    out, steps = flow(active, edges, degrees(edges))
    assert all(amount > 0 for amount in out.values())
    assert out.keys() == steps.keys()
    assert all(any(edge.target == key for edge in edges[steps[key].source]) for key in out)
    assert all(steps[key].source in active for key in out)


@given(webs, mass, st.randoms())
def test_the_order_of_edges_and_seeds_changes_nothing(web, active, rng):
    edges = both_ways(web)
    expected = flow(active, edges, degrees(edges))

    def shuffled(values):
        values = list(values)
        rng.shuffle(values)
        return values

    mixed = {key: tuple(shuffled(edges[key])) for key in shuffled(edges)}
    seeds = {key: active[key] for key in shuffled(active)}
    assert flow(seeds, mixed, degrees(mixed)) == expected


@given(webs, mass)
def test_a_hop_over_whole_edges_shortens_activation_to_six_tenths_at_most(web, active):
    # The spectral norm of D^-1/2 W D^-1/2 is at most 1. The sum over memories may grow, and so may
    # the length where a hub's own list is capped but its neighbours' lists still hold the hub.
    edges = both_ways(web)
    out, _ = flow(active, edges, degrees(edges))
    assert length(out) <= PER_EDGE * length(active) * (1 + 1e-9)


@given(webs, mass, st.integers(0, 5))
def test_flow_is_linear_where_nothing_is_dropped(web, active, power):
    edges = both_ways(web)
    once, _ = flow(active, edges, degrees(edges))
    more, _ = flow(
        {key: value * 2.0**power for key, value in active.items()}, edges, degrees(edges)
    )
    for key, amount in once.items():
        assert more[key] >= amount * 2.0**power
        assert more[key] <= amount * 2.0**power + len(KEYS) * 2.0**power * LEAST


def test_one_web_is_as_by_hand():
    # 1 -(1.0)- 2 -(.5)- 3: degrees 1, 1.5, .5. 1 -> 2: .6 * 1 / sqrt(1 * 1.5) = .4899;
    # 2 -> 3: .6 * .4899 * .5 / sqrt(1.5 * .5) = .1697; 2 -> 1: .6 * .4899 / sqrt(1.5) = .24
    edges = both_ways({(1, 2): 1.0, (2, 3): 0.5})
    degree = degrees(edges)
    assert degree == pytest.approx({1: 1.0, 2: 1.5, 3: 0.5} | dict.fromkeys(range(4, 9), 0.0))
    first, _ = flow({1: 1.0}, edges, degree)
    assert first == pytest.approx({2: 0.489898}, abs=1e-6)
    second, steps = flow(first, edges, degree)
    assert second == pytest.approx({1: 0.24, 3: 0.169706}, abs=1e-6)
    assert steps[3] == Step(2, "CAUSES")


def test_a_hub_passes_less_to_each_than_a_memory_with_few_friends():
    hub = both_ways({(1, other): 1.0 for other in range(2, 9)})
    pair = both_ways({(1, 2): 1.0})
    through_hub, _ = flow({1: 1.0}, hub, degrees(hub))
    through_pair, _ = flow({1: 1.0}, pair, degrees(pair))
    assert through_pair[2] == pytest.approx(PER_EDGE)
    assert through_hub[2] == pytest.approx(PER_EDGE / math.sqrt(7))


def test_the_strongest_way_in_is_kept():
    edges = {
        1: (Edge(1, 3, "NEXT", 0.5),),
        2: (Edge(2, 3, "CAUSES", 0.9),),
        3: (Edge(3, 1, "NEXT", 0.5), Edge(3, 2, "CAUSES", 0.9)),
    }
    out, steps = flow({1: 0.5, 2: 0.5}, edges, degrees(edges))
    assert steps[3] == Step(2, "CAUSES")
    alone = sum(flow({key: 0.5}, edges, degrees(edges))[0][3] for key in (1, 2))
    assert out[3] == pytest.approx(alone)


def test_a_trickle_is_dropped():
    edges = both_ways({(1, 2): 1.0})
    assert flow({1: LEAST}, edges, degrees(edges)) == ({}, {})


def test_a_target_of_unknown_degree_counts_with_the_edge_alone():
    edges = {1: (Edge(1, 2, "CAUSES", 0.25),)}
    out, _ = flow({1: 1.0}, edges, degrees(edges))
    assert out == pytest.approx({2: PER_EDGE})


@given(mass, st.integers(1, 8))
def test_the_strongest_pass_on_ties_by_key(active, limit):
    chosen = strongest(active, limit)
    assert chosen == sorted(active, key=lambda key: (-active[key], key))[:limit]


def test_every_type_of_edge_is_trusted_between_nothing_and_wholly():
    assert all(0 < weight <= 1 for weight in EDGE_WEIGHTS.values())
