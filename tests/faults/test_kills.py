"""Server and Postgres killed under load: what was acknowledged is there, and starts are clean.

FIVEFOLD_KILLS=200, as in `make faults`, kills two hundred times instead of six.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest

from router.store.embedded import EmbeddedPostgres
from router.store.migrate import read_migrations
from tests.faults.audit import Audit, audit
from tests.faults.harness import (
    KILLS,
    ROOT,
    SEED,
    STORE_S,
    Kit,
    Server,
    processes_of,
    stop_postgres,
    temporary,
    within,
)
from tests.faults.load import Ledger, load
from tests.faults.moments import KINDS, TARGETS, Kill, plan, strike, under_load
from tests.faults.report import counted, times

WRITTEN_S = 15.0  # a record waits for a database that recovers; its tries end by then
pytestmark = [pytest.mark.faults, pytest.mark.timeout(120 + 20 * KILLS)]


@dataclass
class Storm:
    """What happened, and the database as it was left."""

    ledger: Ledger = field(default_factory=Ledger)
    together: list[dict[str, str]] = field(default_factory=list)  # parts of two started at once
    codes: list[int] = field(default_factory=list)  # of every SIGTERM
    kills: list[Kill] = field(default_factory=list)
    answered_last: list[str] = field(default_factory=list)  # recalls between the last kill and end
    unreadable: list[str] = field(default_factory=list)  # of those, after the restart
    lost: list[str] = field(default_factory=list)  # answered recalls that are not on record
    survivors: list[list[int]] = field(default_factory=list)  # processes after every last SIGTERM
    audit: Audit = field(default_factory=lambda: Audit(Ledger()))
    output: str = ""  # all that the servers printed
    log: str = ""  # what Postgres said
    dsn: str = ""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of a statement, past row security."""
        with psycopg.connect(self.dsn) as connection:
            return connection.execute(statement.encode()).fetchall()


@pytest.fixture(scope="module")
def storm(kit: Kit, observed: Callable[..., None]) -> Iterator[Storm]:
    """Two servers start at once, one ends, the other lives through the kills, then all is read."""
    with temporary() as folder, ExitStack() as cleanup:
        servers = [Server(kit, folder, name) for name in ("first", "second")]
        cleanup.callback(stop_postgres, servers[0].data_dir)
        for server in servers:
            cleanup.callback(server.close)
        happened = Storm()
        _start_together(happened, *servers)
        _kill_and_end(happened, *servers)
        _read_everything(happened, servers[0])
        happened.codes.append(servers[0].terminate())
        happened.survivors.append(processes_of(folder))
        happened.output = "".join(server.output for server in servers)
        happened.log = (servers[0].data_dir / "postgres.log").read_text(errors="replace")
        _note(happened, observed)
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


def _kill_and_end(happened: Storm, server: Server, other: Server) -> None:
    chance = random.Random(SEED)  # noqa: S311 - to be repeatable, not secret
    server.make_bank()
    ledger = happened.ledger
    with load(server, ledger) as clients:
        for kind, phase in plan(KILLS):
            under_load(ledger, chance)
            happened.kills.append(strike(kind, phase, server, clients, chance))
        before = len(ledger.recalls)
        under_load(ledger, chance)
        happened.codes.append(server.terminate())
        happened.answered_last = list(ledger.recalls)[before:]
        happened.survivors.append(processes_of(server.data_dir))
        _end_while_starting(happened, other)
        server.start()


def _end_while_starting(happened: Storm, server: Server) -> None:
    server.launch()
    within(STORE_S, lambda: server.postgres() is not None)
    happened.codes.append(server.terminate())
    happened.survivors.append(processes_of(server.data_dir))


def _read_everything(happened: Storm, server: Server) -> None:
    happened.audit = audit(server, happened.ledger)
    for recall in happened.answered_last:
        if server.http.get(f"{server.url}/v1/banks/storm/recalls/{recall}").status_code != 200:
            happened.unreadable.append(recall)
    with psycopg.connect(server.dsn()) as connection:
        known = {row[0] for row in connection.execute("select id from recalls")}
    happened.lost = [recall for recall in happened.ledger.recalls if recall not in known]


