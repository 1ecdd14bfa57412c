"""The log alone gives the state and every version, whatever happened in between."""

import json
from datetime import timedelta

import numpy as np
import pytest

from channels.errors import BadInput
from feedback import learners
from feedback.learner import Start
from feedback.replay import Replay, forget_actor, replay
from feedback.settings import LearnerSettings
from tests.feedback.lessons import Lessons, prior, setup, start
from tests.feedback.test_worker import BANK, learn

__all__ = ["learn"]
ADD_MEMORY = """
insert into memories (bank_id, key, id, text, kind, happened, created_at, embedder, analyser, words,
  has_time, is_question, content_hash)
values (1, %(key)s, %(id)s, 'x', 'turn', %(at)s, %(at)s, 1, 1, 1, false, false, 'x')
"""


async def replayed(lessons: Lessons, bank: int = BANK) -> Replay:
    async with lessons.transaction(bank) as conn:
        return await replay(conn, bank)


def test_replay_reproduces_every_version_bit_for_bit(learn) -> None:
    async def story(lessons: Lessons) -> None:
        rng = np.random.default_rng(3)
        for part in range(3):
            await lessons.keyword_lesson(BANK, 30 * part + 30, seed=part, lane=3 + part % 2)
            await lessons.ask(BANK, rng)
            late = lessons.event("memory_thumbs_down", lessons.last["page"][0])
            await lessons.send(BANK, lessons.event("recall_closed"))
            await lessons.learn()
            await lessons.send(BANK, late)
            await lessons.learn()
        told = await replayed(lessons)
        assert told.same_state
        assert told.is_exact
        reasons = await lessons.all("select reason from learner_batches order by batch", BANK)
        assert len(told.checked) >= 2, reasons
        assert told.batches == 6

    learn(story)


def test_replay_notices_a_single_changed_event(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 40)
        await lessons.learn()
        async with lessons.transaction(BANK) as conn:
            await conn.execute(
                b"update events set value = -1 where event_id = (select min(event_id) from events"
                b" where action = 'memory_cited')"
            )
        told = await replayed(lessons)
        assert not told.same_state
        assert not told.is_exact

    learn(story)


def test_other_default_rows_make_the_learner_learn_its_log_anew(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 40)
        await lessons.learn()
        changed: Start = start(rows=prior((1, 0.5, 0.2, 0.5, 0.5), 30.0))
        lessons.setups = lambda config, embedder: setup(start=changed)
        await lessons.keyword_lesson(BANK, 5, seed=9)
        await lessons.learn()
        kinds = await lessons.all("select kind from learner_batches order by batch", BANK)
        assert [row[0] for row in kinds] == ["learned", "rebuilt", "learned"]
        held = await lessons.held(BANK)
        assert LearnerSettings.from_json(held.settings).start.rows.rrf_k[0] == 30.0
        told = await replayed(lessons)
        assert told.is_exact
        assert told.impressions == 45

    learn(story)


def test_deleted_actors_events_leave_what_the_others_taught(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 60)
        await lessons.keyword_lesson(BANK, 30, seed=8, actor="mallory")
        await lessons.learn()
        first = await lessons.live(BANK)
        async with lessons.transaction(BANK) as conn:
            told = await forget_actor(conn, BANK, "mallory", setup(), lessons.now, {})
        events, recalls, step = told
        assert recalls == 30
        assert events >= 30
        assert step.done.version == first.version + 1
        left = await lessons.all("select count(*) from events where actor = 'mallory'", BANK)
        assert left == [(0,)]
        again = await replayed(lessons)
        assert again.is_exact
        assert again.checked == [step.done.version]
        assert again.skipped == [first.version]

    learn(story)


async def forget(lessons: Lessons, actor: str = "mallory") -> tuple:
    async with lessons.transaction(BANK) as conn:
        return await forget_actor(conn, BANK, actor, setup(), lessons.now, {})


def test_deleted_events_stay_deleted_when_sent_again(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 5)
        await lessons.ask(BANK, np.random.default_rng(1), actor="mallory")
        page = lessons.last["page"]
        told = [lessons.event("memory_thumbs_up", page[0]), lessons.event("recall_closed")]
        await lessons.send(BANK, *told)
        await lessons.learn()
        events, recalls, _ = await forget(lessons)
        assert (events, recalls) == (2, 1)
        state = (await lessons.held(BANK)).state
        again = await lessons.send(BANK, *told)
        assert (again.accepted, again.duplicate) == (0, 2)
        changed = await lessons.send(BANK, {**told[0], "value": 0.5})
        assert (changed.accepted, changed.duplicate) == (0, 1)
        other = await lessons.send(BANK, lessons.event("memory_thumbs_up", page[1]))
        assert other.late == 1  # kept, and teaches nothing: its recall was taken out
        await lessons.learn()
        assert (await lessons.held(BANK)).state == state
        assert (await replayed(lessons)).is_exact
        kept = await lessons.all("select * from forgotten_events order by event_id", BANK)
        assert kept == sorted((BANK, one["event_id"]) for one in told)

    learn(story)


def test_memories_forget_what_a_deleted_actor_said_of_them(learn) -> None:
    async def story(lessons: Lessons) -> None:
        asked = await lessons.ask(BANK, np.random.default_rng(1), actor="mallory")
        key = lessons.last["page"][0]
        values = {"key": key, "at": lessons.now - timedelta(days=9), "id": f"m{key}"}
        async with lessons.transaction(BANK) as conn:
            await conn.execute(ADD_MEMORY, values)
            await conn.execute("insert into memory_stats (bank_id, key) values (1, %s)", [key])
        bad = lessons.event("memory_thumbs_down", key)
        await lessons.send(BANK, bad, lessons.event("memory_thumbs_up", key))
        [(spoilt,)] = await lessons.all("select stability_days from memory_stats", BANK)
        assert spoilt is not None
        assert lessons.last["id"] == asked
        await forget(lessons)
        found = await lessons.all("select stability_days, uses, last_used_at from memory_stats", 1)
        assert found == [(None, 0, None)]

    learn(story)


