import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from feedback.examination import examination
from feedback.reward import CLIP, EPS_PRIOR, Accidents, RewardModel, corrected, rank_features
from tests.feedback.pages import CHANNELS, impression, random_ranks

SEEDS = st.integers(0, 10_000)


def test_an_irrelevant_memory_is_worth_nothing_on_average_also_where_clipped() -> None:
    rng = np.random.default_rng(3)
    rate, n = 0.08, 40_000
    base = impression(rng)
    seen = examination(base.positions)
    total = np.zeros(len(seen))
    squares = np.zeros(len(seen))
    for _ in range(n):
        clicks = (rng.random(len(seen)) < seen * rate).astype(float)
        one = impression(rng, ranks=base.ranks, engagement=clicks)
        value, _ = corrected(one, seen, rate)
        total += value
        squares += value**2
    error = np.sqrt(squares / n - (total / n) ** 2) / n**0.5
    assert np.all(np.abs(total / n) < 4 * error)


@given(SEEDS, st.floats(0.1, 3.0))
def test_one_engagement_is_never_worth_more_than_the_clip(seed: int, eta: float) -> None:
    rng = np.random.default_rng(seed)
    one = impression(rng, engagement=rng.uniform(-1, 1, 10))
    value, share = corrected(one, examination(one.positions, eta), EPS_PRIOR)
    assert np.abs(value).max() <= CLIP + EPS_PRIOR
    assert share.max() <= 1


@given(SEEDS)
def test_what_was_not_exposed_says_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hidden = rng.random(10) < 0.5
    one = impression(rng, exposed=~hidden)
    value, share = corrected(one, examination(one.positions), EPS_PRIOR)
    assert not value[hidden].any()
    assert not share[hidden].any()


def test_rate_of_accidents_starts_at_the_prior_and_follows_the_lower_positions() -> None:
    rng = np.random.default_rng(1)
    known = Accidents()
    assert known.rate == EPS_PRIOR
    for _ in range(2_000):
        one = impression(rng, engagement=np.array([1.0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
        known.count(one, examination(one.positions), 1.0)
    assert known.rate < EPS_PRIOR / 5


def test_reward_model_learns_which_lane_tells_and_stays_within_its_bounds() -> None:
    rng = np.random.default_rng(2)
    model = RewardModel.empty(len(CHANNELS))
    shares = np.array([0, 1.0, 0, 0, 0])
    for _ in range(400):
        ranks = random_ranks(rng)[:10]
        features = rank_features(ranks, CHANNELS)
        value = (ranks[:, 3] == 1).astype(float)
        model.learn(features, np.ones(len(ranks)), value, shares)
    ranks = random_ranks(rng)
    reward = model.predict(rank_features(ranks, CHANNELS), 1, 400.0)
    assert int(np.argmax(reward)) == int(np.flatnonzero(ranks[:, 3] == 1)[0])
    assert reward.min() >= 0
    assert reward.max() <= 0.8
    assert not model.predict(rank_features(ranks, CHANNELS), 1, 0.0).any()