def _note(storm: Storm, observed: Callable[..., None]) -> None:
    ledger, seen = storm.ledger, storm.audit
    rows = [
        [kind, *(_hits(storm, kind, phase) for phase in TARGETS), times(spans)]
        for kind in KINDS
        if (spans := [one.recovered_s for one in storm.kills if one.kind == kind])
    ]
    waiting = Counter(phase for kill in storm.kills for phase in kill.in_flight)
    parked = sum(1 for one in ledger.events if one.split(".")[0] in set(storm.lost))
    observed(
        "Kills under load",
        *counted(["killed", *(f"during {phase}" for phase in TARGETS), "back, s: p50 / max"], rows),
        "`backend` is one busy process of Postgres, after which it ends all others and recovers; "
        "`back` is the time until every part answered, for a killed server until it listened",
        f"requests that waited for an answer at these moments: {dict(sorted(waiting.items()))}",
        *counted(
            ["acknowledged", "number", "found again"],
            [
                ["memories", len(ledger.items), len(ledger.items) - len(seen.missing)],
                ["feedback events", len(ledger.events), len(set(seen.stored_events))],
                ["recalls answered, on record", len(ledger.recalls), seen.recorded],
            ],
        ),
        f"records of {len(storm.lost)} answered recalls went with the server that had answered "
        f"them (they are written behind the reply), at most {_lag(storm):.1f} s before; {parked} "
        "events about them are kept, parked; none was lost to a kill of Postgres alone",
        f"answers {ledger.answers['200']}, declared 503 {ledger.answers['503']}, cut connections "
        f"{ledger.answers['lost']}, others {len(ledger.faults)}; recalls that named a missing "
        f"part {ledger.answers['degraded']}",
        f"sent once more: {dict(seen.memories_again)} and {dict(seen.events_again)}",
        f"`fivefold doctor`: {dict(Counter(one['status'] for one in seen.findings))}",
        f"recoveries of Postgres {storm.log.count('was not properly shut down')}, "
        f"panics {storm.log.count('PANIC')}",
    )


def _lag(storm: Storm) -> float:
    """Seconds between a recall's answer and the kill that took its record, at most."""
    servers = [kill.at for kill in storm.kills if kill.kind in ("server", "both")]
    answered = [storm.ledger.recalls[recall] for recall in storm.lost]
    return max((min(abs(at - one) for at in servers) for one in answered), default=0.0)


def _hits(storm: Storm, kind: str, phase: str) -> int:
    return sum(1 for one in storm.kills if (one.kind, one.phase) == (kind, phase))


def test_everything_acknowledged_is_found_once_as_it_was_last_acknowledged(storm: Storm) -> None:
    assert storm.ledger.items
    assert storm.ledger.events
    storm.audit.assert_whole()


def test_no_memory_is_there_twice_or_unasked(storm: Storm) -> None:
    listed = storm.audit.listed
    assert {one["id"] for one in listed} == set(storm.ledger.items)
    assert storm.rows("select count(*) from memories") == [(len(listed),)]


def test_every_event_is_joined_if_its_recall_is_on_record(storm: Storm) -> None:
    apart = "select count(*) from events join recalls r on r.id = recall_id where state = 'parked'"
    assert storm.rows(apart) == [(0,)]


def test_sending_everything_again_gives_only_duplicates(storm: Storm) -> None:
    assert +storm.audit.memories_again == {"duplicates": len(storm.ledger.items)}
    assert +storm.audit.events_again == {"duplicate": len(storm.ledger.events)}


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
        ("select key, proof_count from memory_stats", "select key, 1 from memories"),
    ],
    ids=["terms", "counts", "length", "episodes", "proofs"],
)  # fmt: skip
def test_what_is_counted_while_writing_equals_a_recount(
    storm: Storm, kept: str, counted: str
) -> None:
    assert sorted(storm.rows(kept)) == sorted(storm.rows(counted))


def test_every_start_and_recovery_was_quick_and_without_panic(storm: Storm) -> None:
    assert [(one.kind, one.phase) for one in storm.kills] == plan(KILLS)
    assert max(one.recovered_s for one in storm.kills) < STORE_S
    assert "PANIC" not in storm.log
    assert "corrupt" not in storm.log


def test_record_of_a_recall_is_lost_only_with_the_server_that_answered_it(storm: Storm) -> None:
    servers = [kill.at for kill in storm.kills if kill.kind in ("server", "both")]
    for recall in storm.lost:
        answered = storm.ledger.recalls[recall]
        assert any(at - WRITTEN_S < answered < at + 1 for at in servers), recall


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
