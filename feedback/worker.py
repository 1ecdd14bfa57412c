"""The learning worker: looks for banks with closed recalls and takes a step for each."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

import structlog
from psycopg import Error as DatabaseError

from channels.connection import Transaction
from channels.errors import RecallError, Unavailable
from channels.sql_files import load
from feedback import learners
from feedback.posterior import MatrixState
from feedback.settings import Setup
from feedback.step import MOST, Bounds, Step, step

log = structlog.get_logger()
POLL_S = 2.0
GRACE_S = 1.0  # after closing: what was read before it is stored by then
STEP_TIMEOUT_MS = 60_000  # of each statement
FIRST_PAUSE_S, LONGEST_PAUSE_S = 5.0, 600.0  # of a bank whose step failed, doubling
KIN_S = 60.0  # how old the fleet's sums may be
STOP_S = 20.0  # a step that is under way may finish

SetupOf = Callable[[Mapping[str, Any], str], Setup]  # of a bank's configuration and model


class Observer(Protocol):
    """Hears what the worker does; counts it."""

    def stepped(self, step: Step, seconds: float) -> None:
        """A bank took a step."""

    def failed(self) -> None:
        """A bank's step failed and was undone."""


@dataclass(slots=True)
class _Trouble:
    """Banks whose step failed, and when each is tried again."""

    failures: dict[int, int] = field(default_factory=dict)
    until: dict[int, float] = field(default_factory=dict)

    def add(self, bank: int, now: float) -> float:
        """Seconds until the bank is tried again."""
        count = self.failures.get(bank, 0)
        self.failures[bank] = count + 1
        pause = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0**count)
        self.until[bank] = now + pause
        return pause

    def clear(self, bank: int) -> None:
        self.failures.pop(bank, None)
        self.until.pop(bank, None)

    def waits(self, bank: int, now: float) -> bool:
        return self.until.get(bank, 0.0) > now


class Worker:
    """Learns for every bank. Any number may run over one store: each bank is one's at a time."""

    def __init__(
        self,
        transaction: Transaction,
        setup_of: SetupOf,
        observer: Observer,
        *,
        window_s: float,
        grace_s: float = GRACE_S,
        poll_s: float = POLL_S,
        most: int = MOST,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._transaction = transaction
        self._setup_of = setup_of
        self._observer = observer
        self._window_s = window_s
        self._grace_s = grace_s
        self._poll_s = poll_s
        self._most = most
        self._clock = clock
        self._trouble = _Trouble()
        self._kin: dict[str, tuple[float, dict[int, MatrixState]]] = {}
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Learn until stopped; nothing that happens to a bank or the store ends it."""
        while not self._stopping.is_set():
            waiting = False
            try:
                waiting = await self.turn()
            except (DatabaseError, RecallError) as error:
                log.warning("learner_waits", reason=str(error), next_try_s=self._poll_s)
            if not waiting:
                await self._pause()

    def stop(self) -> None:
        """Let the step that is under way be the last one."""
        self._stopping.set()

    async def turn(self) -> bool:
        """One step for every bank that has something sealed; whether more is waiting."""
        waiting = False
        for bank, name, config, embedder in await self._due():
            if self._stopping.is_set():
                return False
            if self._trouble.waits(bank, time.monotonic()):
                continue
            done = await self._guarded(bank, name, config, embedder)
            waiting = waiting or (done is not None and done.is_full)
        return waiting

    async def _due(self) -> list[Any]:
        bounds = self._bounds()
        values = {"closed": bounds.closed, "opened": bounds.opened}
        async with self._transaction("all", timeout_ms=STEP_TIMEOUT_MS) as conn:
            return await (await conn.execute(load("feedback", "banks_due"), values)).fetchall()

    async def _guarded(
        self, bank: int, name: str, config: Mapping[str, Any], embedder: str
    ) -> Step | None:
        started = time.perf_counter()
        try:
            done = await self._step(bank, self._setup_of(config, embedder))
        except Unavailable as error:  # the store went away under it, which is no defect of the step
            pause = self._put_off(bank)
            log.warning("learner_waits", bank=name, reason=str(error), next_try_s=pause)
            return None
        except Exception:  # of whatever kind: the transaction is undone, and the others go on
            log.exception("learner_failed", bank=name, next_try_s=self._put_off(bank))
            return None
        self._trouble.clear(bank)
        if done is not None:
            self._observer.stepped(done, time.perf_counter() - started)
            log.info(
                "bank_learned",
                bank=name,
                batch=done.batch.batch,
                impressions=done.batch.impressions,
                outcome=done.done.outcome,
                version=done.done.version,
                reason=done.done.reason,
            )
        return done

    def _put_off(self, bank: int) -> float:
        """Seconds until a bank whose step was undone is tried again."""
        self._observer.failed()
        return self._trouble.add(bank, time.monotonic())

    async def _step(self, bank: int, setup: Setup) -> Step | None:
        kin = await self._kin_of(setup) if setup.shares else {}
        async with self._transaction(bank, timeout_ms=STEP_TIMEOUT_MS) as conn:
            return await step(conn, bank, setup, self._bounds(), kin, most=self._most)

    async def _kin_of(self, setup: Setup) -> dict[int, MatrixState]:
        """What banks of one library share, as of at most KIN_S ago."""
        name, now = setup.settings.kin, time.monotonic()
        known = self._kin.get(name)
        if known is None or now - known[0] > KIN_S:
            async with self._transaction("all", timeout_ms=STEP_TIMEOUT_MS) as conn:
                found = await learners.kin(conn, name, setup.settings.start.channels)
            known = self._kin[name] = (now, found)
        return known[1]

    def _bounds(self) -> Bounds:
        return Bounds.at(self._clock(), window_s=self._window_s, grace_s=self._grace_s)

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(self._poll_s):
                await self._stopping.wait()
        except TimeoutError:
            return
