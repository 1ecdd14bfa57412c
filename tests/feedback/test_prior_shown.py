"""The rows that a bank's evidence moves away from, as people are shown them."""

import numpy as np

from feedback.checking import prior_json
from feedback.fleet import LEAST_BANKS
from feedback.learner import BankLearner
from feedback.posterior import MatrixState
from feedback.showing import rows_json
from tests.feedback.lessons import setup
from tests.feedback.pages import CHANNELS, impression

BANK = 7
SETUP = setup(shares=True)
START = SETUP.settings.start
DEFAULT = rows_json(START.rows, CHANNELS)


def taught(seed: int) -> MatrixState:
    """A bank in which the best keyword hit of every page is clicked."""
    rng, state = np.random.default_rng(seed), MatrixState.empty(CHANNELS)
    keyword = CHANNELS.index("keyword")
    for _ in range(120):
        one = impression(rng)
        ranks = one.ranks[one.page, keyword]
        best = np.argmin(np.where(ranks > 0, ranks, 1_000))
        clicks = (np.arange(len(one.page)) == best).astype(float)
        state.update(impression(rng, ranks=one.ranks, engagement=clicks), START.rows)
    return state


KIN = {bank: taught(bank) for bank in range(1, LEAST_BANKS + 1)}


def test_prior_is_the_default_while_fewer_than_three_other_banks_have_learnt() -> None:
    assert prior_json(BANK, None, SETUP, {}) == DEFAULT
    assert prior_json(1, None, SETUP, KIN) == DEFAULT  # its own evidence is not its prior


def test_prior_is_the_default_as_other_banks_have_moved_it() -> None:
    rows = prior_json(BANK, None, SETUP, KIN)
    before, after = (found["factual"]["weights"] for found in (DEFAULT, rows))
    assert after["keyword"] / after["semantic"] > 1.05 * before["keyword"] / before["semantic"]
    assert max(after.values()) == 1.0


def test_a_bank_that_shares_nothing_has_the_default_for_its_prior() -> None:
    assert prior_json(BANK, None, setup(shares=False), KIN) == DEFAULT


def test_a_bank_whose_own_comparison_speaks_against_the_others_is_back_at_the_default() -> None:
    learner = BankLearner.empty(START)
    learner.losses = 40.0
    assert prior_json(BANK, learner, SETUP, KIN) == DEFAULT
