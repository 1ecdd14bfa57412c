"""SIGTERM under load: requests at work are answered, the process ends in order and in time."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import psycopg
import pytest

from tests.faults.audit import Audit, audit
from tests.faults.harness import (
    BANK,
    FULL,
    GRACE_S,
    SEED,
    Kit,
    Server,
    full_only,
    processes_of,
    served,
    temporary,
    within,
)
from tests.faults.load import Ledger, items, load
from tests.faults.moments import under_load
from tests.faults.report import times

ROUNDS = 10 if FULL else 1
MANY = 150  # memories of one request: about a second of work
TITLE = "SIGTERM under load"
pytestmark = [pytest.mark.faults, pytest.mark.timeout(120 + 30 * ROUNDS)]


@dataclass
class Ends:
    """Every orderly end under load."""

    ledger: Ledger = field(default_factory=Ledger)
    codes: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    survivors: list[int] = field(default_factory=list)
    audit: Audit = field(default_factory=lambda: Audit(Ledger()))
    output: str = ""


@pytest.fixture(scope="module")
def ends(kit: Kit) -> Iterator[Ends]:
    found = Ends()
    chance = random.Random(SEED)  # noqa: S311 - to be repeatable, not secret
    with temporary() as folder, served(kit, folder) as server:
        server.start()
        server.make_bank()
        with load(server, found.ledger):
            for _ in range(ROUNDS):
                under_load(found.ledger, chance)
                started = time.monotonic()
                found.codes.append(server.terminate())
                found.seconds.append(time.monotonic() - started)
                found.survivors += processes_of(server.data_dir)
                server.start()
        found.audit = audit(server, found.ledger)
        found.output = server.output
        yield found


@full_only
def test_every_end_is_in_order_in_time_and_leaves_no_process(
    ends: Ends, observed: Callable[..., None]
) -> None:
    assert ends.codes == [0] * ROUNDS
    assert max(ends.seconds) < GRACE_S
    assert ends.survivors == []
    assert "Traceback" not in ends.output
    ledger = ends.ledger
    observed(
        TITLE,
        f"{ROUNDS} times under load: exit code 0 every time, after {times(ends.seconds)} s (p50 / "
        f"max; container managers wait {GRACE_S:.0f}), Postgres ended too",
        f"{len(ledger.items)} memories, {len(ledger.events)} events acknowledged and found once; "
        f"{ends.audit.recorded} of {len(ledger.recalls)} recalls on record",
    )


@full_only
def test_everything_acknowledged_is_there_every_recall_on_record(ends: Ends) -> None:
    ends.audit.assert_whole()
    assert ends.audit.recorded == len(ends.ledger.recalls)


def test_requests_at_work_when_it_comes_are_answered(
    server: Server, observed: Callable[..., None]
) -> None:
    server.post("/memories", items=items(40)).raise_for_status()
    with ThreadPoolExecutor(4) as workers, psycopg.connect(server.dsn()) as holder:
        holder.execute("lock table edges")  # a recall now takes until the graph's limit
        recalls = [
            workers.submit(server.post, "/recall", question="tala more", k=3) for _ in range(3)
        ]
        statement = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
        with psycopg.connect(server.dsn(), autocommit=True) as other:
            within(10, lambda: other.execute(statement).fetchone() == (3,))
        write = workers.submit(server.post, "/memories", items=items(MANY, "big"))
        time.sleep(0.2)
        started = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        answers = [recall.result() for recall in recalls]
        holder.rollback()  # the write needs that table as well
        code = server.process.wait(GRACE_S)
        seconds = time.monotonic() - started
        written = write.result()
    assert code == 0
    assert seconds < GRACE_S
    assert [answer.status_code for answer in answers] == [200] * 3
    assert [answer.json()["degraded"] for answer in answers] == [["graph:timeout"]] * 3
    assert written.status_code == 200
    server.start()
    bank = f"{server.url}{BANK}"
    for answer in answers:
        found = server.http.get(f"{bank}/recalls/{answer.json()['recall_id']}")
        assert found.status_code == 200
    assert server.http.get(f"{bank}/memories/big{MANY - 1}").status_code == 200
    observed(
        TITLE,
        f"3 recalls that waited for a locked table and a write of {MANY} memories were at work: "
        f"all were answered with 200, the process ended {seconds:.1f} s after the signal, and "
        "what they acknowledged was there after the next start",
    )
