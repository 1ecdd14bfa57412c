"""What must hold for any log: the invariants of docs/learning.md that no other file has."""

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedback.examination import examination
from feedback.fleet import LEAST_BANKS, fleet_prior
from feedback.gains import Pages, row_gains
from feedback.history import in_order
from feedback.impression import TYPES, Impression
from feedback.learners import shared, unshared
from feedback.library import ALONE, FLOOR, normalised, rank_table
from feedback.offpolicy import compare
from feedback.posterior import BORROWED, FleetPrior, MatrixState, learned_rows, posterior
from feedback.reward import EPS_PRIOR, corrected
from feedback.voices import ACTOR_SHARE, AT_LEAST, KEY_SHARE, Voices
from tests.feedback.lessons import Lessons
from tests.feedback.pages import CHANNELS, NOW, garbage, impression, prior, random_ranks
from tests.feedback.test_worker import BANK, bits, learn

__all__ = ["learn"]

ROOT = Path(__file__).resolve().parents[2]
SEEDS = st.integers(0, 10_000)
NONE = FleetPrior.none(len(CHANNELS))
UNIFORM = prior((1, 1, 1, 1, 1))


def summed(pages: Sequence[Impression]) -> MatrixState:
    """Sums of the pages alone: no caps, no decay, no running rate, no model."""
    state = MatrixState.empty(CHANNELS)
    for one in pages:
        value, share = corrected(one, examination(one.positions), EPS_PRIOR)
        for kind in range(len(TYPES)):
            gain = row_gains(
                one, Pages(one, prior()).of(kind), np.zeros(len(one.ranks)), value, share
            )
            state.gain[kind] += one.types[kind] * gain
            state.square[kind] += one.types[kind] * gain**2
            state.count[kind] += one.types[kind]
    return state


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.randoms(use_true_random=False))
def test_sums_and_the_rows_made_of_them_commute(seed: int, shuffler: object) -> None:
    rng = np.random.default_rng(seed)
    pages = [garbage(rng) for _ in range(12)]
    mixed = list(pages)
    shuffler.shuffle(mixed)  # type: ignore[attr-defined] # random.Random
    one, other = summed(pages), summed(mixed)
    for name in ("gain", "square", "count"):
        known = getattr(one, name)
        scale = max(1.0, float(np.abs(known).max()))
        assert np.abs(known - getattr(other, name)).max() < 1e-13 * scale
    rows = learned_rows(one, prior(), NONE), learned_rows(other, prior(), NONE)
    assert np.abs(rows[0].weights - rows[1].weights).max() < 1e-11


@given(SEEDS, st.permutations(range(8)))
def test_learners_read_a_batch_in_one_order_however_it_came(seed: int, order: list[int]) -> None:
    rng = np.random.default_rng(seed)
    pages = [
        impression(rng, at=NOW + timedelta(seconds=int(rng.integers(3))), recall_id=f"r{number}")
        for number in range(8)
    ]
    known = [one.recall_id for one in in_order(pages)]
    assert [one.recall_id for one in in_order([pages[at] for at in order])] == known


@given(SEEDS, st.floats(1e-3, 1e3))
def test_row_times_a_constant_ranks_alike(seed: int, factor: float) -> None:
    rng = np.random.default_rng(seed)
    ranks, row = random_ranks(rng), np.maximum(rng.random(len(CHANNELS)), FLOOR)
    constant = np.array([60.0])
    known = rank_table(ranks, normalised(row)[None, :], constant)
    assert np.array_equal(rank_table(ranks, normalised(factor * row)[None, :], constant), known)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=400))
def test_no_voice_ever_owns_more_than_its_share(stream: list[tuple[int, int]]) -> None:
    voices, owned, heard = Voices(), Counter[str](), Counter[str]()
    for number, (actor, key) in enumerate(stream, 1):
        weight = voices.weight(str(actor), str(key) if key else None, trusted=False)
        assert 0 <= weight <= 1
        for kind, voice, share in (("a", actor, ACTOR_SHARE), ("k", key, KEY_SHARE)):
            if kind == "k" and not key:
                continue
            name = f"{kind}{voice}"
            owned[name] += weight
            heard[name] += 1
            usual = sorted(count for one, count in heard.items() if one[0] == kind)
            # What is typical may have been counted a fiftieth of the bank's impressions ago.
            most = max(AT_LEAST, share * number, usual[(len(usual) - 1) // 2] + 0.02 * number)
            assert weight == 0 or owned[name] <= most + 1e-9


@given(st.integers(1, 6), st.integers(1, 3))
def test_few_who_ask_alike_are_heard_whole(actors: int, keys: int) -> None:
    voices = Voices()
    weights = [
        voices.weight(f"a{number % actors}", f"k{number % keys}", trusted=False)
        for number in range(600)
    ]
    assert sum(weights) > 0.9 * len(weights)


def test_many_who_come_once_do_not_lift_the_cap_of_a_loud_one() -> None:
    voices, owned = Voices(), 0.0
    for number in range(1_000):
        voices.weight(f"a{number}", None, trusted=False)
        owned += voices.weight("loud", None, trusted=False)
    assert owned == pytest.approx(ACTOR_SHARE * 2_000)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=200))
