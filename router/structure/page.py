"""The page of a recall: its facts, copies of the past last, and how each memory stands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from channels.base import BankKey, MemoryKey
from channels.connection import Transaction
from router.facts import Facts
from router.fuse import Fused
from router.store.candidates import fetch_facts
from router.structure.shelf import standings

Known = dict[MemoryKey, Facts]


@dataclass(frozen=True, slots=True)
class PageAsked:
    """Which part of the fused list is shown, and of what state of the bank."""

    offset: int
    k: int
    is_current: bool  # what is current is asked for, so that copies of the past go last
    history: bool  # with what each memory replaced


class Pages:
    """Fetches what a page shows."""

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def of(
        self,
        bank: BankKey,
        fused: Sequence[Fused],
        asked: PageAsked,
        known: Mapping[MemoryKey, Facts] = MappingProxyType({}),
    ) -> tuple[list[Fused], Known]:
        """The fused list without memories deleted since the search, in its order, and its facts.

        `known`: facts read a moment ago, without texts; only the page is read again.
        """
        remaining = list(fused)
        while True:
            page = remaining[asked.offset : asked.offset + asked.k]
            shown = [item.key for item in page]
            facts = {key: known[key] for key in known.keys() - set(shown)}
            facts |= await fetch_facts(
                self._transaction,
                bank,
                [item.key for item in remaining if item.key not in facts],
                shown,
                timeout_ms=self._timeout_ms,
            )
            remaining = [item for item in remaining if item.key in facts]
            if asked.is_current:
                remaining = copies_last(remaining, facts)
            if remaining[asked.offset : asked.offset + asked.k] == page:
                return remaining, await self._standing(bank, page, facts, asked.history)

    async def _standing(
        self, bank: BankKey, page: Sequence[Fused], facts: Known, history: bool
    ) -> Known:
        """The facts, those of the page with how each memory stands; asked for where it matters."""
        tied = [
            item.key
            for item in page
            if history or facts[item.key].is_superseded or facts[item.key].is_disputed
        ]
        if not tied:
            return facts
        async with self._transaction(bank, timeout_ms=self._timeout_ms) as conn:
            found = await standings(conn, bank, tied, history=history)
        return facts | {key: replace(facts[key], standing=found[key]) for key in tied}


def copies_last(fused: Sequence[Fused], facts: Mapping[MemoryKey, Facts]) -> list[Fused]:
    """The list with marked copies of replaced memories behind all others, else in its order."""
    return sorted(fused, key=lambda item: facts[item.key].is_copy)
