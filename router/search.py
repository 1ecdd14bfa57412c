"""Five channels asked at once: runs come back, and what failed is named."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog
from psycopg.errors import QueryCanceled

from channels.base import Channel, Hit, Question
from channels.errors import ChannelError, NoChannel, Unavailable
from router import metrics

log = structlog.get_logger()
PARTS = {"database": "database", "database pool": "pool"}  # the rest, such as the embedder: shared


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one channel gave."""

    hits: tuple[Hit, ...]
    ms: float
    failure: str | None  # timeout, pool, database, dependency, error; None and no hits: silence


@dataclass(frozen=True, slots=True)
class Found:
    """Every channel's outcome, in the order the channels are wired."""

    outcomes: Mapping[str, Outcome]

    @property
    def runs(self) -> dict[str, tuple[Hit, ...]]:
        """Runs of the channels that answered."""
        return {name: o.hits for name, o in self.outcomes.items() if o.failure is None}

    def heard(self, weights: Mapping[str, float]) -> dict[str, tuple[Hit, ...]]:
        """Runs of the channels that have a weight; one in shadow is asked, and has none.

        Raises NoChannel when all of them failed, whatever a shadow found.
        """
        runs = {name: run for name, run in self.runs.items() if name in weights}
        if not runs:
            raise NoChannel(self.failed)
        return runs

    @property
    def failed(self) -> dict[str, str]:
        """Channel -> reason, of those that did not answer."""
        return {name: o.failure for name, o in self.outcomes.items() if o.failure is not None}


async def search_all(
    channels: Sequence[Channel], question: Question, depth: int, *, timeout_s: float
) -> Found:
    """Ask every channel at once; each has `timeout_s`.

    A channel that fails or is late is left out, counted and named. Raises NoChannel when all fail.
    """
    outcomes = await asyncio.gather(
        *(_ask(channel, question, depth, timeout_s) for channel in channels)
    )
    found = Found(dict(zip((channel.name for channel in channels), outcomes, strict=True)))
    await question.cancel()
    if len(found.failed) == len(channels):
        raise NoChannel(found.failed)
    return found


async def _ask(channel: Channel, question: Question, depth: int, timeout_s: float) -> Outcome:
    started = time.perf_counter()
    hits: list[Hit] = []
    failure: str | None = None
    try:
        async with asyncio.timeout(timeout_s):
            hits = await channel.search(question, depth)
    except (TimeoutError, QueryCanceled):
        failure = "timeout"
    except Unavailable as error:
        failure = PARTS.get(error.part, "dependency")
    except ChannelError as error:
        failure = error.reason
    except Exception:  # a lane's defect must not take the other four down; it is logged whole
        log.exception("channel_failed", channel=channel.name)
        failure = "error"
    ms = (time.perf_counter() - started) * 1_000
    metrics.CHANNEL_SECONDS.labels(channel.name).observe(ms / 1_000)
    if failure is not None:
        metrics.CHANNEL_FAILURES.labels(channel.name, failure).inc()
        log.warning("channel_left_out", channel=channel.name, reason=failure, ms=round(ms, 1))
    return Outcome(tuple(hits), ms, failure)
