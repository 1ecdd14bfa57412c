"""What must be done from time to time: events that wait in vain for their recall expire."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog
from psycopg import Error as DatabaseError

from channels.errors import RecallError
from feedback.ingest import FeedbackStore

EVERY_S = 600.0  # parked events live 24 hours; ten minutes more do no harm

log = structlog.get_logger()


@asynccontextmanager
async def kept_up(feedback: FeedbackStore, *, every_s: float = EVERY_S) -> AsyncIterator[None]:
    """Run the upkeep at once and then every `every_s` seconds, for as long as this is open."""
    task = asyncio.create_task(_run(feedback, every_s), name="upkeep")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _run(feedback: FeedbackStore, every_s: float) -> None:
    while True:
        try:
            await feedback.expire_parked()  # it logs and counts them
        except (DatabaseError, RecallError) as error:
            log.warning("upkeep_failed", reason=str(error), next_try_s=every_s)
        await asyncio.sleep(every_s)
