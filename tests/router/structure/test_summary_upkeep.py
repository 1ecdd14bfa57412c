"""A server keeps summaries up by itself, also beside writers and another server."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from router.structure.pyramids.upkeep import due
from tests.conftest import fresh_database
from tests.router.api.conftest import HASHES, running, settings_for
from tests.router.world import World, memory

PATIENCE_S = 30.0


def eventually(is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("every_s", [1, 0])
def test_server_makes_summaries_without_being_asked_unless_told_not_to(
    server: str, template: str, every_s: int
) -> None:
    with (
        fresh_database(server, template) as dsn,
        running(settings_for(dsn, summary_seconds=every_s)) as api,
    ):
        path = "/v1/banks/kept"
        api.put(path, {"config": {"summaries": ["day"]}})
        items = [{"text": "Ben fixed the login", "occurred_at": "2025-06-10T09:00:00Z"}]
        api.post(f"{path}/memories", {"items": items})

        def count() -> int:
            return api.get(path).json()["counts"]["summaries"]

        if every_s:
            assert eventually(lambda: count() == 1)
        else:
            time.sleep(1.5)
            assert count() == 0


def test_only_banks_with_something_to_do_are_due(world: World) -> None:
    item = memory("a", "Ben fixed the login", "2025-06-10T09:00:00Z")
    bank = world.bank(item, embedder=HASHES, summaries=["day"])
    other = world.bank(item, embedder=HASHES)

    def names() -> set[str]:
        async def work() -> Any:
            return await due(world.service.transaction, world.service.banks)

        return {one.name for one in world.run(work())}

    async def refresh() -> Any:
        return await world.service.summariser.refresh(await world.service.banks.get(bank))

    assert bank in names()
    assert other not in names()
    world.run(refresh())
    assert bank not in names()
    world.keep(bank, memory("b", "Ana shipped it", "2025-06-10T10:00:00Z"))
    assert bank in names()


def test_two_that_refresh_at_once_beside_a_writer_leave_one_summary_of_everything(
    world: World,
) -> None:
    import asyncio

    bank = world.bank(embedder=HASHES, summaries=["day", "week"])
    service = world.service

    async def write() -> None:
        held = await service.banks.get(bank)
        for place in range(8):
            item = memory(f"m{place}", f"Step {place} is done", f"2025-06-10T09:0{place}:00Z")
            await service.retain(held, [item])

    async def refresh() -> None:
        for _ in range(5):
            await service.summariser.refresh(await service.banks.get(bank))

    async def work() -> None:
        await asyncio.gather(write(), refresh(), refresh())
        await service.summariser.refresh(await service.banks.get(bank))

    world.run(work())
    rows = world.rows(
        bank,
        "select period, members, is_stale from summaries where bank_id = %(bank)s order by period",
    )
    assert rows == [("day", 8, False), ("week", 8, False)]
    assert world.rows(bank, "select count(*) from summary_days where bank_id = %(bank)s") == [(0,)]
