"""Whose arc a recall asks by: whether a bank holds it, and which field is wrong where none does."""

from channels.base import BankKey
from channels.errors import BadInput
from router.api.schemas import ArcBody
from router.store.shelf import Shelf


async def holds(shelf: Shelf, bank: BankKey, arc: ArcBody) -> bool:
    """Whether the bank holds the memory or episode of the arc; one told in turns needs none."""
    if arc.memory is not None:
        return await shelf.exists(bank, arc.memory)
    return arc.episode is None or await shelf.has_episode(bank, arc.episode)


def unknown(arc: ArcBody, where: str) -> BadInput:
    """What to answer where no bank that is asked holds it."""
    if arc.memory is not None:
        return BadInput("arc.memory", f"no memory named {arc.memory!r} in {where}")
    return BadInput("arc.episode", f"no episode named {arc.episode!r} in {where}")
