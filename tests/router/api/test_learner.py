"""Feedback over HTTP moves what is served: learnt, published, held, compared, replayed."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import psycopg
import pytest

from router.learned import Learned
from router.learning import learning, worker_of
from router.presets import default_matrix
from router.weights import as_json
from tests.router.api.conftest import HASHES, Api, fill, running, settings_for

STAMP = "2026-05-04T09:12:00.000Z"
WORDS = ("cluster", "deploy", "billing", "invoice", "login", "cache", "backup", "router", "disk")
PLACES = ("vienna", "oslo", "porto", "turin", "lyon", "basel", "ghent", "bergen", "graz", "split")


@pytest.fixture(scope="module")
def fast(server: str, template: str) -> Iterator[Api]:
    """An app of this module's own."""
    from tests.conftest import fresh_database

    with fresh_database(server, template) as dsn, running(settings_for(dsn)) as api:
        yield api


@pytest.fixture
def talk(fast: Api, bank: str) -> str:
    """The path of a bank in which many memories look alike."""
    rng = np.random.default_rng(5)
    items = [
        {
            "id": f"m{at}",
            "text": " ".join(rng.choice(WORDS, 3)) + f" in {rng.choice(PLACES)}",
            "occurred_at": f"2026-04-{1 + at % 28:02}T08:00:00Z",
            "episode": f"e{at % 9}",
            "speaker": "Ana" if at % 2 else "Ben",
        }
        for at in range(80)
    ]
    reply = fast.post(f"/v1/banks/{bank}/memories", {"items": items})
    assert reply.json()["errors"] == []
    return f"/v1/banks/{bank}"


def ask(api: Api, bank: str, question: str, **more: Any) -> dict[str, Any]:
    return api.post(f"{bank}/recall", {"question": question, **more}).json()


def report(api: Api, bank: str, answer: dict[str, Any], number: int, **more: Any) -> None:
    """Cite the best keyword hit of the page, whatever its place, and close."""
    hits = [one for one in answer["results"] if "keyword" in one["channels"]]
    events: list[dict[str, Any]] = [{"action_name": "recall_closed"}]
    if hits:
        best = min(hits, key=lambda one: one["channels"]["keyword"]["rank"])
        events.append({"action_name": "memory_cited", "memory_id": best["id"]})
    stamped = [
        {
            "event_id": f"{answer['recall_id']}-{number}-{at}",
            "timestamp": STAMP,
            "recall_id": answer["recall_id"],
            **event,
            **more,
        }
        for at, event in enumerate(events)
    ]
    reply = api.post(f"{bank}/feedback", {"events": stamped}).json()
    assert reply["rejected"] == []


def study(api: Api, bank: str, count: int, first: int = 0) -> None:
    """Recalls by several users, each reported on."""
    rng = np.random.default_rng(first + 1)
    for number in range(first, first + count):
        words = " ".join([*rng.choice(WORDS, 2), "in", str(rng.choice(PLACES))])
        answer = ask(api, bank, f"when was {words}?", user=f"u{number % 7}", k=8)
        report(api, bank, answer, number)


def learn(api: Api) -> Any:
    """Let a worker go on until it has nothing to do."""
    service = api.service

    async def work() -> None:
        worker = worker_of(service.transaction, service.settings, grace_s=0.0)
        while await worker.turn():
            pass

    return api.run(work())


def test_what_people_use_changes_what_is_served_within_a_minute(fast: Api, talk: str) -> None:
    bank = fast.run(fast.service.banks.get(talk.removeprefix("/v1/banks/")))
    service = fast.service
    before = ask(fast, talk, "when was cache in oslo?", explore=False)
    assert before["matrix_version"] == 0

    async def served() -> int:
        return (await service.live.matrix(bank)).version

    open_worker = learning(service.transaction, service.settings)
    fast.run(open_worker.__aenter__())
    try:
        study(fast, talk, 60)
        closed = time.monotonic()
        while fast.run(served()) == 0:
            assert time.monotonic() - closed < 60
            time.sleep(0.2)
    finally:
        fast.run(open_worker.__aexit__(None, None, None))
    after = ask(fast, talk, "when was cache in oslo?", explore=False)
    assert after["matrix_version"] >= 1
    assert after["weights"] != before["weights"]
    assert after["policy"] == "learned"
    assert after["propensity"] == 1.0
    matrix = fast.get(f"{talk}/matrix").json()
    assert matrix["author"] == "learner"
    assert matrix["learner"]["state"] == "on"
    assert matrix["learner"]["last"]["impressions"] > 0
    row = max(matrix["rows"].values(), key=lambda one: one["evidence"])
    assert row["evidence"] > 1
    assert row["interval"][0] <= row["gain"] <= row["interval"][1]
    assert len(row["candidates"]) == 5
    assert matrix["residual"]["impressions"] > 0
    assert set(matrix["residual"]["coefficients"]) > {"coverage", "slope"}


