"""What every lane owes its caller, whichever way it finds memories."""

import asyncio
import math
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from channels.base import Filters, View
from channels.errors import NoChannel
from router.search import search_all
from router.store.candidates import fetch_facts
from router.wiring import lanes
from tests.channels.world import LANES, PATIENT_MS, at, bound_to, with_lookups

ASKED = "Why was Rhea so angry about the Harbour lease in May 2023?"
START = at("2023-05-01T09:00:00")
ANGER = [{"label": "anger", "intensity": 0.8}]


def memory(number: int) -> dict:
    """One of forty on the same matter, so that every lane finds all of them."""
    odd = number % 2
    return {
        "id": f"m{number:02}",
        "text": f"Rhea was furious and angry about the Harbour lease, clause {number // 4}.",
        "speaker": "Ida" if odd else "Tom",
        "kind": "decision" if number % 5 == 0 else "turn",
        "tags": ["lease", "red"] if odd else ["lease"],
        "topic": "legal.lease" if odd else "legal.leasehold",
        "occurred_at": (START + timedelta(hours=number)).isoformat(),
        "affect": ANGER,
    }


REPLACED = {
    "id": "old",
    "text": "Rhea was angry: the Harbour lease costs 900.",
    "occurred_at": "2023-05-04T09:00:00Z",
    "affect": ANGER,
}
REPLACEMENT = {
    "id": "new",
    "text": "Rhea was angry: the Harbour lease costs 950.",
    "occurred_at": "2023-05-20T09:00:00Z",
    "affect": ANGER,
    "supersedes": ["old"],
}
TWINS = [
    {
        "id": f"twin{number}",
        "text": "Rhea stayed angry at the Harbour office.",
        "occurred_at": "2023-05-09T09:00:00Z",
        "affect": ANGER,
    }
    for number in range(4)
]
ITEMS = [memory(number) for number in range(40)] + [REPLACED] + TWINS


@pytest.fixture(scope="module")
def filled(world):
    bank = world.retain(world.bank(*ITEMS, model="tokens"), REPLACEMENT)
    world.bank(*ITEMS, model="tokens")  # another tenant with the same memories
    return bank


@pytest.fixture(params=LANES)
def lane(request):
    return request.param


@pytest.mark.parametrize("depth", [1, 7, 500])
def test_lane_gives_at_most_depth_hits_each_memory_once_best_first_and_ties_by_key(
    world, filled, lane, depth
):
    hits = world.ask(lane, filled, ASKED, depth=depth)
    assert len(hits) == min(depth, len(world.ids(filled)) - 1)  # all but the superseded one
    assert len({hit.key for hit in hits}) == len(hits)
    assert [(-hit.score, hit.key) for hit in hits] == sorted((-h.score, h.key) for h in hits)
    assert all(math.isfinite(hit.score) for hit in hits)


def test_a_smaller_depth_is_the_head_of_a_greater_one(world, filled, lane):
    many = world.ask(lane, filled, ASKED, depth=40)
    assert world.ask(lane, filled, ASKED, depth=5) == many[:5]


def test_memories_that_a_lane_cannot_tell_apart_stand_in_order_of_arrival(world, filled, lane):
    found = [name for name in world.found(lane, filled, ASKED) if name.startswith("twin")]
    scores = {hit.key: hit.score for hit in world.ask(lane, filled, ASKED)}
    keys = {name: key for key, name in world.ids(filled).items()}
    by_rule = sorted(found, key=lambda name: (-scores[keys[name]], keys[name]))
    assert found == by_rule
    if lane != "graph":  # there each twin has a place of its own in the web
        assert len({scores[keys[name]] for name in found}) == 1


def test_lane_never_shows_another_tenants_memories(world, filled, lane):
    hits = world.ask(lane, filled, ASKED, depth=500)
    assert {hit.key for hit in hits} <= world.ids(filled).keys()


def test_a_statement_that_names_the_wrong_bank_meets_row_security(world, filled, lane):
    other = world.bank()
    transaction = bound_to(world.transaction, other)
    question = with_lookups(transaction, world.question(filled, ASKED))
    wired = next(one for one in lanes(transaction, timeout_ms=PATIENT_MS) if one.name == lane)
    assert world.run(wired.search(question, 50)) == []


def test_facts_are_fetched_for_the_banks_own_keys_only(world, filled):
    other = world.bank({"text": "Rhea was calm."})
    keys = [*world.ids(filled), *world.ids(other)]

    def fetched(transaction, bank):
        return world.run(fetch_facts(transaction, bank.key, keys, keys, timeout_ms=PATIENT_MS))

    assert fetched(world.transaction, other).keys() == world.ids(other).keys()
    assert fetched(bound_to(world.transaction, other), filled) == {}


def test_a_superseded_memory_is_seen_only_when_asked_for(world, filled, lane):
    now = world.found(lane, filled, ASKED, depth=500)
    assert "new" in now
    assert "old" not in now
    whole = world.found(lane, filled, ASKED, depth=500, view=View(include_superseded=True))
    assert {"new", "old"} <= set(whole)


def test_lane_answers_from_the_state_of_an_earlier_day(world, filled, lane):
    then = world.found(lane, filled, ASKED, depth=500, view=View(as_of=at("2023-05-10T00:00:00")))
    assert "old" in then
    assert "new" not in then
    before = View(as_of=at("2023-05-01T10:30:00"))
    assert set(world.found(lane, filled, ASKED, depth=500, view=before)) == {"m00", "m01"}


