"""A running app over a database of its own, and a client that speaks to it in this process."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import Any

import httpx
import numpy as np
import pytest
from fastapi import FastAPI

from channels.base import Embedded
from router.api.app import create_app
from router.settings import Settings
from router.wiring import Service, open_service
from tests.conftest import fresh_database

HASHES = "word-hashes"
NUMBERS = count(1)


class WordHashes:
    """Embeds a text as the sum of its words' random directions; fast, and like words stay alike."""

    name, dim, served = HASHES, 384, "by hashing"

    async def embed_tokens(self, texts: Sequence[str]) -> list[Embedded]:
        return [Embedded(self._vector(text)) for text in texts]

    async def embed_question(self, text: str) -> Embedded:
        return Embedded(self._vector(text))

    def close(self) -> None:
        pass

    def _vector(self, text: str) -> Any:
        total = np.zeros(self.dim)
        for word in text.lower().split():
            total += np.random.default_rng(list(word.encode())).standard_normal(self.dim)
        length = np.linalg.norm(total)
        return (total / length).astype(np.float32) if length else None


@asynccontextmanager
async def hashing(settings: Settings) -> AsyncIterator[Service]:
    """The real service, with word hashes as the model of new banks."""
    async with open_service(settings) as service:
        service.embedders.add(WordHashes())  # type: ignore[arg-type]
        yield service


class Api:
    """Calls the app as a client at `peer` would, on an event loop of its own."""

    def __init__(self, app: FastAPI, loop: asyncio.AbstractEventLoop) -> None:
        self.app = app
        self._loop = loop

    def call(self, method: str, path: str, *, peer: str = "127.0.0.1", **parts: Any) -> Any:
        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=(peer, 4_000))
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1:8077"
            ) as client:
                return await client.request(method, path, **parts)

        return self.run(send())

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def get(self, path: str, **parts: Any) -> Any:
        return self.call("GET", path, **parts)

    def post(self, path: str, json: Any = None, **parts: Any) -> Any:
        return self.call("POST", path, json=json, **parts)

    def put(self, path: str, json: Any = None, **parts: Any) -> Any:
        return self.call("PUT", path, json=json, **parts)

    def patch(self, path: str, json: Any = None, **parts: Any) -> Any:
        return self.call("PATCH", path, json=json, **parts)

    def delete(self, path: str, **parts: Any) -> Any:
        return self.call("DELETE", path, **parts)

    @property
    def service(self) -> Service:
        return self.app.state.service

    def key(self, *scopes: str, banks: str = "*", trusted: bool = False) -> tuple[str, str]:
        """Id and text of a new key."""
        return self.run(self.app.state.keys.create("test", scopes, banks, trusted))


@contextmanager
def running(settings: Settings) -> Iterator[Api]:
    """The app, started; it is closed in order at the end."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    app = create_app(settings, opened=hashing)
    api = Api(app, loop)
    lifespan = app.router.lifespan_context(app)
    try:
        api.run(lifespan.__aenter__())
        try:
            yield api
        finally:
            api.run(lifespan.__aexit__(None, None, None))
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def settings_for(dsn: str, **changes: Any) -> Settings:
    """Settings of a test app; little room, so that limits are reached."""
    given = {"embedder": HASHES, "pool_size": 6, "channel_timeout_ms": 10_000, **changes}
    return Settings(database_url=dsn, **given)


@pytest.fixture(scope="session")
def shared_api(server: str, template: str) -> Iterator[Api]:
    """One app without keys for all tests that keep to a bank of their own."""
    with fresh_database(server, template) as dsn, running(settings_for(dsn)) as api:
        yield api


@pytest.fixture
def api(shared_api: Api) -> Api:
    """An app without keys."""
    return shared_api


@pytest.fixture
def bank() -> str:
    """The name of a bank that no other test uses."""
    return f"bank-{next(NUMBERS)}"


@pytest.fixture
def own_api(database: str) -> Iterator[Api]:
    """An app whose database no other test sees: for keys."""
    with running(settings_for(database)) as api:
        yield api


@pytest.fixture
def filled(api: Api, bank: str) -> str:
    """The path of a bank with three turns of one conversation."""
    return fill(api, f"/v1/banks/{bank}")


@pytest.fixture(scope="session")
def standing(shared_api: Api) -> str:
    """As `filled`, but one for all tests that change nothing."""
    return fill(shared_api, "/v1/banks/standing")


def fill(api: Api, path: str) -> str:
    """Store the three turns; the path of their bank."""
    turns = [
        ("m1", "Ana", "We moved the staging cluster to eu-west on Monday", "2024-06-03T09:12:00Z"),
        ("m2", "Ben", "The deploy script broke again and I am frustrated", "2024-06-04T10:00:00Z"),
        ("m3", "Ana", "Billing runs on the old cluster until July", "2024-06-05T11:00:00Z"),
    ]
    items = [
        {
            "id": name, "speaker": speaker, "text": text, "occurred_at": at, "episode": "standup",
            "position": place, "tags": ["infra"], "topic": "infra.staging",
            "entities": [{"text": "staging cluster", "type": "thing"}] if name == "m1" else [],
        }
        for place, (name, speaker, text, at) in enumerate(turns)
    ]  # fmt: skip
    reply = api.post(f"{path}/memories", {"items": items})
    assert reply.json()["ids"] == ["m1", "m2", "m3"], reply.text
    return path
