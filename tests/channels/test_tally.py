"""Adding postings up: scores as by hand, bounds that hold, and lists left early."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.tally import POSTING, Formula, Postings, add_up, shares

FORMULA = Formula(k1=0.9, b=0.3, mean_length=10.0)
KEYS = st.sampled_from([*range(1, 30), 10**9, 10**15])  # some far from the others
POSTED = st.tuples(st.sampled_from([0.2, 0.3, 1.0, 2.0, 5.0]), st.integers(1, 40))
LISTS = st.lists(st.dictionaries(KEYS, POSTED, min_size=1, max_size=20), min_size=1, max_size=4)


def packed(rows: list[tuple[int, float, float]]) -> bytes:
    return np.array(rows, POSTING).tobytes()


def by_impact(posted: dict[int, tuple[float, int]]) -> list[tuple[int, float, float]]:
    """As the index gives them."""
    rows = [(key, tf, float(length)) for key, (tf, length) in posted.items()]
    impacts = FORMULA.impacts(np.array(rows, POSTING))
    return [rows[place] for place in np.lexsort(([row[0] for row in rows], -impacts))]


def read(lists: list[dict[int, tuple[float, int]]], total: int) -> list[Postings]:
    counts = [len(posted) for posted in lists]
    return [
        Postings(packed(by_impact(posted)[:share]), 1.0 + place, share == len(posted))
        for place, (posted, share) in enumerate(zip(lists, shares(counts, total), strict=True))
    ]


def test_two_postings_add_up_as_by_hand():
    # tf 1 in the mean length: 1.9 / 1.9 = 1; tf 2 in twice the mean: 3.8 / (2 + .9 * 1.3) = 1.1987
    lists = [Postings(packed([(7, 1, 10)]), 2.0, True), Postings(packed([(7, 2, 20)]), 3.0, True)]
    found = add_up(lists, FORMULA)
    assert found.keys.tolist() == [7]
    assert found.scores == pytest.approx([2 * 1 + 3 * 3.8 / 3.17])
    assert found.bounds == pytest.approx(found.scores)


def test_no_postings_add_up_to_nothing():
    found = add_up([Postings(b"", 1.0, True)], FORMULA)
    assert not len(found.keys)
    assert not len(found.best(5)[0])
    assert not len(found.hopeful(5, 5))


@given(LISTS, st.integers(1, 40))
def test_a_score_lies_between_what_was_gathered_and_the_bound(lists, total):
    whole = add_up(read(lists, 10**6), FORMULA)
    true = dict(zip(whole.keys.tolist(), whole.scores.tolist(), strict=True))
    assert set(true) == {key for posted in lists for key in posted}
    left = add_up(read(lists, total), FORMULA)
    gathered = zip(left.keys.tolist(), left.scores, left.bounds, strict=True)
    for key, score, bound in gathered:
        assert score - 1e-9 <= true[key] <= bound + 1e-9


@given(LISTS, st.integers(1, 40), st.integers(1, 10))
def test_bounds_that_few_reach_leave_no_better_memory_out(lists, total, n):
    whole = add_up(read(lists, 10**6), FORMULA)
    left = add_up(read(lists, total), FORMULA)
    hopeful = set(left.hopeful(n, 100).tolist())
    bar = np.sort(left.scores)[-n:][0] if len(left.scores) >= n else 0.0
    true = zip(whole.keys.tolist(), whole.scores, strict=True)
    missed = [score for key, score in true if key in set(left.keys.tolist()) - hopeful]
    assert all(score < bar for score in missed)


@given(LISTS, st.integers(1, 12))
def test_the_best_come_highest_first_and_equal_ones_by_key(lists, count):
    found = add_up(read(lists, 10**6), FORMULA)
    keys, scores = found.best(count)
    pairs = sorted(zip(-found.scores, found.keys, strict=True))[:count]
    assert list(zip(-scores, keys, strict=True)) == pairs


@given(st.lists(st.integers(0, 1_000), max_size=8), st.integers(0, 3_000))
def test_shares_fit_the_total_and_no_list_waits_while_a_shorter_one_is_favoured(counts, total):
    read = shares(counts, total)
    assert sum(read) <= total
    assert all(share <= count for share, count in zip(read, counts, strict=True))
    if sum(counts) <= total:
        assert read == counts
    left = [share for share, count in zip(read, counts, strict=True) if share < count]
    assert not left or max(left) - min(left) <= len(counts)
    assert not left or max(read) <= max(left)


def test_short_lists_are_read_whole_and_long_ones_share_the_rest():
    assert shares([9_000, 40, 60_000], 5_040) == [2_500, 40, 2_500]
