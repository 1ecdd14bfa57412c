"""The studies of the bed on made-up questions: each shows what it is there to show."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from router.presets import CHANNELS
from router.simulate import collusion as attacks
from router.simulate import fleets as newcomers
from router.simulate import judging, scenarios, switch
from router.simulate.gathering import Pool
from router.simulate.scoring import Half, halves_of
from router.simulate.simulate import ours
from router.simulate.stream import Traffic
from router.simulate.verdict import attack, estimates
from router.simulate.verdict import newcomers as fleet_bars
from tests.router.simulate.test_stream import DEFAULT, KEYWORD, cases


def pool() -> Pool:
    return Pool(cases(), DEFAULT)


@cache
def halves() -> Sequence[Half]:
    return halves_of(pool())


def nothing(stage: str, count: int) -> None:
    """Nobody watches."""


def test_each_question_streams_in_one_half_and_is_unseen_in_the_other() -> None:
    one, other = halves()
    streamed = [{case.question for case in half.asked} for half in (one, other)]
    assert not streamed[0] & streamed[1]
    assert streamed[0] == {case.question for case in other.unseen}
    assert len(streamed[0] | streamed[1]) == len(cases())


def test_lane_that_is_pushed_is_one_that_answers_and_knows_least() -> None:
    silent = [replace(case, ranks=case.ranks.copy()) for case in cases()]
    for case in silent:
        case.ranks[:, 0] = 0
    assert scenarios.worst_lane(silent) not in (0, KEYWORD)


def test_colluders_cost_what_the_others_taught_and_the_verdict_reads_the_trusted_tenth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who wins in so small a pool hangs on the seed; on real dialogues see docs/learning.md."""
    monkeypatch.setattr(attacks, "CHECKPOINTS", (600,))
    monkeypatch.setattr(attacks, "TRUSTED", {"none": 0, "10 %": 12})
    curves = attacks.collusion(pool(), halves()[:1], ours, [5], nothing)["collusion"]
    found = {name: its["value"]["600"] for name, its in curves.items()}
    assert found["attack, none trusted"] < found["no attack, none trusted"]
    assert found["attack, 10 % trusted"] < found["no attack, 10 % trusted"]
    assert found["no attack, 10 % trusted"] > 0.2
    for value, is_met in ((-0.09, True), (-0.11, False)):
        told = {"attack, 10 % trusted": {"value": {"600": value}}}
        assert [bar.is_met for bar in attack({"made up": {"collusion": told}})] == [is_met]


def test_default_loses_what_the_keyword_lane_found_and_is_scored_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(switch, "BREAKS_AT", 50)
    monkeypatch.setattr(switch, "AFTER", (0, 50))
    found = switch.switch(pool(), halves(), ours, [5], nothing)
    assert found["default"] < found["healthy_default"]
    assert list(found["value"]) == ["50", "100"]


def test_estimates_from_the_log_order_rows_as_labels_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "SIZES", (300,))
    monkeypatch.setattr(judging, "CANDIDATES", 24)
    found = judging.judged(pool(), halves(), [5], nothing)
    assert found["sizes"]["300"]["robust_spearman"] > 0.5
    sizes = {size: {"robust_spearman": 0.7, "affine_false": 0.0} for size in ("500", "2000")}
    assert [bar.is_met for bar in estimates({"made up": {"sizes": sizes}})] == [
        True, True, False, True,
    ]  # fmt: skip


def test_rank_correlation_by_hand() -> None:
    one, other = np.array([0.1, 0.5, 0.3, 0.9]), np.array([1.0, 2.0, 3.0, 4.0])
    assert judging.spearman(one, other) == pytest.approx(0.8)  # 1 - 6 * 2 / (4 * 15)
    assert judging.spearman(one, -one) == pytest.approx(-1.0)


def test_new_bank_among_its_like_starts_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newcomers, "TAUGHT", 200)
    monkeypatch.setattr(newcomers, "CHECKPOINTS", (1, 50))
    dealt = [replace(case, bank=f"b{at % 4}") for at, case in enumerate(cases(160))]
    pools = {name: Pool(dealt, DEFAULT) for name in newcomers.PROFILES}
    found = newcomers.fleets(pools, [5], Traffic(), nothing)
    same = found["kinds"]["same"]
    assert found["banks"] == 4
    assert same["fleet"]["50"]["mean"] > same["alone"]["50"]["mean"]
    assert same["alone"]["1"]["mean"] == 0.0
    assert {bar.claim.split(" @")[1][:2] for bar in fleet_bars(found)} == {"1:", "50"}


def test_channels_are_those_of_the_product() -> None:
    assert all(case.ranks.shape[1] == len(CHANNELS) for case in cases())
