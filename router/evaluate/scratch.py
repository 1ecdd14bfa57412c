"""Banks that live as long as an evaluation."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from channels.errors import BadInput, NotFound
from router.evaluate.dataset import Dataset, Memory
from router.retain import Retainer
from router.store.banks import Bank, BankConfig
from router.wiring import Service

BATCH = 200  # memories in one transaction; larger ones hold the progress bar still
NAME_CHARS = 60  # of a data set's or bank's name inside a scratch bank's

Advance = Callable[[int], None]


@asynccontextmanager
async def scratch_banks(
    service: Service,
    retainer: Retainer,
    dataset: Dataset,
    advance: Advance,
    *,
    config: BankConfig | None = None,
) -> AsyncIterator[Mapping[str, Bank]]:
    """The data set's banks, loaded, by their names in the data set; deleted whatever happens.

    Raises BadInput when the store refuses a memory: a part of a data set would measure another.
    """
    mark = secrets.token_hex(4)
    names = {
        bank: f"eval:{_short(dataset.name)}:{number}-{_short(bank)}:{mark}"
        for number, bank in enumerate(dataset.memories)
    }
    try:
        for bank, memories in dataset.memories.items():
            await service.ensure_bank(names[bank], config)
            await _load(service, retainer, names[bank], memories, advance)
        yield {bank: await service.banks.get(name) for bank, name in names.items()}
    finally:
        await service.recorder.flush()  # a record written later would name a bank that is gone
        for name in names.values():
            await _delete(service, name)


async def _load(
    service: Service,
    retainer: Retainer,
    name: str,
    memories: Sequence[Memory],
    advance: Advance,
) -> None:
    bank = await service.banks.get(name)
    for start in range(0, len(memories), BATCH):
        batch = memories[start : start + BATCH]
        receipt = await retainer.retain(bank, [memory.item() for memory in batch])
        if receipt.errors:
            first = receipt.errors[0]
            field = f"memories.jsonl: memory {batch[first.index].id!r}: {first.field}"
            raise BadInput(field, first.reason)
        service.banks.forget(name)
        service.indexes.consider(bank, receipt.live_rows)
        advance(len(batch))


async def _delete(service: Service, name: str) -> None:
    service.banks.forget(name)
    try:
        bank = await service.banks.get(name)
    except NotFound:
        return  # never made: the loading stopped before it
    await service.delete_bank(bank)


def _short(name: str) -> str:
    printable = "".join(
        letter if letter.isprintable() and letter != "/" else "-" for letter in name
    )
    return printable[:NAME_CHARS]
