"""Five channels at once: a failing or late one is left out and named; the others are heard."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from psycopg.errors import QueryCanceled

from channels.base import Hit, Lookups, MemoryKey, Scored
from channels.errors import ChannelError, NoChannel, Unavailable
from channels.once import Once
from router import metrics
from router.search import Found, search_all


class Lane:
    """A channel that does what it is told."""

    def __init__(self, name: str, work: Callable[[], Awaitable[list[Hit]]]) -> None:
        self.name = name
        self._work = work

    async def search(self, question: Any, depth: int) -> list[Hit]:
        return await self._work()


class Asked:
    """As much of a question as the search itself touches."""

    def __init__(self) -> None:
        async def nothing() -> Any:
            return Scored.empty()

        self.lookups = Lookups(Once(nothing), Once(nothing), Once(nothing))

    async def cancel(self) -> None:
        await self.lookups.cancel()


async def hit() -> list[Hit]:
    return [Hit(MemoryKey(1), 1.0)]


async def silent() -> list[Hit]:
    return []


async def hangs() -> list[Hit]:
    await asyncio.sleep(60)
    return []


def raises(error: Exception) -> Callable[[], Awaitable[list[Hit]]]:
    async def work() -> list[Hit]:
        raise error

    return work


def search(*lanes: Lane, timeout_s: float = 0.2) -> Found:
    return asyncio.run(search_all(lanes, Asked(), 10, timeout_s=timeout_s))  # type: ignore[arg-type]


def test_silence_is_no_failure() -> None:
    found = search(Lane("graph", silent), Lane("keyword", hit))
    assert found.failed == {}
    assert {name: len(run) for name, run in found.runs.items()} == {"graph": 0, "keyword": 1}


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (hangs, "timeout"),
        (raises(QueryCanceled("canceling statement due to statement timeout")), "timeout"),
        (raises(Unavailable("database pool", "full")), "pool"),
        (raises(Unavailable("database", "gone")), "database"),
        (raises(Unavailable("embedder", "no model")), "dependency"),
        (raises(ChannelError("graph", "dependency")), "dependency"),
        (raises(ZeroDivisionError("a defect of the lane")), "error"),
    ],
)
def test_channel_that_fails_is_left_out_named_and_counted(work, reason: str) -> None:
    counter = metrics.CHANNEL_FAILURES.labels("graph", reason)
    before = counter._value.get()
    found = search(Lane("graph", work), Lane("keyword", hit))
    assert found.failed == {"graph": reason}
    assert list(found.runs) == ["keyword"]
    assert counter._value.get() == before + 1


def test_channel_that_hangs_costs_no_more_than_its_deadline() -> None:
    started = time.monotonic()
    search(Lane("graph", hangs), Lane("keyword", hit), timeout_s=0.1)
    assert time.monotonic() - started < 1.0


def test_channels_are_asked_at_once() -> None:
    async def slow() -> list[Hit]:
        await asyncio.sleep(0.1)
        return await hit()

    started = time.monotonic()
    search(*(Lane(f"lane{n}", slow) for n in range(5)), timeout_s=2.0)
    assert time.monotonic() - started < 0.35


def test_when_every_channel_fails_all_are_named() -> None:
    with pytest.raises(NoChannel) as failed:
        search(Lane("graph", hangs), Lane("keyword", raises(Unavailable("database", "gone"))))
    assert failed.value.failures == {"graph": "timeout", "keyword": "database"}
    assert "graph (timeout), keyword (database)" in str(failed.value)


def test_outcomes_keep_the_order_in_which_channels_are_wired() -> None:
    found = search(Lane("b", hit), Lane("a", silent), Lane("c", hangs))
    assert list(found.outcomes) == ["b", "a", "c"]


def test_recall_that_is_given_up_takes_its_channels_with_it() -> None:
    cancelled: list[str] = []

    async def notices() -> list[Hit]:
        try:
            return await hangs()
        except asyncio.CancelledError:
            cancelled.append("graph")
            raise

    async def given_up() -> None:
        searching = asyncio.create_task(
            search_all([Lane("graph", notices)], Asked(), 10, timeout_s=30)  # type: ignore[arg-type]
        )
        await asyncio.sleep(0.02)
        searching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await searching

    asyncio.run(given_up())
    assert cancelled == ["graph"]
