"""Activation that goes on hop by hop, in a web that grows between them."""

import math
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.activation import Activation
from channels.edges import elements
from channels.spread import PER_EDGE, Step
from tests.channels.test_spread import both_ways, mass, web_of, webs

NO_EDGES = web_of([], besides=())
LONG = {(1, 2): 1.0, (2, 3): 0.5, (3, 4): 1.0}


def test_two_hops_are_as_by_hand():
    # Degrees 1, 1.5, 1.5, 1: 1 -> 2: .6 / sqrt(1.5) = .4899; then 2 -> 1: .6 * .4899 / sqrt(1.5)
    # = .24 and 2 -> 3: .6 * .4899 * .5 / 1.5 = .098
    spread = Activation.of(web_of(both_ways(LONG)), {1: 1.0}).hop().hop()
    assert spread.by_key() == pytest.approx({1: 1.24, 2: 0.4899, 3: 0.09798}, abs=1e-4)
    assert list(spread.by_key()) == [1, 2, 3]
    assert spread.came_from(3) == Step(2, "CAUSES")
    assert spread.came_from(2) == Step(1, "CAUSES")


def test_the_way_by_which_a_memory_was_first_reached_stays():
    web = web_of(both_ways({(1, 2): 0.05, (1, 3): 1.0, (2, 3): 1.0}))
    spread = Activation.of(web, {1: 1.0}).hop()
    assert spread.came_from(2) == Step(1, "CAUSES")
    assert spread.hop().came_from(2) == Step(1, "CAUSES")


def test_a_memory_whose_edges_are_unknown_is_wanted_and_passes_on_when_they_come():
    web = web_of([(1, 2, "CAUSES", 1.0), (1, 3, "NEXT", 0.5)], besides=())
    spread = Activation.of(web, {1: 1.0})
    assert spread.wanted(5).tolist() == [2, 3]
    assert spread.wanted(1).tolist() == [2]
    reached = spread.hop()
    assert reached.wanted(5).tolist() == []
    more = web_of([(2, 9, "CAUSES", 0.5), (2, 1, "CAUSES", 1.0)], besides=())
    further = reached.widened(more, {2: (1.5, 0.0)}).hop()
    expected = PER_EDGE * reached.by_key()[2] * 0.5 / math.sqrt(1.5 * 0.5)
    assert further.by_key()[9] == pytest.approx(expected)
    assert further.came_from(9) == Step(2, "CAUSES")
    assert further.came_from(3) == Step(1, "NEXT")


@given(webs, mass)
def test_a_web_that_grows_by_nothing_changes_nothing(pairs, active):
    spread = Activation.of(web_of(both_ways(pairs)), active).hop()
    same = spread.widened(NO_EDGES, {})
    assert same.by_key() == spread.by_key()
    assert same.hop().by_key() == spread.hop().by_key()


@given(webs, webs)
def test_two_webs_joined_hold_the_edges_of_both(one, other):
    first, second = web_of(both_ways(one), ()), web_of(both_ways(other), ())
    whole, moved = first.joined(second)
    assert whole.keys[moved].tolist() == first.keys.tolist()
    ends = list(
        zip(whole.keys[whole.sources].tolist(), whole.keys[whole.targets].tolist(), strict=True)
    )
    assert ends == [edge[:2] for edge in both_ways(one) + both_ways(other)]
    assert whole.weights.tolist() == [edge[3] for edge in both_ways(one) + both_ways(other)]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_an_array_of_integers_is_read_as_postgres_sends_it(numbers):
    sent = struct.pack(">iiiii", 1, 0, 20, len(numbers), 1)
    sent += b"".join(struct.pack(">iq", 8, number) for number in numbers)
    assert elements(sent, np.int64).tolist() == numbers


def test_a_null_array_is_read_as_empty():
    assert elements(None, np.float64).tolist() == []
