"""What rules propose is listed with both texts and changes nothing until somebody accepts."""

from itertools import count

import pytest

from tests.router.api.conftest import Api
from tests.router.structure.test_supersede_http import (
    conflicts,
    get,
    ids,
    keep,
    recall,
    said,
    settle,
)

NUMBERS = count(1)


@pytest.fixture
def bank(api: Api) -> str:
    return f"proposed-{next(NUMBERS)}"


OLD = said("old", "We use Jade for search")
NEW = said("new", "We switched from Jade to Onyx for search")


def test_change_that_a_memory_announces_is_proposed_and_nothing_else_done(
    api: Api, bank: str
) -> None:
    keep(api, bank, OLD)
    keep(api, bank, NEW)
    (found,) = conflicts(api, bank)
    assert found["rule"] == "switched_from_to"
    assert found["older"] == {"id": "old", "text": OLD["text"], "occurred_at": None}
    assert found["newer"] == {"id": "new", "text": NEW["text"], "occurred_at": None}
    assert found["evidence"] == {"words": "switched from Jade to Onyx", "old": "Jade"}
    assert get(api, bank, "old")["state"] == "current"
    assert set(ids(recall(api, bank, "which search?"))) == {"old", "new"}


def test_accepting_supersedes_and_a_repeated_write_proposes_nothing_again(
    api: Api, bank: str
) -> None:
    keep(api, bank, OLD, NEW)
    (found,) = conflicts(api, bank)
    assert settle(api, bank, found["id"], accept=True, reason="so it is")["closed"] == 1
    (link,) = get(api, bank, "new")["history"]
    assert (link["id"], link["rule"], link["reason"]) == ("old", "switched_from_to", "so it is")
    keep(api, bank, OLD, NEW)
    assert conflicts(api, bank) == []
    assert [one["state"] for one in conflicts(api, bank, state="all")] == ["accepted"]


def test_dismissed_pair_is_not_brought_up_again_unless_its_text_changes(
    api: Api, bank: str
) -> None:
    keep(api, bank, OLD, NEW)
    (found,) = conflicts(api, bank)
    settle(api, bank, found["id"], accept=False)
    keep(api, bank, OLD, NEW)
    assert conflicts(api, bank) == []
    keep(api, bank, said("new", "We switched from Jade to Opal for search"))
    assert len(conflicts(api, bank)) == 1


def test_memory_that_names_what_it_supersedes_proposes_nothing_more(api: Api, bank: str) -> None:
    keep(api, bank, OLD, said("other", "We use Jade for search in the portal"))
    keep(api, bank, {**NEW, "supersedes": ["old"]})
    assert conflicts(api, bank) == []


def test_late_news_of_the_past_is_the_older_one(api: Api, bank: str) -> None:
    keep(api, bank, {**NEW, "occurred_at": "2025-02-01T00:00:00Z"})
    keep(api, bank, {**OLD, "occurred_at": "2024-02-01T00:00:00Z"})
    (found,) = conflicts(api, bank)
    assert (found["older"]["id"], found["newer"]["id"]) == ("old", "new")


def test_questions_and_plain_mentions_propose_nothing(api: Api, bank: str) -> None:
    keep(
        api, bank, OLD,
        said("q", "Should we switch from Jade to Onyx for search?"),
        said("m", "Jade and Onyx both sell search"),
        said("c", "Jade costs 30 dollars a seat"),
    )  # fmt: skip
    assert conflicts(api, bank) == []


def test_pages_and_wrong_words_are_told(api: Api, bank: str) -> None:
    keep(api, bank, OLD, NEW, said("p1", "The timeout is 30 seconds"))
    keep(api, bank, said("p2", "The timeout is 45 seconds"))
    first = api.get(f"/v1/banks/{bank}/conflicts", params={"limit": 1}).json()
    cursor = first["next"]
    second = api.get(f"/v1/banks/{bank}/conflicts", params={"limit": 1, "cursor": cursor}).json()
    assert second["next"] is None
    assert {one["rule"] for one in (*first["conflicts"], *second["conflicts"])} == {
        "switched_from_to", "changed_value"
    }  # fmt: skip
    number = first["conflicts"][0]["id"]
    assert settle(api, bank, number, status=422, accept=True, keep="nobody")["field"] == "keep"
    assert settle(api, bank, number, status=422, accept=False, keep="p1")["field"] == "keep"
    assert settle(api, bank, 4_000, status=404, accept=True)
    assert api.get(f"/v1/banks/{bank}/conflicts", params={"state": "odd"}).status_code == 422


def test_one_tenants_conflicts_are_no_others(api: Api, bank: str) -> None:
    keep(api, bank, OLD, NEW)
    keep(api, f"{bank}-other", said("x", "A note"))
    assert conflicts(api, f"{bank}-other") == []
    (found,) = conflicts(api, bank)
    assert settle(api, f"{bank}-other", found["id"], status=404, accept=True)


def test_writing_needs_the_right_to_retain_and_is_put_down_to_the_key(own_api: Api) -> None:
    reader, writer = own_api.key("recall")[1], own_api.key("recall", "retain")
    as_reader = {"Authorization": f"Bearer {reader}"}
    as_writer = {"Authorization": f"Bearer {writer[1]}"}
    base = "/v1/banks/keys"
    items = {"items": [OLD, said("b", "We use Onyx for search")]}
    assert own_api.post(f"{base}/memories", items, headers=as_writer).status_code == 200
    path = f"{base}/memories/old/supersede"
    assert own_api.post(path, {"by": "b"}, headers=as_reader).status_code == 403
    assert own_api.delete(path, headers=as_reader).status_code == 403
    assert own_api.post(path, {"by": "b"}, headers=as_writer).status_code == 200
    (deed,) = own_api.get(path, headers=as_reader).json()["deeds"]
    assert (deed["author"], deed["newer"], deed["rule"]) == (writer[0], "b", "caller")


def test_replies_of_a_recall_hold_history_heads_and_redirects(api: Api, bank: str) -> None:
    keep(api, bank, OLD, said("b", "We use Onyx for search"))
    api.post(f"/v1/banks/{bank}/memories/old/supersede", {"by": "b", "reason": "speed"})
    asked = {"question": "search with Jade or Onyx?", "include": ["history"], "explain": True}
    reply = api.post(f"/v1/banks/{bank}/recall", asked).json()
    by_id = {one["id"]: one for one in reply["results"]}
    assert (by_id["old"]["state"], by_id["old"]["superseded_by"]) == ("superseded", "b")
    assert [link["reason"] for link in by_id["b"]["history"]] == ["speed"]
    assert {"id": "old", "head": "b", "rank": None} in reply["trace"]["superseded"]
    told = api.post(f"/v1/banks/{bank}/recall", {"question": "Jade search", "explain": True}).json()
    assert [one["id"] for one in told["results"]] == ["b"]
    assert "history" not in told["results"][0]
    late = api.post(f"/v1/banks/{bank}/recall", {"question": "search", "known_at": "2020-01-01"})
    assert late.json()["results"] == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("We decided to deploy on Friday", "We decided to deploy on Tuesday"),
        ("We decided to use Jade for search", "We decided to use Onyx for search"),
    ],
)
def test_short_decision_taken_otherwise_is_proposed(
    api: Api, bank: str, older: str, newer: str
) -> None:
    keep(api, bank, said("old", older))
    keep(api, bank, said("new", newer))
    (found,) = conflicts(api, bank)
    assert (found["rule"], found["older"]["id"], found["newer"]["id"]) == ("decided", "old", "new")
