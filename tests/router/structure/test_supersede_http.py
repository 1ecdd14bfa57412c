"""Superseding over HTTP: said, repeated, refused, taken back, audited."""

from itertools import count

import pytest

from tests.router.api.conftest import Api
from tests.router.ledger import COUNTS

NUMBERS = count(1)


@pytest.fixture
def bank(api: Api) -> str:
    return f"structure-{next(NUMBERS)}"


def keep(api: Api, bank: str, *items: dict, **more) -> dict:
    reply = api.post(f"/v1/banks/{bank}/memories", {"items": list(items), **more})
    assert reply.status_code == 200, reply.text
    assert reply.json()["errors"] == [], reply.text
    return reply.json()


def said(name: str, text: str, **more) -> dict:
    return {"id": name, "text": text, **more}


def get(api: Api, bank: str, name: str) -> dict:
    reply = api.get(f"/v1/banks/{bank}/memories/{name}")
    assert reply.status_code == 200, reply.text
    return reply.json()


def replace(api: Api, bank: str, older: str, by: str, status: int = 200, **more) -> dict:
    path = f"/v1/banks/{bank}/memories/{older}/supersede"
    reply = api.post(path, {"by": by, **more})
    assert reply.status_code == status, reply.text
    return reply.json()


def undo(api: Api, bank: str, older: str, status: int = 200, **query) -> dict:
    reply = api.delete(f"/v1/banks/{bank}/memories/{older}/supersede", params=query)
    assert reply.status_code == status, reply.text
    return reply.json()


def recall(api: Api, bank: str, question: str, **more) -> list[dict]:
    reply = api.post(f"/v1/banks/{bank}/recall", {"question": question, **more})
    assert reply.status_code == 200, reply.text
    assert reply.json()["degraded"] == []
    return reply.json()["results"]