@pytest.mark.parametrize(
    ("filters", "passes"),
    [
        (Filters(tags=("lease", "red")), lambda item: {"lease", "red"} <= set(item["tags"])),
        (Filters(topic="legal.lease"), lambda item: item["topic"] == "legal.lease"),
        (Filters(topic="legal"), lambda item: True),
        (Filters(kinds=("decision", "fact")), lambda item: item["kind"] == "decision"),
        (Filters(speaker="ida"), lambda item: item["speaker"] == "Ida"),
        (
            Filters(tags=("lease",), kinds=("turn",), speaker="TOM"),
            lambda item: item["kind"] == "turn" and item["speaker"] == "Tom",
        ),
        (Filters(tags=("lease", "green")), lambda item: False),
    ],
    ids=["all tags", "topic", "topic above", "kinds", "speaker", "together", "nothing"],
)
def test_lane_finds_exactly_what_passes_the_filters(world, filled, lane, filters, passes):
    found = world.found(lane, filled, ASKED, depth=500, filters=filters)
    assert set(found) == {item["id"] for item in ITEMS[:40] if passes(item)}


def test_a_strict_window_leaves_out_what_happened_outside(world, filled, lane):
    asked = "Why was Rhea so angry about the Harbour lease on 2 May 2023?"
    found = world.found(lane, filled, asked, depth=500, strict_window=True)
    assert set(found) == {
        item["id"] for item in ITEMS if item["occurred_at"].startswith("2023-05-02")
    }


def test_an_empty_bank_is_an_empty_list(world, lane):
    assert world.ask(lane, world.bank(), ASKED) == []


@pytest.mark.parametrize(
    ("lane", "asked"),
    [
        ("temporal", "Harbour lease clause"),
        ("emotional", "Harbour lease clause"),
        ("keyword", "xylophone zeppelin"),
        ("graph", "xylophone zeppelin"),
        ("keyword", "?!"),
        ("graph", "?!"),
        ("semantic", ""),
        ("temporal", ""),
        ("emotional", ""),
    ],
)
def test_lane_without_a_signal_is_silent(world, filled, lane, asked):
    assert world.ask(lane, filled, asked) == []


def test_a_lane_that_is_asked_ten_times_at_once_gives_ten_equal_answers(world, filled, lane):
    wired = world.lane(lane)
    questions = [world.question(filled, ASKED) for _ in range(10)]

    async def all_at_once():
        return await asyncio.gather(*(wired.search(question, 20) for question in questions))

    answers = world.run(all_at_once())
    assert all(answer == answers[0] for answer in answers)
    assert len(answers[0]) == 20


def test_a_cancelled_search_leaves_every_connection_whole(world, filled, lane):
    wired = world.lane(lane)
    before = world.ask(lane, filled, ASKED)

    async def cancelled_after(delay_s: float) -> None:
        question = world.question(filled, ASKED)
        task = asyncio.create_task(wired.search(question, 20))
        await asyncio.sleep(delay_s)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        lookups = question.lookups
        for lookup in (lookups.keywords, lookups.vectors, lookups.statistics):
            await lookup.cancel()

    async def many() -> None:
        await asyncio.gather(*(cancelled_after(step / 1_000) for step in range(12)))

    async def settled() -> dict[str, int]:
        for _ in range(100):  # a connection that the pool is still making counts in its size
            stats = world.pool.get_stats()
            if stats["pool_available"] == stats["pool_size"]:
                break
            await asyncio.sleep(0.05)
        return stats

    world.run(many())
    assert world.ask(lane, filled, ASKED) == before
    stats = world.run(settled())
    assert stats["pool_available"] == stats["pool_size"]
    assert stats.get("connections_lost", 0) == 0


@pytest.mark.parametrize(
    ("table", "late"),
    [
        ("edges", {"graph"}),
        ("memory_dates", {"temporal"}),
        ("episodes", {"semantic"}),
        ("term_stats", {"keyword"}),  # graph is seeded by the keyword list, else by meaning
    ],
)
def test_a_statement_that_is_late_costs_only_the_lanes_that_need_it(world, filled, table, late):
    question = world.question(filled, ASKED, timeout_ms=300)
    with psycopg.connect(world.dsn) as blocker:
        blocker.execute(f"lock table {table}")
        found = world.run(
            search_all(lanes(world.transaction, timeout_ms=600), question, 20, timeout_s=5.0)
        )
    assert found.failed == dict.fromkeys(late, "timeout")
    assert all(len(hits) == 20 for hits in found.runs.values())


def test_when_every_lane_is_late_the_recall_says_so(world, filled):
    question = world.question(filled, ASKED, timeout_ms=150)
    asked = search_all(lanes(world.transaction, timeout_ms=150), question, 20, timeout_s=5.0)
    with psycopg.connect(world.dsn) as blocker:
        blocker.execute("lock table memories")
        with pytest.raises(NoChannel) as failure:
            world.run(asked)
    assert failure.value.failures == dict.fromkeys(LANES, "timeout")


def test_lane_does_not_change_the_question_it_is_asked(world, filled, lane):
    question = world.question(filled, ASKED)
    copy = replace(question)
    first = world.run(world.lane(lane).search(question, 20))
    assert world.run(world.lane(lane).search(question, 20)) == first
    assert question == copy
