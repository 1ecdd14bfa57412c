"""Signals that clients need not spell out: from answers, tool calls, replies, the next question."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from feedback.step import Bounds, step
from router.learning import setup_of
from tests.router.api.conftest import Api

AT = "2024-06-12T00:00:00.000Z"
ANSWER = "The cluster was moved to eu-west on Monday [m1]."
Q1 = "which region is the staging cluster in"
Q2 = "which region is the staging cluster in now, Ana?"


def ask(api: Api, bank: str, question: str = "where is staging?", **more: Any) -> str:
    return str(api.post(f"{bank}/recall", {"question": question, **more}).json()["recall_id"])


def report(name: str, recall: str | None, action: str = "answer_given", **more: Any) -> Any:
    return {
        "event_id": name, "action_name": action, "timestamp": AT, "recall_id": recall, **more,
    }  # fmt: skip


def events(api: Api, bank: str, recall: str) -> list[tuple[str, str, str | None, str]]:
    found = api.get(f"{bank}/recalls/{recall}").json()["events"]
    return sorted(
        (one["event_id"], one["action_name"], one["memory_id"], one["annotator"]) for one in found
    )


def later(api: Api) -> None:
    """Long enough that the next question was asked by somebody who has seen the answer."""
    time.sleep(1.05)


def test_memory_cited_in_an_answer_gets_an_event_of_its_own(api: Api, filled: str) -> None:
    recall = ask(api, filled)
    reply = api.post(f"{filled}/feedback", report("a1", recall, answer=ANSWER))
    assert (reply.json()["accepted"], reply.json()["unknown"]) == (1, {})
    assert events(api, filled, recall) == [
        ("a1", "answer_given", None, "agent"),
        ("a1#cited:m1", "memory_cited", "m1", "implicit:id"),
    ]
    (found,) = (
        one
        for one in api.get(f"{filled}/recalls/{recall}").json()["events"]
        if one["event_id"] == "a1#cited:m1"
    )
    assert (found["value"], found["state"]) == (1, "joined")
    assert found["confidence"] == pytest.approx(0.95)  # below a client's own word
    assert found["position"] >= 1


def test_tool_arguments_say_what_was_used(api: Api, filled: str) -> None:
    recall = ask(api, filled)
    call = [{"name": "kubectl", "arguments": {"context": "eu-west", "cluster": "staging"}}]
    api.post(f"{filled}/feedback", report("t1", recall, tool_arguments=call))
    assert ("t1#used:m1", "memory_used_in_tool", "m1", "implicit:argument") in events(
        api, filled, recall
    )


def test_an_answer_sent_again_counts_once(api: Api, filled: str) -> None:
    recall = ask(api, filled)
    sent = report("a1", recall, answer=ANSWER)
    api.post(f"{filled}/feedback", sent)
    before = events(api, filled, recall)
    again = api.post(f"{filled}/feedback", {"events": [sent, sent]}).json()
    assert (again["accepted"], again["duplicate"]) == (0, 2)
    assert events(api, filled, recall) == before


def test_nothing_is_derived_where_the_bank_wants_it_so(api: Api, filled: str) -> None:
    api.put(filled, {"config": {"implicit": False}})
    recall = ask(api, filled, Q1, session="s")
    api.post(f"{filled}/feedback", report("a1", recall, answer=ANSWER))
    later(api)
    ask(api, filled, Q2, session="s")
    assert [one[1] for one in events(api, filled, recall)] == ["answer_given"]


def test_values_of_the_bank_hold_for_what_is_derived(api: Api, filled: str) -> None:
    api.put(filled, {"config": {"event_values": {"memory_cited": 0.5}}})
    recall = ask(api, filled)
    api.post(f"{filled}/feedback", report("a1", recall, answer=ANSWER))
    found = api.get(f"{filled}/recalls/{recall}").json()["events"]
    assert [one["value"] for one in found if one["action_name"] == "memory_cited"] == [0.5]


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({}, "answer"),
        ({"answer": 7}, "answer"),
        ({"answer": "x", "recall_id": None, "memory_id": "m1"}, "query_id"),
        ({"action_name": "user_replied"}, "reply"),
    ],
)
def test_report_that_says_nothing_is_refused(
    api: Api, standing: str, more: dict[str, Any], field: str
) -> None:
    event = {**report("bad", "r"), **more}
    (refused,) = api.post(f"{standing}/feedback", event).json()["rejected"]
    assert (refused["code"], refused["field"]) == ("invalid", field)


def test_answer_that_came_before_its_recall_is_read_when_that_is_recorded(
    api: Api, filled: str
) -> None:
    recall = ask(api, filled)
    events(api, filled, recall)  # on record
    key = api.run(api.service.banks.get(filled.rsplit("/", 1)[1])).key
    store = api.service.feedback

    async def park_and_join() -> None:
        async with api.service.transaction(key) as conn:
            await conn.execute("update recalls set id = 'hidden' where id = %s", (recall,))
        sent = [report("a1", recall, answer=ANSWER)]
        assert (await store.ingest(key, sent, api_key=None, trusted=False)).parked == 1
        async with api.service.transaction(key) as conn:
            await conn.execute("update recalls set id = %s where id = 'hidden'", (recall,))
        assert await store.join_parked(key, [recall]) == 1
        assert await store.join_parked(key, [recall]) == 0

    api.run(park_and_join())
    assert [one[0] for one in events(api, filled, recall)] == ["a1", "a1#cited:m1"]


def test_reply_that_turns_an_answer_down_is_a_thumb_on_it(api: Api, filled: str) -> None:
    recall = ask(api, filled)
    sent = [
        report("u1", recall, "user_replied", reply="No, that's wrong."),
        report("u2", recall, "user_replied", reply="please try again"),
        report("u3", recall, "user_replied", reply="thanks, what went wrong there?"),
    ]
    api.post(f"{filled}/feedback", {"events": sent})
    derived = [one for one in events(api, filled, recall) if one[3] != "agent"]
    assert derived == [
        ("u1#complaint", "answer_thumbs_down", None, "implicit:complaint"),
        ("u2#retry", "answer_retry", None, "implicit:retry"),
    ]


def test_d25_a_complaint_is_booked_on_the_question_before_it(api: Api, filled: str) -> None:
    first = ask(api, filled, Q1, session="s")
    complaint = ask(api, filled, "no, wrong", session="s")
    later(api)
    second = ask(api, filled, Q2, session="s")
    assert events(api, filled, first) == [
        (f"{complaint}#complaint", "answer_thumbs_down", None, "implicit:complaint"),
        (f"{second}#rephrased", "query_rephrased", None, "implicit:rephrased"),
    ]
    assert events(api, filled, complaint) == []
    assert events(api, filled, second) == []


def test_rephrasing_counts_only_in_its_session_and_where_nothing_was_taken_up(
    api: Api, filled: str
) -> None:
    used = ask(api, filled, Q1, session="used")
    other = ask(api, filled, Q1, session="other")
    stranger = ask(api, filled, Q1, session="shared", user="ana")
    alone = ask(api, filled, Q1)
    api.post(f"{filled}/feedback", report("a1", used, answer=ANSWER))
    later(api)
    for more in ({"session": "used"}, {"session": "shared", "user": "ben"}, {}):
        ask(api, filled, Q2, **more)
    ask(api, filled, "who is frustrated with the deploy script?", session="other")
    assert all(
        one[1] != "query_rephrased"
        for recall in (used, other, stranger, alone)
        for one in events(api, filled, recall)
    )


def test_variants_that_a_program_asks_at_once_judge_nothing(api: Api, filled: str) -> None:
    first = ask(api, filled, Q1, session="s")
    ask(api, filled, Q2, session="s")
    assert events(api, filled, first) == []


def test_recording_a_recall_again_books_nothing_twice(api: Api, filled: str) -> None:
    first = ask(api, filled, Q1, session="s")
    later(api)
    second = ask(api, filled, Q2, session="s")
    before = events(api, filled, first)
    assert len(before) == 1
    key = api.run(api.service.banks.get(filled.rsplit("/", 1)[1])).key
    api.run(api.service.feedback.recorded(key, [first, second]))
    assert events(api, filled, first) == before


def test_a_hint_from_a_session_is_no_report_of_its_client(api: Api, filled: str) -> None:
    first = ask(api, filled, Q1, session="s", client="silent")
    later(api)
    ask(api, filled, Q2, session="s", client="silent")
    assert len(events(api, filled, first)) == 1
    bank = api.run(api.service.banks.get(filled.rsplit("/", 1)[1]))
    setup = setup_of(bank.config, bank.embedder_name, fleet=False)
    sealed = datetime.now(UTC) + timedelta(days=1)

    async def learn() -> tuple[list[str], int]:
        async with api.service.transaction(bank.key) as conn:
            bounds = Bounds.at(sealed, window_s=1, grace_s=0)
            assert await step(conn, bank.key, setup, bounds, {}) is not None
            kinds = await conn.execute(
                "select learned_as from recalls where bank_id = %s order by at", (bank.key,)
            )
            known = await conn.execute(
                "select count(*) from learner_clients where bank_id = %s", (bank.key,)
            )
            counted = await known.fetchone()
            assert counted is not None
            return [row[0] for row in await kinds.fetchall()], counted[0]

    assert api.run(learn()) == (["engaged", "none"], 0)
    assert not api.run(api.service.live.heard(bank))  # so it does not explore either


def test_matrix_shows_the_position_bias_it_is_credited_by(api: Api, filled: str) -> None:
    api.put(filled, {"config": {"position_bias_eta": 1.5}})
    shown = api.get(f"{filled}/matrix").json()["position_bias"]
    assert shown == {"eta": 1.5, "source": "set", "estimate": None}
    api.put(filled, {"config": {"position_bias_eta": None}})
    shown = api.get(f"{filled}/matrix").json()["position_bias"]
    assert shown == {"eta": 1.0, "source": "assumed", "estimate": None}
    for wrong in (-0.1, 4.5, "much"):
        reply = api.put(filled, {"config": {"position_bias_eta": wrong}})
        assert reply.status_code == 422
