"""What holds for every reply: problem documents, request ids, limits, and the description."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from router.api import problems
from router.api.edge import Edge
from tests.router.api.conftest import Api, running, settings_for

FIELDS = {"type", "title", "status", "detail", "request_id"}


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/v1/banks/", 404),
        ("GET", "/docs", 404),
        ("PUT", "/v1/banks", 405),
        ("DELETE", "/v1/banks/b/recall", 405),
        ("GET", "/v1/banks/absent", 404),
        ("POST", "/v1/banks/b/recall", 422),
    ],
)
def test_every_error_is_a_problem_document(api: Api, method: str, path: str, status: int) -> None:
    reply = api.call(method, path)
    assert reply.status_code == status
    assert reply.headers["content-type"] == "application/problem+json"
    document = reply.json()
    assert set(document) - {"field"} == FIELDS
    assert document["status"] == status
    assert document["request_id"] == reply.headers["x-request-id"]


def test_wrong_method_names_the_right_ones(api: Api) -> None:
    reply = api.put("/v1/banks")
    assert reply.headers["allow"] == "GET"
    assert "GET" in reply.json()["detail"]


def test_request_id_of_the_client_is_kept_when_sane(api: Api) -> None:
    given = api.get("/version", headers={"X-Request-Id": "trace-1.a:b"})
    assert given.headers["x-request-id"] == "trace-1.a:b"
    for strange in ("", "x" * 129, "a b", "<script>", "é".encode()):
        made = api.get("/version", headers={"X-Request-Id": strange}).headers["x-request-id"]
        assert len(made) == 36
    assert len(api.get("/version").headers["x-request-id"]) == 36


def test_body_over_the_limit_is_refused_announced_or_not(database: str) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(4):
            yield b" " * 1_000

    with running(settings_for(database, max_request_bytes=2_048)) as api:
        path = "/v1/banks/b/memories"
        announced = api.call("POST", path, content=b" " * 2_049)
        streamed = api.call("POST", path, content=pieces())
        fitting = api.call("POST", path, content=b'{"items": [{"text": "a"}]}'.ljust(2_048))
        for refused in (announced, streamed):
            assert (refused.status_code, refused.json()["field"]) == (413, "body")
        assert fitting.status_code == 200


def test_defect_is_answered_without_its_inside() -> None:
    app = FastAPI()
    app.add_middleware(Edge)
    problems.install(app)

    @app.get("/broken")
    async def broken() -> None:
        raise ZeroDivisionError("the password is 1234")

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return await client.get("/broken")

    reply = asyncio.run(ask())
    assert reply.status_code == 500
    assert reply.json()["type"] == "urn:fivefold:problem:unexpected"
    assert reply.json()["request_id"] == reply.headers["x-request-id"]
    assert "1234" not in reply.text


def test_log_tells_what_was_asked_for_but_no_text(
    api: Api, filled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    api.post(f"{filled}/recall", {"question": "a very private matter"})
    api.post(f"{filled}/recall", {"question": "a very private matter", "k": 0})
    written = capsys.readouterr()
    assert "request_answered" in written.out + written.err
    assert "private" not in written.out + written.err


def test_readiness_names_the_part_that_fails(database: str) -> None:
    with running(settings_for(database)) as api:
        api.run(asyncio.wait_for(api.app.state.warm, 10))
        ready = api.get("/health/ready")
        assert ready.json()["parts"] == {"database": "ok", "embedder": "ok"}
        api.run(api.service.pool.close())
        reply = api.get("/health/ready")
        assert (reply.status_code, reply.headers["retry-after"]) == (503, "1")
        assert "database" in reply.json()["detail"]
        assert reply.json()["parts"]["embedder"] == "ok"
        assert api.get("/health/live").status_code == 200


def test_readiness_waits_for_the_model(database: str) -> None:
    with running(settings_for(database)) as api:

        async def still_loading() -> None:
            api.app.state.warm = asyncio.create_task(asyncio.sleep(60))

        api.run(still_loading())
        reply = api.get("/health/ready")
        assert (reply.status_code, "embedder" in reply.json()["detail"]) == (503, True)


def test_metrics_count_recalls(api: Api, filled: str) -> None:
    def recalls() -> float:
        lines = api.get("/metrics").text.splitlines()
        found = [line for line in lines if line.startswith("fivefold_recall_seconds_count")]
        return float(found[0].split()[1])

    before = recalls()
    api.post(f"{filled}/recall", {"question": "cluster"})
    assert recalls() == before + 1


def test_version_says_what_runs(api: Api) -> None:
    assert api.get("/version").json()["name"] == "fivefold"


def test_description_is_whole(api: Api) -> None:
    document = api.get("/openapi.json").json()
    text = json.dumps(document)
    schemas = document["components"]["schemas"]
    for part in text.split('"#/components/schemas/')[1:]:
        assert part.split('"')[0] in schemas
    recall = document["paths"]["/v1/banks/{bank}/recall"]["post"]
    assert recall["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    assert "default" in recall["responses"]
    assert "422" not in recall["responses"], "the problem document describes it"
    body = schemas["RecallBody"]
    assert body["additionalProperties"] is False
    assert (body["properties"]["k"]["maximum"], body["required"]) == (200, ["question"])
    operations: list[Any] = [
        (path, method, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]
    for path, method, operation in operations:
        assert operation["summary"], (path, method)
        bare = path in ("/v1/banks/{bank}/types/rebuild", "/v1/banks/{bank}/summarise")
        if path.startswith("/v1/") and method in ("post", "put", "patch") and not bare:
            assert "requestBody" in operation, (path, method)
