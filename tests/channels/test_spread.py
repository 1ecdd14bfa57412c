"""Spreading activation, apart from any store: what it may never do, and one web by hand."""

import math
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from channels.spread import (
    EDGE_WEIGHTS,
    LEAST,
    NONE,
    PER_EDGE,
    SAID,
    Step,
    Web,
    degrees,
    flow,
    only,
    strongest,
    unknown,
)

KEYS = range(1, 9)
KINDS = tuple(EDGE_WEIGHTS)
pairs = st.tuples(st.sampled_from(KEYS), st.sampled_from(KEYS)).filter(lambda p: p[0] < p[1])
weights = st.floats(0.05, 1.0)
webs = st.dictionaries(pairs, weights, max_size=20)
kinds_of_pairs = st.tuples(pairs, st.sampled_from(KINDS))
typed_webs = st.dictionaries(kinds_of_pairs, st.sampled_from([0.25, 0.5, 1.0]), max_size=20)
mass = st.dictionaries(st.sampled_from(KEYS), st.floats(0.01, 1.0), min_size=1)


def web_of(edges, besides=KEYS) -> Web:
    """The web of edges (source, target, type, weight)."""
    sources, targets, types, amounts = zip(*edges, strict=True) if edges else ((), (), (), ())
    return Web.of(
        np.array(sources, np.int64),
        np.array(targets, np.int64),
        np.array(amounts, np.float64),
        types,
        np.array(list(besides), np.int64),
    )


def both_ways(pairs) -> list[tuple[int, int, str, float]]:
    """Each pair's edge seen from either side, as the store gives it."""
    return [
        edge
        for (one, other), weight in pairs.items()
        for edge in ((one, other, "CAUSES", weight), (other, one, "CAUSES", weight))
    ]


def spread(web: Web, active, degree=None) -> tuple[dict[int, float], dict[int, Step]]:
    """One hop by key: activation, and the best step to each memory."""
    known = degrees(web) if degree is None else degree
    out, best = flow(web.amounts(active), web, known)
    assert ((best != NONE) == (out > 0)).all()
    return (
        {int(web.keys[place]): float(out[place]) for place in np.flatnonzero(out)},
        {int(web.keys[place]): web.step(best[place]) for place in np.flatnonzero(out)},
    )


def ways_in(edges, active):
    """(target, step, amount) of every edge, as the formula says it: no arrays."""
    degree = {
        key: math.fsum(weight for source, *_, weight in edges if source == key) for key in KEYS
    }
    for source, target, kind, weight in edges:
        scale = math.sqrt(degree[source] * max(degree[target], weight))
        yield target, Step(source, kind), PER_EDGE * active.get(source, 0.0) * weight / scale


def length(active) -> float:
    return math.sqrt(math.fsum(amount**2 for amount in active.values()))


@given(webs, mass)
def test_activation_is_never_negative_and_stays_within_reach(pairs, active):
    edges = both_ways(pairs)
    out, steps = spread(web_of(edges), active)
    assert all(amount > 0 for amount in out.values())
    linked = {(source, target) for source, target, _, _ in edges}
    assert all((steps[key].source, key) in linked for key in out)
    assert all(steps[key].source in active for key in out)


@given(typed_webs, mass, st.randoms())
def test_the_order_of_edges_and_seeds_changes_nothing(typed, active, rng):
    edges = [(one, other, kind, weight) for ((one, other), kind), weight in typed.items()]
    edges += [(other, one, kind, weight) for one, other, kind, weight in edges]

    def shuffled(values):
        values = list(values)
        rng.shuffle(values)
        return values

    mixed = web_of(shuffled(edges), shuffled(KEYS))
    seeds = {key: active[key] for key in shuffled(active)}
    assert spread(mixed, seeds) == spread(web_of(edges), active)
    assert degrees(mixed).tolist() == degrees(web_of(edges)).tolist()


@given(webs, mass)
def test_arrays_give_what_a_walk_edge_by_edge_gives(pairs, active):
    edges = both_ways(pairs)
    amounts = [amount for _, _, amount in ways_in(edges, active)]
    assume(not any(math.isclose(amount, LEAST) for amount in amounts))
    out, steps = spread(web_of(edges), active)
    parts = defaultdict(list)
    for target, step, amount in ways_in(edges, active):
        if amount >= LEAST:
            parts[target].append((amount, step))
    assert out == pytest.approx(
        {key: math.fsum(amount for amount, _ in found) for key, found in parts.items()}, rel=1e-12
    )
    for key, found in parts.items():
        best = max(amount for amount, _ in found)
        assert steps[key] in [step for amount, step in found if math.isclose(amount, best)]


@given(webs, mass)
def test_a_hop_over_whole_edges_shortens_activation_to_six_tenths_at_most(pairs, active):
    # The spectral norm of D^-1/2 W D^-1/2 is at most 1. The sum over memories may grow, and so may
    # the length where a hub's own list is capped but its neighbours' lists still hold the hub.
    out, _ = spread(web_of(both_ways(pairs)), active)
    assert length(out) <= PER_EDGE * length(active) * (1 + 1e-9)


