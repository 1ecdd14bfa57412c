"""The database restarted by its administrator under load, in the gentle way and the rough one."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from tests.faults.audit import Audit, audit
from tests.faults.harness import (
    FULL,
    SEED,
    STORE_S,
    Kit,
    Server,
    full_only,
    pg_ctl,
    served,
    temporary,
    within,
)
from tests.faults.load import Ledger, load
from tests.faults.moments import under_load
from tests.faults.report import times

ROUNDS = 10 if FULL else 1
MODES = ("fast", "immediate") if FULL else ("immediate",)
pytestmark = [pytest.mark.faults, pytest.mark.timeout(60 + 60 * ROUNDS), full_only]


@dataclass
class Restarts:
    """Seconds until all answered again, and what was found in the end."""

    ledger: Ledger = field(default_factory=Ledger)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    audit: Audit = field(default_factory=lambda: Audit(Ledger()))
    output: str = ""


@pytest.fixture(scope="module")
def restarts(kit: Kit) -> Iterator[Restarts]:
    found = Restarts()
    chance = random.Random(SEED)  # noqa: S311 - to be repeatable, not secret
    with temporary() as folder, served(kit, folder) as server:
        server.start()
        server.make_bank()
        with load(server, found.ledger):
            for _ in range(ROUNDS):
                for mode in MODES:
                    under_load(found.ledger, chance)
                    found.seconds.setdefault(mode, []).append(restart(server, mode))
        found.audit = audit(server, found.ledger)
        assert server.terminate() == 0
        found.output = server.output
        yield found


def restart(server: Server, mode: str) -> float:
    """Seconds until a new Postgres answers through the server. The watch may start it first."""
    before, started = server.postgres(), time.monotonic()
    log = str(server.data_dir / "postgres.log")
    pg_ctl(server.data_dir, "restart", "-w", "-t", "60", "-m", mode, "-l", log)
    within(STORE_S, lambda: server.postgres() not in (None, before))
    within(STORE_S, server.is_ready)
    return time.monotonic() - started


def test_nothing_acknowledged_is_lost_or_there_twice(
    restarts: Restarts, observed: Callable[..., None]
) -> None:
    restarts.audit.assert_whole()
    ledger = restarts.ledger
    observed(
        "Database restarted under load",
        *(
            f"`pg_ctl restart -m {mode}`, {len(spans)} times: until every part answered "
            f"{times(spans)} s (p50 / max)"
            for mode, spans in restarts.seconds.items()
        ),
        f"{len(ledger.items)} memories, {len(ledger.events)} events acknowledged and found; "
        f"{restarts.audit.recorded} of {len(ledger.recalls)} recalls on record; 503 "
        f"{ledger.answers['503']}, cut connections {ledger.answers['lost']}",
    )


def test_every_answered_recall_is_on_record(restarts: Restarts) -> None:
    assert restarts.audit.recorded == len(restarts.ledger.recalls)


def test_server_lives_through_it_without_a_traceback(restarts: Restarts) -> None:
    assert "Traceback" not in restarts.output
    assert restarts.ledger.answers["lost"] == 0
