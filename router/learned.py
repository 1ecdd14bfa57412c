"""What banks have learnt: shown, compared, held, replayed, and forgotten."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from channels.connection import Transaction
from feedback import checking, learners
from feedback.learners import Held, Rows, Status
from feedback.posterior import MatrixState
from feedback.replay import Replay, forget_actor, replay
from feedback.settings import Setup
from feedback.step import Step
from router.learning import setup_of
from router.live import LiveMatrices
from router.store.banks import Bank
from router.store.matrices import DEFAULT_VERSION, Matrices
from router.weights import Matrix, as_json

TIMEOUT_MS = 120_000  # of each statement


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What forgetting an actor did."""

    events: int
    recalls: int  # that counted as evidence
    step: Step


class Learned:
    """The learners of all banks, for people. `fleet`: this server lets banks share."""

    def __init__(self, transaction: Transaction, live: LiveMatrices, *, fleet: bool) -> None:
        self._transaction = transaction
        self._live = live
        self._fleet = fleet

    def setup(self, bank: Bank) -> Setup:
        """How the bank is learnt for now."""
        return setup_of(
            bank.config, bank.embedder_name, fleet=self._fleet, priors=self._live.priors
        )

    async def known(self, bank: Bank) -> checking.Known:
        """What the bank's learner knows, its status and its last batch."""
        setup = self.setup(bank)
        kin = await self._kin(setup)
        async with self._transaction(bank.key, timeout_ms=TIMEOUT_MS) as conn:
            return await checking.known(conn, bank.key, setup, kin)

    async def set_state(self, bank: Bank, state: Status, why: str) -> Held:
        """Turn the bank's learner on or hold it. On, it may replace the matrix that is live."""
        now = datetime.now(UTC)
        async with self._transaction(bank.key) as conn:
            await learners.lock(conn, bank.key, now)
            await learners.set_status(conn, bank.key, state, why, now)
            return await learners.held(conn, bank.key)

    async def policy(self, bank: Bank, given: Matrix | None = None) -> dict[str, Any]:
        """The live, default and last matrix, what is proposed, and a given one, compared."""
        rows = await self._matrices(bank)
        if given is not None:
            rows["given"] = as_json(given)
        async with self._transaction(bank.key, timeout_ms=TIMEOUT_MS) as conn:
            known = await checking.observed(conn, bank.key, self.setup(bank))
        return await asyncio.to_thread(checking.policy, known, rows)

    async def diff(
        self, bank: Bank, former: int | None, to: int | None
    ) -> tuple[int, Rows, int, Rows]:
        """Two versions with their rows: by default the live one, and the one it followed.

        Raises NotFound for a version that the bank does not have.
        """
        matrices, default = Matrices(self._transaction), self._live.default(bank)
        head = await matrices.head(bank.key)
        if to is None:
            to = head.version if head else DEFAULT_VERSION
        if former is None:
            is_live = head is not None and head.version == to
            former = (head.parent or DEFAULT_VERSION) if head and is_live else max(to - 1, 0)
        before = await matrices.rows(bank.key, former, default)
        return former, before, to, await matrices.rows(bank.key, to, default)

    async def replay(self, bank: Bank) -> Replay:
        """The bank's log learnt anew and compared; nothing is changed."""
        async with self._transaction(bank.key, timeout_ms=TIMEOUT_MS) as conn:
            return await replay(conn, bank.key)

    async def forget_actor(self, bank: Bank, actor: str) -> Forgotten:
        """Delete an actor's events and learn the rest anew."""
        setup = self.setup(bank)
        kin = await self._kin(setup)
        async with self._transaction(bank.key, timeout_ms=TIMEOUT_MS) as conn:
            told = await forget_actor(conn, bank.key, actor, setup, datetime.now(UTC), kin)
        self._live.forget(bank.key)
        return Forgotten(*told)

    async def _kin(self, setup: Setup) -> Mapping[int, MatrixState]:
        """What banks of the same library and default rows share, where this one shares too."""
        if not setup.shares:
            return {}
        async with self._transaction("all", timeout_ms=TIMEOUT_MS) as conn:
            return await learners.kin(conn, setup.settings.kin, setup.settings.start.channels)

    async def _matrices(self, bank: Bank) -> dict[str, Rows]:
        matrices = Matrices(self._transaction)
        default: Rows = as_json(self._live.default(bank))
        head = await matrices.head(bank.key)
        last = default
        if head is not None and head.parent is not None:
            found = await matrices.versions(bank.key, before=head.parent + 1, limit=1)
            last = found[0].rows if found else default
        rows = {"live": head.rows if head else default, "default": default, "last": last}
        async with self._transaction(bank.key) as conn:
            proposed = await learners.last_proposed(conn, bank.key)
        if proposed is not None:
            rows["proposed"] = proposed
        return rows
