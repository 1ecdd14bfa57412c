"""A store with memories in every state, and lanes asked over it as the router asks them."""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeVar

from channels.base import Channel, Hit, MemoryKey, Question
from channels.connection import Connection, Transaction
from router.answer import RecallRequest
from router.plugins import Factory
from router.settings import Settings
from router.store.banks import Bank
from router.wiring import Service, open_service

T = TypeVar("T")
TIMEOUT_MS = 20_000  # nothing here may be late because the machine is busy
NOW = datetime(2023, 6, 15, 12, 0, tzinfo=UTC)
START = datetime(2023, 5, 1, 9, 0, tzinfo=UTC)
ASKED = "Why was Rhea angry about the Harbour lease in May 2023?"


class NotConforming(AssertionError):
    """A lane broke the contract; the text says how."""


def memory(number: int) -> dict[str, Any]:
    """One of forty on the same matter: lanes that read words, titles or times find all of them."""
    odd = number % 2
    return {
        "id": f"m{number:02}",
        "text": f"Rhea was furious and angry about the Harbour lease, clause {number // 4}.",
        "title": f"Harbour lease, clause {number // 4}",
        "speaker": "Ida" if odd else "Tom",
        "kind": "decision" if number % 5 == 0 else "turn",
        "tags": ["lease", "red"] if odd else ["lease"],
        "topic": "legal.lease" if odd else "legal.leasehold",
        "occurred_at": (START + timedelta(hours=number)).isoformat(),
        "affect": [{"label": "anger", "intensity": 0.8}],
    }


MEMORIES = tuple(memory(number) for number in range(40))
OLD = {**memory(40), "id": "old", "text": "Rhea was angry: the Harbour lease costs 900."}
NEW = {
    **memory(90),
    "id": "new",
    "text": "Rhea was angry: the Harbour lease costs 950.",
    "supersedes": ["old"],
}


@dataclass(frozen=True, slots=True)
class Bed:
    """A filled bank, another tenant's with the same memories, and an empty one."""

    service: Service
    runner: asyncio.Runner
    filled: Bank
    other: Bank
    empty: Bank
    asked: str
    ids: Mapping[MemoryKey, str]  # of the filled bank
    items: Sequence[Mapping[str, Any]] = field(default=MEMORIES)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The outcome of a coroutine, on the loop that the store lives on."""
        return self.runner.run(work)

    def lane(self, make: Factory, transaction: Transaction | None = None) -> Channel:
        """The lane over this store, or over the given transactions."""
        return make(transaction or self.service.reading, timeout_ms=TIMEOUT_MS)

    async def question(
        self, bank: Bank, text: str, transaction: Transaction | None = None, **options: Any
    ) -> Question:
        """The question as the router makes it; `options` are those of a recall request."""
        request = RecallRequest(text, NOW, "UTC", **options)
        recaller = self.service.recaller.over(transaction or self.service.reading)
        return await recaller.question(bank, request)

    async def search(self, make: Factory, bank: Bank, depth: int, **options: Any) -> list[Hit]:
        """What the lane finds for `asked`."""
        text = options.pop("text", self.asked)
        question = await self.question(bank, text, **options)
        try:
            return await self.lane(make).search(question, depth)
        finally:
            await question.cancel()

    def hits(self, make: Factory, *, depth: int = 500, **options: Any) -> list[Hit]:
        """What the lane finds in the filled bank."""
        return self.run(self.search(make, self.filled, depth, **options))

    def found(self, make: Factory, **options: Any) -> set[str]:
        """Ids of what the lane finds in the filled bank; unknown keys as they are."""
        hits = self.hits(make, **options)
        return {self.ids.get(hit.key, f"key {hit.key} of no memory here") for hit in hits}


def bound_to(transaction: Transaction, only: Bank) -> Transaction:
    """Transactions that see this bank only, whichever is asked for."""

    def opened(
        bank: int | Literal["all"], *, timeout_ms: int | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        return transaction(only.key, timeout_ms=timeout_ms)

    return opened


@contextmanager
def open_bed(settings: Settings, *, asked: str = ASKED) -> Iterator[Bed]:
    """Open a store as the settings name it, and fill banks of its own; they are deleted at the end.

    `asked`: what the lane finds forty memories about Rhea's anger at a lease by.
    """
    with asyncio.Runner() as runner:
        opened = open_service(settings)
        service = runner.run(opened.__aenter__())
        try:
            bed = runner.run(_filled(service, runner, asked))
            try:
                yield bed
            finally:
                for bank in (bed.filled, bed.other, bed.empty):
                    runner.run(service.delete_bank(bank))
        finally:
            runner.run(opened.__aexit__(None, None, None))


async def _filled(service: Service, runner: asyncio.Runner, asked: str) -> Bed:
    mark = f"conformance:{datetime.now(UTC).timestamp():.6f}"
    banks = [await service.ensure_bank(f"{mark}:{name}") for name in ("filled", "other", "empty")]
    for bank in banks[:2]:
        await service.retain(bank, [*MEMORIES, OLD])
        await service.retain(bank, [NEW])
    banks = [await service.banks.get(bank.name) for bank in banks]
    async with service.transaction(banks[0].key) as conn:
        rows = await conn.execute("select key, id from memories where bank_id = %s", [banks[0].key])
        ids = {MemoryKey(key): name for key, name in await rows.fetchall()}
    return Bed(service, runner, banks[0], banks[1], banks[2], asked, ids)