def test_recalls_not_yet_learnt_from_are_taken_out_too(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 5)
        await lessons.learn()
        await lessons.ask(BANK, np.random.default_rng(1), actor="mallory")
        page = lessons.last["page"]
        await lessons.send(BANK, lessons.event("memory_thumbs_up", page[0]))
        _, recalls, _ = await forget(lessons)
        assert recalls == 1
        told = [lessons.event("memory_thumbs_up", page[1]), lessons.event("recall_closed")]
        assert (await lessons.send(BANK, *told)).accepted == 2
        await lessons.learn()
        assert lessons.seen.steps[-1].batch.impressions == 0
        [(evidence,)] = await lessons.all(
            "select learned_as from recalls where actor = 'mallory'", BANK
        )
        assert evidence == "none"

    learn(story)


def test_events_that_still_wait_for_a_recall_go_with_their_actor(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.ask(BANK, np.random.default_rng(1), actor="mallory")
        waiting = [
            lessons.event("recall_closed", recall_id="not-yet", user_id="mallory"),
            lessons.event("recall_closed", recall_id="not-yet", client_id="mallory"),
            lessons.event("recall_closed", recall_id="not-yet", user_id="ana", client_id="mallory"),
        ]
        assert (await lessons.send(BANK, *waiting)).parked == 3
        events, _, _ = await forget(lessons)
        assert events == 2
        left = await lessons.all("select event_id from events", BANK)
        assert left == [(waiting[2]["event_id"],)]
        assert (await lessons.send(BANK, *waiting)).duplicate == 3

    learn(story)


def test_an_actor_that_is_nobody_publishes_nothing(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 40, actor="mallory")
        await lessons.learn()
        before = await lessons.live(BANK)
        with pytest.raises(BadInput, match="no-such-actor") as caught:
            await forget(lessons, "no-such-actor")
        assert caught.value.field == "actor"
        assert await lessons.live(BANK) == before
        await forget(lessons)
        with pytest.raises(BadInput, match="forgotten already"):
            await forget(lessons)

    learn(story)


def test_versions_learnt_by_other_rules_are_not_checked(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 40)
        await lessons.learn()
        first = (await lessons.live(BANK)).version
        async with lessons.transaction(BANK) as conn:
            for table in ("learners", "learner_batches"):
                await conn.execute(
                    f"update {table} set settings = jsonb_set(settings, '{{formats}}', %s)"
                    " where settings is not null",
                    [json.dumps(["before"])],
                )
            await conn.execute(
                b"update matrices set rows = jsonb_set(rows, '{temporal,weights,keyword}', '0.5')"
            )
        await lessons.keyword_lesson(BANK, 5, seed=9)
        await lessons.learn()
        told = await replayed(lessons)
        assert told.is_exact
        assert told.skipped == [first]

    learn(story)


def test_when_nothing_is_left_the_default_rows_are_published(learn) -> None:
    async def story(lessons: Lessons) -> None:
        await lessons.keyword_lesson(BANK, 40, actor="mallory")
        await lessons.learn()
        assert await lessons.live(BANK) is not None
        async with lessons.transaction(BANK) as conn:
            await forget_actor(conn, BANK, "mallory", setup(), lessons.now, {})
        rows = (await lessons.live(BANK)).rows
        begun = setup().settings.start
        before = dict(zip(begun.channels, begun.rows.weights[0].tolist(), strict=True))
        assert rows["temporal"]["weights"] == before

    learn(story)


def test_prior_of_the_fleet_needs_three_other_banks_and_is_on_record(learn) -> None:
    async def story(lessons: Lessons) -> None:
        lessons.setups = lambda config, embedder: setup(shares=config.get("fleet_prior", True))
        for bank in (2, 3, 4):
            await lessons.bank(bank, **({"fleet_prior": False} if bank == 4 else {}))
            await lessons.keyword_lesson(bank, 40, seed=bank)
        await lessons.learn()
        await lessons.keyword_lesson(BANK, 2)
        await lessons.learn()
        assert await lessons.live(BANK) is None  # two others share: too few
        async with lessons.transaction("all") as conn:
            await conn.execute(b"update banks set config = '{}'")
        await lessons.keyword_lesson(4, 2, seed=5)  # it begins to share with its next batch
        await lessons.learn()
        await lessons.keyword_lesson(BANK, 2, seed=6)
        await lessons.learn()
        live = await lessons.live(BANK)
        assert live is not None
        assert live.rows["temporal"]["weights"]["keyword"] > 0.4
        [(fleet,)] = await lessons.all("select fleet from learner_batches where version = 1", BANK)
        assert fleet is not None
        assert (await replayed(lessons)).is_exact

    learn(story)


def test_banks_of_other_default_rows_are_no_kin(learn) -> None:
    async def story(lessons: Lessons) -> None:
        lessons.setups = lambda config, embedder: setup(shares=True)
        await lessons.keyword_lesson(BANK, 3)
        await lessons.learn()
        other = setup(start=start(rows=prior((1, 0.5, 0.2, 0.5, 0.5), 30.0)))
        async with lessons.transaction("all") as conn:
            for one, count in ((setup(), 1), (other, 0)):
                found = await learners.kin(conn, one.settings.kin, one.settings.start.channels)
                assert len(found) == count

    learn(story)
