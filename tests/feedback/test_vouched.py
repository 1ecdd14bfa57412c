"""Trusted keys' deliberate signals: unheard where they agree, the last word where they do not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedback.impression import Impression
from feedback.learner import BankLearner, Gate, judge, shared_out
from feedback.learners import shared, unshared
from feedback.library import TypeRows
from feedback.posterior import FleetPrior, MatrixState, heeded, learned_rows
from feedback.vouched import DOUBT_FROM, DOUBT_TO, Vouched, is_vouched, only_explicit
from tests.feedback.lessons import start
from tests.feedback.pages import CHANNELS, garbage, impression, prior, random_ranks

NONE = FleetPrior.none(len(CHANNELS))
UNIFORM = prior((1, 1, 1, 1, 1))
EMOTIONAL, KEYWORD = CHANNELS.index("emotional"), CHANNELS.index("keyword")


def page_of(rng: np.random.Generator, lane: int, **changes: object) -> Impression:
    """A page on which what the lane has among its first three is clicked."""
    ranks = random_ranks(rng)
    order = np.argsort(-np.where(ranks > 0, 1 / (1 + ranks), 0).sum(axis=1), kind="stable")
    ranks = ranks[order]
    clicked = (ranks[:10, lane] > 0) & (ranks[:10, lane] <= 3)
    return impression(rng, ranks=ranks, engagement=clicked.astype(float), **changes)


def taught(others: int, trusted: int, n: int = 300, seed: int = 6) -> MatrixState:
    """A fifth of the pages are vouched for and follow one lane, the rest the other."""
    rng, state = np.random.default_rng(seed), MatrixState.empty(CHANNELS)
    for number in range(n):
        if number % 5:
            one = page_of(rng, others)
        else:
            one = page_of(rng, trusted, trusted=True, explicit=np.ones(10, bool))
        state.update(one, UNIFORM)
    return state


def row(state: MatrixState) -> np.ndarray:
    found: np.ndarray = learned_rows(state, UNIFORM, NONE).weights[1]
    return found


def test_where_trusted_keys_agree_all_count() -> None:
    state = taught(KEYWORD, KEYWORD)
    assert heeded(state, NONE)[2] == 1.0
    silent = MatrixState.load(state.dump())
    silent.vouched = Vouched.empty(state.gain.shape[1])
    assert row(state).tobytes() == row(silent).tobytes()


def test_where_they_contradict_the_others_theirs_is_the_last_word() -> None:
    state = taught(EMOTIONAL, KEYWORD)
    assert heeded(state, NONE)[2] == 0.0
    assert int(np.argmax(row(state))) == KEYWORD
    state.vouched = Vouched.empty(state.gain.shape[1])
    assert int(np.argmax(row(state))) == EMOTIONAL


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_clicks_and_untrusted_thumbs_never_enter(seed: int) -> None:
    rng, found = np.random.default_rng(seed), Vouched.empty(174)
    for _ in range(5):
        one = garbage(rng)
        if one.trusted and one.explicit.any():
            continue
        found.update(one, prior(), eta=1.0, kept=0.9995)
    assert not found.gain.any()
    assert not found.square.any()


@given(st.floats(-50, 50), st.floats(0, 400))
def test_what_is_heeded_is_a_share_that_falls_with_the_contradiction(
    gain: float, square: float
) -> None:
    belief = np.array([0.0, 1.0])
    found = Vouched.empty(2)
    found.gain[1], found.square[1] = gain, square
    z = gain / (square + 1) ** 0.5
    heed = found.heed(belief)
    assert 0 <= heed <= 1
    assert (heed == 1) == (z >= DOUBT_FROM) or abs(z - DOUBT_FROM) < 1e-9
    assert (heed == 0) == (z <= DOUBT_TO) or abs(z - DOUBT_TO) < 1e-9


def test_word_of_a_trusted_key_counts_on_a_page_of_others() -> None:
    rng = np.random.default_rng(5)
    word = np.zeros(10)
    word[3] = -1.0
    one = impression(rng, trusted=False, explicit=np.ones(10, bool), vouched=word)
    assert is_vouched(one)
    assert only_explicit(one).engagement.tolist() == word.tolist()
    found = Vouched.empty(174)
    found.update(one, prior(), eta=1.0, kept=0.9995)
    assert found.gain.any()
    nobody = impression(rng, trusted=True, explicit=np.ones(10, bool), vouched=np.zeros(10))
    assert not is_vouched(nobody)


def test_bank_shares_no_more_than_it_heeds() -> None:
    state = taught(EMOTIONAL, KEYWORD)
    told = unshared(shared(state), CHANNELS)
    assert np.array_equal(told.gain, np.tile(state.vouched.gain, (5, 1)))


@pytest.mark.parametrize(("trusted", "published"), [(KEYWORD, True), (EMOTIONAL, False)])
def test_clicks_cannot_hold_what_they_won_against_trusted_keys(
    trusted: int, published: bool
) -> None:
    """The live row follows the clicks; the default is proposed again."""
    rng = np.random.default_rng(4)
    learner = BankLearner.empty(start(rows=UNIFORM))
    learner.matrix = taught(EMOTIONAL, trusted)
    weights = np.full(5, 0.05)
    weights[EMOTIONAL] = 1.0
    live = TypeRows(np.tile(weights, (5, 1)), UNIFORM.rrf_k)
    recent = [page_of(rng, EMOTIONAL) for _ in range(200)]
    recent += [page_of(rng, trusted, trusted=True, explicit=np.ones(10, bool)) for _ in range(40)]
    found = judge(learner, UNIFORM, live, recent, Gate())
    assert found.publish is published


def test_gate_hears_no_actor_beyond_its_share_and_trusted_ones_whole() -> None:
    rng = np.random.default_rng(3)
    loud = [impression(rng, actor="loud") for _ in range(40)]
    trusted = [impression(rng, actor="known", trusted=True) for _ in range(30)]
    others = [impression(rng, actor=f"a{number}") for number in range(30)]
    found = shared_out([*loud, *trusted, *others])
    expected = [*loud[-3:], *trusted, *others]
    assert [one.recall_id for one in found] == [one.recall_id for one in expected]
