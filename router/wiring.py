"""Everything put together, in one place: settings in, a running service out."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Literal

from channels.base import Channel
from channels.connection import Connection, Transaction
from channels.emotional import Emotional
from channels.graph import Graph
from channels.keyword import Keyword
from channels.names import name_finder
from channels.runtime import require
from channels.semantic import Semantic
from channels.temporal import Temporal
from feedback.ingest import FeedbackStore
from router import metrics
from router.embedders import Embedders
from router.listening import listening
from router.live import LiveMatrices
from router.plugins import PlugIn, discover, priors
from router.recall import Recaller
from router.record import Recorder
from router.reembed.job import request as request_model
from router.reembed.worker import Reembedder
from router.retain import Receipt, Retainer
from router.settings import Settings
from router.store.banks import Bank, BankConfig, Banks
from router.store.embedded import EmbeddedPostgres, exit_on_sigterm
from router.store.facts import require_supported, server_facts
from router.store.migrate import migrate
from router.store.pool import bank_reading, bank_transaction, open_pool
from router.store.session import StorePool
from router.store.vector_index import VectorIndexes
from router.store.watch import watched
from router.structure.pyramids.endpoint import Endpoint
from router.structure.pyramids.making import Summariser
from router.understand.types import TypeClassifier
from router.upkeep import kept_up

CONNECTIONS_A_RECALL = 5  # the two look-ups, late interaction, and two of the other lanes


def lanes(
    transaction: Transaction, *, timeout_ms: int, plugins: Sequence[PlugIn] = ()
) -> tuple[Channel, ...]:
    """The five channels, and those of plug-ins. A new lane of ours is one more line here."""
    return (
        Semantic(),
        Temporal(transaction, timeout_ms=timeout_ms),
        Emotional(transaction, timeout_ms=timeout_ms),
        Keyword(transaction, timeout_ms=timeout_ms),
        Graph(transaction, timeout_ms=timeout_ms),
        *(one.make(transaction, timeout_ms=timeout_ms) for one in plugins),
    )


@dataclass(frozen=True, slots=True)
class Service:
    """A running fivefold, without its doors."""

    settings: Settings
    pool: StorePool
    transaction: Transaction
    reading: Transaction
    banks: Banks
    embedders: Embedders
    retainer: Retainer
    recaller: Recaller
    recorder: Recorder
    live: LiveMatrices
    feedback: FeedbackStore
    indexes: VectorIndexes
    reembedder: Reembedder  # started by what runs long enough
    summariser: Summariser

    async def ensure_bank(self, name: str, config: BankConfig | None = None) -> Bank:
        """The bank of that name, made with the default model if absent. Raises ConfigError."""
        config = config or BankConfig()
        embedder = self.embedders.named(config.embedder)
        dim = await asyncio.to_thread(lambda: embedder.dim)
        return await self.banks.create(name, None, config, embedder.name, dim)

    async def change_model(self, bank: Bank, name: str) -> bool:
        """Move the bank to that model behind the replies; whether it is on its way. ConfigError."""
        embedder = self.embedders.named(name)
        dim = await asyncio.to_thread(lambda: embedder.dim)
        is_moving = await request_model(self.transaction, bank, embedder.name, dim)
        self.reembedder.nudge()
        return is_moving

    async def delete_bank(self, bank: Bank) -> None:
        """Delete the bank with all it holds, its vector index too."""
        await self.banks.delete(bank)
        await self.indexes.drop(bank)
        self.live.forget(bank.key)
        self.recaller.residuals.forget(bank.key)

    async def retain(
        self,
        bank: Bank,
        items: Sequence[object],
        *,
        atomic: bool = False,
        consolidate: bool = False,
        timezone: str = "UTC",
        author: str = "retain",
    ) -> Receipt:
        """Store memories; a bank grown past the bound gets its vector index behind the reply."""
        receipt = await self.retainer.retain(
            bank,
            items,
            atomic=atomic,
            consolidate=consolidate,
            timezone=timezone,
            author=author,
        )
        self.banks.forget(bank.name)
        self.indexes.consider(bank, receipt.live_rows)
        return receipt


@asynccontextmanager
async def open_service(settings: Settings) -> AsyncIterator[Service]:
    """Start what the settings name, yield it running, and close it in order, records flushed.

    Raises ConfigError or Unavailable when something essential cannot start.
    """
    embedded = EmbeddedPostgres(settings.data_dir) if settings.dsn is None else None
    if embedded:
        exit_on_sigterm()  # before the thread that starts the server, which could not
    dsn = await asyncio.to_thread(embedded.start) if embedded else settings.dsn
    assert dsn is not None  # noqa: S101 - one of the two gave it
    try:
        await asyncio.to_thread(migrate, dsn)
        pool = await open_pool(
            dsn,
            size=settings.pool_size,
            timeout_s=settings.pool_timeout_s,
            pgbouncer=settings.pgbouncer,
        )
        try:
            async with pool.connection() as conn:
                require_supported(await server_facts(conn))
            watch = watched(embedded) if embedded else nullcontext()
            async with watch, _service(settings, pool, dsn) as service:
                yield service
        finally:
            await pool.close()
    finally:
        if embedded:
            await asyncio.to_thread(embedded.stop)


def _endpoint(settings: Settings) -> Endpoint | None:
    if settings.summary_url is None:
        return None
    key = settings.summary_key.get_secret_value() if settings.summary_key else None
    return Endpoint(settings.summary_url, settings.summary_model, key, settings.summary_timeout_s)


@asynccontextmanager
async def _service(settings: Settings, pool: StorePool, dsn: str) -> AsyncIterator[Service]:
    def transaction(
        bank: int | Literal["all"], *, timeout_ms: int | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        return bank_transaction(pool, bank, timeout_ms=timeout_ms)

    def reading(
        bank: int | Literal["all"], *, timeout_ms: int | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        return bank_reading(pool, bank, timeout_ms=timeout_ms or settings.channel_timeout_ms)

    require(settings.embedder_runtime)  # now, not when the first question waits for the model
    embedders = Embedders.of(settings)
    names = await asyncio.to_thread(name_finder, settings.entity_model)
    plugins = discover(settings)
    live = LiveMatrices(transaction, priors(plugins))
    feedback = FeedbackStore(
        transaction,
        window_s=settings.feedback_window_seconds,
        expired=metrics.EVENTS.labels("expired").inc,
    )
    recorder = Recorder(transaction, size=settings.record_queue, recorded=feedback.recorded)
    indexes, banks = VectorIndexes(dsn), Banks(transaction)
    service = Service(
        settings=settings,
        pool=pool,
        transaction=transaction,
        reading=reading,
        banks=banks,
        embedders=embedders,
        retainer=Retainer(transaction, embedders.embed, names),
        recaller=Recaller(
            reading,
            lanes(reading, timeout_ms=settings.channel_timeout_ms, plugins=plugins),
            embedders,
            TypeClassifier.load(),
            live,
            recorder,
            timeout_ms=settings.channel_timeout_ms,
            concurrent=max(1, settings.pool_size // (CONNECTIONS_A_RECALL + len(plugins))),
            names=names,
        ),
        recorder=recorder,
        live=live,
        feedback=feedback,
        indexes=indexes,
        reembedder=Reembedder(transaction, embedders, banks, indexes, live.forget),
        summariser=Summariser(transaction, embedders.embed, _endpoint(settings)),
    )
    recorder.start()
    notices = nullcontext() if settings.pgbouncer else listening(dsn, live)
    try:
        async with kept_up(feedback), notices:
            yield service
    finally:
        await recorder.stop()
        await service.reembedder.stop()
        await indexes.stop()
        embedders.close()
