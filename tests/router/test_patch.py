"""Fields laid over a stored memory: read and written under one lock, whatever comes between."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from channels.base import Embedded
from channels.errors import BadInput, NotFound
from router.forget import forget_memory
from router.retain import Retainer
from router.store.banks import Bank
from tests.router.ledger import assert_balanced
from tests.router.world import World, memory


class Interrupted:
    """An embedder before whose first answer something else happens to the bank."""

    def __init__(self, world: World, between: Any) -> None:
        self._embed = world.service.embedders.embed
        self._between = between

    async def __call__(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]:
        if self._between is not None:
            first, self._between = self._between, None
            await first(bank)
        return await self._embed(bank, texts)


def patch(world: World, bank: str, name: str, between: Any = None, **given: Any) -> Any:
    async def work() -> Any:
        held = await world.service.banks.get(bank)
        retainer = Retainer(world.service.transaction, Interrupted(world, between))
        return await retainer.patch(held, name, given, timezone="UTC", author="test")

    return world.run(work())


def stored(world: World, bank: str) -> list[tuple[Any, ...]]:
    return world.rows(bank, "select text, title, tags from memories where bank_id = %(bank)s")


def test_what_another_wrote_while_the_text_was_embedded_is_kept(world: World) -> None:
    bank = world.quick_bank(memory("m", "one"))

    async def other(held: Bank) -> None:
        await world.service.retain(held, [memory("m", "two", tags=["x"])])

    patch(world, bank, "m", other, title="t")
    assert stored(world, bank) == [("two", "t", ["x"])]
    assert world.rows(bank, "select embedding from memories where bank_id = %(bank)s") != []
    assert_balanced(world, bank)


def test_memory_forgotten_meanwhile_is_not_brought_back(world: World) -> None:
    bank = world.quick_bank(memory("m", "one"))

    async def gone(held: Bank) -> None:
        await forget_memory(world.service.transaction, held, "m")

    with pytest.raises(NotFound):
        patch(world, bank, "m", gone, title="t")
    assert stored(world, bank) == []


def test_many_patches_of_one_field_at_once_are_all_written_in_turn(world: World) -> None:
    bank = world.quick_bank(memory("m", "one"))

    async def work() -> None:
        held = await world.service.banks.get(bank)
        retainer = world.service.retainer
        await asyncio.gather(
            *(
                retainer.patch(held, "m", {"text": f"text {n}"}, timezone="UTC", author="test")
                for n in range(12)
            )
        )

    world.run(work())
    assert stored(world, bank)[0][0].startswith("text ")
    assert_balanced(world, bank)


def test_supersession_taken_back_while_the_text_was_embedded_stays_taken_back(
    world: World,
) -> None:
    bank = world.quick_bank(memory("a", "one"), memory("b", "two", supersedes=["a"]))

    async def undo(held: Bank) -> None:
        done = world.service.transaction
        from router.structure.supersede import Supersessions

        await Supersessions(done).undo(held.key, "a", by="b", reason=None, author="test")

    patch(world, bank, "b", undo, title="t")
    current = world.rows(
        bank, "select id from memories where bank_id = %(bank)s and expired_at is null order by id"
    )
    assert current == [("a",), ("b",)]


def test_unknown_memory_and_bad_field_are_told(world: World) -> None:
    bank = world.quick_bank(memory("m", "one"))
    with pytest.raises(NotFound):
        patch(world, bank, "nobody", title="t")
    with pytest.raises(BadInput) as refused:
        patch(world, bank, "m", text=" ")
    assert refused.value.field == "text"
