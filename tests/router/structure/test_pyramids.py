"""Summaries of days, weeks and months over a real bank: made, preferred, kept up, left alone."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from router.structure.pyramids.making import Refreshed
from router.structure.supersede import Supersessions
from tests.router.api.conftest import HASHES
from tests.router.world import World, heard, memory, shown

ALL = ["day", "week", "month"]
MODELS = [HASHES, "none"]
# NOW is Wednesday 11 June 2025: the last Tuesday is the 10th, the quarter April to June.
WORK = [
    memory("a1", "The search project began with a prototype in Rust", "2025-04-03T09:00:00Z"),
    memory("a2", "The prototype of the project answers in two seconds", "2025-04-17T09:00:00Z"),
    memory("m1", "The project moved its index to Postgres", "2025-05-06T09:00:00Z"),
    memory("m2", "The search project got a second reviewer, Petra", "2025-05-20T09:00:00Z"),
    memory("j1", "We chose Redis for the session cache", "2025-06-09T09:00:00Z", speaker="Ana"),
    memory("j2", "Ben fixed E_AUTH_404 in the login service", "2025-06-10T09:00:00Z"),
    memory("j3", "Petra booked the offsite in Porto for July", "2025-06-10T11:00:00Z"),
    memory("j4", "Lunch was pizza", "2025-06-10T12:00:00Z"),
    memory("old", "The project was approved by the board", "2025-01-15T09:00:00Z"),
]  # fmt: skip
TUESDAY, WEEK = "summary:day:2025-06-10", "summary:week:2025-06-09"
QUARTER = ["summary:month:2025-04-01", "summary:month:2025-05-01", "summary:month:2025-06-01"]


def refresh(world: World, bank: str) -> Refreshed:
    async def work() -> Refreshed:
        return await world.service.summariser.refresh(await world.service.banks.get(bank))

    done: Refreshed = world.run(work())
    return done


def summarised(world: World, model: str = HASHES, *more: dict[str, Any], **config: Any) -> str:
    config.setdefault("summaries", ALL)
    bank = world.bank(*WORK, *more, embedder=model, **config)
    refresh(world, bank)
    return bank


def text(world: World, bank: str, name: str) -> str | None:
    found = world.rows(bank, "select text from memories where bank_id = %(bank)s and id = %s", name)
    return found[0][0] if found else None


def act(world: World, bank: str, deed: Callable[[Supersessions, Any], Any]) -> None:
    async def work() -> None:
        key = (await world.service.banks.get(bank)).key
        await deed(Supersessions(world.service.transaction), key)

    world.run(work())


def replace(world: World, bank: str, older: str, newer: str) -> None:
    act(world, bank, lambda told, key: told.supersede(key, older, newer, reason=None, author="t"))


@pytest.mark.parametrize("model", MODELS)
def test_last_tuesday_is_answered_by_that_days_summary_first(world: World, model: str) -> None:
    bank = summarised(world, model)
    for question in ("last Tuesday", "what happened last Tuesday?"):
        answer = world.ask(bank, question)
        assert shown(answer)[0] == TUESDAY
        assert set(shown(answer)[1:4]) == {"j2", "j3", "j4"}
        assert answer.degraded == ()


@pytest.mark.parametrize("model", MODELS)
def test_over_the_quarter_is_answered_by_the_months_summaries_in_order(
    world: World, model: str
) -> None:
    answer = world.ask(summarised(world, model), "how did the project evolve over the quarter?")
    assert shown(answer)[:3] == QUARTER
    assert "m1" in shown(answer)


def test_week_that_is_asked_for_is_answered_by_its_summary_first(world: World) -> None:
    bank = summarised(world)
    assert world.found(bank, "what did we do this week?")[0] == WEEK
    assert world.found(bank, "give me a recap of the login service this week")[0] == WEEK


@pytest.mark.parametrize(
    "question",
    [
        "who fixed E_AUTH_404 last Tuesday?",
        "where is the offsite in July?",
        "which cache did Ana choose this week?",
        "when did the project move its index?",
        "Redis",
    ],
)
def test_plain_question_never_meets_a_summary_in_any_lane(world: World, question: str) -> None:
    bank = summarised(world)
    answer = world.ask(bank, question, depth=100)
    for name, outcome in answer.found.outcomes.items():
        assert outcome.failure is None
        assert not [one for one in heard(answer, name) if one.startswith("summary:")]
    plain = world.bank(*WORK, embedder=HASHES)
    assert shown(answer) == world.found(plain, question, depth=100)


def test_of_many_months_the_nearest_to_the_question_lead(world: World) -> None:
    months = [
        memory(f"y{month}", f"In month {month} nothing of note", f"2024-{month:02}-10T09:00:00Z")
        for month in range(1, 13)
    ]
    harbour = memory("h", "The harbour project opened a harbour office", "2024-02-11T09:00:00Z")
    bank = world.bank(*months, harbour, embedder=HASHES, summaries=["month"])
    refresh(world, bank)
    found = world.found(bank, "how did the harbour project evolve in 2024?", k=20)
    led = [name for name in found if name.startswith("summary:")]
    assert found[: len(led)] == led == sorted(led)
    assert len(led) == 6
    assert "summary:month:2024-02-01" in led


def test_why_summaries_lead_is_in_the_trace(world: World) -> None:
    from router.api.encode import answer_json

    bank = summarised(world)
    answer = world.ask(bank, "how did the project evolve over the quarter?")
    told = answer_json(answer, {}, explain=True)["trace"]
    assert told["summaries"] == {"period": "month", "because": "over", "ids": QUARTER}
    run = told["channels"]["keyword"]["hits"]
    assert [hit["id"] for hit in run[:3]] == QUARTER
    assert run[0]["detail"]["summary"]["because"] == "over"
    plain = answer_json(world.ask(bank, "Redis"), {}, explain=True)["trace"]
    assert plain["summaries"] is None


def test_callers_filter_on_the_kind_finds_summaries_by_their_words(world: World) -> None:
    from channels.base import Filters

    found = world.found(summarised(world), "E_AUTH_404", filters=Filters(kinds=("summary",)))
    assert set(found) >= {TUESDAY, WEEK, QUARTER[2]}
    assert all(name.startswith("summary:") for name in found)


def test_question_about_the_past_is_answered_without_summaries(world: World) -> None:
    from channels.base import View

    bank = summarised(world)
    view = View(as_of=datetime(2025, 6, 10, 23, tzinfo=UTC))
    found = world.found(bank, "what happened last Tuesday?", view=view)
    assert not [name for name in found if name.startswith("summary:")]


@pytest.mark.parametrize("model", MODELS)
def test_reversal_refreshes_the_weeks_summary(world: World, model: str) -> None:
    bank = summarised(world, model)
    assert "Redis" in (text(world, bank, WEEK) or "")
    world.keep(bank, memory("r", "We reverted that and keep sessions in Postgres",
                            "2025-06-11T10:00:00Z", speaker="Ana", supersedes=["j1"]))  # fmt: skip
    assert WEEK not in world.found(bank, "what did we do this week?")  # hidden while it is wrong
    refresh(world, bank)
    assert world.found(bank, "what did we do this week?")[0] == WEEK
    told = text(world, bank, WEEK) or ""
    assert "keep sessions in Postgres" in told
    assert "Redis" not in told
    assert text(world, bank, "summary:day:2025-06-09") is None
    assert "Redis" not in (text(world, bank, QUARTER[2]) or "")


def test_supersession_and_its_undoing_refresh_what_they_touch(world: World) -> None:
    bank = summarised(world)
    replace(world, bank, "j1", "j2")
    refresh(world, bank)
    assert "Redis" not in (text(world, bank, WEEK) or "")
    act(world, bank, lambda told, key: told.undo(key, "j1", by=None, reason=None, author="t"))
    refresh(world, bank)
    assert "Redis" in (text(world, bank, WEEK) or "")
    assert "Redis" in (text(world, bank, "summary:day:2025-06-09") or "")


def test_forgotten_words_are_gone_from_summaries_at_once(world: World) -> None:
    from router.forget import forget_memory

    bank = summarised(world)

    async def work() -> None:
        held = await world.service.banks.get(bank)
        await forget_memory(world.service.transaction, held, "j3")

    world.run(work())
    found = world.rows(bank, "select id, text from memories where bank_id = %(bank)s")
    assert not [name for name, told in found if "Porto" in told]
    refresh(world, bank)
    assert "E_AUTH_404" in (text(world, bank, TUESDAY) or "")
    assert "Porto" not in (text(world, bank, WEEK) or "")


def test_changed_memory_and_one_that_moves_to_another_day_refresh_both_days(world: World) -> None:
    bank = summarised(world)
    world.keep(bank, memory("j3", "Petra booked the offsite in Lisbon", "2025-06-05T11:00:00Z"))
    refresh(world, bank)
    assert "offsite" not in (text(world, bank, TUESDAY) or "")
    assert "Lisbon" in (text(world, bank, "summary:day:2025-06-05") or "")
    assert "Lisbon" in (text(world, bank, "summary:week:2025-06-02") or "")


def test_edited_summary_is_left_alone_and_still_comes_first(world: World) -> None:
    bank = summarised(world)
    world.keep(bank, memory(TUESDAY, "Ben saved the login; see the minutes", kind="summary",
                            occurred_start="2025-06-10T00:00:00Z",
                            occurred_end="2025-06-11T00:00:00Z"))  # fmt: skip
    world.keep(bank, memory("j5", "Somebody broke the build", "2025-06-10T15:00:00Z"))
    done = refresh(world, bank)
    assert done.edited == 1
    assert text(world, bank, TUESDAY) == "Ben saved the login; see the minutes"
    assert world.found(bank, "last Tuesday")[0] == TUESDAY


def test_refresh_of_what_has_not_changed_writes_nothing(world: World) -> None:
    bank = summarised(world)
    assert refresh(world, bank) == Refreshed()
    world.keep(bank, memory("j6", "ok", "2025-06-10T15:00:00Z"))
    done = refresh(world, bank)
    assert done.days == 1
    assert done.written + done.unchanged == 3


def test_pyramid_is_linked_from_month_to_week_to_day_to_memory(world: World) -> None:
    bank = summarised(world)
    found = world.rows(
        bank,
        "select s.id, d.id from edges e join memories s on s.bank_id = e.bank_id and s.key = e.src"
        " join memories d on d.bank_id = e.bank_id and d.key = e.dst"
        " where e.bank_id = %(bank)s and e.type = 'DERIVED_FROM'",
    )
    assert {(QUARTER[2], WEEK), (WEEK, TUESDAY), (TUESDAY, "j2")} <= set(found)


def test_summaries_leave_statistics_sound_and_memories_unlinked(world: World) -> None:
    from router.store import soundness

    bank = summarised(world)
    plain = world.bank(*WORK, embedder=HASHES)
    edges = "select type, count(*) from edges where bank_id = %(bank)s and type <> 'DERIVED_FROM' group by type order by 1"  # noqa: E501
    assert world.rows(bank, edges) == world.rows(plain, edges)

    async def drift() -> soundness.Drift:
        key = (await world.service.banks.get(bank)).key
        async with world.service.transaction(key) as conn:
            return await soundness.drift(conn, key)

    found = world.run(drift())
    assert found.terms == found.entities == 0
    assert found.kept.same_index(found.counted)
    assert found.kept.live == found.counted.live


def test_bank_that_keeps_no_summaries_marks_nothing(world: World) -> None:
    bank = world.bank(*WORK, embedder=HASHES)
    assert refresh(world, bank) == Refreshed()
    for table in ("summaries", "summary_days", "summary_states"):
        query = f"select count(*) from {table} where bank_id = %(bank)s"
        assert world.rows(bank, query) == [(0,)]


def test_summaries_begin_with_the_setting_and_go_with_it(world: World) -> None:
    from router.store.banks import BankConfig

    bank = world.bank(*WORK, embedder=HASHES)

    def configure(**config: Any) -> None:
        async def work() -> None:
            held = await world.service.banks.get(bank)
            config_of = BankConfig(embedder=HASHES, **config)
            await world.service.banks.configure(held, None, config_of)

        world.run(work())

    configure(summaries=["month"])
    assert refresh(world, bank).written == 4
    configure(summaries=ALL)
    assert refresh(world, bank).written > 4
    configure(summaries=["day"])
    assert refresh(world, bank).removed > 4
    configure(summaries="off")
    assert refresh(world, bank).removed > 0
    query = "select count(*) from memories where bank_id = %(bank)s"
    assert world.rows(bank, query) == [(len(WORK),)]


def test_days_are_those_of_the_banks_time_zone(world: World) -> None:
    late = memory("late", "Petra called from the airport", "2025-06-10T23:30:00Z")
    bank = summarised(world, HASHES, late, timezone="Europe/Berlin")
    assert "airport" in (text(world, bank, "summary:day:2025-06-11") or "")
    assert "airport" not in (text(world, bank, TUESDAY) or "")
    found = world.found(bank, "what happened today?", timezone="Europe/Berlin")
    assert found[0] == "summary:day:2025-06-11"
