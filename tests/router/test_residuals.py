"""The residual ranker in a recall: only behind an open gate, over the fused list, and traceable."""

from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from channels.base import Hit, MemoryKey
from channels.errors import Unavailable
from feedback import learners
from feedback.learner import BankLearner
from feedback.learners import Status
from feedback.residual import ResidualState
from router.answer import Answer
from router.api.encode import answer_json
from router.features import FEATURE_VERSION, feature_names, model_names
from router.fuse import Fused, weighted_rrf
from router.learning import setup_of
from router.presets import CHANNELS, default_matrix
from router.residual import Corrected, correct, shipped_prior
from tests.router.stories import STANDUP, STANDUP_QUESTION
from tests.router.test_record import decision
from tests.router.world import World, shown

NAMES = model_names(CHANNELS)
ROW = default_matrix("all-MiniLM-L6-v2").rows["factual"]
LOGGED = len(feature_names(CHANNELS))
RUNS = st.fixed_dictionaries(
    {name: st.lists(st.integers(1, 12), unique=True, max_size=8) for name in CHANNELS}
)


def fused_of(runs: dict[str, list[int]]) -> list[Fused]:
    hits = {name: [Hit(MemoryKey(key), 1.0) for key in keys] for name, keys in runs.items()}
    return weighted_rrf(hits, ROW.weights, rrf_k=ROW.rrf_k)


def corrected(fused: list[Fused], weights: Any, seed: int = 1) -> Corrected:
    rng = np.random.default_rng(seed)
    logged = rng.standard_normal((len(fused), LOGGED)).astype(np.float32)
    return correct(fused, CHANNELS, ROW, logged, NAMES, weights)


@given(RUNS)
@example(  # equal scores whose sums differ in the last bit
    {
        "semantic": [2, 3, 4, 5, 10],
        "temporal": [2, 3, 4, 5, 10],
        "emotional": [2, 10, 1],
        "keyword": [1],
        "graph": [],
    }
)
def test_weights_of_zero_leave_the_fused_order(runs: dict[str, list[int]]) -> None:
    fused = fused_of(runs)
    assert list(corrected(fused, np.zeros(len(NAMES))).fused) == fused


@given(RUNS, st.integers(0, 100))
def test_order_is_by_base_plus_sum_and_every_sum_is_that_of_its_parts(
    runs: dict[str, list[int]], seed: int
) -> None:
    weights = np.random.default_rng(seed).standard_normal(len(NAMES))
    fused = fused_of(runs)
    found = corrected(fused, weights, seed)
    told = [found.trace(item.key) for item in found.fused]
    for line, item in zip(told, found.fused, strict=True):
        assert sum(line["features"].values()) == pytest.approx(line["residual"], abs=1e-4)
        assert line["residual"] == pytest.approx(found.sum_of(item.key), abs=1e-6)
    finals = [line["base"] + line["residual"] for line in told]
    assert all(one >= other - 1e-5 for one, other in pairwise(finals))
    assert {item.key for item in found.fused} == {item.key for item in fused}


@given(RUNS)
def test_features_follow_their_memories_into_the_new_order(runs: dict[str, list[int]]) -> None:
    fused = fused_of(runs)
    found = corrected(fused, np.ones(len(NAMES)))
    moved = found.features_of(found.fused)
    for line, item in enumerate(found.fused):
        np.testing.assert_array_equal(moved[line], found.logged[fused.index(item)])


def test_shipped_prior_knows_no_feature_of_a_lane_it_has_not_met() -> None:
    found = shipped_prior(("score_unheard_of", *NAMES))
    assert found[0] == 0.0
    assert np.isfinite(found).all()


def learnt(world: World, bank: str, *, is_on: bool = True, **weights: float) -> None:
    """Give the bank a learner with these weights, as the worker would have saved it."""

    async def work() -> None:
        held = await world.service.banks.get(bank)
        settings = setup_of(held.config, held.embedder_name, fleet=True).settings
        learner = BankLearner.empty(settings.start)
        learner.residual.weights = np.array([weights.get(name, 0.0) for name in NAMES])
        learner.residual.is_on = is_on
        served = learner.residual.to_serve()
        async with world.service.transaction(held.key) as conn:
            await conn.execute(
                "insert into learners (bank_id, batch, state, settings, serving, updated_at)"
                " values (%s, 1, %s, %s, %s, %s)",
                [
                    held.key,
                    learner.dump(),
                    Jsonb(settings.as_json()),
                    served.dump() if served else None,
                    datetime.now(UTC),
                ],
            )
        world.service.recaller.residuals.forget(held.key)

    world.run(work())


@pytest.fixture
def bank(world: World) -> str:
    return world.bank(*STANDUP)


def without_corrected(answer: Answer) -> list[tuple[Any, ...]]:
    return [(item.key, item.score) for item in answer.fused]


def test_bank_that_knows_nothing_is_served_the_fused_list(world: World, bank: str) -> None:
    answer = world.ask(bank, STANDUP_QUESTION)
    assert answer.corrected is None
    assert answer.degraded == ()
    assert answer_json(answer, {}, explain=True)["trace"]["residual"] is None


def test_shut_gate_serves_the_fused_order(world: World, bank: str) -> None:
    before = without_corrected(world.ask(bank, STANDUP_QUESTION, explore=False))
    learnt(world, bank, is_on=False, length=-1e4)
    answer = world.ask(bank, STANDUP_QUESTION, explore=False)
    assert without_corrected(answer) == before
    assert answer.corrected is None


