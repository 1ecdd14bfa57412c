"""A memory lasts longer when it proves useful and shorter when it proves wrong; each event once."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.decay import FSRS6_DECAY, FSRS_DECAY, Decay, fsrs
from feedback.reviews import Logged, logged, unreview
from feedback.stability import LEAST_DAYS, MOST_DAYS, Held, after, lapsed, recalled, reviewed
from tests.feedback.world import BANK, NOW, OTHER, World, event

stabilities = st.floats(1.0, 10_000.0)
elapsed = st.floats(1.0, 5_000.0)
powers = st.sampled_from((FSRS_DECAY, FSRS6_DECAY))

MEMORY = """
insert into memories (bank_id, key, id, text, kind, happened, created_at, embedder, analyser, words,
  has_time, is_question, content_hash)
values (%(bank)s, 17, 'm7', 'x', %(kind)s, %(at)s, %(at)s, 1, 1, 1, false, false, 'x')
"""
BANK_ROW = """
insert into banks (bank_id, name, config, embedder, analyser, created_at)
values (%(bank)s, %(name)s, %(config)s, 1, 1, now()) on conflict do nothing
"""


def test_a_useful_memory_grows_as_by_hand():
    # D 5, S 7, R .9: 7 (1 + e^1.8722 x 6 x 7^-.1666 x (e^.0796 - 1)) = 7 x 3.337
    assert recalled(7.0, 0.9) == pytest.approx(23.36, abs=0.01)
    assert recalled(7.0, 0.9, is_easy=True) == pytest.approx(7 + 16.36 * 1.8729, abs=0.02)
    assert after(7.0, 7.0, 3, FSRS_DECAY) == pytest.approx(23.36, abs=0.01)


def test_a_lapse_is_as_by_hand():
    # 1.4835 x 5^-.0614 x (8^.2629 - 1) x e^(1.6483 x .1) = 1.344 x .7276 x 1.179
    assert lapsed(7.0, 0.9) == pytest.approx(1.153, abs=0.003)


@given(stabilities, elapsed, powers)
def test_use_never_shortens_and_a_lapse_never_lengthens(stability, days, power):
    good, easy = (after(stability, days, grade, power) for grade in (3, 4))
    lapse = after(stability, days, 1, power)
    assert LEAST_DAYS <= lapse <= stability <= good <= easy <= MOST_DAYS


@given(stabilities, powers, elapsed, elapsed)
def test_the_less_was_left_the_more_a_use_is_worth(stability, power, one, other):
    early, late = sorted((one, other))
    assert after(stability, early, 3, power) <= after(stability, late, 3, power) * (1 + 1e-9)


@given(st.lists(st.sampled_from((1, 3, 4)), max_size=200), stabilities)
def test_no_flood_of_reviews_leaves_the_bounds(grades, stability):
    held = Held(1, "turn", stability, NOW, Decay("fsrs"))
    found = reviewed(held, grades, NOW + timedelta(days=3))
    assert LEAST_DAYS <= found <= MOST_DAYS or not grades


def test_thanks_on_the_same_day_leave_a_lasting_memory_as_it_is():
    assert after(60.0, 0.2, 3, FSRS_DECAY) == 60.0
    assert after(60.0, 0.2, 1, FSRS_DECAY) < 60.0


async def _memory(
    world: World, *, bank: int = BANK, kind: str = "turn", config: str = "{}"
) -> None:
    async with world.transaction("all") as conn:
        await conn.execute("insert into embedders values (1, 'none', 1) on conflict do nothing")
        await conn.execute(BANK_ROW, {"bank": bank, "name": f"b{bank}", "config": config})
    async with world.transaction(bank) as conn:
        await conn.execute(MEMORY, {"bank": bank, "kind": kind, "at": NOW - timedelta(days=30)})
        await conn.execute("insert into memory_stats (bank_id, key) values (%s, 17)", [bank])


async def _stats(world: World, bank: int = BANK) -> tuple[float | None, int, datetime | None]:
    async with world.transaction(bank) as conn:
        row = await (
            await conn.execute("select stability_days, uses, last_used_at from memory_stats")
        ).fetchone()
    assert row is not None
    return row


def test_a_cited_memory_lasts_longer_and_a_repeated_event_adds_nothing(play):
    async def story(world: World) -> None:
        await _memory(world)
        await _memory(world, bank=OTHER)
        await world.recall()
        await world.send(event())
        stability, uses, used = await _stats(world)
        left = fsrs(30.0, 7.0)
        assert stability == pytest.approx(recalled(7.0, left), rel=1e-5)
        assert (uses, used) == (1, NOW)
        for _ in range(3):
            await world.send(event())
        assert await _stats(world) == (stability, uses, used)
        assert await _stats(world, OTHER) == (None, 0, None)

    play(story)


def test_of_one_request_with_the_same_event_twice_it_counts_once(play):
    async def story(world: World) -> None:
        await _memory(world)
        await world.recall()
        await world.send(event(), event(), event())
        assert (await _stats(world))[1] == 1

    play(story)


def test_an_event_that_was_parked_reviews_when_it_joins_and_once(play):
    async def story(world: World) -> None:
        await _memory(world)
        await world.send(event())
        assert await _stats(world) == (None, 0, None)
        await world.recall()
        await world.store.join_parked(BANK, ["r1"])
        stability, uses, _ = await _stats(world)
        assert stability is not None
        assert stability > 7.0
        await world.store.join_parked(BANK, ["r1"])
        await world.send(event())
        assert (await _stats(world))[:2] == (stability, uses)

    play(story)


@pytest.mark.parametrize("action", ["memory_thumbs_down", "memory_corrected"])
def test_a_memory_that_proved_wrong_lapses_and_was_not_used(play, action):
    async def story(world: World) -> None:
        await _memory(world, kind="decision")
        await world.recall()
        await world.send(event(action_name=action))
        stability, uses, used = await _stats(world)
        assert stability == pytest.approx(lapsed(180.0, fsrs(30.0, 180.0)), rel=1e-5)
        assert (uses, used) == (0, None)

    play(story)


@pytest.mark.parametrize("action", ["memory_exposed", "memory_opened", "dwell"])
def test_looking_alone_is_no_review(play, action):
    async def story(world: World) -> None:
        await _memory(world)
        await world.recall()
        await world.send(event(action_name=action))
        assert await _stats(world) == (None, 0, None)

    play(story)


def test_the_banks_own_half_life_of_a_kind_is_where_growth_begins(play):
    async def story(world: World) -> None:
        config = '{"decay": {"kind": "fsrs6", "per_kind": {"decision": 904}}}'
        await _memory(world, kind="decision", config=config)
        await world.recall()
        await world.send(event())
        stability, _, _ = await _stats(world)
        start = Decay("fsrs6", half_life_by_kind={"decision": 904.0}).stability("decision")
        assert start == pytest.approx(10.0, rel=0.01)
        left = fsrs(30.0, start, decay=FSRS6_DECAY)
        assert stability == pytest.approx(recalled(start, left), rel=1e-5)

    play(story)


def _log(*reviews: tuple[int, int, bool]) -> list[Logged]:
    """Grade, day, and whether it leaves."""
    return [Logged(17, grade, NOW + timedelta(days=day), own) for grade, day, own in reviews]


async def _left(world: World, log: list[Logged]) -> tuple[float | None, int, datetime | None]:
    async with world.transaction(BANK) as conn:
        await unreview(conn, BANK, log)
    return await _stats(world)


def test_without_an_actors_reviews_a_memory_lasts_as_the_others_say(play):
    async def story(world: World) -> None:
        await _memory(world)
        for number, (action, days) in enumerate(
            [("memory_cited", 0), ("memory_thumbs_down", 2), ("memory_thumbs_up", 9)]
        ):
            world.clock.now = NOW + timedelta(days=days)
            await world.recall(f"r{number}", at=world.clock.now)
            await world.send(event(f"e{number}", action_name=action, query_id=f"r{number}"))
        before = await _stats(world)
        assert await _left(world, _log((3, 0, False), (1, 2, False), (4, 9, False))) == before
        told = await _left(world, _log((3, 0, False), (1, 2, True), (4, 9, True)))
        grown = recalled(7.0, fsrs(30.0, 7.0))
        assert told == (pytest.approx(grown, rel=1e-5), 1, NOW)

    play(story)


def test_without_any_review_a_memory_is_as_new(play):
    async def story(world: World) -> None:
        await _memory(world)
        await world.recall()
        await world.send(event())
        assert await _left(world, _log((3, 0, True))) == (None, 0, None)

    play(story)


def test_use_that_came_with_an_import_stays(play):
    async def story(world: World) -> None:
        await _memory(world)
        async with world.transaction(BANK) as conn:
            await conn.execute(
                "update memory_stats set uses = 5, last_used_at = %s, stability_days = 90", [NOW]
            )
        world.clock.now = NOW + timedelta(days=2)
        await world.recall(at=world.clock.now)
        await world.send(event(action_name="memory_thumbs_down"))
        lapsed_to = (await _stats(world))[0]
        stability, uses, used = await _left(world, _log((1, 2, True)))
        assert (uses, used) == (5, NOW)
        assert lapsed_to < stability <= 90

    play(story)


def test_reviews_on_record_tell_whose_they_are(play):
    async def story(world: World) -> None:
        await _memory(world)
        await world.recall()
        await world.send(event(action_name="memory_thumbs_down"))
        async with world.transaction(BANK) as conn:
            log = await logged(conn, BANK, "ana")
            assert log == [Logged(17, 1, NOW, True)]
            assert await logged(conn, BANK, "ben") == []

    play(story)


def test_time_is_told_by_our_clock():
    held = Held(1, "turn", None, datetime(2024, 6, 3, tzinfo=UTC), Decay("fsrs"))
    assert reviewed(held, [3], held.since - timedelta(days=9)) == pytest.approx(
        after(7.0, 0.0, 3, FSRS_DECAY)
    )