def conflicts(api: Api, bank: str, **query) -> list[dict]:
    reply = api.get(f"/v1/banks/{bank}/conflicts", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()["conflicts"]


def settle(api: Api, bank: str, number: int, status: int = 200, **body) -> dict:
    reply = api.post(f"/v1/banks/{bank}/conflicts/{number}", body)
    assert reply.status_code == status, reply.text
    return reply.json()


def ids(results: list[dict]) -> list[str]:
    return [one["id"] for one in results]


def live(api: Api, bank: str) -> int:
    return api.get(f"/v1/banks/{bank}").json()["memories"]


PAIR = (said("a", "Use Jade for search"), said("b", "Use Onyx for search"))


def test_superseding_closes_the_older_and_repeating_it_changes_nothing(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    done = replace(api, bank, "a", "b", reason="Jade was too slow")
    assert done == {"id": "a", "by": "b", "changed": True, "closed": 1, "opened": 0}
    before = get(api, bank, "a")
    assert (before["state"], before["superseded_by"]) == ("superseded", "b")
    assert live(api, bank) == 1
    assert replace(api, bank, "a", "b", reason="another")["changed"] is False
    assert get(api, bank, "a") == before
    assert ids(recall(api, bank, "which search?")) == ["b"]


def test_successor_tells_what_it_replaced_why_when_and_by_whom(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    replace(api, bank, "a", "b", reason="Jade was too slow")
    (link,) = get(api, bank, "b")["history"]
    assert {name: link[name] for name in ("id", "text", "superseded_by", "rule", "reason")} == {
        "id": "a", "text": "Use Jade for search", "superseded_by": "b", "rule": "caller",
        "reason": "Jade was too slow",
    }  # fmt: skip
    assert link["author"] == "local"
    assert link["valid_from"] < link["valid_to"] <= link["at"]


def test_undo_makes_it_current_again_and_repeating_it_changes_nothing(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    fresh = get(api, bank, "a")
    replace(api, bank, "a", "b")
    assert undo(api, bank, "a", reason="a mistake") == {
        "id": "a", "by": None, "changed": True, "closed": 0, "opened": 1
    }  # fmt: skip
    assert get(api, bank, "a") == fresh
    assert get(api, bank, "b")["history"] == []
    assert undo(api, bank, "a")["changed"] is False
    assert live(api, bank) == 2
    assert set(ids(recall(api, bank, "which search?"))) == {"a", "b"}
    deeds = api.get(f"/v1/banks/{bank}/memories/a/supersede").json()["deeds"]
    assert [(one["deed"], one["newer"], one["reason"]) for one in deeds] == [
        ("undone", "b", "a mistake"), ("superseded", "b", None)
    ]  # fmt: skip


def test_replayed_retain_does_not_bring_back_what_was_undone(api: Api, bank: str) -> None:
    keep(api, bank, PAIR[0])
    keep(api, bank, {**PAIR[1], "supersedes": ["a"]})
    undo(api, bank, "a")
    assert keep(api, bank, {**PAIR[1], "supersedes": ["a"]})["duplicates"] == 1
    assert get(api, bank, "a")["state"] == "current"


def test_circle_is_refused_naming_its_members(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"))
    replace(api, bank, "a", "b")
    replace(api, bank, "b", "c")
    problem = replace(api, bank, "c", "a", status=409)
    assert problem["field"] == "by"
    assert "'c' is replaced by 'a' is replaced by 'b' is replaced by 'c'" in problem["detail"]
    assert get(api, bank, "c")["state"] == "current"


def test_unknown_and_own_successors_are_refused(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    assert replace(api, bank, "a", "a", status=422)["field"] == "by"
    assert replace(api, bank, "a", "nobody", status=422)["field"] == "by"
    assert replace(api, bank, "nobody", "a", status=404)
    assert undo(api, bank, "nobody", status=404)
    assert undo(api, bank, "a", status=422, by="nobody")["field"] == "by"


def test_a_chain_names_what_is_current_in_the_end(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"))
    replace(api, bank, "a", "b")
    replace(api, bank, "b", "c")
    assert get(api, bank, "a")["superseded_by"] == "c"
    assert [link["id"] for link in get(api, bank, "c")["history"]] == ["a", "b"]
    listed = api.get(f"/v1/banks/{bank}/memories", params={"state": "superseded"}).json()
    assert {one["id"]: one["superseded_by"] for one in listed["memories"]} == {"a": "c", "b": "c"}


def test_two_successors_are_a_conflict_until_one_is_kept(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"))
    replace(api, bank, "a", "b")
    replace(api, bank, "a", "c")
    assert (get(api, bank, "b")["state"], get(api, bank, "b")["conflicts_with"]) == (
        "conflict",
        ["c"],
    )
    assert get(api, bank, "a")["heads"] == ["c", "b"]
    states = {one["id"]: one["state"] for one in recall(api, bank, "which search?")}
    assert states == {"b": "conflict", "c": "conflict"}
    (found,) = conflicts(api, bank)
    assert (found["rule"], found["about"]) == ("two_successors", "a")
    assert (found["older"]["id"], found["newer"]["id"]) == ("b", "c")
    assert found["older"]["text"] == "Use Onyx for search"
    done = settle(api, bank, found["id"], accept=True, keep="b", reason="tested")
    assert (done["changed"], done["closed"]) == (True, 1)
    assert settle(api, bank, found["id"], accept=True, keep="b")["changed"] is False
    assert settle(api, bank, found["id"], status=409, accept=False)["field"] == "accept"
    assert (get(api, bank, "b")["state"], get(api, bank, "c")["superseded_by"]) == ("current", "b")
    assert conflicts(api, bank) == []
    assert get(api, bank, "b")["history"][-1]["rule"] == "two_successors"


def test_a_dismissed_branch_lets_both_stand(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"))
    replace(api, bank, "a", "b")
    replace(api, bank, "a", "c")
    (found,) = conflicts(api, bank)
    settle(api, bank, found["id"], accept=False)
    assert get(api, bank, "b")["state"] == get(api, bank, "c")["state"] == "current"
    (kept,) = conflicts(api, bank, state="dismissed")
    assert kept["settled"]["by"] == "local"


def test_undoing_one_of_two_successors_ends_the_conflict(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"))
    replace(api, bank, "a", "b")
    replace(api, bank, "a", "c")
    assert undo(api, bank, "a", by="b")["opened"] == 0
    assert get(api, bank, "a")["superseded_by"] == "c"
    assert get(api, bank, "b")["state"] == get(api, bank, "c")["state"] == "current"
    assert conflicts(api, bank) == []
    assert undo(api, bank, "a")["opened"] == 1
    assert live(api, bank) == 3


def test_deleting_one_of_two_successors_leaves_the_other(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"), said("d", "Use Ruby for search"))
    for by in "bcd":
        replace(api, bank, "a", by)
    assert len(conflicts(api, bank)) == 2
    api.delete(f"/v1/banks/{bank}/memories/d")
    (found,) = conflicts(api, bank)
    assert {found["older"]["id"], found["newer"]["id"]} == {"b", "c"}
    assert get(api, bank, "a")["state"] == "superseded"
    api.delete(f"/v1/banks/{bank}/memories/b")
    assert conflicts(api, bank) == []
    assert get(api, bank, "a")["superseded_by"] == "c"


def test_what_lost_its_successor_for_good_can_be_opened_again(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    replace(api, bank, "a", "b")
    api.delete(f"/v1/banks/{bank}/memories/b")
    assert get(api, bank, "a")["state"] == "superseded"
    assert undo(api, bank, "a")["opened"] == 1
    assert get(api, bank, "a")["state"] == "current"


def test_copies_said_before_go_along_and_come_back(api: Api, bank: str) -> None:
    keep(
        api,
        bank,
        PAIR[0],
        said("a2", "use jade  for search"),
        said("a3", "Use Jade for search", speaker="Ana"),
    )
    keep(api, bank, PAIR[1])
    assert replace(api, bank, "a", "b")["closed"] == 2
    assert get(api, bank, "a2")["superseded_by"] == "b"
    assert get(api, bank, "a3")["state"] == "current", "another speaker's word is another's"
    assert undo(api, bank, "a")["opened"] == 2
    assert get(api, bank, "a2")["state"] == "current"
    assert live(api, bank) == 4


def test_copy_said_later_is_marked_last_and_up_for_judgement(api: Api, bank: str) -> None:
    keep(api, bank, PAIR[0], PAIR[1])
    replace(api, bank, "a", "b")
    keep(api, bank, said("a2", "Use Jade for search"))
    results = recall(api, bank, "Use Jade for search")
    assert ids(results) == ["b", "a2"]
    assert (results[1]["state"], results[1]["superseded_by"]) == ("stale_duplicate", "b")
    assert results[1]["duplicate_of"] == "a"
    (found,) = conflicts(api, bank)
    assert (found["rule"], found["older"]["id"], found["newer"]["id"]) == (
        "restates_superseded",
        "a2",
        "b",
    )
    settle(api, bank, found["id"], accept=False)
    assert get(api, bank, "a2")["state"] == "current"
    assert ids(recall(api, bank, "Use Jade for search"))[0] == "a2"


def test_mark_of_a_copy_follows_the_head_and_goes_with_the_undo(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"))
    replace(api, bank, "a", "b")
    keep(api, bank, said("a2", "Use Jade for search"))
    replace(api, bank, "b", "c")
    assert get(api, bank, "a2")["superseded_by"] == "c"
    assert get(api, bank, "a2")["state"] == "stale_duplicate"
    undo(api, bank, "a")
    assert get(api, bank, "a2")["state"] == "current"


def test_copy_dated_before_the_replacement_is_closed_as_it_comes(api: Api, bank: str) -> None:
    keep(api, bank, said("a", "Use Jade for search", occurred_at="2024-01-05T00:00:00Z"))
    keep(
        api,
        bank,
        said("b", "Use Onyx for search", occurred_at="2024-06-05T00:00:00Z", supersedes=["a"]),
    )
    keep(api, bank, said("a2", "Use Jade for search", occurred_at="2024-02-05T00:00:00Z"))
    assert (get(api, bank, "a2")["state"], get(api, bank, "a2")["superseded_by"]) == (
        "superseded",
        "b",
    )
    assert ids(recall(api, bank, "which search?")) == ["b"]
    assert "a2" in ids(recall(api, bank, "which search?", as_of="2024-03-01"))


def test_decision_taken_anew_explicitly_is_no_copy(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    replace(api, bank, "a", "b")
    keep(api, bank, said("a2", "Use Jade for search", supersedes=["b"]))
    assert get(api, bank, "a2")["state"] == "current"
    assert get(api, bank, "a")["superseded_by"] == "a2"
    assert conflicts(api, bank) == []


def test_counters_hold_through_all_of_it(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"), said("a2", "Use Jade for search"))
    replace(api, bank, "a", "b")
    replace(api, bank, "a", "c")
    undo(api, bank, "a", by="b")
    replace(api, bank, "c", "b")
    undo(api, bank, "a")
    kept, counted = COUNTS["live rows"]

    async def check() -> None:
        key = (await api.service.banks.get(bank)).key
        async with api.service.transaction(key) as conn:
            rows = [
                await (await conn.execute(text.replace("%(bank)s", str(key)).encode())).fetchone()
                for text in (kept, counted)
            ]
        assert rows[0] == rows[1]

    api.run(check())


def replacing(*names: str) -> dict:
    return {"edges": [{"type": "SUPERSEDES", "to": name} for name in names]}


def test_edge_of_that_type_supersedes_as_the_field_does(api: Api, bank: str) -> None:
    keep(api, bank, PAIR[0])
    keep(api, bank, {**PAIR[1], **replacing("a")})
    assert (get(api, bank, "a")["state"], get(api, bank, "a")["superseded_by"]) == (
        "superseded",
        "b",
    )
    assert (get(api, bank, "b")["supersedes"], get(api, bank, "b")["edges"]) == (["a"], [])
    assert live(api, bank) == 1
    assert keep(api, bank, {**PAIR[1], **replacing("a")})["duplicates"] == 1
    assert undo(api, bank, "a")["opened"] == 1


def test_circle_closed_by_such_an_edge_is_refused_naming_it(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    replace(api, bank, "a", "b")
    item = {**PAIR[0], "edges": [{"type": "CAUSES", "to": "b"}, {"type": "SUPERSEDES", "to": "b"}]}
    reply = api.post(f"/v1/banks/{bank}/memories", {"items": [item]}).json()
    (error,) = reply["errors"]
    assert error["field"] == "edges[1].to"
    assert "'b' is replaced by 'a' is replaced by 'b'" in error["reason"]
    assert get(api, bank, "b")["state"] == "current"


def test_patched_edge_of_that_type_supersedes(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)
    assert api.patch(f"/v1/banks/{bank}/memories/b", replacing("a")).status_code == 200
    assert get(api, bank, "a")["superseded_by"] == "b"


def test_edge_stored_without_closing_the_older_can_be_acted_on(api: Api, bank: str) -> None:
    keep(api, bank, *PAIR)

    async def write() -> None:
        key = (await api.service.banks.get(bank)).key
        async with api.service.transaction(key) as conn:
            await conn.execute(
                "insert into edges (bank_id, src, dst, type, via, strength, made_by, created_at)"
                " select %s, n.key, o.key, 'SUPERSEDES', 0, 1, 'caller', now() from memories o"
                " join memories n on n.bank_id = o.bank_id and n.id = 'b'"
                " where o.bank_id = %s and o.id = 'a'",
                [key, key],
            )

    api.run(write())
    assert get(api, bank, "a")["state"] == "current"
    assert replace(api, bank, "a", "b")["closed"] == 1
    assert get(api, bank, "a")["superseded_by"] == "b"


def test_successor_given_another_time_ends_the_older_ones_validity_then(
    api: Api, bank: str
) -> None:
    keep(
        api,
        bank,
        {**PAIR[0], "occurred_at": "2024-01-01"},
        {**PAIR[1], "occurred_at": "2024-06-01"},
    )
    replace(api, bank, "a", "b")
    path = f"/v1/banks/{bank}/memories/b"
    assert api.patch(path, {"occurred_at": "2024-03-01"}).status_code == 200
    assert get(api, bank, "a")["invalid_at"].startswith("2024-03-01")
    assert ids(recall(api, bank, "which search?", as_of="2024-04-01")) == ["b"]
    assert ids(recall(api, bank, "which search?", as_of="2024-02-01")) == ["a"]
    keep(api, bank, {**PAIR[1], "occurred_at": "2024-05-01"})
    assert get(api, bank, "a")["invalid_at"].startswith("2024-05-01")
    keep(api, bank, PAIR[1])
    assert get(api, bank, "a")["invalid_at"] == get(api, bank, "a")["expired_at"]


def test_forgetting_the_middle_of_a_chain_leaves_its_head_in_place(api: Api, bank: str) -> None:
    keep(
        api,
        bank,
        {**PAIR[0], "occurred_at": "2024-01-01"},
        {**PAIR[1], "occurred_at": "2024-06-01"},
        said("c", "Use Opal for search", occurred_at="2024-09-01"),
        said("a2", "Use Jade for search", occurred_at="2024-01-02"),
    )
    replace(api, bank, "a", "b")
    replace(api, bank, "b", "c")
    before = get(api, bank, "a")
    api.delete(f"/v1/banks/{bank}/memories/b")
    after = get(api, bank, "a")
    assert (after["state"], after["superseded_by"]) == ("superseded", "c")
    assert after["invalid_at"] == before["invalid_at"], "nothing is true again by forgetting"
    links = {link["id"]: link for link in get(api, bank, "c")["history"]}
    assert set(links) == {"a", "a2"}
    assert (links["a"]["rule"], links["a2"]["rule"]) == ("caller", "duplicate")
    assert "'b'" in links["a"]["reason"]
    assert api.patch(f"/v1/banks/{bank}/memories/c", {"occurred_at": "2024-10-01"}).is_success
    assert get(api, bank, "a")["invalid_at"] == before["invalid_at"]
    assert undo(api, bank, "a")["opened"] == 2, "its copy comes back with it"
    assert live(api, bank) == 3


def test_forgetting_what_two_replaced_leaves_both_in_dispute_over_what_it_replaced(
    api: Api, bank: str
) -> None:
    keep(api, bank, *PAIR, said("c", "Use Opal for search"), said("d", "Use Ruby for search"))
    replace(api, bank, "a", "b")
    replace(api, bank, "b", "c")
    replace(api, bank, "b", "d")
    api.delete(f"/v1/banks/{bank}/memories/b")
    assert get(api, bank, "a")["heads"] == ["d", "c"]
    assert get(api, bank, "c")["conflicts_with"] == ["d"]
    (found,) = conflicts(api, bank)
    assert found["about"] == "a"


def test_rewriting_the_successor_does_not_bring_back_what_was_taken_back_and_says_so(
    api: Api, bank: str
) -> None:
    keep(api, bank, *PAIR, said("z", "Use Zinc for search"))
    replace(api, bank, "a", "b")
    undo(api, bank, "a")
    done = keep(api, bank, {**PAIR[1], "tags": ["new"], "supersedes": ["a", "z"]})
    assert done["taken_back"] == [{"index": 0, "supersedes": "a"}]
    assert get(api, bank, "a")["state"] == "current"
    assert get(api, bank, "b")["supersedes"] == ["z"]
    assert replace(api, bank, "a", "b")["closed"] == 1
    assert "taken_back" not in keep(api, bank, {**PAIR[1], "supersedes": ["a", "z"]})


def test_patch_that_names_what_was_taken_back_is_refused_with_the_next_step(
    api: Api, bank: str
) -> None:
    keep(api, bank, PAIR[0])
    keep(api, bank, {**PAIR[1], "supersedes": ["a"]})
    undo(api, bank, "a")
    path = f"/v1/banks/{bank}/memories/b"
    for given, field in (({"supersedes": ["a"]}, "supersedes[0]"), (replacing("a"), "edges[0].to")):
        reply = api.patch(path, given)
        assert (reply.status_code, reply.json()["field"]) == (422, field)
        assert "POST …/memories/a/supersede" in reply.json()["detail"]
    assert api.patch(path, {"tags": ["new"]}).status_code == 200
    assert get(api, bank, "a")["state"] == "current"


def test_patch_that_drops_what_is_superseded_is_refused_with_the_next_step(
    api: Api, bank: str
) -> None:
    keep(api, bank, *PAIR, said("z", "Use Zinc for search"))
    replace(api, bank, "a", "b")
    path = f"/v1/banks/{bank}/memories/b"
    reply = api.patch(path, {"supersedes": ["z"]})
    assert (reply.status_code, reply.json()["field"]) == (422, "supersedes")
    assert "DELETE …/memories/a/supersede?by=b" in reply.json()["detail"]
    assert api.patch(path, {"supersedes": ["a", "z"]}).status_code == 200
    assert get(api, bank, "z")["superseded_by"] == "b"


def test_memory_stored_anew_under_a_forgotten_id_supersedes_what_it_names(
    api: Api, bank: str
) -> None:
    keep(api, bank, *PAIR)
    replace(api, bank, "a", "b")
    undo(api, bank, "a")
    api.delete(f"/v1/banks/{bank}/memories/b")
    assert "taken_back" not in keep(api, bank, {**PAIR[1], "supersedes": ["a"]})
    assert get(api, bank, "a")["superseded_by"] == "b"
