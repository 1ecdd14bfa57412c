"""Events before their recall, and requests that arrive at the same time."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta

from structlog.testing import capture_logs

from feedback.ingest import FeedbackStore
from feedback.values import action_values
from tests.feedback.world import BANK, NOW, OTHER, closing, counts, event


def test_an_event_before_its_recall_is_parked_and_joins_it(play):
    async def story(world):
        receipt = await world.send(event(), event("e2", memory_id="m9"), closing())
        assert counts(receipt) == (0, 0, 3, 0)
        assert counts(await world.send(event())) == (0, 1, 0, 0)
        assert await world.store.join_parked(BANK, ["r1"]) == 0
        await world.recall()
        assert await world.store.join_parked(OTHER, ["r1"]) == 0
        assert await world.store.join_parked(BANK, ["r1", "r2"]) == 2
        stored = {found.event_id: found for found in await world.store.events_of(BANK, "r1")}
        assert (stored["e1"].state, stored["e1"].actor) == ("joined", "ana")
        assert stored["e1"].memory_key == 17
        assert stored["e2"].state == "expired"
        assert stored["c1"].state == "joined"
        assert await world.one("select closed_at from recalls") == NOW
        assert await world.store.join_parked(BANK, ["r1"]) == 0

    play(story)


def test_an_event_that_could_join_no_recall_is_refused(play):
    async def story(world):
        (refused,) = (await world.send(event(query_id=None))).rejected
        assert (refused.code, refused.field) == ("invalid", "query_id")
        assert await world.one("select count(*) from events") == 0

    play(story)


def test_events_that_expire_are_counted_and_said(play):
    async def story(world):
        counted = []
        store = FeedbackStore(world.transaction, clock=world.clock, expired=counted.append)
        await store.ingest(
            BANK,
            [event("e1"), event("e2", memory_id="m9"), event("e3", query_id="never")],
            api_key=None,
            trusted=False,
        )
        await world.recall()
        with capture_logs() as said:
            await store.recorded(BANK, ["r1"])
            assert counted == [1]
            await store.recorded(BANK, ["r1"])
            world.clock.now = NOW + timedelta(hours=24, seconds=1)
            assert await store.expire_parked() == 1
        assert counted == [1, 1]
        assert [one["reason"] for one in said if one["event"] == "events_expired"] == [
            "do not fit their recall",
            "their recall never came",
        ]

    play(story)


def test_parked_event_with_a_value_of_the_banks_own_joins(play):
    """The bank lets a failed task count for an answer; the default table would refuse it."""

    async def story(world):
        told = event(action_name="task_failed", value=0.5, memory_id=None, position=None)
        values = action_values({"task_failed": 0.3})
        assert counts(await world.send(told, values=values)) == (0, 0, 1, 0)
        await world.recall()
        assert await world.store.join_parked(BANK, ["r1"]) == 1

    play(story)


def test_parked_events_expire_after_a_day_and_are_kept(play):
    async def story(world):
        await world.send(event())
        await world.send(event(), bank=OTHER)
        world.clock.now = NOW + timedelta(hours=24)
        assert await world.store.expire_parked() == 0
        world.clock.now = NOW + timedelta(hours=24, seconds=1)
        assert await world.store.expire_parked() == 2
        (stored,) = await world.store.events_of(BANK, "r1")
        assert stored.state == "expired"
        await world.recall()
        assert await world.store.join_parked(BANK, ["r1"]) == 0
        assert await world.store.expire_parked() == 0

    play(story)


def test_expiry_first_joins_what_a_crash_left_waiting(play):
    async def story(world):
        await world.send(event())
        await world.recall()
        world.clock.now = NOW + timedelta(days=2)
        assert await world.store.expire_parked() == 0
        (stored,) = await world.store.events_of(BANK, "r1")
        assert (stored.state, stored.actor) == ("joined", "ana")

    play(story)


def test_a_recall_recorded_while_its_event_is_being_parked_is_found(play):
    async def story(world):
        opened = []

        @asynccontextmanager
        async def slow(bank, **options):
            opened.append(bank)
            async with world.transaction(bank, **options) as conn:
                yield conn
                if opened == [BANK, "all", BANK]:  # the event is in, but not committed
                    await world.recall()
                    assert await world.store.join_parked(BANK, ["r1"]) == 0

        store = FeedbackStore(slow, clock=world.clock)
        receipt = await store.ingest(BANK, [event()], api_key=None, trusted=False)
        assert counts(receipt) == (0, 0, 1, 0)
        (stored,) = await world.store.events_of(BANK, "r1")
        assert stored.state == "joined"

    play(story)


def test_requests_with_the_same_ids_at_the_same_time_store_each_event_once(play):
    async def story(world):
        for name in ("r1", "r2", "r3"):
            await world.recall(name)
        batch = [event(f"e{n}", query_id=f"r{n % 3 + 1}") for n in range(60)]
        batch += [closing(f"c{n}", f"r{n}") for n in (1, 2, 3)]
        other = [{**one, "note": "changed"} for one in batch]
        requests = [batch, batch[::-1], other, batch, other[::-1], batch[::-1]]
        receipts = await asyncio.gather(*(world.send(*request) for request in requests))
        assert sum(receipt.accepted for receipt in receipts) == 63
        assert all(
            rejection.code == "conflict" for receipt in receipts for rejection in receipt.rejected
        )
        for receipt, request in zip(receipts, requests, strict=True):
            total = receipt.accepted + receipt.duplicate + len(receipt.rejected)
            assert total == len(request)
        assert await world.one("select count(*) from events") == 63

    play(story)


def test_parked_requests_with_the_same_ids_never_wait_for_each_other_crosswise(play):
    async def story(world):
        batch = [event(f"e{n:03}") for n in range(400)]
        for _ in range(3):
            requests = [batch, batch[::-1], batch[200:] + batch[:200]]
            receipts = await asyncio.gather(*(world.send(*request) for request in requests))
            assert sum(receipt.parked + receipt.duplicate for receipt in receipts) == 1200
            batch = [{**one, "event_id": one["event_id"] + "x"} for one in batch]
        assert await world.one("select count(*) from events") == 1200

    play(story)


def test_a_recall_cannot_close_while_an_event_is_joining_it(play):
    async def story(world):
        await world.recall()
        closings = []

        @asynccontextmanager
        async def slow(bank, **options):
            async with world.transaction(bank, **options) as conn:
                yield conn
                closings.append(asyncio.create_task(world.send(closing())))
                await asyncio.sleep(0.3)
                assert not closings[0].done()

        store = FeedbackStore(slow, clock=world.clock)
        receipt = await store.ingest(BANK, [event()], api_key=None, trusted=False)
        assert counts(receipt) == (1, 0, 0, 0)
        assert counts(await closings[0]) == (1, 0, 0, 0)

    play(story)
