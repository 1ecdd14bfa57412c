"""Which closed recalls are evidence, and what is made of them."""

import asyncio
from datetime import timedelta

import numpy as np
import pytest

from feedback import history
from tests.feedback.lessons import Lessons, setup
from tests.feedback.test_worker import BANK, learn

__all__ = ["learn"]
RNG = np.random.default_rng


async def evidence(lessons: Lessons) -> list[str]:
    found = await lessons.all("select learned_as from recalls order by at, id", BANK)
    return [row[0] for row in found]


async def impressions(lessons: Lessons, batch: int = 1) -> list:
    async with lessons.transaction(BANK) as conn:
        return await history.of_batch(conn, BANK, batch, setup().settings)


def test_silence_counts_only_of_clients_that_report(learn) -> None:
    async def story(lessons: Lessons) -> None:
        lessons.now -= timedelta(days=20)
        await lessons.ask(BANK, RNG(1), client="quiet")
        await lessons.ask(BANK, RNG(2), client="talks")
        await lessons.send(BANK, lessons.event("memory_cited", lessons.last["page"][0]))
        await lessons.ask(BANK, RNG(3), client="talks")
        await lessons.ask(BANK, RNG(4), client="quiet")
        await lessons.send(BANK, lessons.event("memory_exposed", lessons.last["page"][0]))
        await lessons.ask(BANK, RNG(5), client="third")
        await lessons.send(BANK, lessons.event("recall_closed"))
        lessons.now += timedelta(hours=1)
        await lessons.learn()
        lessons.now += timedelta(days=8)
        await lessons.ask(BANK, RNG(6), client="talks")
        lessons.now += timedelta(hours=1)
        await lessons.learn()
        # "quiet" has reported something in the same batch, so its first silence says something too
        told = ["client", "engaged", "client", "reported", "reported", "none"]
        assert await evidence(lessons) == told

    learn(story)


def test_open_recall_is_left_alone_until_its_window_has_passed(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        await lessons.send(BANK, lessons.event("memory_cited", lessons.last["page"][0]))
        lessons.now += timedelta(seconds=1_790)
        await lessons.learn()
        assert await evidence(lessons) == [None]
        lessons.now += timedelta(seconds=20)
        await lessons.learn()
        assert await evidence(lessons) == ["engaged"]

    learn(story)


def test_weights_of_the_caller_teach_nothing(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1), caller_weights=True)
        cited = lessons.event("memory_cited", lessons.last["page"][0])
        await lessons.send(BANK, cited, lessons.event("recall_closed"))
        await lessons.learn()
        assert await evidence(lessons) == ["none"]
        assert not lessons.seen.steps[0].batch.impressions

    learn(story)


def test_impression_is_the_page_with_what_was_engaged(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1), actor="ana")
        page, ranks = lessons.last["page"], lessons.last["ranks"]
        cited = lessons.event("memory_cited", page[2])
        await lessons.send(BANK, cited, lessons.event("recall_closed"))
        await lessons.learn()
        (one,) = await impressions(lessons)
        assert (one.actor, one.version, one.policy) == ("ana", 0, "learned")
        assert one.keys.tolist() == page
        assert np.flatnonzero(one.engagement).tolist() == [2]
        assert one.ranks[one.page].tolist() == [ranks[key - 1].tolist() for key in page]
        assert one.features.shape == (len(page), 3)
        assert one.types.tolist() == [1, 0, 0, 0, 0]

    learn(story)


def test_corrected_type_is_learnt_as_certain_and_as_it_stood(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        async with lessons.transaction(BANK) as conn:
            await conn.execute(b"update recalls set corrected_type = 'emotional'")
        await lessons.send(BANK, lessons.event("recall_closed"))
        await lessons.learn()
        async with lessons.transaction(BANK) as conn:
            await conn.execute(b"update recalls set corrected_type = 'factual'")
        (one,) = await impressions(lessons)
        assert one.types.tolist() == [0, 0, 0, 1, 0]

    learn(story)


def test_complaint_is_booked_on_the_recall_that_it_is_about(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        first = dict(lessons.last)
        await lessons.ask(BANK, RNG(2))
        closing = lessons.event("recall_closed")
        second, lessons.last = lessons.last, first
        again = lessons.event("query_rephrased", router={"next_query_id": second["id"]})
        await lessons.send(BANK, again, lessons.event("recall_closed"), closing)
        await lessons.learn()
        one, other = await impressions(lessons)
        assert one.recall_id == first["id"]
        assert one.engagement.sum() == pytest.approx(-0.25)
        assert not other.engagement.any()

    learn(story)


def test_what_comes_late_counts_where_it_was_deliberate(learn) -> None:
    async def story(lessons: Lessons) -> None:
        for action in ("memory_thumbs_down", "memory_opened"):
            await lessons.ask(BANK, RNG(1))
            last = lessons.last
            await lessons.send(BANK, lessons.event("recall_closed"))
            await lessons.learn()
            lessons.last = last
            told = await lessons.send(BANK, lessons.event(action, last["page"][3]))
            assert told.late == 1
            await lessons.learn()
        counts = [step.batch.impressions for step in lessons.seen.steps]
        assert counts == [1, 1, 1, 0]
        (late,) = await impressions(lessons, 2)
        assert np.flatnonzero(late.exposed).tolist() == [3]
        assert late.engagement[3] == -1
        [(left,)] = await lessons.all("select count(*) from events where learned_batch is null", 1)
        assert left == 0

    learn(story)


def test_event_that_waited_while_its_recall_was_learnt_is_late(learn) -> None:
    """Its request was read before the closing, and stored after the learner had the recall."""

    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        last = lessons.last
        lessons.now += timedelta(seconds=1_795)
        early = lessons.now
        lessons.now += timedelta(seconds=20)
        await lessons.learn()
        now, lessons.now = lessons.now, early
        lessons.last = last
        told = await lessons.send(BANK, lessons.event("memory_thumbs_up", last["page"][0]))
        assert told.late == 1
        lessons.now = now
        await lessons.learn()
        assert [step.batch.impressions for step in lessons.seen.steps] == [0, 1]

    learn(story)


def test_requests_and_learners_never_wait_for_each_other_crosswise(learn) -> None:
    async def story(lessons: Lessons) -> None:
        rng = RNG(4)
        asked = []
        for _ in range(24):
            await lessons.ask(BANK, rng)
            asked.append(lessons.last)
            await lessons.send(BANK, lessons.event("recall_closed"))
        lessons.now += timedelta(minutes=1)
        worker = lessons.worker(most=5)

        async def late(last: dict) -> None:
            lessons.last = last
            await lessons.send(BANK, lessons.event("memory_thumbs_up", last["page"][0]))

        await asyncio.gather(*map(late, asked[::-1]), *(worker.turn() for _ in range(3)))
        await lessons.learn()
        await lessons.learn()
        assert lessons.seen.failures == 0
        [(left,)] = await lessons.all("select count(*) from events where learned_batch is null", 1)
        assert left == 0

    learn(story)
