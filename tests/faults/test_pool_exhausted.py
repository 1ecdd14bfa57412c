"""No connection left: callers are told in time, what waits is done later, and all works again."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import psycopg
import pytest

from tests.faults.harness import BANK, Kit, Server, served, temporary, within
from tests.faults.load import items

POOL = 4
WAIT_S = 0.5  # for a connection
AT_ONCE = 24
TITLE = "No connection left"
WAITING = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
pytestmark = [pytest.mark.faults, pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def small(kit: Kit) -> Iterator[Server]:
    """A server with four connections and forty memories."""
    options: dict[str, Any] = {"pool_size": str(POOL), "pool_timeout_s": str(WAIT_S)}
    with temporary() as folder, served(kit, folder, **options) as server:
        server.start()
        server.make_bank()
        server.post("/memories", items=items(40)).raise_for_status()
        yield server


def ask(server: Server) -> httpx.Response:
    return server.post("/recall", question="tala more vese kini", k=5)


def test_recall_without_a_free_connection_is_refused_in_time_and_names_the_pool(
    small: Server, observed: Callable[..., None]
) -> None:
    more = items(POOL, "late")
    with ThreadPoolExecutor(POOL) as workers, psycopg.connect(small.dsn()) as holder:
        holder.execute("lock table memories")
        writes = [workers.submit(small.post, "/memories", items=[one]) for one in more]
        with psycopg.connect(small.dsn(), autocommit=True) as other:
            within(20, lambda: other.execute(WAITING).fetchone() == (POOL,))
        started = time.monotonic()
        refused = ask(small)
        seconds = time.monotonic() - started
        parts = small.parts()
        holder.rollback()
        replies = [write.result() for write in writes]
    assert refused.status_code == 503
    assert "pool" in refused.json()["detail"]
    assert refused.headers["retry-after"]
    assert seconds < 4 * WAIT_S + 1
    assert "pool" in parts["database"]
    assert [reply.json()["accepted"] for reply in replies] == [1] * POOL
    assert ask(small).json()["degraded"] == []
    for one in more:
        assert small.http.get(f"{small.url}{BANK}/memories/{one['id']}").status_code == 200
    observed(
        TITLE,
        f"all {POOL} connections held by writes that wait for a lock: a recall got 503 naming the "
        f"pool after {seconds:.1f} s; with the lock gone all {POOL} writes were stored and "
        "acknowledged, and recalls answered whole",
    )


def test_more_recalls_at_once_than_connections_all_answer_whole(
    small: Server, observed: Callable[..., None]
) -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as workers:
        replies = list(workers.map(lambda _: ask(small), range(AT_ONCE)))
    seconds = time.monotonic() - started
    assert {reply.status_code for reply in replies} == {200}
    assert [reply.json()["degraded"] for reply in replies] == [[]] * AT_ONCE
    observed(
        TITLE,
        f"{AT_ONCE} recalls at once over {POOL} connections: all answered by five channels, the "
        f"last after {seconds:.1f} s",
    )


def test_strangers_that_hold_every_other_connection_do_not_stop_recalls(
    small: Server, observed: Callable[..., None]
) -> None:
    with ExitStack() as strangers:
        held = 0
        with suppress(psycopg.OperationalError):
            while True:
                strangers.enter_context(psycopg.connect(small.dsn()))
                held += 1
        replies = [ask(small) for _ in range(8)]
    assert held > 20
    assert {reply.status_code for reply in replies} == {200}
    assert ask(small).json()["degraded"] == []
    observed(
        TITLE,
        f"strangers held the {held} other connections that Postgres allows: recalls went on over "
        "those the server had",
    )
