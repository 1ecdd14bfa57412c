"""Which closed recalls are evidence, and what is made of them."""

import asyncio
from datetime import timedelta

import numpy as np
import pytest

from feedback import history
from feedback.replay import replay
from feedback.vouched import is_vouched, only_explicit
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


async def closed_with(lessons: Lessons, *told: dict, **changes: object) -> dict:
    """A recall that was learnt from; `lessons.last` is it."""
    last = lessons.last
    await lessons.send(BANK, *told, lessons.event("recall_closed"), **changes)
    await lessons.learn()
    lessons.last = last
    return last


def taught(lessons: Lessons) -> list[int]:
    return [step.batch.impressions for step in lessons.seen.steps]


def test_what_was_said_in_time_adds_nothing_when_said_late(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        liked = lessons.last["page"][2]
        await closed_with(lessons, lessons.event("memory_thumbs_up", liked))
        state = (await lessons.held(BANK)).state
        for _ in range(4):
            told = await lessons.send(BANK, lessons.event("memory_thumbs_up", liked))
            assert (told.accepted, told.late) == (1, 1)
            await lessons.learn()
        assert taught(lessons) == [1, 0, 0, 0, 0]
        assert (await lessons.held(BANK)).state == state
        assert (
            await lessons.all("select applied_version from events where state = 'late'", 1)
            == [(None,)] * 4
        )

    learn(story)


def test_late_words_count_once_each_and_replay_agrees(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        page = lessons.last["page"]
        await closed_with(lessons, lessons.event("memory_cited", page[0]))
        for action, key in [
            ("memory_thumbs_up", page[1]),
            ("memory_thumbs_up", page[1]),
            ("memory_thumbs_up", page[0]),
            ("memory_thumbs_down", page[1]),
            ("memory_thumbs_down", page[1]),
        ]:
            await lessons.send(BANK, lessons.event(action, key))
            await lessons.learn()
        assert taught(lessons) == [1, 1, 0, 1, 1, 0]
        (again,) = await impressions(lessons, 4)
        assert again.engagement[0] == pytest.approx(0.1)
        async with lessons.transaction(BANK) as conn:
            assert (await replay(conn, BANK)).is_exact

    learn(story)


def test_trusted_word_is_vouched_for_beside_an_ordinary_event(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        page = lessons.last["page"]
        await lessons.send(BANK, lessons.event("memory_thumbs_down", page[0]), trusted=True)
        await closed_with(lessons, lessons.event("memory_opened", page[1]))
        (one,) = await impressions(lessons)
        assert not one.trusted
        assert is_vouched(one)
        assert np.flatnonzero(only_explicit(one).engagement).tolist() == [0]

    learn(story)


def test_trusted_word_that_comes_late_is_vouched_for_though_others_said_it(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1))
        page = lessons.last["page"]
        await closed_with(lessons, lessons.event("memory_thumbs_up", page[0]))
        await lessons.send(BANK, lessons.event("memory_thumbs_up", page[0]), trusted=True)
        await lessons.learn()
        (one,) = await impressions(lessons, 2)
        assert one.is_silent
        assert only_explicit(one).exposed[0]
        assert only_explicit(one).engagement[0] == 1
        async with lessons.transaction(BANK) as conn:
            assert (await replay(conn, BANK)).is_exact

    learn(story)


@pytest.mark.parametrize("learns_between", [True, False])
def test_client_that_reports_late_reports(learn, learns_between: bool) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1), client="slow")
        lessons.now += timedelta(seconds=1_805)
        if learns_between:
            await lessons.learn()
        cited = lessons.event("memory_cited", lessons.last["page"][0])
        assert (await lessons.send(BANK, cited)).late == 1
        await lessons.ask(BANK, RNG(2), client="slow")
        lessons.now += timedelta(seconds=1_805)
        await lessons.learn()
        first = "none" if learns_between else "client"
        assert await evidence(lessons) == [first, "client"]

    learn(story)


def test_only_what_said_something_is_applied_to_a_version(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, RNG(1), caller_weights=True)
        ignored = lessons.event("memory_cited", lessons.last["page"][0])
        await lessons.send(BANK, ignored, lessons.event("recall_closed"))
        await lessons.ask(BANK, RNG(1))
        page = lessons.last["page"]
        unknown = lessons.event("memory_admired", page[0])
        heard = [lessons.event("memory_cited", page[0])]
        await closed_with(lessons, *heard, unknown)
        passing = lessons.event("memory_opened", page[3])
        heard.append(lessons.event("memory_thumbs_up", page[4]))
        await lessons.send(BANK, passing, heard[1])
        await lessons.learn()
        found = await lessons.all(
            "select event_id from events where applied_version is not null"
            " and action <> 'recall_closed' order by event_id",
            BANK,
        )
        assert [row[0] for row in found] == [one["event_id"] for one in heard]
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
