"""A bank walked without a question, over HTTP and the command line's own reads."""

from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.structure.topics import Topic, grown, parent_of
from tests.router.api.conftest import Api

ITEMS = [
    ("a1", "We moved the staging cluster", "infra.staging", "standup-1", "2025-06-02T09:00:00Z"),
    ("a2", "The staging cluster is stable", "infra.staging", "standup-2", "2025-06-03T09:00:00Z"),
    ("a3", "The firewall was opened for Petra", "infra.network.firewall", "standup-2",
     "2025-06-03T09:05:00Z"),
    ("b1", "Billing moved to Stripe", "billing", "standup-2", "2025-06-03T23:30:00Z"),
    ("c1", "Infrared cameras arrived", "infrared", None, "2025-06-10T09:00:00Z"),
    ("d1", "Lunch is at noon", None, None, None),
]  # fmt: skip


@pytest.fixture(scope="module", params=["word-hashes", "none"])
def path(api: Api, request: pytest.FixtureRequest) -> str:
    """The path of a bank with topics, episodes and days, with a model and without."""
    found = f"/v1/banks/browsed-{request.param}"
    api.put(found, {"config": {"embedder": request.param}})
    items: list[dict[str, Any]] = [
        {"id": name, "text": text, "topic": topic, "episode": episode, "occurred_at": at,
         "entities": [{"text": "staging cluster", "type": "thing"}] if name in "a1a2" else []}
        for name, text, topic, episode, at in ITEMS
    ]  # fmt: skip
    reply = api.post(f"{found}/memories", {"items": items})
    assert reply.json()["accepted"] == len(ITEMS), reply.text
    return found


def read(api: Api, path: str, **query: object) -> dict[str, Any]:
    reply = api.get(path, params={name: str(value) for name, value in query.items()})
    assert reply.status_code == 200, reply.text
    return reply.json()