@given(webs, mass, st.integers(0, 5))
def test_flow_is_linear_where_nothing_is_dropped(pairs, active, power):
    web = web_of(both_ways(pairs))
    once, _ = spread(web, active)
    more, _ = spread(web, {key: value * 2.0**power for key, value in active.items()})
    for key, amount in once.items():
        assert more[key] >= amount * 2.0**power * (1 - 1e-12)
        assert more[key] <= amount * 2.0**power + len(KEYS) * 2.0**power * LEAST


def test_one_web_is_as_by_hand():
    # 1 -(1.0)- 2 -(.5)- 3: degrees 1, 1.5, .5. 1 -> 2: .6 * 1 / sqrt(1 * 1.5) = .4899;
    # 2 -> 3: .6 * .4899 * .5 / sqrt(1.5 * .5) = .1697; 2 -> 1: .6 * .4899 / sqrt(1.5) = .24
    web = web_of(both_ways({(1, 2): 1.0, (2, 3): 0.5}))
    assert degrees(web).tolist() == [[1.0, 1.5, 0.5, 0, 0, 0, 0, 0], [0.0] * 8]
    first, _ = spread(web, {1: 1.0})
    assert first == pytest.approx({2: 0.489898}, abs=1e-6)
    second, steps = spread(web, first)
    assert second == pytest.approx({1: 0.24, 3: 0.169706}, abs=1e-6)
    assert steps[3] == Step(2, "CAUSES")


def test_what_is_said_is_not_drowned_by_what_is_seen():
    seen = [(1, other, "SHARES_RARE_TERM", 0.7) for other in range(3, 9)]
    web = web_of([(1, 2, "NAMES", 0.9), (2, 1, "NAMES", 0.9), *seen])
    assert degrees(web)[:, :2].tolist() == [[0.9, 0.9], [pytest.approx(4.2), 0.0]]
    out, steps = spread(web, {1: 1.0})
    assert out[2] == pytest.approx(PER_EDGE)  # as if it had no other edge
    assert out[3] == pytest.approx(PER_EDGE / math.sqrt(6))  # of six alike
    assert steps[2] == Step(1, "NAMES")


def test_every_type_that_is_said_is_a_type_of_edge():
    assert set(SAID) < set(EDGE_WEIGHTS)


def test_a_hub_passes_less_to_each_than_a_memory_with_few_friends():
    hub = web_of(both_ways({(1, other): 1.0 for other in range(2, 9)}))
    pair = web_of(both_ways({(1, 2): 1.0}))
    assert spread(pair, {1: 1.0})[0][2] == pytest.approx(PER_EDGE)
    assert spread(hub, {1: 1.0})[0][2] == pytest.approx(PER_EDGE / math.sqrt(7))


THREE = [
    (1, 3, "PART_OF", 0.5),
    (2, 3, "CAUSES", 0.9),
    (3, 1, "PART_OF", 0.5),
    (3, 2, "CAUSES", 0.9),
]


def test_the_strongest_way_in_is_kept():
    web = web_of(THREE)
    out, steps = spread(web, {1: 0.5, 2: 0.5})
    assert steps[3] == Step(2, "CAUSES")
    alone = sum(spread(web, {key: 0.5})[0][3] for key in (1, 2))
    assert out[3] == pytest.approx(alone)


def test_of_equal_ways_the_older_memory_and_the_more_trusted_type_count():
    edges = [(2, 3, "NEXT", 0.5), (1, 3, "SIMILAR_TO", 0.5), (1, 3, "NEXT", 0.5)]
    web = web_of(edges)
    _, steps = spread(web, {1: 0.5, 2: 0.5}, np.ones((2, len(web.keys))))
    assert steps[3] == Step(1, "NEXT")


def test_a_trickle_is_dropped():
    assert spread(web_of(both_ways({(1, 2): 1.0})), {1: LEAST}) == ({}, {})


def test_a_target_of_unknown_degree_counts_with_the_edge_alone():
    out, _ = spread(web_of([(1, 2, "CAUSES", 0.25)]), {1: 1.0})
    assert out == pytest.approx({2: PER_EDGE})


def test_only_memories_of_unknown_degree_are_asked_for():
    web = web_of([*THREE, (3, 4, "NEXT", 0.5), (1, 5, "NEXT", 0.25), (3, 5, "NEXT", 0.5)])
    wanted = unknown(web.amounts({1: 1.0, 3: 0.5}), web, degrees(web))
    assert wanted.tolist() == [0, 0, 0, 0.25, 0.5, 0, 0, 0]


@given(mass, st.integers(1, 8))
def test_the_strongest_pass_on_ties_by_key(active, limit):
    web = web_of([])
    amounts = web.amounts(active)
    chosen = strongest(amounts, limit)
    expected = sorted(active, key=lambda key: (-active[key], key))[:limit]
    assert web.keys[chosen].tolist() == expected
    kept = only(amounts, chosen)
    assert kept.tolist() == [active[key] if key in expected else 0.0 for key in KEYS]


def test_an_unknown_type_of_edge_is_refused():
    with pytest.raises(KeyError):
        web_of([(1, 2, "ELSEWHERE", 0.5)])


def test_every_type_of_edge_is_trusted_between_nothing_and_wholly():
    assert all(0 < weight <= 1 for weight in EDGE_WEIGHTS.values())
