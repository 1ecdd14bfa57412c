import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.evaluate.metrics import METRICS, measure

IDS = st.lists(st.integers(0, 99).map(str), unique=True, max_size=60)


def test_a_list_checked_with_a_pencil():
    # One of two relevant memories, at rank 2. DCG 1/log2(3); ideal 1/log2(2) + 1/log2(3).
    found = measure([["a", "b", "c"]], [{"b", "d"}])
    gain = 1 / math.log2(3)
    expected = {"ndcg@10": gain / (1 + gain), "recall@10": 0.5, "mrr@10": 0.5, "p@10": 0.1}
    assert {name: found[name][0] for name in expected} == pytest.approx(expected)


def test_a_hit_at_rank_eleven_counts_for_recall_at_fifty_alone():
    found = measure([[*map(str, range(10)), "hit"]], [{"hit"}])
    values = {name: found[name][0] for name in METRICS}
    assert values == dict.fromkeys(METRICS, 0.0) | {"recall@50": 1.0}


def test_a_hit_at_rank_fifty_one_counts_for_nothing():
    found = measure([[*map(str, range(50)), "hit"]], [{"hit"}])
    assert all(found[name][0] == 0 for name in METRICS)


def test_a_query_without_results_scores_zero_and_keeps_its_place():
    found = measure([["a"], [], ["b"]], [{"a"}, {"a"}, {"b"}])
    assert found["ndcg@10"].tolist() == [1, 0, 1]


def test_no_query_has_a_result():
    assert measure([[], []], [{"a"}, {"b"}])["recall@50"].tolist() == [0, 0]


def test_a_query_without_a_relevant_memory_is_refused():
    with pytest.raises(ValueError, match="no relevant memory"):
        measure([["a"]], [set()])


@given(IDS, st.sets(st.integers(0, 99).map(str), min_size=1))
def test_every_value_lies_between_zero_and_one(ranked, relevant):
    for values in measure([ranked], [relevant]).values():
        assert 0 <= values[0] <= 1


@given(IDS, st.sets(st.integers(0, 99).map(str), min_size=1))
def test_names_of_memories_change_nothing(ranked, relevant):
    # The evaluator breaks ties by id; places must decide, whatever memories are called.
    def renamed(name):
        return f"{999 - int(name)}"

    plain = measure([ranked], [relevant])
    other = measure([[renamed(one) for one in ranked]], [{renamed(one) for one in relevant}])
    assert all(np.array_equal(plain[name], other[name]) for name in METRICS)


@given(st.sets(st.integers(0, 99).map(str), min_size=1, max_size=10))
def test_all_relevant_first_is_perfect(relevant):
    found = measure([[*relevant, "x", "y"]], [relevant])
    assert found["ndcg@10"][0] == pytest.approx(1)
    assert found["mrr@10"][0] == found["recall@10"][0] == 1
