"""A value computed at most once per question and awaited by many."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """Starts `make` at the first `get` (or `start`) and gives every waiter the same outcome.

    A waiter that is cancelled does not cancel the work: the other waiters still need it. Whoever
    made the value calls `cancel` when nobody will ask again. Work that takes longer than `patience`
    (seconds, asked when it starts) is given up with TimeoutError.
    """

    def __init__(
        self,
        make: Callable[[], Awaitable[T]],
        *,
        patience: Callable[[], float | None] = lambda: None,
    ) -> None:
        self._make = make
        self._patience = patience
        self._task: asyncio.Task[T] | None = None

    def start(self) -> None:
        """Begin the work now, so that it overlaps with what the caller does next."""
        if self._task is None:
            self._task = asyncio.ensure_future(self._run())

    async def get(self) -> T:
        """The value. Raises what `make` raised, for every waiter alike."""
        self.start()
        assert self._task is not None  # noqa: S101 - start() has just set it
        return await asyncio.shield(self._task)

    def peek(self) -> T | None:
        """The value, if it is there; nothing is started or awaited."""
        task = self._task
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result()

    async def cancel(self) -> None:
        """Stop unfinished work and swallow its outcome; a finished value stays readable."""
        if self._task is None:
            return
        if not self._task.done():
            self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> T:
        async with asyncio.timeout(self._patience()):
            return await self._make()
