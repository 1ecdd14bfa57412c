"""The application: routes, errors and the service behind them."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import PackageNotFoundError, version

from fastapi import FastAPI

from channels.no_model import has_model
from router.api import openapi, problems
from router.api.auth import check_exposure
from router.api.edge import Edge
from router.api.routes import (
    arcs,
    banks,
    browse,
    feedback,
    learner,
    matrix,
    memories,
    operations,
    recall,
    recalls,
    several,
    structure,
    types,
)
from router.settings import Settings
from router.store.keys import KeyStore
from router.structure.pyramids.upkeep import summarised
from router.wiring import Service, open_service


async def _warm(service: Service) -> None:
    """Load the default model, then take what lives for good out of the collector's sight.

    A full collection over the model's and the libraries' objects stalls every request for half a
    second, about once in fifty recalls. Where every bank does without a model, none is loaded.
    """
    banks = await service.banks.list()
    if not banks or any(has_model(bank.embedder_name) for bank in banks):
        await service.embedders.named(None).embed_tokens(["ready"])
    gc.collect()
    gc.freeze()


Opener = Callable[[Settings], AbstractAsyncContextManager[Service]]


def create_app(settings: Settings, *, opened: Opener = open_service) -> FastAPI:
    """The app; starting it opens the service that the settings describe, ending it closes that.

    Starting raises ConfigError when it would be reachable from outside without any key.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with opened(settings) as service:
            keys = KeyStore(service.transaction)
            await check_exposure(settings.host, keys)
            app.state.service, app.state.keys = service, keys
            service.indexes.resume(await service.banks.list())
            service.reembedder.start()
            # The model loads behind the first requests; /health/ready says when it is there.
            app.state.warm = asyncio.create_task(_warm(service), name="warm")
            try:
                async with summarised(
                    service.transaction, service.banks, service.summariser,
                    every_s=settings.summary_seconds,
                ):  # fmt: skip
                    yield
            finally:
                app.state.warm.cancel()
                await asyncio.gather(app.state.warm, return_exceptions=True)

    app = FastAPI(
        title="fivefold",
        version=installed_version(),
        description="Ranked memories for agents, from five channels whose weights learn.",
        lifespan=lifespan,
        docs_url=None,  # those pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        responses=openapi.PROBLEM,
    )
    app.add_middleware(Edge)
    problems.install(app)
    for part in (
        banks, memories, recall, several, recalls, feedback, matrix, learner, types, structure,
        browse, arcs, operations,
    ):  # fmt: skip
        app.include_router(part.routes)
    app.openapi = lambda: openapi.describe(app)  # type: ignore[method-assign] # FastAPI's own way to extend it
    return app


def installed_version() -> str:
    """The version of the installed distribution."""
    try:
        return version("fivefold")
    except PackageNotFoundError:
        return "0+source"
