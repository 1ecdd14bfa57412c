"""The application: routes, errors and the service behind them."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import PackageNotFoundError, version

from fastapi import FastAPI

from channels.embedder import SentenceEmbedder
from router.api import openapi, problems
from router.api.auth import check_exposure
from router.api.edge import Edge
from router.api.routes import (
    banks,
    feedback,
    matrix,
    memories,
    operations,
    recall,
    recalls,
    several,
)
from router.settings import Settings
from router.store.keys import KeyStore
from router.wiring import Service, open_service


async def _warm(embedder: SentenceEmbedder) -> None:
    """Load the model, then take what lives for good out of the collector's sight.

    A full collection over the model's and the libraries' objects stalls every request for half a
    second, about once in fifty recalls.
    """
    await embedder.embed_tokens(["ready"])
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
            # The model loads behind the first requests; /health/ready says when it is there.
            embedder = service.embedders.named(None)
            app.state.warm = asyncio.create_task(_warm(embedder), name="warm")
            try:
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
    for part in (banks, memories, recall, several, recalls, feedback, matrix, operations):
        app.include_router(part.routes)
    app.openapi = lambda: openapi.describe(app)  # type: ignore[method-assign] # FastAPI's own way to extend it
    return app


def installed_version() -> str:
    """The version of the installed distribution."""
    try:
        return version("fivefold")
    except PackageNotFoundError:
        return "0+source"