def turned(world: World, bank: str, status: Status | None) -> None:
    """Set the learner's status; None: as rows that a person published hold it."""

    async def work() -> None:
        key = (await world.service.banks.get(bank)).key
        async with world.service.transaction(key) as conn:
            if status is None:
                await learners.hold(conn, key, "by hand", datetime.now(UTC))
            else:
                await learners.set_status(conn, key, status, "by hand", datetime.now(UTC))
        world.service.recaller.residuals.forget(key)

    world.run(work())


@pytest.mark.parametrize("status", ["frozen", "shadow"])
def test_held_learner_leaves_answers_as_they_are(world: World, bank: str, status: Status) -> None:
    learnt(world, bank, length=-1e4)
    before = without_corrected(world.ask(bank, STANDUP_QUESTION, explore=False))
    turned(world, bank, status)
    answer = world.ask(bank, STANDUP_QUESTION, explore=False)
    assert answer.corrected is not None
    assert without_corrected(answer) == before


@pytest.mark.parametrize("status", ["on", "frozen", "shadow"])
def test_rows_that_a_person_published_are_heard_until_the_learner_is_on_again(
    world: World, bank: str, status: Status
) -> None:
    learnt(world, bank, length=-1e4)
    turned(world, bank, status)
    turned(world, bank, None)
    assert world.ask(bank, STANDUP_QUESTION, explore=False).corrected is None
    turned(world, bank, "on")
    assert world.ask(bank, STANDUP_QUESTION, explore=False).corrected is not None


def test_open_gate_orders_all_candidates_by_base_plus_residual(world: World, bank: str) -> None:
    learnt(world, bank, length=-1e4)
    answer = world.ask(bank, STANDUP_QUESTION, explore=False)
    assert answer.corrected is not None
    lengths = [answer.facts[item.key].words for item in answer.fused]
    assert lengths == sorted(lengths)
    assert "residual" in answer.timings_ms


def test_reply_has_each_sum_and_the_trace_each_feature(world: World, bank: str) -> None:
    learnt(world, bank, length=-3.0, has_time=1.0)
    reply = answer_json(world.ask(bank, STANDUP_QUESTION, explore=False), {}, explain=True)
    told = {line["id"]: line for line in reply["trace"]["residual"]}
    assert list(told) == [result["id"] for result in reply["results"]]
    for result in reply["results"]:
        line = told[result["id"]]
        assert result["residual"] == pytest.approx(line["residual"], abs=1e-6)
        assert set(line["features"]) <= {"length", "has_time"}


def test_features_on_record_are_those_that_were_served(world: World, bank: str) -> None:
    plain = world.ask(bank, STANDUP_QUESTION, explore=False)
    learnt(world, bank, length=-1e4)
    answer = world.ask(bank, STANDUP_QUESTION, explore=False)
    world.flush()
    tables = [
        np.frombuffer(decision(world, bank, one.recall_id)["features"], np.float16)
        for one in (plain, answer)
    ]
    first, second = (table.reshape(len(shown(plain)), -1) for table in tables)
    order = [shown(plain).index(name) for name in shown(answer)]
    np.testing.assert_allclose(first[order], second, atol=1e-2)


def test_caller_who_brings_a_row_gets_that_row(world: World, bank: str) -> None:
    learnt(world, bank, length=-1e4)
    answer = world.ask(bank, STANDUP_QUESTION, weights={"keyword": 1.0})
    assert answer.corrected is None
    scores = [item.score for item in answer.fused]
    assert scores == sorted(scores, reverse=True)


def test_features_that_cannot_be_gathered_are_named_and_the_fused_order_served(
    world: World, bank: str
) -> None:
    class NoModel:
        async def embed_question(self, bank: Any, text: str) -> Any:
            raise Unavailable("embedder", "gone")

    learnt(world, bank, length=-1e4)
    recaller = world.recaller(embedders=NoModel())
    answer = world.ask(bank, STANDUP_QUESTION, recaller, explore=False)
    assert "residual:unavailable" in answer.degraded
    assert answer.corrected is None
    scores = [item.score for item in answer.fused]
    assert scores == sorted(scores, reverse=True)


def test_learner_of_another_feature_list_is_not_guessed_at(world: World, bank: str) -> None:
    learnt(world, bank, length=-1e4)
    other = ResidualState.empty(NAMES, FEATURE_VERSION + 1, np.ones(len(NAMES)))
    other.is_on = True
    served = other.to_serve()
    assert served is not None

    async def work() -> None:
        held = await world.service.banks.get(bank)
        async with world.service.transaction(held.key) as conn:
            await conn.execute(
                "update learners set serving = %s, updated_at = now() where bank_id = %s",
                [served.dump(), held.key],
            )
        world.service.recaller.residuals.forget(held.key)

    world.run(work())
    assert world.ask(bank, STANDUP_QUESTION).corrected is None


def test_exploring_recalls_differ_while_features_correct_them(
    world: World, bank: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt(world, bank, length=-0.5)

    async def heard(bank: Any) -> bool:
        return True

    monkeypatch.setattr(world.service.live, "heard", heard)
    asked = [world.ask(bank, STANDUP_QUESTION) for _ in range(12)]
    explored = [answer for answer in asked if answer.draw.policy == "explored"]
    bases = {answer.corrected.base.tobytes() for answer in explored if answer.corrected}
    assert len(explored) > 1
    assert len(bases) == len(explored)
    still = [world.ask(bank, STANDUP_QUESTION, explore=False).corrected for _ in range(2)]
    assert len({one.base.tobytes() for one in still if one}) == 1
