"""Keys over HTTP: what each scope opens, what a pattern covers, who is served without any."""

import asyncio
from typing import Any

import pytest

from channels.errors import ConfigError
from router.api.auth import is_loopback
from tests.router.api.conftest import Api, running, settings_for

B = "/v1/banks/b"
MATRIX: list[tuple[str, str, Any, str | None]] = [  # method, path, body, scope it needs
    ("PUT", B, {}, "admin"),
    ("GET", B, None, None),
    ("GET", "/v1/banks", None, None),
    ("POST", f"{B}/memories", {"items": [{"id": "m", "text": "a"}]}, "retain"),
    ("GET", f"{B}/memories", None, "recall"),
    ("GET", f"{B}/memories/m", None, "recall"),
    ("GET", f"{B}/memories/m/neighbours", None, "recall"),
    ("GET", f"{B}/memories/m/arc", None, "recall"),
    ("GET", f"{B}/episodes/e/arc", None, "recall"),
    ("PATCH", f"{B}/memories/m", {"text": "b"}, "retain"),
    ("POST", f"{B}/recall", {"question": "a"}, "recall"),
    ("POST", "/v1/recall", {"question": "a", "banks": ["b"]}, "recall"),
    ("GET", f"{B}/recalls", None, "recall"),
    ("GET", f"{B}/recalls/r", None, "recall"),
    ("PUT", f"{B}/recalls/r/type", {"type": "general"}, "feedback"),
    ("POST", f"{B}/feedback", {"event_id": "e"}, "feedback"),
    ("GET", f"{B}/matrix", None, "recall"),
    ("GET", f"{B}/matrix/versions", None, "recall"),
    ("GET", f"{B}/matrix/diff", None, "recall"),
    ("POST", f"{B}/matrix", {}, "admin"),
    ("POST", f"{B}/matrix/rollback", {"to": 0}, "admin"),
    ("POST", f"{B}/learner", {"state": "on"}, "admin"),
    ("GET", f"{B}/policy", None, "recall"),
    ("GET", f"{B}/types", None, "recall"),
    ("GET", f"{B}/types/corrections", None, "recall"),
    ("POST", f"{B}/types/rebuild", None, "admin"),
    ("DELETE", f"{B}/types", None, "admin"),
    ("GET", f"{B}/memories/m/supersede", None, "recall"),
    ("POST", f"{B}/memories/m/supersede", {"by": "n"}, "retain"),
    ("DELETE", f"{B}/memories/m/supersede", None, "retain"),
    ("GET", f"{B}/conflicts", None, "recall"),
    ("POST", f"{B}/conflicts/1", {"accept": False}, "retain"),
    ("GET", f"{B}/browse/topics", None, "recall"),
    ("GET", f"{B}/browse/episodes", None, "recall"),
    ("GET", f"{B}/browse/entities", None, "recall"),
    ("GET", f"{B}/browse/days", None, "recall"),
    ("POST", f"{B}/summarise", None, "retain"),
    ("DELETE", f"{B}/memories/m", None, "retain"),
    ("DELETE", B, None, "admin"),
]
OPEN = ["/health/live", "/health/ready", "/metrics", "/version", "/openapi.json"]


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_each_scope_opens_its_routes_and_no_other(own_api: Api) -> None:
    keys = {
        scope: bearer(own_api.key(scope)[1]) for scope in ("recall", "retain", "feedback", "admin")
    }
    own_api.put(B, {}, headers=keys["admin"])
    for method, path, body, needed in MATRIX:
        for scope in ("recall", "retain", "feedback"):
            status = own_api.call(method, path, json=body, headers=keys[scope]).status_code
            if needed not in (None, scope):
                assert status == 403, (method, path, scope)
            else:
                assert status not in (401, 403), (method, path, scope)
        status = own_api.call(method, path, json=body, headers=keys["admin"]).status_code
        assert status not in (401, 403), (method, path)


def test_no_route_of_the_api_is_left_unguarded(own_api: Api) -> None:
    own_api.key("admin")
    known = {(method, path.replace("/b", "/{bank}", 1)) for method, path, _, _ in MATRIX}
    paths = own_api.get("/openapi.json").json()["paths"]
    served = {(method.upper(), path) for path, item in paths.items() for method in item}
    guarded = {(method, path) for method, path in served if path.startswith("/v1/")}
    assert len(guarded) == len(known), "a route is missing in the table above"
    for method, path in guarded:
        concrete = path.replace("{bank}", "b").replace("{memory}", "m").replace("{recall}", "r")
        concrete = concrete.replace("{number}", "1")
        assert own_api.call(method, concrete).status_code == 401, (method, path)
    assert {path for _, path in served - guarded} == set(OPEN) - {"/openapi.json"}


def test_request_without_a_key_is_told_how_to_send_one(own_api: Api) -> None:
    own_api.key("admin")
    reply = own_api.get("/v1/banks")
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"].startswith("Bearer")
    assert reply.json()["type"] == "urn:fivefold:problem:unauthenticated"


def test_operations_need_no_key(own_api: Api) -> None:
    own_api.key("admin")
    own_api.run(asyncio.wait_for(own_api.app.state.warm, 10))
    assert {path: own_api.get(path).status_code for path in OPEN} == dict.fromkeys(OPEN, 200)


def test_key_is_read_from_every_header_it_may_stand_in(own_api: Api) -> None:
    _, key = own_api.key("recall")
    for headers in (
        {"Authorization": f"Bearer {key}"},
        {"Authorization": f"bearer {key}"},
        {"Authorization": f"Token {key}"},
        {"X-API-Key": key},
    ):
        assert own_api.get("/v1/banks", headers=headers).status_code == 200, headers


