"""The walk of a question: provenance, degradation that is named, paging, filters, weights."""

import asyncio

import pytest

from channels.base import Filters, View, Window
from channels.errors import BadInput
from router.answer import Answer
from router.presets import CHANNELS
from router.understand.types import TYPES
from tests.router.stories import STANDUP as TURNS
from tests.router.stories import STANDUP_QUESTION as QUESTION
from tests.router.world import NOW, World, heard, memory, shown, trace, votes


@pytest.fixture(scope="module")
def bank(world: World) -> str:
    return world.bank(*TURNS)


def test_score_is_the_sum_of_named_contributions(world: World, bank: str) -> None:
    answer = world.ask(bank, QUESTION)
    assert shown(answer)[0] == "m1", trace(answer)
    for item in answer.page:
        parts = [vote.contribution for vote in item.votes.values()]
        assert item.score == pytest.approx(sum(parts))
        for channel, vote in item.votes.items():
            expected = answer.row.weights[channel] / (answer.row.rrf_k + vote.rank)
            assert vote.contribution == pytest.approx(expected)
            assert answer.found.outcomes[channel].hits[vote.rank - 1].key == item.key


def test_all_five_channels_are_asked_and_can_be_heard_at_once(world: World, bank: str) -> None:
    answer = world.ask(bank, QUESTION)
    assert tuple(answer.found.outcomes) == CHANNELS
    assert set(votes(answer, "m1")) == set(CHANNELS)
    assert answer.degraded == ()


def test_answer_says_what_the_question_was_read_as(world: World, bank: str) -> None:
    answer = world.ask(bank, QUESTION)
    assert answer.read.window is not None
    assert answer.read.window.text == "last week"
    assert set(answer.types) == set(TYPES)
    assert sum(answer.types.values()) == pytest.approx(1.0)
    assert answer.matrix_version == 0


def test_every_step_is_timed_and_the_whole_is_no_less(world: World, bank: str) -> None:
    timings = dict(world.ask(bank, QUESTION).timings_ms)
    total = timings.pop("total")
    steps = {"wait", "understand", "embed", "channels", "fuse", "residual", "fetch"}
    assert set(timings) == steps
    assert all(ms >= 0 for ms in timings.values())
    assert total + 0.1 >= sum(timings.values())


def test_silent_channels_are_silent_and_not_degraded(world: World, bank: str) -> None:
    answer = world.ask(bank, "staging cluster")
    assert heard(answer, "temporal") == heard(answer, "emotional") == []
    assert answer.degraded == ()


def test_same_question_gets_the_same_answer(world: World, bank: str) -> None:
    answers = [world.ask(bank, QUESTION) for _ in range(10)]
    pictures = {tuple((i.key, i.score) for i in answer.fused) for answer in answers}
    assert len(pictures) == 1
    assert len({answer.recall_id for answer in answers}) == 10


def test_questions_asked_at_once_are_answered_as_if_alone(world: World, bank: str) -> None:
    questions = ("staging cluster", QUESTION, "E_AUTH_404", "what is for lunch?") * 5
    alone = [world.found(bank, question) for question in questions]

    async def together() -> list[Answer]:
        from router.answer import RecallRequest

        held = await world.service.banks.get(bank)
        walk = world.service.recaller
        return await asyncio.gather(
            *(walk.recall(held, RecallRequest(question, NOW, "UTC")) for question in questions)
        )

    assert [shown(answer) for answer in world.run(together())] == alone


def test_empty_bank_answers_with_an_empty_list(world: World) -> None:
    answer = world.ask(world.bank(), QUESTION)
    assert (answer.page, answer.degraded) == ([], ())


def test_pages_follow_each_other_without_overlap(world: World, bank: str) -> None:
    whole = world.found(bank, QUESTION, k=4)
    assert len(whole) == 4
    pages = [world.found(bank, QUESTION, k=2, offset=offset) for offset in (0, 2)]
    assert pages[0] + pages[1] == whole
    assert world.found(bank, QUESTION, k=10, offset=100) == []


def test_depth_bounds_what_each_channel_gives(world: World, bank: str) -> None:
    answer = world.ask(bank, QUESTION, depth=1)
    assert all(len(run) <= 1 for run in answer.found.runs.values())


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        (Filters(tags=("infra",)), {"m0", "m1"}),
        (Filters(tags=("infra", "deploy")), {"m1"}),
        (Filters(topic="infra"), {"m0", "m1"}),
        (Filters(topic="infra.staging"), {"m0"}),
        (Filters(kinds=("fact",)), {"m2"}),
        (Filters(kinds=("fact", "turn"), speaker="ben"), {"m1", "m3"}),
        (Filters(speaker="Nobody"), set()),
    ],
)
def test_filters_bind_every_channel(
    world: World, bank: str, filters: Filters, allowed: set[str]
) -> None:
    answer = world.ask(bank, QUESTION, filters=filters)
    for name in CHANNELS:
        assert set(heard(answer, name)) <= allowed, name
    assert set(shown(answer)) <= allowed
    assert bool(shown(answer)) == bool(allowed)


def test_window_of_the_caller_replaces_that_of_the_words(world: World, bank: str) -> None:
    start = NOW.replace(month=6, day=10, hour=0, minute=0)
    window = Window(start, None, "range", "", 1.0, "caller")
    answer = world.ask(bank, "what happened?", window=window)
    assert heard(answer, "temporal") == ["m4"]


def test_strict_window_leaves_out_what_lies_outside(world: World, bank: str) -> None:
    answer = world.ask(bank, "the cluster last week", strict_window=True)
    assert set(shown(answer)) <= {"m0", "m1", "m2", "m3"}
    assert "m4" not in [fact.id for fact in answer.facts.values()]
    assert shown(answer)


def test_caller_weights_are_used_as_given_and_bounded(world: World, bank: str) -> None:
    weights = {"keyword": 0.01, "semantic": 1.0}
    answer = world.ask(bank, QUESTION, weights=weights, rrf_k=10.0)
    assert answer.row.weights["semantic"] == 1.0
    assert answer.row.weights["keyword"] == 0.05
    assert answer.row.rrf_k == 10.0


def test_weight_for_no_channel_is_refused(world: World, bank: str) -> None:
    with pytest.raises(BadInput) as refused:
        world.ask(bank, QUESTION, weights={"smell": 1.0})
    assert refused.value.field == "weights.smell"


def test_past_state_is_answered_as_it_was(world: World) -> None:
    bank = world.bank(memory("a", "Use Jade for search", "2025-01-01"))
    world.keep(bank, memory("b", "Use Onyx for search", "2025-05-01", supersedes=["a"]))
    before = View(as_of=NOW.replace(month=3))
    assert world.found(bank, "which search?", view=before) == ["a"]
    assert world.found(bank, "which search?") == ["b"]


def test_other_banks_are_never_seen(world: World, bank: str) -> None:
    other = world.bank(memory("secret", "We moved the staging cluster to the moon"))
    assert "secret" not in world.found(bank, "staging cluster")
    assert world.found(other, "staging cluster") == ["secret"]
