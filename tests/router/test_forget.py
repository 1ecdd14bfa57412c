"""A forgotten memory takes along what it lent to others."""

from typing import Any

import numpy as np

from router.forget import forget_memory
from tests.router.ledger import assert_balanced
from tests.router.world import World, memory

ANGRY = {"affect": [{"label": "anger", "intensity": 0.9}]}
CALM = {"affect": [{"label": "joy", "intensity": 0.1}]}


def turn(place: int, **more: Any) -> dict[str, Any]:
    return memory(
        f"t{place}", f"Form {place} sent", f"2025-06-01T09:{place:02}:00Z",
        episode="e1", position=place, **more,
    )  # fmt: skip


def feelings(world: World, bank: str) -> dict[str, np.ndarray]:
    """Arcs by id; of a memory without one, an empty one."""
    rows = world.rows(bank, "select id, affect from memories where bank_id = %(bank)s")
    return {name: np.empty(0) if arc is None else arc.to_numpy() for name, arc in rows}


def forget(world: World, bank: str, name: str) -> None:
    async def work() -> None:
        held = await world.service.banks.get(bank)
        await forget_memory(world.service.transaction, held, name)

    world.run(work())


def assert_alike(world: World, one: str, other: str) -> None:
    found, wanted = feelings(world, one), feelings(world, other)
    assert set(found) == set(wanted)
    for name, arc in wanted.items():
        np.testing.assert_allclose(found[name], arc, atol=0.01, err_msg=name)


def test_forgotten_turn_takes_its_feeling_from_the_turns_behind_it(world: World) -> None:
    others = [turn(n, **CALM) for n in range(2, 24)]
    bank = world.quick_bank(turn(1, **ANGRY), *others)
    before = feelings(world, bank)
    forget(world, bank, "t1")
    alone = world.quick_bank(*others)
    assert_alike(world, bank, alone)
    after = feelings(world, bank)
    assert not np.allclose(before["t2"], after["t2"], atol=0.05)
    assert_balanced(world, bank)


def test_turn_whose_feeling_is_changed_changes_those_behind_it(world: World) -> None:
    others = [turn(n, **CALM) for n in range(2, 6)]
    bank = world.quick_bank(turn(1, **ANGRY), *others)
    world.keep(bank, turn(1))
    assert_alike(world, bank, world.quick_bank(turn(1), *others))


def test_turn_moved_out_of_its_episode_leaves_no_feeling_behind(world: World) -> None:
    others = [turn(n, **CALM) for n in range(2, 6)]
    bank = world.quick_bank(turn(1, **ANGRY), *others)
    moved = {**turn(1, **ANGRY), "episode": "elsewhere"}
    world.keep(bank, moved)
    assert_alike(world, bank, world.quick_bank(moved, *others))


def test_turn_told_late_lends_its_feeling_to_those_behind_it(world: World) -> None:
    others = [turn(n, **CALM) for n in range(2, 6)]
    bank = world.quick_bank(*others)
    world.keep(bank, turn(1, **ANGRY))
    assert_alike(world, bank, world.quick_bank(turn(1, **ANGRY), *others))
