"""Storing feedback events: once each, joined, late or refused by name."""

import json
from contextlib import asynccontextmanager
from datetime import timedelta

import psycopg
import pytest

from feedback.bodies import parse_body
from feedback.ingest import FeedbackStore, Receipt
from feedback.values import action_values
from tests.feedback.world import BANK, NOW, OTHER, closing, codes, counts, event


def test_an_event_is_stored_joined_to_its_recall(play):
    async def story(world):
        await world.recall()
        sent = event(colour="red", router={"confidence": 0.5, "annotator": "human"})
        receipt = await world.send(sent, trusted=True)
        assert receipt == Receipt(1, 0, 0, 0, ())
        (stored,) = await world.store.events_of(BANK, "r1")
        assert (stored.event_id, stored.action, stored.memory_id) == ("e1", "memory_cited", "m7")
        assert (stored.memory_key, stored.position, stored.value) == (17, 3, 1.0)
        assert (stored.confidence, stored.annotator) == (0.5, "human")
        assert (stored.state, stored.actor) == ("joined", "ana")
        assert (stored.api_key, stored.trusted, stored.applied_version) == ("k1", True, None)
        assert (stored.happened, stored.received) == (NOW - timedelta(minutes=1), NOW)
        assert stored.body == sent

    play(story)


def test_the_same_event_twice_counts_once(play):
    async def story(world):
        await world.recall()
        assert counts(await world.send(event())) == (1, 0, 0, 0)
        turned = dict(reversed(event().items()))
        assert counts(await world.send(turned)) == (0, 1, 0, 0)
        assert await world.one("select count(*) from events") == 1

    play(story)


def test_the_same_id_with_other_content_is_a_conflict_and_changes_nothing(play):
    async def story(world):
        await world.recall()
        await world.send(event())
        receipt = await world.send(event(value=0.1))
        assert codes(receipt) == [(0, "e1", "conflict")]
        (stored,) = await world.store.events_of(BANK, "r1")
        assert stored.value == 1.0

    play(story)


def test_within_a_request_the_first_of_an_id_wins(play):
    async def story(world):
        await world.recall()
        receipt = await world.send(event(), event(), event(value=0.1), event("e0"))
        assert counts(receipt) == (2, 1, 0, 0)
        assert codes(receipt) == [(2, "e1", "conflict")]

    play(story)


def test_two_banks_may_use_the_same_event_id(play):
    async def story(world):
        await world.recall()
        await world.recall(bank=OTHER)
        assert counts(await world.send(event())) == (1, 0, 0, 0)
        assert counts(await world.send(event(), bank=OTHER)) == (1, 0, 0, 0)
        assert await world.one("select count(*) from events") == 1

    play(story)


def test_every_refusal_has_its_code_and_the_rest_is_stored(play):
    async def story(world):
        await world.recall()
        await world.recall("old", at=NOW - timedelta(days=30, seconds=1))
        await world.recall("theirs", bank=OTHER)
        receipt = await world.send(
            event("a"),
            event("b", memory_id="m9"),
            event("c", position=2),
            event("d", query_id="old"),
            event("e", query_id="theirs"),
            event("f", timestamp="2024-06-03T11:59:00"),
            "nonsense",
            event("a", value=0.5),
            event("g", query_id="nobody's"),
        )
        assert counts(receipt) == (1, 0, 1, 0)
        assert codes(receipt) == [
            (1, "b", "unknown_item"),
            (2, "c", "wrong_position"),
            (3, "d", "too_late"),
            (4, "e", "cross_bank"),
            (5, "f", "invalid"),
            (6, None, "invalid"),
            (7, "a", "conflict"),
        ]
        assert receipt.rejected[4].field == "timestamp"
        assert all(rejection.field and rejection.reason for rejection in receipt.rejected)
        assert await world.one("select count(*) from events", "all") == 2

    play(story)


def test_a_repeated_event_is_a_duplicate_even_when_it_would_come_too_late(play):
    async def story(world):
        await world.recall()
        await world.send(event())
        world.clock.now = NOW + timedelta(days=31)
        assert counts(await world.send(event())) == (0, 1, 0, 0)
        assert codes(await world.send(event(value=0.5))) == [(0, "e1", "conflict")]
        assert codes(await world.send(event("e2"))) == [(0, "e2", "too_late")]

    play(story)


