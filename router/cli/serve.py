"""`fivefold serve`: the API over HTTP."""

import os
import signal
from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from router.cli.options import DataDir

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from fastapi import FastAPI

    from router.settings import Settings
    from router.wiring import Service

ASK = (
    "curl -s {url}/v1/banks/mb-en:Emily/recall -H 'content-type: application/json' "
    '-d \'{{"question": "which painters were recommended to me?", "k": 3}}\''
)

LOADING = (
    "The embedding model loads behind this; until /health/ready says 200, replies do without it."
)


def serve(
    host: Annotated[str | None, typer.Option(help="address to listen on [FIVEFOLD_HOST]")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="0 picks a free one [FIVEFOLD_PORT]")
    ] = None,
    data_dir: DataDir = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="server processes")] = 1,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="without the learning worker [FIVEFOLD_WORKER]")
    ] = False,
) -> None:
    """Serve the API until interrupted; prints its address and a question to try."""
    import asyncio

    from router.cli.opening import log_to_stderr, settings_with

    learns = False if no_worker else None
    settings = settings_with(data_dir, host=host, port=port, worker=learns)
    log_to_stderr(settings.log_level)
    if workers == 1:
        asyncio.run(_serve_here(settings))
    else:
        _serve_many(settings, workers)


def app_from_environment() -> "FastAPI":
    """The API as each of several server processes makes it: settings come by environment."""
    from router.api.app import create_app
    from router.cli.opening import log_to_stderr, settings_with

    settings = settings_with()
    log_to_stderr(settings.log_level)
    return create_app(settings, opened=_opened)


def invitation(host: str, port: int) -> str:
    """The address and one request to try."""
    host = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - every address, this one too
    shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
    url = f"http://{shown}:{port}"
    return f"fivefold serves at {url}\n\n  {ASK.format(url=url)}\n\n{LOADING}\n"


async def _serve_here(settings: "Settings") -> None:
    """Open the service first: what is wrong with it is an error of this command, in one line."""
    import uvicorn

    from router.api.app import create_app
    from router.wiring import open_service

    async with open_service(settings) as service, _worker(service, settings):
        await _check_door(service, settings.host)
        config = uvicorn.Config(
            create_app(settings, opened=lambda _: nullcontext(service)),
            host=settings.host.strip("[]"),
            port=settings.port,
            log_level=settings.log_level.lower(),
        )
        listening = config.bind_socket()  # so that port 0 has a number to print
        listening.listen(config.backlog)  # whoever takes the address at its word is not refused
        typer.echo(invitation(settings.host, listening.getsockname()[1]))
        # The server ends in order at these and then sends them again, to whoever listened before.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        await uvicorn.Server(config).serve(sockets=[listening])


@asynccontextmanager
async def _opened(settings: "Settings") -> "AsyncIterator[Service]":
    """The service with its worker."""
    from router.wiring import open_service

    async with open_service(settings) as service, _worker(service, settings):
        yield service


def _worker(service: "Service", settings: "Settings") -> "AbstractAsyncContextManager[object]":
    from router.learning import learning

    return learning(service.transaction, settings) if settings.worker else nullcontext()


async def _check_door(service: "Service", host: str) -> None:
    from router.api.auth import check_exposure
    from router.store.keys import KeyStore

    await check_exposure(host, KeyStore(service.transaction))


def _serve_many(settings: "Settings", workers: int) -> None:
    import uvicorn

    from router.cli.opening import with_service

    if settings.port == 0:
        raise typer.BadParameter("--port 0 goes with one server process only; choose a port")
    with_service(settings.data_dir, lambda service: _check_door(service, settings.host))
    chosen = {
        "DATA_DIR": settings.data_dir,
        "HOST": settings.host,
        "PORT": settings.port,
        "WORKER": settings.worker,
    }
    os.environ.update({f"FIVEFOLD_{name}": str(value) for name, value in chosen.items()})
    typer.echo(invitation(settings.host, settings.port))
    uvicorn.run(
        "router.cli.serve:app_from_environment",
        factory=True,
        host=settings.host.strip("[]"),
        port=settings.port,
        workers=workers,
        log_level=settings.log_level.lower(),
    )
