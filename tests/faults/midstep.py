"""Kills while something learns: who, when, and whether a step that had begun was undone by it."""

import os
import random
import signal
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, Literal

import psycopg

from tests.faults.harness import ANSWER_S, STORE_S, Server, within
from tests.faults.load import Client

Victim = Literal["worker", "server", "postgres", "all"]
Moment = Literal["a step", "feedback"]
VICTIMS: tuple[Victim, ...] = ("worker", "server", "postgres", "all")
MOMENTS: tuple[Moment, ...] = ("a step", "feedback", "a step")  # in turn: twelve are all pairs
STEP_S = 90.0  # until one begins: a bank whose step was undone waits, longer each time
INTO_S = 0.04  # a step takes about this long
# Steps that have claimed their bank: nothing else locks rows of this table and writes meanwhile.
STEPS = """
select distinct a.backend_xid::text from pg_locks l join pg_stat_activity a using (pid)
where l.relation = 'learners'::regclass and l.mode in ('RowShareLock', 'RowExclusiveLock')
  and l.granted and a.backend_xid is not null
"""
# Before a crash: else the numbers of what was under way are given again, and tell nothing.
FLUSH = "select pg_logical_emit_message(true, 'tests', '')"


class Worker(Server):
    """`fivefold worker` over the same data folder as a server."""

    def launch(self) -> None:
        self._process = self.command("worker")

    def start(self) -> float:
        """Start it; the seconds until it learns."""
        self.launch()
        return within(STORE_S, self._learns)

    def _learns(self) -> bool:
        code = self.process.poll()
        assert code is None, f"the worker ended with {code}:\n{self.output}"
        log = self.outputs[-1]
        return log.exists() and "fivefold learns" in log.read_text(errors="replace")


@dataclass(frozen=True)
class Strike:
    """One kill: who, at what moment, the steps under way, those of them undone, the way back."""

    victim: Victim
    moment: Moment
    at: float  # on the clock of the ledgers
    open: int
    undone: int
    recovered_s: float  # until all that was killed was at work again


def plan(kills: int) -> list[tuple[Victim, Moment]]:
    """Victims and moments in turn."""
    return list(islice(zip(cycle(VICTIMS), cycle(MOMENTS), strict=False), kills))


def strike(
    victim: Victim,
    moment: Moment,
    server: Server,
    worker: Worker,
    clients: Sequence[Client],
    chance: random.Random,
) -> Strike:
    """Kill at a random point of that moment; return once all works again."""
    postgres = server.postgres()
    assert postgres is not None
    with closing(psycopg.connect(server.dsn(), autocommit=True)) as watch:
        under_way = _reach(moment, watch, clients, chance)
        at = time.monotonic()
        _kill(victim, server, worker, postgres)
    recovered_s = _come_back(victim, server, worker, postgres) - at
    with psycopg.connect(server.dsn(), autocommit=True) as look:
        undone = sum(is_undone(look, step) for step in under_way)
    return Strike(victim, moment, at, len(under_way), undone, recovered_s)


def _reach(
    moment: Moment,
    watch: psycopg.Connection[Any],
    clients: Sequence[Client],
    chance: random.Random,
) -> list[str]:
    """Wait for a random point of the moment; the steps that are then under way, if it is one."""
    if moment == "feedback":
        within(ANSWER_S, lambda: any(one.at == moment for one in clients), poll_s=0.001)
        time.sleep(chance.uniform(0, INTO_S))
        return []
    found: list[str] = []

    def is_reached() -> bool:
        found[:] = _into_a_step(watch, chance)
        return bool(found)

    within(STEP_S, is_reached, poll_s=0.002)
    return found


def _into_a_step(watch: psycopg.Connection[Any], chance: random.Random) -> list[str]:
    """Steps that were seen and are still under way a random time later."""
    seen = steps(watch)
    if not seen:
        return []
    watch.execute(FLUSH)
    time.sleep(chance.uniform(0, INTO_S))
    return [one for one in steps(watch) if one in seen]


def steps(watch: psycopg.Connection[Any]) -> list[str]:
    """Numbers of the transactions that are learning right now."""
    return [row[0] for row in watch.execute(STEPS).fetchall()]


def is_undone(look: psycopg.Connection[Any], transaction: str) -> bool:
    """Whether a transaction ended without its commit."""
    while True:
        row = look.execute("select pg_xact_status(%s::xid8)", [transaction]).fetchone()
        assert row is not None
        if row[0] != "in progress":
            return bool(row[0] == "aborted")
        time.sleep(0.01)


def _kill(victim: Victim, server: Server, worker: Worker, postgres: int) -> None:
    """All of them at once; only then is anybody's end waited for."""
    if victim in ("postgres", "all"):
        os.kill(postgres, signal.SIGKILL)
    if victim in ("worker", "all"):
        worker.process.kill()
    if victim in ("server", "all"):
        server.kill()


def _come_back(victim: Victim, server: Server, worker: Worker, postgres: int) -> float:
    """When all that was killed was at work again."""
    if victim == "postgres":
        within(STORE_S, lambda: server.postgres() not in (None, postgres))
        within(STORE_S, server.is_ready)
        assert worker.process.poll() is None, "the worker did not live through it"
    if victim in ("server", "all"):
        server.start()
    if victim in ("worker", "all"):
        worker.kill()  # it has ended by now
        worker.start()
    return time.monotonic()
