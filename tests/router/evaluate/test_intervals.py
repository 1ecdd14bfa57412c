import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.evaluate.intervals import FLIPS, bootstrap, paired, resampled_unit, sign_flip_p

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=40).map(np.array)
quick = settings(max_examples=25, deadline=None)


@quick
@given(VALUES, st.integers(1, 8))
def test_an_interval_holds_no_value_outside_the_data(values, banks):
    low, high = bootstrap(values, [i % banks for i in range(len(values))])
    assert values.min() - 1e-12 <= low <= high <= values.max() + 1e-12


@quick
@given(VALUES)
def test_the_same_seed_gives_the_same_interval(values):
    assert bootstrap(values, ["a"] * len(values)) == bootstrap(values, ["a"] * len(values))


def test_five_banks_are_drawn_whole_and_four_are_not():
    assert resampled_unit("abcde") == "bank"
    assert resampled_unit("abcdabcd") == "query"


def test_queries_of_one_bank_count_together_where_banks_are_drawn():
    # Within a bank all queries agree: only the 5 banks are independent, not the 500 queries.
    banks = [i % 5 for i in range(500)]
    values = np.array([float(bank % 2) for bank in banks])
    by_bank = bootstrap(values, banks)
    by_query = bootstrap(values, ["one"] * 500)
    assert by_bank[1] - by_bank[0] > 4 * (by_query[1] - by_query[0])


def test_the_interval_is_as_wide_as_the_normal_approximation():
    # 400 fair coins: standard error .025, so 2 x 1.96 x .025 = .098; resampling adds about 3 %.
    coins = np.random.default_rng(7).permutation(np.repeat([0.0, 1.0], 200))
    low, high = bootstrap(coins, ["a"] * 400)
    assert high - low == pytest.approx(0.098, rel=0.1)


def test_a_paired_difference_checked_with_a_pencil():
    # Differences 1, 3, 0 and -1: mean .75, squared deviations .0625 + 5.0625 + .5625 + 3.0625.
    found = paired(np.array([1.0, 3, 0, 0]), np.array([0.0, 0, 0, 1]), list("abcd"))
    assert (found.delta, found.win, found.tie, found.loss) == (0.75, 2, 1, 1)
    assert found.cohens_d == pytest.approx(0.75 / math.sqrt(8.75 / 3))


def test_a_system_against_itself_is_all_ties():
    values = np.array([0.1, 0.5, 0.9])
    found = paired(values, values, list("abc"))
    assert (found.delta, found.tie, found.p, found.cohens_d) == (0, 3, 1, None)


@quick
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=20))
def test_the_other_way_round_only_signs_change(pairs):
    left, right = np.array(pairs).T
    banks = list(range(len(pairs)))
    there, back = paired(left, right, banks), paired(right, left, banks)
    assert there.delta == -back.delta
    assert (there.win, there.tie, there.loss) == (back.loss, back.tie, back.win)
    assert there.p == back.p


def test_three_equal_gains_are_chance_in_one_of_four():
    # Of the 8 ways to flip 3 signs, 2 are as far from 0. Four standard errors: .017.
    tolerance = 4 * math.sqrt(0.25 * 0.75 / FLIPS)
    assert sign_flip_p(np.ones(3)) == pytest.approx(0.25, abs=tolerance)


def test_a_clear_gain_has_the_least_p_there_is():
    assert sign_flip_p(np.ones(60)) == 1 / (FLIPS + 1)


def test_values_without_banks_are_refused():
    with pytest.raises(ValueError, match="give one a query"):
        bootstrap(np.ones(3), ["a"])