def test_bank_without_any_event_is_served_the_default_and_explores_nothing(
    fast: Api, talk: str
) -> None:
    for _ in range(3):
        answers = [ask(fast, talk, "when was disk in graz?", explore=True) for _ in range(6)]
        assert {answer["policy"] for answer in answers} == {"learned"}
        assert {answer["propensity"] for answer in answers} == {1.0}
        assert len({str(answer["weights"]) for answer in answers}) == 1
        assert len({str([one["id"] for one in answer["results"]]) for answer in answers}) == 1
        learn(fast)
    assert fast.get(f"{talk}/matrix").json()["version"] == 0


def test_after_its_first_event_a_bank_explores_and_says_how(fast: Api, talk: str) -> None:
    study(fast, talk, 1)
    time.sleep(2.1)  # a bank without events is asked about again after as long
    answers = [ask(fast, talk, "when was login in lyon?", k=5) for _ in range(60)]
    policies = [answer["policy"] for answer in answers]
    assert set(policies) == {"explored", "holdback"}
    for answer in answers:
        expected = {"explored": 0.9, "holdback": 0.1}[answer["policy"]]
        assert answer["propensity"] == pytest.approx(expected)
        line = fast.get(f"{talk}/recalls/{answer['recall_id']}").json()
        assert (line["policy"], line["propensity"]) == (answer["policy"], pytest.approx(expected))
        assert line["weights"] == pytest.approx(answer["weights"])
        assert (line["noise"] > 0) == (answer["policy"] == "explored")
        if line["teams"] is not None:
            assert answer["policy"] == "holdback"
            assert set(line["teams"]) <= {0, 1}
            assert len(line["teams"]) == len(answer["results"])
    noisy = {str(one["weights"]) for one in answers if one["policy"] == "explored"}
    assert len(noisy) > 1
    still = [ask(fast, talk, "when was login in lyon?", explore=False) for _ in range(5)]
    assert len({str(one["results"][0]["channels"]) for one in still}) == 1
    assert {(one["policy"], one["propensity"]) for one in still} == {("learned", 1.0)}
    own = ask(fast, talk, "when was login?", weights={"keyword": 1.0})
    assert (own["policy"], own["propensity"]) == ("learned", 1.0)


def test_bank_may_forbid_exploration(fast: Api, talk: str) -> None:
    study(fast, talk, 1)
    fast.put(talk, {"config": {"explore": False}})
    time.sleep(2.1)
    answers = [ask(fast, talk, "when was backup in ghent?", explore=True) for _ in range(12)]
    assert {answer["policy"] for answer in answers} == {"learned"}


def test_after_a_rollback_the_learner_is_held_until_it_is_turned_on(fast: Api, talk: str) -> None:
    study(fast, talk, 45)
    learn(fast)
    assert fast.get(f"{talk}/matrix").json()["version"] >= 1
    done = fast.post(f"{talk}/matrix/rollback", {"to": 0}).json()
    assert done["learner"].startswith("held")
    told = fast.get(f"{talk}/matrix").json()
    assert told["learner"]["state"] == "frozen"
    assert "rollback to 0" in told["learner"]["why"]
    study(fast, talk, 25, first=100)
    learn(fast)
    assert fast.get(f"{talk}/matrix").json()["version"] == done["version"]
    reply = fast.post(f"{talk}/learner", {"state": "on", "reason": "looked at it"}).json()
    assert reply == {"state": "on", "why": "on by local: looked at it"}
    study(fast, talk, 3, first=200)
    learn(fast)
    live = fast.get(f"{talk}/matrix").json()
    assert (live["version"] > done["version"], live["author"]) == (True, "learner")


def test_state_that_is_none_is_refused(fast: Api, talk: str) -> None:
    reply = fast.post(f"{talk}/learner", {"state": "off"})
    assert (reply.status_code, reply.json()["field"]) == (422, "state")


def test_policies_are_compared_with_intervals_and_in_words(fast: Api, talk: str) -> None:
    study(fast, talk, 45)
    learn(fast)
    told = fast.get(f"{talk}/policy").json()
    assert set(told["policies"]) == {"live", "default", "last"}
    assert told["reference"] == "default"
    assert told["impressions"] > 40
    assert told["position_bias"]["eta"] == 1.0
    for one in told["policies"].values():
        for estimate in ("dr", "affine_ips"):
            assert one[estimate]["low"] <= one[estimate]["mean"] <= one[estimate]["high"]
        assert 0 <= one["coverage"] <= 1
        assert one["verdict"]
    assert told["policies"]["default"]["dr"]["mean"] == 0
    assert told["policies"]["default"]["effective"] == 0


