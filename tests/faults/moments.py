"""Who is killed, and when: at a chosen kind of request, a random moment into it."""

import os
import random
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Literal

from router.store.processes import PROC
from tests.faults.harness import ANSWER_S, STORE_S, Server, within
from tests.faults.load import Client, Ledger, Phase

Kind = Literal["server", "postgres", "both", "backend"]
KINDS: tuple[Kind, ...] = ("server", "postgres", "both", "backend")
TARGETS: tuple[Phase, ...] = ("retain", "recall", "feedback")
INTO_S = 0.04  # a request takes about this long


@dataclass(frozen=True)
class Kill:
    """One kill: who, during which request, what else waited for an answer, and the way back."""

    kind: Kind
    phase: Phase
    at: float  # on the clock of the ledger
    in_flight: tuple[Phase, ...]
    recovered_s: float  # until the store answered again


def plan(kills: int) -> list[tuple[Kind, Phase]]:
    """Kinds and phases in turn; twelve in a row are all their pairs."""
    return list(islice(zip(cycle(KINDS), cycle(TARGETS), strict=False), kills))


def strike(
    kind: Kind, phase: Phase, server: Server, clients: Sequence[Client], chance: random.Random
) -> Kill:
    """Kill while a request of that phase waits for its answer; return once all works again."""
    within(ANSWER_S, lambda: any(client.at == phase for client in clients), poll_s=0.001)
    time.sleep(chance.uniform(0, INTO_S))
    in_flight = tuple(client.at for client in clients if client.at is not None)
    at = time.monotonic()
    return Kill(kind, phase, at, in_flight, _kill(kind, server, chance))


def under_load(ledger: Ledger, chance: random.Random) -> None:
    """Return after a random number of acknowledgements."""
    goal = ledger.answers["200"] + chance.randint(5, 30)
    within(ANSWER_S, lambda: ledger.answers["200"] >= goal)


def backends(postmaster: int) -> list[int]:
    """Processes of Postgres that serve a client, the busy ones if there are any."""
    found: dict[int, bytes] = {}
    for entry in PROC.iterdir():
        with suppress(OSError, ValueError):
            parent = int((entry / "stat").read_bytes().rpartition(b")")[2].split()[1])
            title = (entry / "cmdline").read_bytes()
            if parent == postmaster and b" fivefold " in title:
                found[int(entry.name)] = title
    busy = [pid for pid, title in found.items() if b"idle" not in title]
    return sorted(busy or found)


def _kill(kind: Kind, server: Server, chance: random.Random) -> float:
    postgres, started = server.postgres(), time.monotonic()
    assert postgres is not None
    if kind == "backend":
        return _kill_backend(server, postgres, chance)
    if kind != "postgres":
        server.kill()
    if kind != "server":
        os.kill(postgres, signal.SIGKILL)
    if kind == "postgres":
        within(STORE_S, lambda: server.postgres() not in (None, postgres))
        within(STORE_S, server.is_ready)
        return time.monotonic() - started
    return server.start()


def _kill_backend(server: Server, postgres: int, chance: random.Random) -> float:
    """Postgres then ends every other client too, and recovers as after a crash."""
    started = time.monotonic()
    recoveries = _recoveries(server)
    with suppress(ProcessLookupError):  # it may have ended by itself
        os.kill(chance.choice(backends(postgres)), signal.SIGKILL)
    within(STORE_S, lambda: _recoveries(server) > recoveries)
    within(STORE_S, server.is_ready)
    return time.monotonic() - started


def _recoveries(server: Server) -> int:
    text = (server.data_dir / "postgres.log").read_text(errors="replace")
    return text.count("was not properly shut down")
