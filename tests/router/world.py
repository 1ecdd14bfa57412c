"""A running service over its own database, with the packaged model, and short ways to use it."""

import asyncio
import threading
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from typing import Any

from pydantic import SecretStr

from channels.embedder import SentenceEmbedder
from router.answer import Answer, RecallRequest
from router.recall import Recaller
from router.retain import Receipt
from router.settings import Settings
from router.store.banks import BankConfig
from router.understand.types import TypeClassifier
from router.wiring import Service, lanes, open_service
from tests.router.api.conftest import HASHES, WordHashes

NOW = datetime(2025, 6, 11, 15, 30, tzinfo=UTC)  # a Wednesday
NUMBERS = count(1)


class KeptEmbedder(SentenceEmbedder):
    """The packaged model; it outlives the services that use it, for it takes seconds to load."""

    def close(self) -> None:
        pass


MODEL = KeptEmbedder()
CLASSIFIER = TypeClassifier.load()


def memory(name: str | None, text: str, when: str | None = None, **more: Any) -> dict[str, Any]:
    """One item of a retain request."""
    item: dict[str, Any] = {"text": text, **more}
    if name is not None:
        item["id"] = name
    if when is not None:
        item["occurred_at"] = when
    return item


class World:
    """The service on an event loop of its own; banks are named, each test takes fresh ones."""

    def __init__(self, service: Service, dsn: str, loop: asyncio.AbstractEventLoop) -> None:
        self.service = service
        self.dsn = dsn
        self._loop = loop

    def run(self, work: Awaitable[Any]) -> Any:
        async def whole() -> Any:
            return await work

        return asyncio.run_coroutine_threadsafe(whole(), self._loop).result(100)

    def bank(self, *items: dict[str, Any], **config: Any) -> str:
        """The name of a new bank that holds the items."""
        name = f"bank-{next(NUMBERS)}"
        self.run(self.service.ensure_bank(name, BankConfig(**config)))
        if items:
            receipt = self.keep(name, *items)
            assert receipt.errors == []
            assert receipt.accepted == len(items)
        return name

    def quick_bank(self, *items: dict[str, Any]) -> str:
        """As `bank`, with hashed words in the place of a model."""
        return self.bank(*items, embedder=HASHES)

    def keep(self, bank: str, *items: object, **options: Any) -> Receipt:
        async def work() -> Receipt:
            return await self.service.retain(await self.service.banks.get(bank), items, **options)

        receipt: Receipt = self.run(work())
        return receipt

    def ask(
        self, bank: str, question: str, recaller: Recaller | None = None, **options: Any
    ) -> Answer:
        async def work() -> Answer:
            request = RecallRequest(question, **{"asked_at": NOW, "timezone": "UTC", **options})
            walk = recaller or self.service.recaller
            return await walk.recall(await self.service.banks.get(bank), request)

        answer: Answer = self.run(work())
        return answer

    def found(self, bank: str, question: str, **options: Any) -> list[str]:
        """Ids of the page, best first."""
        return shown(self.ask(bank, question, **options))

    def rows(self, bank: str, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of a statement in which %(bank)s is the bank's number."""

        async def work() -> list[tuple[Any, ...]]:
            key = (await self.service.banks.get(bank)).key
            async with self.service.transaction(key) as conn:
                text = statement.replace("%(bank)s", str(key)).encode()
                cursor = await conn.execute(text, values or None)
                return await cursor.fetchall()

        found: list[tuple[Any, ...]] = self.run(work())
        return found

    def recaller(self, **parts: Any) -> Recaller:
        """A walk of its own: `channels`, `embedders`, `recorder`, `timeout_ms`, `names`."""
        service = self.service
        return Recaller(
            service.reading,
            parts.get("channels") or lanes(service.reading, timeout_ms=10_000),
            parts.get("embedders") or service.embedders,
            CLASSIFIER,
            service.live,
            parts.get("recorder") or service.recorder,
            timeout_ms=parts.get("timeout_ms", 10_000),
            concurrent=parts.get("concurrent", 2),
            names=parts.get("names"),
        )

    def flush(self) -> None:
        self.run(self.service.recorder.flush())

    def again(self) -> "Any":
        """Another process's view: a second service over the same database."""
        return opened(self.dsn)


def shown(answer: Answer) -> list[str]:
    """Ids of the page."""
    return [answer.facts[item.key].id for item in answer.page]


def heard(answer: Answer, channel: str) -> list[str]:
    """Ids of one channel's run."""
    return [answer.facts[hit.key].id for hit in answer.found.outcomes[channel].hits]


def votes(answer: Answer, name: str) -> dict[str, int]:
    """Channel -> rank of one memory."""
    for item in answer.fused:
        if answer.facts[item.key].id == name:
            return {channel: vote.rank for channel, vote in item.votes.items()}
    return {}


def trace(answer: Answer) -> str:
    """What an assertion shows when the order is wrong."""
    lines: Sequence[str] = [
        f"{answer.facts[item.key].id}: {item.score:.4f} "
        + ", ".join(f"{name} {vote.rank} ({vote.score:.3f})" for name, vote in item.votes.items())
        for item in answer.page
    ]
    return f"{answer.row} {answer.types}\n" + "\n".join(lines)


@contextmanager
def opened(dsn: str, **changes: Any) -> Iterator[World]:
    """A service over the database; it is closed in order at the end."""
    given: dict[str, Any] = {"channel_timeout_ms": 10_000, "pool_size": 8, **changes}
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    service = open_service(Settings(database_url=SecretStr(dsn), **given))
    try:
        entered = asyncio.run_coroutine_threadsafe(service.__aenter__(), loop).result(60)
        entered.embedders.add(MODEL)
        entered.embedders.add(WordHashes())  # type: ignore[arg-type]
        try:
            yield World(entered, dsn, loop)
        finally:
            closing = service.__aexit__(None, None, None)
            asyncio.run_coroutine_threadsafe(closing, loop).result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