def test_voices_go_on_from_their_bytes_as_they_were(stream: list[tuple[int, int]]) -> None:
    whole, stopped = Voices(), Voices()
    for actor, key in stream:
        stopped = Voices.unpack(json.loads(json.dumps(stopped.pack())))
        its = [
            one.weight(str(actor), str(key) if key else None, trusted=False)
            for one in (whole, stopped)
        ]
        assert its[0] == its[1]


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_estimate_without_a_model_is_the_affine_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    log = [garbage(rng) for _ in range(6)]
    found = compare(
        log, prior((1, 0.1, 0.2, 1, 1)), prior(), lambda one, _: np.zeros(len(one.ranks)), 0.08
    )
    assert found.gain == found.affine


@settings(max_examples=20, deadline=None)
@given(SEEDS, st.integers(0, 90))
def test_others_lend_a_type_no_more_than_it_has_itself(seed: int, own: int) -> None:
    """However many they are, they count as at most `own` impressions of their mean."""
    rng = np.random.default_rng(seed)
    said = summed([impression(rng, types=np.eye(5)[1]) for _ in range(20)])
    many, lent = MatrixState.empty(CHANNELS), MatrixState.empty(CHANNELS)
    many.gain, many.square = 1e9 * said.gain, 1e9 * said.square
    many.count = 1e9 * said.count
    many.count[0] = own
    worth = min(own, BORROWED) / 20
    lent.gain[0], lent.square[0] = worth * said.gain[1], worth * said.square[1]
    lent.count[0] = own
    assert np.allclose(posterior(many, NONE)[0], posterior(lent, NONE)[0], atol=1e-6)
    if own == 0:
        row = learned_rows(many, prior(), NONE).weights[0]
        assert row.tobytes() == prior().weights[0].tobytes()


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.integers(0, LEAST_BANKS - 1))
def test_fleet_of_fewer_than_three_is_the_default_prior(seed: int, banks: int) -> None:
    rng = np.random.default_rng(seed)
    states = [summed([impression(rng) for _ in range(3)]) for _ in range(banks)]
    word = fleet_prior(states, len(CHANNELS))
    assert word.gain.tobytes() == NONE.gain.tobytes()
    assert word.square.tobytes() == NONE.square.tobytes()


def test_banks_share_sums_and_nothing_that_names_anybody() -> None:
    rng, state = np.random.default_rng(2), MatrixState.empty(CHANNELS)
    for _ in range(30):
        state.update(impression(rng, actor="mallory@example.org", api_key="k1"), prior())
    told = shared(state)
    assert b"mallory" in state.dump()
    assert b"mallory" not in told
    read = unshared(told, CHANNELS)
    assert np.array_equal(read.gain, state.gain)
    assert not read.voices.actors.heard
    assert not read.model.gram.any()


@settings(max_examples=25, deadline=None)
@given(SEEDS, st.integers(0, len(CHANNELS) - 1))
def test_lane_that_failed_is_neither_credited_nor_blamed(seed: int, lane: int) -> None:
    rng = np.random.default_rng(seed)
    one = garbage(rng)
    ranks = one.ranks.copy()
    ranks[:, lane] = 0
    value, share = corrected(one, examination(one.positions), EPS_PRIOR)
    silent = replace(one, ranks=ranks)
    gains = row_gains(silent, Pages(silent, UNIFORM).of(1), np.zeros(len(ranks)), value, share)
    alone = slice(1 + len(ALONE) * lane, 1 + len(ALONE) * (lane + 1))
    assert np.abs(gains[alone]).max() < 1e-9
    state = MatrixState.empty(CHANNELS)
    state.update(silent, UNIFORM)
    assert state.count.sum() == pytest.approx(1.0)


def test_event_of_an_unknown_recall_waits_and_leaves_the_learner_as_it_was(
    learn: Callable[[Callable[[Lessons], Awaitable[None]]], None],
) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 25)
        await lessons.learn()
        before = await bits(lessons)
        stray = {**lessons.event("memory_cited", 1), "recall_id": "nobody's"}
        told = await lessons.send(BANK, stray)
        assert (told.accepted, told.parked) == (0, 1)
        await lessons.learn()
        assert [row for row in await bits(lessons) if row[0] != stray["event_id"]] == before

    learn(story)


def test_every_invariant_on_the_page_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "learning.md").read_text("utf-8")
    section = page.split("\n## Invariants\n")[1].split("\n## ")[0]
    lines = re.split(r"\n(?=\d+\. )", section)[1:]
    assert [int(line.split(".")[0]) for line in lines] == list(range(1, 26))
    known = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.M)
    }
    for line in lines:
        named = re.findall(r"`(test_\w+)`", line)
        assert named, line
        assert not [name for name in named if name not in known], line