def test_an_event_after_the_window_is_late_and_accepted(play):
    async def story(world):
        await world.recall()
        world.clock.now = NOW + timedelta(seconds=1801)
        assert counts(await world.send(event())) == (1, 0, 0, 1)
        (stored,) = await world.store.events_of(BANK, "r1")
        assert (stored.state, stored.actor, stored.memory_key) == ("late", "ana", 17)

    play(story)


def test_closing_a_recall_makes_later_events_late_but_not_its_neighbours(play):
    async def story(world):
        await world.recall()
        assert counts(await world.send(closing(), event())) == (2, 0, 0, 0)
        assert await world.one("select closed_at from recalls") == NOW
        world.clock.now = NOW + timedelta(seconds=1)
        assert counts(await world.send(event("e2"), closing("c2"))) == (2, 0, 0, 2)
        assert await world.one("select closed_at from recalls") == NOW

    play(story)


def test_a_bank_stores_its_own_default_values(play):
    async def story(world):
        await world.recall()
        await world.send(event(), values=action_values({"memory_cited": 0.25}))
        (stored,) = await world.store.events_of(BANK, "r1")
        assert stored.value == 0.25

    play(story)


def test_an_unknown_action_is_kept_without_a_value(play):
    async def story(world):
        await world.recall()
        assert counts(await world.send(event(action_name="admired", value=1))) == (1, 0, 0, 0)
        (stored,) = await world.store.events_of(BANK, "r1")
        assert (stored.action, stored.value) == ("admired", None)

    play(story)


def test_actions_that_nobody_knows_are_told_by_name(play):
    async def story(world):
        await world.recall()
        sent = [event(f"e{n}", action_name="memory_sited") for n in range(2)]
        sent += [event("e3", action_name="admired"), event("e4"), closing()]
        told = await world.send(*sent, event("e5", action_name="user_replied", reply="thanks"))
        assert told.accepted == 6
        assert told.unknown == {"admired": 1, "memory_sited": 2}
        own = {"admired": {"value": 1, "trust": 1, "attribution": "memory"}}
        told = await world.send(event("e6", action_name="admired"), values=action_values(own))
        assert told.unknown == {}

    play(story)


def test_a_line_that_is_no_json_is_rejected_alone(play):
    async def story(world):
        await world.recall()
        raw = json.dumps(event()) + '\n\n{"event_id": "e2",\n' + json.dumps(event("e3"))
        told = await world.send(*parse_body(raw.encode(), "application/x-ndjson"))
        assert told.accepted == 2
        (bad,) = told.rejected
        assert (bad.index, bad.event_id, bad.code, bad.field) == (1, None, "invalid", "line 3")
        assert "column" in bad.reason

    play(story)


def test_a_request_without_events_is_answered(play):
    async def story(world):
        assert await world.send() == Receipt(0, 0, 0, 0, ())
        assert counts(await world.send("nonsense")) == (0, 0, 0, 0)

    play(story)


def test_what_python_reads_the_store_can_hold(play):
    async def story(world):
        await world.recall()
        hard = json.loads(
            '{"big": 1e308, "small": 5e-324, "t": "\\ud83d\\ude00 \\\\u0000 \\u2028", "long": %s}'
            % ("9" * 4000)
        )
        assert counts(await world.send(event(**hard))) == (1, 0, 0, 0)
        deep: object = 1
        for _ in range(600):
            deep = [deep]
        assert counts(await world.send(event("e2", deep=deep))) == (1, 0, 0, 0)

    play(story)


def test_a_failure_inside_a_request_leaves_nothing_behind(play):
    async def story(world):
        await world.recall()

        @asynccontextmanager
        async def broken(bank, **options):
            async with world.transaction(bank, **options) as conn:
                yield conn
                raise psycopg.OperationalError("the server went away")

        store = FeedbackStore(broken, clock=world.clock)
        with pytest.raises(psycopg.OperationalError):
            await store.ingest(BANK, [event(), closing()], api_key=None, trusted=False)
        assert await world.one("select count(*) from events") == 0
        assert await world.one("select closed_at from recalls") is None

    play(story)
