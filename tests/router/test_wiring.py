"""The service put together: started, closed in order, and what it promises meanwhile."""

import time

import psycopg
import pytest

from channels.base import Channel
from channels.errors import ConfigError, NotFound, Unavailable
from router.presets import CHANNELS
from router.settings import Settings
from router.store.banks import BankConfig
from router.store.decisions import Decisions
from router.wiring import lanes, open_service
from tests.router.api.conftest import HASHES
from tests.router.world import World, memory, opened


def test_lanes_are_the_five_channels_the_rows_name(world: World) -> None:
    wired: tuple[Channel, ...] = lanes(world.service.reading, timeout_ms=100)
    assert tuple(lane.name for lane in wired) == CHANNELS


def test_what_was_answered_before_closing_is_on_record_afterwards(database: str) -> None:
    with opened(database) as first:
        bank = first.quick_bank(memory("a", "The staging cluster moved"))
        recalls = [first.ask(bank, "staging cluster").recall_id for _ in range(10)]
    with opened(database) as second:

        async def on_record() -> list[str]:
            held = await second.service.banks.get(bank)
            store = Decisions(second.service.transaction)
            return [(await store.decision(held.key, name))["id"] for name in recalls]

        assert second.run(on_record()) == recalls
        assert second.found(bank, "staging cluster") == ["a"]


def test_closed_service_leaves_no_connection_behind(database: str) -> None:
    with opened(database) as world:
        world.found(world.quick_bank(memory("a", "one")), "one")
    with psycopg.connect(database, autocommit=True) as admin:
        for _ in range(100):  # a backend ends a moment after its client has hung up
            left = admin.execute(
                "select count(*) from pg_stat_activity where datname = current_database()"
                " and pid <> pg_backend_pid() and backend_type = 'client backend'"
            ).fetchone()
            if left == (0,):
                break
            time.sleep(0.05)
    assert left == (0,)


def test_making_a_bank_twice_gives_the_same_bank(world: World) -> None:
    async def twice() -> tuple[int, int]:
        one = await world.service.ensure_bank("twice", BankConfig(embedder=HASHES))
        other = await world.service.ensure_bank("twice", BankConfig(embedder=HASHES))
        return one.key, other.key

    one, other = world.run(twice())
    assert one == other


def test_retained_memories_count_at_the_next_look(world: World) -> None:
    bank = world.quick_bank(memory("a", "one"))
    world.keep(bank, memory("b", "two"))

    async def live() -> int:
        return (await world.service.banks.get(bank)).live_rows

    assert world.run(live()) == 2


def test_absent_bank_is_named(world: World) -> None:
    with pytest.raises(NotFound, match="nowhere"):
        world.ask("nowhere", "anything?")


def test_bank_of_a_model_that_does_not_exist_is_refused(
    world: World, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("no-model")
    with pytest.raises(ConfigError) as refused:
        world.run(world.service.ensure_bank("odd", BankConfig(embedder=str(folder / "absent"))))
    assert refused.value.setting == "FIVEFOLD_EMBEDDER"


def test_database_that_cannot_be_reached_stops_the_start(world: World) -> None:
    async def start() -> None:
        url = "postgresql://nobody@127.0.0.1:1/nothing?connect_timeout=2"
        async with open_service(Settings.model_validate({"database_url": url})):
            pass

    with pytest.raises((Unavailable, ConfigError, psycopg.OperationalError)):
        world.run(start())
