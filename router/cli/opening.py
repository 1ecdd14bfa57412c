"""Settings and a running service for one command."""

import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from channels.errors import ConfigError

if TYPE_CHECKING:
    from router.settings import Settings
    from router.wiring import Service

T = TypeVar("T")


def settings_with(data_dir: Path | None = None, **changes: object) -> "Settings":
    """The environment's settings with a command's own options over them. Raises ConfigError."""
    from pydantic import ValidationError

    from router.items import first_problem
    from router.settings import Settings

    given = {name: value for name, value in changes.items() if value is not None}
    if data_dir is not None:
        given["data_dir"] = data_dir
    try:
        return Settings(**given)  # type: ignore[arg-type] # pydantic checks them
    except ValidationError as error:
        field, reason = first_problem(error)
        raise ConfigError(f"FIVEFOLD_{field.upper()}", reason) from error


def with_service(data_dir: Path | None, act: Callable[["Service"], Awaitable[T]]) -> T:
    """What `act` returns, given a service that runs as long as it does."""
    from router.wiring import open_service

    settings = settings_with(data_dir)
    log_to_stderr(settings.log_level)

    async def run() -> T:
        async with open_service(settings) as service:
            return await act(service)

    return asyncio.run(run())


def log_to_stderr(level: str) -> None:
    """Keep log lines out of stdout, which belongs to a command's data.

    A failure is logged with its plain traceback. structlog would print every variable on the way,
    people's questions among them, and hold up the event loop for seconds meanwhile.
    """
    import structlog

    has_colors = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    renderer = structlog.dev.ConsoleRenderer(
        colors=has_colors, exception_formatter=structlog.dev.plain_traceback
    )

    structlog.configure(
        processors=[*structlog.get_config()["processors"][:-1], renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