def test_wrong_key_is_refused(own_api: Api) -> None:
    key_id, key = own_api.key("recall")
    wrong = [key[:-1], key + "x", f"ff_{key_id}_", "ff__", "", "x" * 5_000, key.replace("ff_", "")]
    for text in (*wrong, f"ff_000000000000_{key.split('_', 2)[2]}"):
        assert own_api.get("/v1/banks", headers=bearer(text)).status_code == 401, text
    basic = {"Authorization": "Basic dXNlcjpwYXNz"}
    assert own_api.get("/v1/banks", headers=basic).status_code == 401


def test_revoked_key_is_refused_at_once(own_api: Api) -> None:
    key_id, key = own_api.key("recall")
    assert own_api.get("/v1/banks", headers=bearer(key)).status_code == 200
    own_api.run(own_api.app.state.keys.revoke(key_id))
    assert own_api.get("/v1/banks", headers=bearer(key)).status_code == 401
    assert own_api.get("/v1/banks").status_code == 401, "revoking the last key opens nothing"


def test_tenants_see_nothing_of_each_other(own_api: Api) -> None:
    left = bearer(own_api.key("recall", "retain", "feedback", banks="left-*")[1])
    right = bearer(own_api.key("recall", "retain", "feedback", banks="right-*")[1])
    item = {"items": [{"id": "m", "text": "the secret of the left"}]}
    own_api.post("/v1/banks/left-1/memories", item, headers=left)
    item = {"items": [{"id": "m", "text": "the right has another secret"}]}
    own_api.post("/v1/banks/right-1/memories", item, headers=right)
    listed = own_api.get("/v1/banks", headers=right).json()["banks"]
    assert [bank["bank"] for bank in listed] == ["right-1"]
    asked = {"question": "secret", "explain": True, "include": ["superseded"]}
    reply = own_api.post("/v1/banks/right-1/recall", asked, headers=right)
    assert "left" not in reply.text
    stranger = own_api.post("/v1/banks/left-1/recall", asked, headers=right)
    nobody = own_api.post("/v1/banks/left-none/recall", asked, headers=right)
    assert stranger.status_code == nobody.status_code == 403
    told = ("type", "title", "status", "detail")
    assert [stranger.json()[t] for t in told] == [nobody.json()[t] for t in told]


def test_event_carries_the_mark_of_a_trusted_key(own_api: Api) -> None:
    scopes = ("recall", "retain", "feedback")
    key_id, key = own_api.key(*scopes, trusted=True)
    headers = bearer(key)
    own_api.post(f"{B}/memories", {"items": [{"id": "m", "text": "a word"}]}, headers=headers)
    recall = own_api.post(f"{B}/recall", {"question": "word"}, headers=headers).json()["recall_id"]
    event = {
        "event_id": "e", "action_name": "memory_opened", "timestamp": "2024-06-12T00:00:00Z",
        "query_id": recall, "memory_id": "m",
    }  # fmt: skip
    assert own_api.post(f"{B}/feedback", event, headers=headers).json()["accepted"] == 1
    stored = own_api.get(f"{B}/recalls/{recall}", headers=headers).json()
    assert (stored["actor"], stored["events"][0]["trusted"]) == (key_id, True)


def test_matrix_published_by_a_key_names_it(own_api: Api) -> None:
    key_id, key = own_api.key("admin")
    own_api.put(B, {}, headers=bearer(key))
    own_api.post(f"{B}/matrix/rollback", {"to": 0}, headers=bearer(key))
    assert own_api.get(f"{B}/matrix", headers=bearer(key)).json()["author"] == key_id


@pytest.mark.parametrize("peer", ["10.0.0.7", "2001:db8::1", "testclient", "::ffff:10.0.0.7"])
def test_stranger_is_refused_while_no_key_exists(api: Api, peer: str) -> None:
    reply = api.get("/v1/banks", peer=peer)
    assert (reply.status_code, reply.json()["type"]) == (403, "urn:fivefold:problem:forbidden")
    assert api.get("/health/live", peer=peer).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Host": "["},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_page_of_another_site_is_refused_while_no_key_exists(
    api: Api, headers: dict[str, str]
) -> None:
    assert api.get("/v1/banks", headers=headers).status_code == 403


@pytest.mark.parametrize("headers", [{"Host": "localhost:80"}, {"Origin": "http://[::1]:8077"}])
def test_page_of_this_machine_is_served(api: Api, headers: dict[str, str]) -> None:
    assert api.get("/v1/banks", headers=headers, peer="::1").status_code == 200


def test_key_lets_strangers_in(own_api: Api) -> None:
    headers = bearer(own_api.key("recall")[1]) | {"Host": "memory.example"}
    assert own_api.get("/v1/banks", headers=headers, peer="10.0.0.7").status_code == 200


def test_service_does_not_start_in_the_open_without_a_key(database: str) -> None:
    with (
        pytest.raises(ConfigError, match="no key exists"),
        running(settings_for(database, host="0.0.0.0")),  # noqa: S104
    ):
        pytest.fail("it started")
    with running(settings_for(database)) as api:
        api.key("recall")
    with running(settings_for(database, host="0.0.0.0")) as api:  # noqa: S104
        assert api.get("/v1/banks").status_code == 401


def test_loopback_is_known_by_address_and_name() -> None:
    here = (
        "127.0.0.1",
        "127.8.8.8",
        "::1",
        "[::1]",
        "localhost",
        "a.localhost",
        "::ffff:127.0.0.1",
    )
    there = ("0.0.0.0", "::", "10.0.0.1", "example.org", "", "localhost.example")  # noqa: S104
    assert all(is_loopback(host) for host in here)
    assert not any(is_loopback(host) for host in there)
