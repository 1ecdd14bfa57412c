"""Killed at the worst moments: during the first start, and while a vector index is built."""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

import psycopg
import pytest

from router.store.migrate import read_migrations
from tests.faults.audit import doctor
from tests.faults.harness import (
    BANK,
    FULL,
    ROOT,
    SEED,
    STORE_S,
    Kit,
    Server,
    full_only,
    processes_of,
    served,
    temporary,
    within,
)
from tests.faults.load import items
from tests.faults.moments import Kind, backends
from tests.faults.report import counted, times

ROUNDS = 8 if FULL else 1
STAGES = ("initdb", "first start", "migration")
ROWS = 20_500  # the bound for an index is 20,000
FILL = """
insert into memories
select (jsonb_populate_record(m, jsonb_build_object('key', nextval('memory_keys'),
        'id', 'copy' || n, 'content_hash', '\\x' || md5(n::text)))).*
from memories m, generate_series(1, %(rows)s) n where m.id = 'm0'
"""
MOVE = """
update memories set embedding = (select array_agg(random() - .5) from generate_series(1, 32)
                                 where memories.key is not null)::vector::halfvec
where id like 'copy%'
"""
BUILDING = "select count(*) from pg_stat_progress_create_index"
pytestmark = [pytest.mark.faults, pytest.mark.timeout(120 + 60 * ROUNDS), full_only]


def reached(server: Server, stage: str) -> bool:
    pg = server.data_dir / "pg"
    match stage:
        case "initdb":
            return any(server.data_dir.glob("pg.partial-*"))
        case "first start":
            return pg.exists()
        case _:
            return server.postgres() is not None and (server.data_dir / "run").exists()


def kill_at(server: Server, stage: str, chance: random.Random) -> str:
    """Start the server, kill it at that stage, perhaps its Postgres too; what was killed."""
    server.launch()
    within(STORE_S, lambda: reached(server, stage), poll_s=0.002)
    time.sleep(chance.uniform(0, 0.5))
    postgres = server.postgres()
    server.kill()
    if postgres is None or chance.random() < 0.5:
        return "server"
    with suppress(ProcessLookupError):
        os.kill(postgres, signal.SIGKILL)
    return "both"


def test_first_start_killed_at_any_stage_leaves_nothing_that_the_next_one_minds(
    kit: Kit, observed: Callable[..., None]
) -> None:
    chance = random.Random(SEED)  # noqa: S311 - to be repeatable, not secret
    killed: Counter[tuple[str, str]] = Counter()
    spans = []
    for _ in range(ROUNDS):
        with temporary() as folder, served(kit, folder, copied=False) as server:
            for stage in STAGES:
                killed[stage, kill_at(server, stage, chance)] += 1
            spans.append(server.start())
            assert list(server.data_dir.glob("pg.partial-*")) == []
            server.make_bank()
            server.post("/memories", items=items(5)).raise_for_status()
            assert [one for one in doctor(server) if one["status"] == "fail"] == []
            assert_migrated(server)
            assert server.terminate() == 0
            assert processes_of(folder) == []
            assert "Traceback" not in server.output
    rows = [[stage, killed[stage, "server"], killed[stage, "both"]] for stage in STAGES]
    observed(
        "Kills during the first start",
        *counted(["killed during", "server", "server and Postgres"], rows),
        f"{len(spans)} folders, each killed three times in a row; the start after that was clean "
        f"every time, {times(spans)} s (p50 / max)",
    )


def assert_migrated(server: Server) -> None:
    with psycopg.connect(server.dsn()) as connection:
        rows = connection.execute("select name from schema_migrations order by version").fetchall()
    shipped = read_migrations(ROOT / "router" / "store" / "migrations")
    assert [row[0] for row in rows] == [one.name for one in shipped]


@pytest.fixture
def large(kit: Kit) -> Iterator[Server]:
    """A server and a bank one write short of its vector index."""
    with temporary() as folder, served(kit, folder) as server:
        server.start()
        server.make_bank()
        server.post("/memories", items=items(5)).raise_for_status()
        with psycopg.connect(server.dsn()) as connection:
            connection.execute(FILL, {"rows": ROWS})
            connection.execute(MOVE)
            connection.execute("update bank_stats set live = (select count(*) from memories)")
        yield server


def write(server: Server, name: str) -> None:
    told = server.post("/memories", items=[{"id": name, "text": "tala more vese"}])
    assert told.json()["accepted"] == 1


def building(server: Server) -> bool:
    with suppress(psycopg.OperationalError), psycopg.connect(server.dsn()) as connection:
        return connection.execute(BUILDING).fetchone() != (0,)
    return False


def built(server: Server) -> bool:
    statement = (
        "select count(*) from pg_index i join pg_class c on c.oid = i.indexrelid "
        "where c.relname like 'memories_hnsw_%' and indisvalid"
    )
    with psycopg.connect(server.dsn()) as connection:
        return connection.execute(statement).fetchone() == (1,)


def builder(server: Server) -> int:
    with psycopg.connect(server.dsn()) as connection:
        row = connection.execute("select pid from pg_stat_progress_create_index").fetchone()
    return int(row[0]) if row else 0


def break_build(server: Server, kind: Kind, chance: random.Random) -> None:
    """Kill while the index is being built; return once recalls are answered again."""
    within(STORE_S, lambda: building(server), poll_s=0.005)
    time.sleep(chance.uniform(0, 0.3))
    postgres = server.postgres()
    assert postgres is not None
    if kind == "backend":
        os.kill(builder(server) or backends(postgres)[0], signal.SIGKILL)
        time.sleep(0.1)
    if kind in ("postgres", "both"):
        os.kill(postgres, signal.SIGKILL)
    if kind in ("server", "both"):
        server.kill()
        server.start()
    within(STORE_S, lambda: server.postgres() is not None)
    within(STORE_S, server.is_ready)


def test_index_build_that_is_killed_is_begun_again_and_recalls_go_on_without_it(
    large: Server, observed: Callable[..., None]
) -> None:
    chance = random.Random(SEED)  # noqa: S311 - to be repeatable, not secret
    kinds: tuple[Kind, ...] = ("server", "backend", "postgres", "both")
    for kind in kinds:
        write(large, f"during-{kind}")
        break_build(large, kind, chance)
        answer = large.post("/recall", question="tala more vese", k=5)
        assert answer.status_code == 200
        assert answer.json()["results"]
        assert large.http.get(f"{large.url}{BANK}/memories/during-{kind}").status_code == 200
    write(large, "last")
    within(60, lambda: built(large), poll_s=0.1)
    found = {one["check"]: one for one in doctor(large) if one["bank"] == "storm"}
    assert found["vector_index"]["status"] == "ok"
    assert "is valid" in found["vector_index"]["detail"]
    assert large.terminate() == 0
    observed(
        "Kills while a vector index is built",
        f"{len(kinds)} builds over {ROWS:,} memories killed ({', '.join(kinds)}): the write that "
        "had begun each was there, recalls were answered without the index, the next write began "
        "the build again, and the last one was finished and valid",
    )
