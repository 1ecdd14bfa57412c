"""The click bed in short: on made-up questions anywhere, on recorded ones where there are any."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.dialogues import make, queries
from bench.residual_bed import NAMES, Tenant, gain, label_gain, run, tenants
from bench.residual_clicks import COLLUSION, NOISE, USUAL, Crowd, Scenario, published, scenarios
from bench.residual_data import DISCOUNT, Judged, default_type_rows, mean_ndcg, read
from bench.residual_fit import fit
from bench.residual_naive import Pairs
from feedback.lanes import base_scores, contrast_scores
from feedback.library import blended
from feedback.residual import SCALE, ResidualState, design
from router.features import FEATURE_VERSION, feature_names
from router.presets import CHANNELS

LOGGED = len(feature_names(CHANNELS))
ZERO = np.zeros(len(NAMES))
RUNS = Path(__file__).parents[2] / "bench" / "out" / "runs-features"


def question(rng: np.random.Generator, number: int) -> Judged:
    """Relevant are the two that base and three of the features together speak for most."""
    n = 40
    ranks = np.zeros((n, len(CHANNELS)), np.int16)
    for channel in range(len(CHANNELS)):
        ranks[rng.permutation(n)[:20], channel] = np.arange(1, 21)
    ranks = ranks[ranks.any(axis=1)]
    types = np.full(5, 0.2)
    weights, rrf_k = blended(default_type_rows(), types)
    base = SCALE * base_scores(ranks, weights, rrf_k)
    logged = (0.5 * rng.standard_normal((len(ranks), LOGGED))).astype(np.float16)
    features = logged.astype(np.float32)
    odds = base + features[:, :3] @ np.array([3.0, -2.0, 2.0]) + rng.gumbel(size=len(ranks))
    relevant = odds >= np.sort(odds)[-2]
    order = np.argsort(-base, kind="stable")
    ranks, features, base = ranks[order], features[order], base[order]
    return Judged(
        f"bank{number % 6}:q{number}", f"bank{number % 6}", types, weights, rrf_k, ranks, features,
        relevant[order], float(DISCOUNT[:2].sum()), base,
        design(features, contrast_scores(ranks), base),
    )  # fmt: skip


@pytest.fixture(scope="module")
def made() -> list[Judged]:
    rng = np.random.default_rng(7)
    return [question(rng, number) for number in range(120)]


@pytest.fixture(scope="module")
def tenant(made: list[Judged]) -> Tenant:
    return tenants("made", made, seed=1)[0]


def test_halves_share_no_bank_and_streamed_questions_are_never_scored(made: list[Judged]) -> None:
    for one in tenants("made", made, seed=1):
        own = {question.group for question in (*one.streamed, *one.same)}
        assert not own & {question.group for question in one.other}
        assert not {q.name for q in one.streamed} & {q.name for q in one.same}


def test_labels_gain_on_questions_that_were_not_fitted(tenant: Tenant) -> None:
    assert label_gain(tenant) > 0.05


def test_fit_is_where_the_likelihood_has_no_slope(made: list[Judged]) -> None:
    weights, ridge = fit(made), 0.3
    slope = -ridge * weights
    for one in made:
        score = one.base + one.table @ weights
        odds = np.exp(score - score.max())
        slope = slope + (one.relevant / one.relevant.sum() - odds / odds.sum()) @ one.table
    np.testing.assert_allclose(slope, 0.0, atol=1e-4)


def test_clicks_teach_a_good_part_of_what_labels_would(tenant: Tenant) -> None:
    points = run(tenant, USUAL, ZERO, 3, until=1_000)
    assert [point.impressions for point in points] == [100, 300, 1_000]
    assert points[-1].is_on
    assert points[-1].learnt > 0.3 * label_gain(tenant)
    assert points[-1].live > 0
    assert all(point.served in (0.0, point.learnt) for point in points)


def test_colluders_are_not_served_against_what_trusted_keys_say(tenant: Tenant) -> None:
    alone = run(tenant, COLLUSION, ZERO, 3, until=1_000)[-1]
    known = run(tenant, replace(COLLUSION, trusted=0.1), ZERO, 3, until=1_000)[-1]
    assert alone.served < -0.02  # else there is nothing to guard against
    assert known.served > -0.01


def test_trusted_keys_that_agree_cost_nothing(tenant: Tenant) -> None:
    found = run(tenant, replace(USUAL, trusted=0.1), ZERO, 3, until=1_000)[-1]
    assert found.served == found.learnt > 0.3 * label_gain(tenant)


def test_pure_noise_opens_no_gate(tenant: Tenant) -> None:
    for seed in range(2):
        assert not any(point.is_on for point in run(tenant, NOISE, ZERO, seed, until=1_000))


def test_naive_pairs_ruin_the_order_or_the_bed_has_no_teeth(tenant: Tenant) -> None:
    def pairs(prior: np.ndarray) -> ResidualState:
        return Pairs.empty(NAMES, FEATURE_VERSION, prior)

    usual = run(tenant, USUAL, ZERO, 3, until=1_000)[-1].learnt
    naive = run(tenant, USUAL, ZERO, 3, until=1_000, make=pairs)[-1].learnt
    assert naive < 0.5 * usual


def test_the_same_seed_gives_the_same_run(tenant: Tenant) -> None:
    assert run(tenant, USUAL, ZERO, 5, until=300) == run(tenant, USUAL, ZERO, 5, until=300)


@pytest.mark.parametrize("scenario", [USUAL, *scenarios(None)], ids=lambda one: one.name)
def test_traffic_is_as_described(scenario: Scenario) -> None:
    crowd = Crowd(scenario, np.random.default_rng(1))
    relevant, length = np.arange(10) % 3 == 0, np.arange(10, dtype=np.float32)
    drawn = [crowd.impression(relevant, length) for _ in range(3_000)]
    spam = [look.clicks for look in drawn if look.actor.startswith("spam")]
    honest = [look for look in drawn if look.actor.startswith("user")]
    silent = np.mean([not look.clicks.any() for look in honest])
    assert np.mean([look.trusted for look in honest]) == pytest.approx(scenario.trusted, abs=0.02)
    assert all(look.trusted and look.clicks.any() for look in drawn if look.rated)
    assert len(spam) / len(drawn) == pytest.approx(scenario.spam, abs=0.03)
    assert silent >= scenario.silent - 0.04
    if scenario.spam_kind == "irrelevant":
        assert not np.any(np.array(spam)[:, relevant])
    if scenario.browsing == "cascade":
        assert max(look.clicks.sum() for look in honest) == 1


def test_made_up_dialogues_are_always_the_same_and_every_answer_is_a_memory() -> None:
    first, second = list(make()), list(make())
    assert [bank.memories for bank in first] == [bank.memories for bank in second]
    for bank in first:
        known = {memory["id"] for memory in bank.memories}
        asked = queries(bank)
        assert asked
        assert all(set(query["relevant"]) <= known for query in asked)
        assert not any("{" in memory["text"] for memory in bank.memories)


@pytest.mark.shared
def test_published_click_parameters_make_three_more_kinds_of_traffic(shared_data: Path) -> None:
    known = published(shared_data / "click_models" / "ultra_click_models.json")
    named = {one.name for one in scenarios(known)} - {one.name for one in scenarios(None)}
    assert named == {"published_position", "published_cascade", "published_trust"}


@pytest.mark.shared
def test_recorded_dialogues_are_learnt_from_clicks(shared_data: Path) -> None:
    path = RUNS / "locomo.jsonl"
    if not path.is_file():
        pytest.skip(f"record it: fivefold eval {shared_data}/retrieval/locomo --dump {path}")
    judged = read(path)
    assert mean_ndcg(judged) > 0.6
    one = tenants("locomo", judged, seed=500)[0]
    one = replace(one, same=one.same[:100], other=one.other[:100])
    points = run(one, USUAL, ZERO, 500, until=1_000)
    assert gain(one, fit(one.streamed)) > 0.02
    assert points[-1].learnt > 0.005
    assert min(point.served for point in points) > -0.02