def counted(topics: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    found = {}
    for one in topics:
        found |= {one["topic"]: (one["memories"], one["total"]), **counted(one["topics"])}
    return found


def ids(told: dict[str, Any]) -> list[str]:
    return [one["id"] for one in told["memories"]]


def test_walk_leads_from_bank_to_topic_to_episode_to_memory(api: Api, path: str) -> None:
    banks = [one["bank"] for one in read(api, "/v1/banks")["banks"]]
    assert path.rpartition("/")[2] in banks
    topics = read(api, f"{path}/browse/topics")
    assert counted(topics["topics"])["infra.staging"] == (2, 2)
    episodes = read(api, f"{path}/browse/episodes", topic="infra.staging")["episodes"]
    assert [one["episode"] for one in episodes] == ["standup-2", "standup-1"]
    found = read(api, f"{path}/memories", episode="standup-2", topic="infra.staging")
    assert ids(found) == ["a2"]
    assert read(api, f"{path}/memories/a2")["text"] == "The staging cluster is stable"
    near = read(api, f"{path}/memories/a2/neighbours")["neighbours"]
    assert {"a1", "a3"} <= {one["id"] for one in near}


def test_tree_counts_what_lies_on_and_below_each_topic(api: Api, path: str) -> None:
    told = read(api, f"{path}/browse/topics", levels=4)
    assert counted(told["topics"]) == {
        "billing": (1, 1),
        "infra": (0, 3),
        "infra.network": (0, 1),
        "infra.network.firewall": (1, 1),
        "infra.staging": (2, 2),
        "infrared": (1, 1),
    }
    assert (told["prefix"], told["memories"], told["total"]) == (None, 1, 6)
    infra = told["topics"][1]
    assert infra["first"] == "2025-06-02T09:00:00+00:00"
    assert infra["last"] == "2025-06-03T09:05:00+00:00"


def test_prefix_shows_the_subtree_and_not_what_only_begins_alike(api: Api, path: str) -> None:
    told = read(api, f"{path}/browse/topics", prefix="infra", levels=1)
    assert counted(told["topics"]) == {"infra.network": (0, 1), "infra.staging": (2, 2)}
    assert (told["memories"], told["total"], told["has_more"]) == (0, 3, False)
    assert [one["has_more"] for one in told["topics"]] == [True, False]
    assert read(api, f"{path}/browse/topics", prefix="nothing")["total"] == 0
    assert ids(read(api, f"{path}/memories", topic="infra")) == ["a3", "a2", "a1"]


@pytest.mark.parametrize("part", ["topics", "episodes", "entities", "days"])
def test_pages_of_one_join_to_the_whole(api: Api, path: str, part: str) -> None:
    whole = read(api, f"{path}/browse/{part}", limit=200)
    assert whole["next"] is None
    assert len(whole[part]) >= 2
    pages, cursor = [], None
    while True:
        query = {"limit": 1} | ({"cursor": cursor} if cursor else {})
        told = read(api, f"{path}/browse/{part}", **query)
        pages += told[part]
        cursor = told["next"]
        if cursor is None:
            break
    assert pages == whole[part]


def test_entities_come_with_what_mentions_them(api: Api, path: str) -> None:
    found = read(api, f"{path}/browse/entities")["entities"]
    known = {one["entity"].lower(): one for one in found}
    assert known["staging cluster"]["memories"] == 2
    assert known["staging cluster"]["kind"] == "thing"
    assert [one["memories"] for one in found] == sorted(
        (one["memories"] for one in found), reverse=True
    )
    only = read(api, f"{path}/browse/entities", prefix="stag")["entities"]
    assert [one["entity"].lower() for one in only] == ["staging cluster"]
    assert ids(read(api, f"{path}/memories", entity="Staging Cluster")) == ["a2", "a1"]


def test_days_are_counted_in_the_time_zone_asked_for(api: Api, path: str) -> None:
    def days(**query: object) -> list[tuple[str, int]]:
        told = read(api, f"{path}/browse/days", **query)
        return [(one["day"], one["memories"]) for one in told["days"]]

    assert days() == [("2025-06-10", 1), ("2025-06-03", 3), ("2025-06-02", 1)]
    assert days(timezone="Europe/Berlin")[1:3] == [("2025-06-04", 1), ("2025-06-03", 2)]
    assert days(topic="infra") == [("2025-06-03", 2), ("2025-06-02", 1)]
    assert days(**{"from": "2025-06-03T00:00:00Z", "to": "2025-06-04T00:00:00Z"}) == [
        ("2025-06-03", 3)
    ]
    day = {"from": "2025-06-02T00:00:00Z", "to": "2025-06-03T00:00:00Z"}
    assert ids(read(api, f"{path}/memories", **day)) == ["a1"]


def test_day_leads_to_its_summary_where_the_bank_keeps_them(api: Api) -> None:
    path = "/v1/banks/browsed-summaries"
    api.put(path, {"config": {"embedder": "none", "summaries": ["day", "month"]}})
    api.post(f"{path}/memories", {"items": [{"text": "Ben fixed the login", "id": "x",
                                             "occurred_at": "2025-06-03T09:00:00Z"}]})  # fmt: skip
    assert api.post(f"{path}/summarise").json()["written"] == 2
    day = read(api, f"{path}/browse/days")["days"][0]
    assert day["memories"] == 1
    found = read(api, f"{path}/memories/{quote(day['summary'], safe='')}")
    assert found["text"] == "Tuesday 3 June 2025: Ben fixed the login."
    assert found["metadata"] == {"how": "terms", "quoted": ["x"]}
    assert (found["kind"], found["granularity"], found["tags"]) == ("summary", "day", ["summary"])
    near = read(api, f"{path}/memories/{quote(day['summary'], safe='')}/neighbours")["neighbours"]
    assert {(one["id"], one["type"]) for one in near} >= {("x", "DERIVED_FROM")}
    assert counted(read(api, f"{path}/browse/topics")["topics"])["summaries.day"] == (1, 1)
    assert read(api, path)["counts"]["summaries"] == 2


def test_superseded_memories_are_walked_only_when_asked_for(api: Api) -> None:
    path = "/v1/banks/browsed-states"
    api.post(f"{path}/memories", {"items": [
        {"id": "o", "text": "Old plan", "topic": "plan", "episode": "e",
         "occurred_at": "2025-01-01"},
        {"id": "n", "text": "New plan", "topic": "plan", "supersedes": ["o"]},
    ]})  # fmt: skip
    assert read(api, f"{path}/browse/topics")["topics"][0]["total"] == 1
    assert read(api, f"{path}/browse/topics", state="all")["topics"][0]["total"] == 2
    assert read(api, f"{path}/browse/episodes")["episodes"] == []
    past = read(api, f"{path}/browse/episodes", state="superseded")["episodes"]
    assert [one["episode"] for one in past] == ["e"]
    assert read(api, f"{path}/browse/days")["days"] == []


@pytest.mark.parametrize("part", ["topics", "episodes", "entities", "days"])
def test_empty_bank_is_an_empty_page_and_an_absent_one_is_not_found(api: Api, part: str) -> None:
    api.put("/v1/banks/browsed-empty", {"config": {"embedder": "none"}})
    told = read(api, f"/v1/banks/browsed-empty/browse/{part}")
    assert (told[part], told["next"]) == ([], None)
    assert api.get(f"/v1/banks/browsed-absent/browse/{part}").status_code == 404


@pytest.mark.parametrize(
    ("part", "query", "field"),
    [
        ("topics", {"prefix": "a..b"}, "prefix"),
        ("topics", {"levels": 9}, "levels"),
        ("topics", {"cursor": "x"}, "cursor"),
        ("episodes", {"cursor": "WyIxIl0"}, "cursor"),
        ("entities", {"cursor": "WyJhIiwxXQ"}, "cursor"),
        ("days", {"cursor": "WyJhIl0"}, "cursor"),
        ("days", {"timezone": "Mars/Olympus"}, "timezone"),
        ("days", {"colour": "red"}, "colour"),
    ],
)
def test_bad_questions_are_refused_with_their_field(
    api: Api, path: str, part: str, query: dict[str, object], field: str
) -> None:
    reply = api.get(f"{path}/browse/{part}", params=query)
    assert reply.status_code == 422
    assert reply.json()["field"] == field


def test_walk_is_described_in_the_contract(api: Api) -> None:
    paths = api.get("/openapi.json").json()["paths"]
    for part in ("topics", "episodes", "entities", "days"):
        assert "get" in paths[f"/v1/banks/{{bank}}/browse/{part}"]
    assert "post" in paths["/v1/banks/{bank}/summarise"]


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(".".join)


@given(st.dictionaries(PATHS, st.integers(1, 9)))
def test_every_topic_of_a_tree_counts_itself_and_those_below(own: dict[str, int]) -> None:
    every = {
        ".".join(path.split(".")[:depth]) for path in own for depth in range(1, path.count(".") + 2)
    }
    totals = {
        one: sum(n for path, n in own.items() if path == one or path.startswith(f"{one}."))
        for one in every
    }
    found = [Topic(one, own.get(one, 0), totals[one], None, None) for one in every]
    tree = grown(Topic(None, 0, sum(own.values()), None, None), found)
    todo, seen = [tree], set()
    while todo:
        topic = todo.pop()
        assert not topic.has_more
        assert [one.path for one in topic.topics] == sorted(one.path for one in topic.topics)
        assert all(parent_of(one.path or "") == topic.path for one in topic.topics)
        seen.add(topic.path)
        todo += topic.topics
    assert seen == every | {None}
