"""Retaining under load: writers at once, a failure half-way, a thousand items."""

import asyncio

import pytest

from router.forget import forget_memory
from router.retain import Receipt
from router.store.statements import statement
from tests.router.ledger import assert_balanced
from tests.router.stories import conversation, texts
from tests.router.world import World, memory


def test_two_identical_batches_at_once_store_each_memory_once(world: World) -> None:
    bank = world.quick_bank()
    items = [*conversation(), *(memory(None, f"loose {n}") for n in range(5))]

    async def both() -> list[Receipt]:
        held = await world.service.banks.get(bank)
        return await asyncio.gather(*(world.service.retain(held, items) for _ in range(4)))

    receipts = world.run(both())
    assert sum(receipt.accepted for receipt in receipts) == 10
    assert all(receipt.accepted + receipt.duplicates == 10 for receipt in receipts)
    assert len({tuple(receipt.ids) for receipt in receipts}) == 1
    assert len(texts(world, bank)) == 10
    assert_balanced(world, bank)


def test_writers_of_one_bank_at_once_lose_nothing(world: World) -> None:
    bank = world.quick_bank()

    async def all_at_once() -> None:
        held = await world.service.banks.get(bank)
        await asyncio.gather(
            *(world.service.retain(held, conversation("e1", f"w{n}-")) for n in range(6))
        )

    world.run(all_at_once())
    assert len(texts(world, bank)) == 30
    assert_balanced(world, bank)


def test_memory_deleted_while_the_same_is_retained_is_stored_again(world: World) -> None:
    bank = world.quick_bank(memory("a", "one"))

    async def race() -> Receipt:
        held = await world.service.banks.get(bank)
        writing = asyncio.create_task(
            world.service.retain(held, [memory("a", "one"), memory("b", "two")])
        )
        await forget_memory(world.service.transaction, held, "a")
        return await writing

    receipt = world.run(race())
    assert receipt.ids == ["a", "b"]
    assert "b" in texts(world, bank)
    assert_balanced(world, bank)


def test_failure_inside_the_transaction_leaves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = world.quick_bank(*conversation())
    before = texts(world, bank)

    async def fails(*_: object, sign: int) -> None:
        if sign < 0:
            return
        raise RuntimeError("the plug was pulled")

    # After rows, postings, links and counters have been written, right before the end.
    monkeypatch.setattr("router.store.derive._shift_episodes", fails)
    with pytest.raises(RuntimeError):
        world.keep(bank, memory("t0", "half written", episode="e1"), memory("z", "half written"))
    monkeypatch.undo()
    assert texts(world, bank) == before
    assert_balanced(world, bank)
    assert world.keep(bank, memory("z", "whole")).accepted == 1


def test_thousand_items_at_once(world: World) -> None:
    bank = world.quick_bank()
    items = [
        memory(f"m{n}", f"Ticket {n} about subject {n % 40} was closed", episode=f"e{n // 50}")
        for n in range(1_000)
    ]
    receipt = world.keep(bank, *items)
    assert (receipt.accepted, receipt.live_rows) == (1_000, 1_000)
    assert_balanced(world, bank)
    assert world.found(bank, "ticket 777")[0] == "m777"


def test_writer_reads_by_key_whatever_the_statistics_say(world: World) -> None:
    """Without them, a thousand memories in one transaction took minutes instead of seconds."""
    name = world.quick_bank()

    async def seen() -> list[str]:
        bank = await world.service.banks.get(name)
        async with world.service.transaction(bank.key) as conn:
            await conn.execute(statement("lock_bank"), {"bank": bank.key})
            inside = await (await conn.execute("show enable_seqscan")).fetchone()
        async with world.service.transaction(bank.key) as conn:
            after = await (await conn.execute("show enable_seqscan")).fetchone()
        assert inside is not None
        assert after is not None
        return [inside[0], after[0]]

    assert world.run(seen()) == ["off", "on"]