def test_another_servers_version_is_served_within_a_second(fast: Api, talk: str) -> None:
    service = fast.service
    bank = fast.run(service.banks.get(talk.removeprefix("/v1/banks/")))
    study(fast, talk, 1)
    rows = as_json(default_matrix(HASHES))
    body = {"rows": rows, "expected_version": 0, "reason": "elsewhere"}
    with running(settings_for(_dsn(fast))) as other:
        time.sleep(2.1)
        assert fast.run(_version(service, bank)) == 0  # fresh: asked again only when told
        reply = other.post(f"{talk}/matrix", body)
        assert reply.status_code == 200, reply.text
        told = time.monotonic()
        while fast.run(_version(service, bank)) == 0:
            assert time.monotonic() - told < 1.0
            time.sleep(0.05)


def test_listener_that_was_cut_off_listens_again(fast: Api, talk: str) -> None:
    service = fast.service
    bank = fast.run(service.banks.get(talk.removeprefix("/v1/banks/")))
    study(fast, talk, 1)
    with psycopg.connect(_dsn(fast), autocommit=True) as conn:
        cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = "
        cut += "current_database() and application_name = 'fivefold listener'"
        assert conn.execute(cut.encode()).rowcount >= 1
        _wait(lambda: not service.live.is_listening, 5)
        _wait(lambda: service.live.is_listening, 10)
        time.sleep(2.1)
        assert fast.run(_version(service, bank)) == 0
        conn.execute("set fivefold.bank = 'all'")
        rows = json.dumps(as_json(default_matrix(HASHES)))
        conn.execute(
            "insert into matrices values (%s, 1, null, %s, 'r', 'ana', '{}', now())",
            [bank.key, rows],
        )
        conn.execute("insert into matrix_heads values (%s, 1)", [bank.key])
        conn.execute("select pg_notify('fivefold_matrix', %s)", [str(bank.key)])
        _wait(lambda: fast.run(_version(service, bank)) == 1, 1)


def _wait(until: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.01)


async def _version(service: Any, bank: Any) -> int:
    return (await service.live.matrix(bank)).version


def _dsn(api: Api) -> str:
    return str(api.service.settings.dsn)


def test_replay_gives_every_version_and_forgets_an_actor(fast: Api, talk: str) -> None:
    service = fast.service
    for part in range(3):
        study(fast, talk, 24, first=part * 40)
        learn(fast)
    bank = fast.run(service.banks.get(talk.removeprefix("/v1/banks/")))
    learned = Learned(service.transaction, service.live, fleet=True)
    replay = fast.run(learned.replay(bank))
    assert replay.is_exact
    assert replay.same_state
    assert len(replay.checked) >= 1
    assert replay.impressions >= 60
    before = fast.get(f"{talk}/matrix").json()["version"]
    done = fast.run(learned.forget_actor(bank, "u3"))
    assert done.events > 0
    assert done.recalls > 0
    assert done.step.done.version == before + 1
    lines = fast.get(f"{talk}/recalls?limit=200").json()["recalls"]
    mine = [line["recall_id"] for line in lines if line["actor"] == "u3"]
    assert mine
    one = fast.get(f"{talk}/recalls/{mine[0]}").json()
    assert (one["events"], one["learned_as"]) == ([], "none")
    again = fast.run(learned.replay(bank))
    assert again.is_exact
    assert again.checked == [before + 1]
    assert again.skipped


def test_keys_may_be_made_that_never_explore(own_api: Api) -> None:
    bank = fill(own_api, "/v1/banks/quiet")
    _, admin = own_api.key("admin")
    _, still = own_api.run(
        own_api.app.state.keys.create("t", ["recall"], "*", False, explores=False)
    )
    asked = own_api.post(
        f"{bank}/recall", {"question": "cluster"}, headers={"Authorization": f"Bearer {admin}"}
    ).json()
    event = {
        "event_id": "e1", "timestamp": STAMP, "recall_id": asked["recall_id"],
        "action_name": "recall_closed",
    }  # fmt: skip
    head = {"Authorization": f"Bearer {admin}"}
    assert own_api.post(f"{bank}/feedback", event, headers=head).json()["accepted"] == 1
    time.sleep(2.1)

    def policies(key: str) -> set[str]:
        head = {"Authorization": f"Bearer {key}"}
        body = {"question": "cluster", "explore": True}
        return {
            own_api.post(f"{bank}/recall", body, headers=head).json()["policy"] for _ in range(8)
        }

    assert policies(still) == {"learned"}
    assert policies(admin) <= {"explored", "holdback"}
