"""A shared look-up is made once, whoever asks, however often, and whatever comes of it."""

import asyncio

import pytest

from channels.once import Once


class Source:
    """Counts how often it is asked; waits for the gate, then answers or fails."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.asked = 0
        self.gate = asyncio.Event()
        self.failure = failure

    async def __call__(self) -> int:
        self.asked += 1
        await self.gate.wait()
        if self.failure:
            raise self.failure
        return 42


def test_many_waiters_share_one_making(run):
    async def story():
        source = Source()
        once = Once(source)
        waiters = [asyncio.create_task(once.get()) for _ in range(5)]
        await asyncio.sleep(0)
        source.gate.set()
        return await asyncio.gather(*waiters), await once.get(), source.asked

    assert run(story()) == ([42] * 5, 42, 1)


def test_nothing_is_made_before_somebody_asks(run):
    async def story():
        source = Source()
        Once(source)
        await asyncio.sleep(0)
        return source.asked

    assert run(story()) == 0


def test_started_work_overlaps_with_what_comes_before_the_first_get(run):
    async def story():
        source = Source()
        once = Once(source)
        once.start()
        once.start()
        source.gate.set()
        await asyncio.sleep(0)
        assert source.asked == 1
        return await once.get(), source.asked

    assert run(story()) == (42, 1)


def test_every_waiter_gets_the_same_failure(run):
    async def story():
        source = Source(ValueError("no"))
        source.gate.set()
        once = Once(source)
        outcomes = await asyncio.gather(*(once.get() for _ in range(3)), return_exceptions=True)
        return [str(outcome) for outcome in outcomes], source.asked

    assert run(story()) == (["no"] * 3, 1)


def test_a_cancelled_waiter_takes_nothing_from_the_others(run):
    async def story():
        source = Source()
        once = Once(source)
        first, second = (asyncio.create_task(once.get()) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        source.gate.set()
        assert first.cancelled()
        return await second, source.asked

    assert run(story()) == (42, 1)


def test_cancelling_stops_the_work_and_keeps_what_is_finished(run):
    async def story():
        slow, done, unasked = Once(Source()), Once(Source()), Once(Source())
        done._make.gate.set()
        slow.start()
        assert await done.get() == 42
        for once in (slow, done, unasked):
            await once.cancel()
            await once.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow.get()
        return await done.get()

    assert run(story()) == 42


def test_a_failure_nobody_waits_for_is_taken_by_cancel(run):
    async def story():
        source = Source(ValueError("no"))
        source.gate.set()
        once = Once(source)
        once.start()
        await asyncio.sleep(0)
        await once.cancel()
        with pytest.raises(ValueError, match="no"):
            await once.get()

    run(story())


def test_work_that_outlasts_its_patience_is_given_up_for_every_waiter(run):
    async def story():
        source = Source()
        once = Once(source, patience=lambda: 0.01)
        return await asyncio.gather(once.get(), once.get(), return_exceptions=True), source.asked

    failures, asked = run(story())
    assert [type(failure) for failure in failures] == [TimeoutError, TimeoutError]
    assert asked == 1
