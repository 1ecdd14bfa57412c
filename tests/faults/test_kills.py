"""Server and Postgres killed under load: what was acknowledged is there, and starts are clean.

FIVEFOLD_KILLS=40 kills forty times instead of five.
"""

import os
import random
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Literal

import httpx
import psycopg
import pytest

from router.store.embedded import EmbeddedPostgres
from router.store.migrate import read_migrations
from tests.faults.harness import (
    ANSWER_S,
    BANK,
    ROOT,
    STORE_S,
    Client,
    Ledger,
    Server,
    batches,
    make_model,
    processes_of,
    within,
)

Kind = Literal["server", "postgres", "both"]
KILLS = int(os.environ.get("FIVEFOLD_KILLS", "5"))
KINDS: tuple[Kind, ...] = ("server", "postgres", "both", "postgres", "server")
SEED = 20_250_611
CLIENTS = 3
pytestmark = [pytest.mark.faults, pytest.mark.timeout(120 + 20 * KILLS)]


@dataclass
class Storm:
    """What happened, and the database as it was left."""

    ledger: Ledger = field(default_factory=Ledger)
    together: list[dict[str, str]] = field(default_factory=list)  # parts of two started at once
    codes: list[int] = field(default_factory=list)  # of every SIGTERM
    recoveries: list[tuple[Kind, float]] = field(default_factory=list)  # seconds to answer again
    answered_last: list[str] = field(default_factory=list)  # recalls between the last kill and end
    unreadable: list[str] = field(default_factory=list)  # of those, after the restart
    survivors: list[list[int]] = field(default_factory=list)  # processes after every last SIGTERM
    listed: list[dict[str, Any]] = field(default_factory=list)  # every memory, by pages
    missing: list[str] = field(default_factory=list)  # acknowledged, but not found by id
    memories_again: Counter[str] = field(default_factory=Counter)
    events_again: Counter[str] = field(default_factory=Counter)
    output: str = ""  # all that the servers printed
    dsn: str = ""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of a statement, past row security."""
        with psycopg.connect(self.dsn) as connection:
            return connection.execute(statement.encode()).fetchall()


@pytest.fixture(scope="module")
def storm() -> Iterator[Storm]:
    """Two servers start at once, one ends, the other lives through the kills, then all is read."""
    folder = Path(tempfile.mkdtemp(prefix="fivefold-test-"))
    with ExitStack() as cleanup:
        cleanup.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)  # Postgres may run under another account
        model = make_model(folder)
        servers = [Server(folder, model, name) for name in ("first", "second")]
        cleanup.callback(_stop_postgres, servers[0].data_dir)
        for server in servers:
            cleanup.callback(server.close)
        happened = Storm()
        _start_together(happened, *servers)
        _kill_and_end(happened, cleanup, *servers)
        _read_everything(happened, servers[0])
        happened.codes.append(servers[0].terminate())
        happened.survivors.append(processes_of(folder))
        happened.output = "".join(log.read_text() for s in servers for log in s.outputs)
        happened.dsn = cleanup.enter_context(EmbeddedPostgres(servers[0].data_dir)).start()
        yield happened


def _start_together(happened: Storm, first: Server, second: Server) -> None:
    for server in (first, second):
        server.launch()
    for server in (first, second):
        server.wait_open()
    happened.together = [server.parts() for server in (first, second)]
    second.kill()
    first.wait_ready()


def _kill_and_end(happened: Storm, cleanup: ExitStack, server: Server, other: Server) -> None:
    chance = random.Random(SEED)  # noqa: S311 - to be repeatable, not secret
    httpx.put(f"{server.url}{BANK}", json={}, timeout=ANSWER_S).raise_for_status()
    clients = [Client(f"w{n}", server, happened.ledger, SEED + n) for n in range(CLIENTS)]
    for client in clients:
        cleanup.callback(client.join, ANSWER_S)
        cleanup.callback(client.leaving.set)
        client.start()
    for kind in islice(cycle(KINDS), KILLS):
        _under_load(happened.ledger, chance)
        happened.recoveries.append((kind, _kill(kind, server)))
    before = len(happened.ledger.recalls)
    _under_load(happened.ledger, chance)
    happened.codes.append(server.terminate())
    happened.answered_last = happened.ledger.recalls[before:]
    happened.survivors.append(processes_of(server.data_dir))
    _end_while_starting(happened, other)
    server.launch()
    server.wait_ready()
    for client in clients:
        client.ending.set()
    for client in clients:
        client.join(ANSWER_S)
        assert not client.is_alive(), "a request was never acknowledged"


def _end_while_starting(happened: Storm, server: Server) -> None:
    server.launch()
    within(STORE_S, lambda: server.postgres() is not None)
    happened.codes.append(server.terminate())
    happened.survivors.append(processes_of(server.data_dir))


def _under_load(ledger: Ledger, chance: random.Random) -> None:
    """Return at a random moment after a random number of acknowledgements."""
    goal = ledger.answers["200"] + chance.randint(10, 80)
    within(ANSWER_S, lambda: ledger.answers["200"] >= goal)
    time.sleep(chance.uniform(0, 0.05))


def _kill(kind: Kind, server: Server) -> float:
    """Seconds from the kill until the store answers again."""
    postgres, started = server.postgres(), time.monotonic()
    assert postgres is not None
    if kind != "postgres":
        server.kill()
    if kind != "server":
        os.kill(postgres, 9)
    if kind == "postgres":
        within(STORE_S, lambda: server.postgres() not in (None, postgres))
        within(STORE_S, server.is_ready)
        return time.monotonic() - started
    server.launch()
    opened = server.wait_open()
    server.wait_ready()
    return opened


def _read_everything(happened: Storm, server: Server) -> None:
    ledger = happened.ledger
    with httpx.Client(base_url=server.url + BANK, timeout=ANSWER_S) as http:
        cursor: str | None = None
        while cursor is not None or not happened.listed:
            page = http.get(
                "/memories", params={"limit": 200, **({"cursor": cursor} if cursor else {})}
            )
            happened.listed += page.json()["memories"]
            cursor = page.json()["next"]
        for name in ledger.items:
            if http.get(f"/memories/{name}").status_code != 200:
                happened.missing.append(name)
        for recall in happened.answered_last:
            if http.get(f"/recalls/{recall}").status_code != 200:
                happened.unreadable.append(recall)
        for items in batches(list(ledger.items.values()), 500):
            _tally(happened.memories_again, http.post("/memories", json={"items": items}))
        for events in batches(list(ledger.events.values()), 500):
            _tally(happened.events_again, http.post("/feedback", json={"events": events}))


def _tally(counts: Counter[str], reply: httpx.Response) -> None:
    facts: Mapping[str, Any] = reply.raise_for_status().json()
    for name, value in facts.items():
        if name != "ids":
            counts[name] += value if isinstance(value, int) else len(value)


def _stop_postgres(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):  # as the last one out
        pass


def test_every_acknowledged_memory_is_found_as_it_was_last_acknowledged(storm: Storm) -> None:
    assert storm.ledger.items
    assert storm.missing == []
    stored = {one["id"]: one["text"] for one in storm.listed}
    assert {name: stored.get(name) for name in storm.ledger.items} == {
        name: item["text"] for name, item in storm.ledger.items.items()
    }


def test_no_memory_is_there_twice_or_unasked(storm: Storm) -> None:
    assert len(storm.listed) == len({one["id"] for one in storm.listed})
    assert {one["id"] for one in storm.listed} == set(storm.ledger.items)
    assert storm.rows("select count(*) from memories") == [(len(storm.listed),)]


def test_every_acknowledged_event_is_stored_once_and_joined_if_its_recall_is(storm: Storm) -> None:
    assert storm.ledger.events
    stored = [row[0] for row in storm.rows("select event_id from events")]
    assert sorted(stored) == sorted(storm.ledger.events)
    apart = "select count(*) from events join recalls r on r.id = recall_id where state = 'parked'"
    assert storm.rows(apart) == [(0,)]


def test_sending_everything_again_gives_only_duplicates(storm: Storm) -> None:
    assert storm.memories_again == {
        "accepted": 0, "duplicates": len(storm.ledger.items), "errors": 0,
    }  # fmt: skip
    assert storm.events_again == {
        "accepted": 0, "duplicate": len(storm.ledger.events), "parked": 0, "rejected": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kept", "counted"),
    [
        (
            "select term, df, own_df from term_stats where df <> 0 or own_df <> 0",
            "select term, count(*), count(*) filter (where own) from postings group by term",
        ),
        (
            "select docs, live from bank_stats",
            "select (select count(distinct key) from postings), (select count(*) from memories)",
        ),
        (
            "select round(length::numeric, 1) from bank_stats",
            "select round(sum(length)::numeric, 1) from "
            "(select distinct key, length::float8 from postings) each",
        ),
        ("select episode, members from episodes where members <> 0",
         "select episode, count(*) from memories group by episode"),
        ("select key from memory_stats", "select key from memories"),
    ],
    ids=["terms", "counts", "length", "episodes", "counters"],
)  # fmt: skip
def test_what_is_counted_while_writing_equals_a_recount(
    storm: Storm, kept: str, counted: str
) -> None:
    assert sorted(storm.rows(kept)) == sorted(storm.rows(counted))


def test_every_start_and_recovery_was_quick(storm: Storm) -> None:
    assert [kind for kind, _ in storm.recoveries] == list(islice(cycle(KINDS), KILLS))
    assert max(seconds for _, seconds in storm.recoveries) < STORE_S


def test_callers_see_lost_connections_and_a_named_database_but_no_other_failure(
    storm: Storm,
) -> None:
    assert storm.ledger.faults == []


def test_no_server_printed_a_traceback(storm: Storm) -> None:
    assert "Traceback" not in storm.output
    errors = set(re.findall(r"\[error\s*\] (\w+)", storm.output))
    assert errors <= {"request_failed", "database_failed"}  # answered with 503, see above


def test_sigterm_ends_in_order_and_takes_postgres_along(storm: Storm) -> None:
    under_load, starting, at_rest = storm.codes
    assert {under_load, at_rest} == {0}
    assert starting in (0, 143)
    assert storm.survivors == [[], [], []]


def test_recalls_answered_before_sigterm_are_on_record(storm: Storm) -> None:
    assert storm.answered_last
    assert storm.unreadable == []


def test_two_servers_on_an_empty_folder_both_come_up_and_migrate_once(storm: Storm) -> None:
    assert [parts["database"] for parts in storm.together] == ["ok", "ok"]
    applied = storm.rows("select version from schema_migrations order by version")
    migrations = read_migrations(ROOT / "router" / "store" / "migrations")
    assert applied == [(one.version,) for one in migrations]
