"""One question over several banks: the order of the fused list, and banks that fail."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import OperationalError
from psycopg.errors import QueryCanceled

from channels.errors import BadInput, NoChannel, Unavailable
from router import metrics
from router.answer import RecallRequest
from router.record import Decision
from router.several import AT_ONCE, BankQuestion, Place, SeveralAnswer, merged, recall_several
from tests.router.world import NOW, World, memory

LENGTHS = st.lists(st.integers(0, 30), min_size=1, max_size=6)


def order(lengths: Sequence[int], weights: Sequence[float]) -> list[tuple[int, int]]:
    return [(place.bank, place.rank) for place in merged(lengths, weights)]


def test_equal_weights_interleave_the_lists_in_the_order_of_the_request() -> None:
    assert order([3, 1, 2], [1, 1, 1]) == [(0, 1), (1, 1), (2, 1), (0, 2), (2, 2), (0, 3)]


def test_score_by_hand() -> None:
    assert merged([1, 1], [1, 3]) == [Place(1, 1, 3 / 61), Place(0, 1, 1 / 61)]


def test_bank_of_double_weight_leads_until_its_score_has_halved() -> None:
    # 2 / (60 + r) > 1 / 61 as long as r < 62; at 62 it is a tie, which the first bank wins.
    found = order([1, 70], [1, 2])
    assert found.index((0, 1)) == 61
    assert found[62] == (1, 62)


@given(LENGTHS, st.data())
def test_every_place_comes_once_and_each_bank_keeps_its_order(
    lengths: list[int], data: st.DataObject
) -> None:
    sizes = len(lengths)
    weights = data.draw(st.lists(st.floats(1e-3, 1e6), min_size=sizes, max_size=sizes))
    found = merged(lengths, weights)
    for bank, length in enumerate(lengths):
        assert [p.rank for p in found if p.bank == bank] == list(range(1, length + 1))
    assert len(found) == sum(lengths)
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)


@given(LENGTHS, st.integers(-8, 8))
def test_scaling_all_weights_by_a_power_of_two_keeps_the_order(
    lengths: list[int], power: int
) -> None:
    weights = [1.0 + bank / 3 for bank in range(len(lengths))]
    assert order(lengths, weights) == order(lengths, [w * 2.0**power for w in weights])


class Asked:
    """Asks the real service, but for the banks that are told to fail; counts who is asked."""

    def __init__(
        self, world: World, failing: dict[str, Exception] | None = None, takes_s: float = 0.01
    ) -> None:
        self._decide, self._failing = world.service.recaller.decide, failing or {}
        self.requests: dict[str, RecallRequest] = {}
        self.now = self.most = 0
        self._takes_s = takes_s

    async def __call__(self, bank: Any, request: RecallRequest) -> Decision:
        self.requests[bank.name] = request
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await asyncio.sleep(self._takes_s)
            if bank.name in self._failing:
                raise self._failing[bank.name]
            return await self._decide(bank, request)
        finally:
            self.now -= 1


def several(
    world: World, banks: Sequence[str], ask: Asked | None = None, **options: Any
) -> SeveralAnswer:
    deadline_ms = options.pop("deadline_ms", None)

    async def work() -> SeveralAnswer:
        request = RecallRequest("where is the cluster", NOW, "UTC", deadline_ms=deadline_ms)
        questions = [BankQuestion(await world.service.banks.get(name), request) for name in banks]
        record = world.service.recaller.record
        asking = ask or Asked(world)
        return await recall_several(asking, record, questions, **{"k": 10, **options})

    found: SeveralAnswer = world.run(work())
    return found


def two_banks(world: World) -> list[str]:
    return [
        world.quick_bank(memory(f"{name}1", f"the cluster of {name}"), memory(f"{name}2", "lunch"))
        for name in ("a", "b")
    ]


def test_each_bank_has_a_recall_of_its_own_on_record(world: World) -> None:
    banks = two_banks(world)
    found = several(world, banks)
    world.flush()
    for name, one in zip(banks, found.banks, strict=True):
        assert one.answer is not None
        assert world.rows(name, "select id from recalls where bank_id = %(bank)s") == [
            (one.answer.recall_id,)
        ]
    assert [(p.bank, p.rank) for p in found.page] == [(0, 1), (1, 1), (0, 2), (1, 2)]
    assert found.degraded == ()


def test_pages_continue_each_other(world: World) -> None:
    banks = two_banks(world)
    whole = several(world, banks, k=4).page
    assert several(world, banks, k=2, offset=1).page == whole[1:3]
    assert several(world, banks, k=2, offset=4).page == ()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NoChannel({"keyword": "timeout", "graph": "timeout"}), "timeout"),
        (NoChannel({"keyword": "timeout", "graph": "pool"}), "channels"),
        (Unavailable("database pool", "full"), "pool"),
        (Unavailable("embedder", "gone"), "dependency"),
        (QueryCanceled("late"), "timeout"),
        (OperationalError("gone"), "database"),
    ],
)
def test_bank_that_fails_is_left_out_named_and_counted(
    world: World, error: Exception, reason: str
) -> None:
    first, second = two_banks(world)
    counter = metrics.DEGRADED.labels("bank")
    before = counter._value.get()
    found = several(world, [first, second], Asked(world, {first: error}))
    assert found.degraded == (f"bank:{first}:{reason}",)
    assert {place.bank for place in found.page} == {1}
    assert counter._value.get() == before + 1


def test_without_any_answer_the_whole_is_unavailable_and_every_bank_is_named(
    world: World,
) -> None:
    banks = two_banks(world)
    gone = Unavailable("database", "gone")
    with pytest.raises(Unavailable) as caught:
        several(world, banks, Asked(world, dict.fromkeys(banks, gone)))
    assert all(name in str(caught.value) for name in banks)


def test_mistake_of_the_caller_is_not_taken_for_a_failing_bank(world: World) -> None:
    first, second = two_banks(world)
    ask = Asked(world, {first: BadInput("question", "no")})
    with pytest.raises(BadInput):
        several(world, [first, second], ask)
    assert ask.now == 0


def test_banks_are_asked_at_once_but_not_all(world: World) -> None:
    ask = Asked(world)
    several(world, [world.quick_bank(memory("m", "cluster")) for _ in range(5)], ask)
    assert ask.most == AT_ONCE


def test_deadline_counts_the_wait_for_a_turn(world: World) -> None:
    banks = [world.quick_bank(memory("m", "cluster")) for _ in range(AT_ONCE + 1)]
    ask = Asked(world)
    several(world, banks, ask, deadline_ms=5_000)
    left = [ask.requests[name].deadline_ms or 0 for name in banks]
    assert left[0] <= 5_000
    assert left[-1] < left[0]


def test_bank_whose_turn_comes_after_the_deadline_is_not_asked(world: World) -> None:
    banks = [world.quick_bank(memory("m", "cluster")) for _ in range(AT_ONCE + 1)]
    ask = Asked(world, takes_s=0.6)
    found = several(world, banks, ask, deadline_ms=500)
    assert found.degraded == (f"bank:{banks[-1]}:timeout",)
    assert banks[-1] not in ask.requests


def test_each_banks_record_holds_what_the_page_showed_of_it(world: World) -> None:
    banks = two_banks(world)
    found = several(world, banks, k=2, offset=2)
    world.flush()
    for number, one in enumerate(found.banks):
        assert one.answer is not None
        held = world.rows(
            banks[number],
            "select shown_from, shown_ids from recalls where bank_id = %(bank)s and id = %s",
            one.answer.recall_id,
        )
        ranks = [place.rank for place in found.page if place.bank == number]
        shown = [one.answer.facts[one.answer.fused[rank - 1].key].id for rank in ranks]
        assert held == [(ranks[0] - 1, shown)]
