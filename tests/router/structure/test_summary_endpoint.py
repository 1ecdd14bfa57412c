"""Summaries worded by an endpoint, and what happens when it gives none: over a real server."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from router import metrics
from router.structure.pyramids.endpoint import Endpoint
from router.structure.pyramids.making import Refreshed, Summariser
from tests.router.api.conftest import HASHES
from tests.router.world import World, memory

DAY = "summary:day:2025-06-10"
ITEMS = [
    memory("a", "Ben fixed the login", "2025-06-10T09:00:00Z"),
    memory("b", "Ana shipped it", "2025-06-10T10:00:00Z", speaker="Ana"),
]


class Answering(BaseHTTPRequestHandler):
    """Answers as the server's `answer` says, and keeps what it was asked."""

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self.server.asked.append(  # type: ignore[attr-defined]
            (self.path, self.headers.get("Authorization"), json.loads(self.rfile.read(length)))
        )
        status, body = self.server.answer  # type: ignore[attr-defined]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering(status: int, body: bytes) -> Iterator[Any]:
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        server.answer, server.asked = (status, body), []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def said(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


def refresh(world: World, bank: str, server: Any, key: str | None = "secret") -> Refreshed:
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1/", "small", key, 5.0)
    service = world.service

    async def work() -> Refreshed:
        summariser = Summariser(service.transaction, service.embedders.embed, endpoint)
        return await summariser.refresh(await service.banks.get(bank))

    done: Refreshed = world.run(work())
    return done


def told(world: World, bank: str) -> tuple[str, str]:
    query = "select text, metadata->>'how' from memories where bank_id = %(bank)s and id = %s"
    text, how = world.rows(bank, query, DAY)[0]
    return text, how


def test_endpoint_words_the_summary_and_sees_only_what_is_quoted(world: World) -> None:
    bank = world.bank(*ITEMS, embedder=HASHES, summaries=["day"])
    with answering(200, said("Ben fixed the login\nand Ana shipped it.")) as server:
        done = refresh(world, bank, server)
        assert (done.written, done.fallen_back) == (1, 0)
        [(path, key, body)] = server.asked
    expected = "Tuesday 10 June 2025: Ben fixed the login and Ana shipped it."
    assert told(world, bank) == (expected, "endpoint")
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer secret", "small")
    assert body["messages"][1]["content"] == (
        "Tuesday 10 June 2025\n- Ben fixed the login.\n- Ana: Ana shipped it."
    )


def test_endpoint_is_not_asked_again_for_what_has_not_changed(world: World) -> None:
    bank = world.bank(*ITEMS, embedder=HASHES, summaries=["day"])
    with answering(200, said("All went well.")) as server:
        refresh(world, bank, server)
        world.keep(bank, memory("a", "Ben fixed the login", "2025-06-10T09:00:00Z", tags=["x"]))
        done = refresh(world, bank, server)
        assert (done.written, done.unchanged) == (0, 1)
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, b"no"), (200, b"no json"), (200, b'{"choices": []}'), (200, said("  ")),
     (200, b'{"choices": 3}')],
)  # fmt: skip
def test_endpoint_that_fails_leaves_the_extract_and_is_counted_and_asked_again(
    world: World, status: int, body: bytes
) -> None:
    bank = world.bank(*ITEMS, embedder=HASHES, summaries=["day"])
    before = metrics.SUMMARY_FALLBACKS._value.get()
    with answering(status, body) as server:
        done = refresh(world, bank, server, None)
        assert server.asked[0][1] is None
    assert (done.written, done.fallen_back) == (1, 1)
    assert metrics.SUMMARY_FALLBACKS._value.get() == before + 1
    extract = "Tuesday 10 June 2025: Ben fixed the login. Ana: Ana shipped it."
    assert told(world, bank) == (extract, "centroid")
    world.keep(bank, memory("a", "Ben fixed the login", "2025-06-10T09:00:00Z", tags=["x"]))
    with answering(200, said("All went well.")) as server:
        assert refresh(world, bank, server).written == 1
    assert told(world, bank)[1] == "endpoint"


def test_endpoint_that_nobody_listens_at_leaves_the_extract(world: World) -> None:
    bank = world.bank(*ITEMS, embedder=HASHES, summaries=["day"])
    with answering(200, b"") as server:
        pass
    assert refresh(world, bank, server).fallen_back == 1
    assert told(world, bank)[1] == "centroid"
