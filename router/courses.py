"""Courses of feeling drawn back: a memory's from what is stored, an episode's from its turns."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channels.affect.combine import WINDOW
from channels.arcs import DIMENSIONS, LAYOUT, Arc, at_turns
from channels.base import BankKey, MemoryKey
from channels.connection import Transaction
from channels.course import MOST, FeltTurn, Turn, course_of, felt_turns, turns_of
from channels.emotional import read_arc
from channels.errors import NotFound
from channels.statements import statement

CARRIED = 8  # turns before the window, whose feeling the first one in it may still carry
TIMEOUT_MS = 10_000


@dataclass(frozen=True, slots=True)
class Drawn:
    """A course as drawn: the turns that show a feeling, and what the arc holds at each."""

    layout: str | None  # of the arc; None when there is none
    turns: Sequence[FeltTurn]
    values: NDArray[np.float64]  # (turns, 33)
    read: int  # turns looked at
    of: int  # turns there are


class Courses:
    """Draws courses of feeling of a bank."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    async def memory(self, bank: BankKey, row: Mapping[str, Any]) -> Drawn:
        """The stored course of one memory, a row of memory.sql: its turn and those before it.

        The values are the stored arc's. Which turns stand along it is read anew, so a turn that was
        put in between later shows up too.
        """
        values = {"bank": bank, "id": row["id"], "layout": LAYOUT}
        async with self._transaction(bank, timeout_ms=TIMEOUT_MS) as conn:
            stored = await (await conn.execute(statement("arc_of"), values)).fetchone()
            turns = [Turn(row["id"], row["text"], row["speaker"], row["behaviour"], row["affect"])]
            if row["episode"] is not None:
                most, key = WINDOW + CARRIED, MemoryKey(row["key"])
                turns, _ = await turns_of(conn, bank, row["episode"], up_to=key, most=most)
        arc = None if stored is None else read_arc(stored[1])
        window = (await asyncio.to_thread(felt_turns, turns))[-WINDOW:]
        return _drawn(arc, [turn for turn in window if turn], len(window), len(window))

    async def episode(self, bank: BankKey, episode: str) -> Drawn:
        """The course over all turns of an episode, the latest MOST of them. Raises NotFound."""
        async with self._transaction(bank, timeout_ms=TIMEOUT_MS) as conn:
            turns, total = await turns_of(conn, bank, episode, most=MOST)
        if not turns:
            raise NotFound("episode", episode)
        course = await asyncio.to_thread(course_of, turns, total)
        return _drawn(course.arc, course.felt, course.read, course.turns)


def _drawn(arc: Arc | None, turns: Sequence[FeltTurn], read: int, of: int) -> Drawn:
    if arc is None or not turns:
        return Drawn(None, (), np.zeros((0, len(DIMENSIONS))), read, of)
    return Drawn(LAYOUT, turns, at_turns(arc, len(turns)), read, of)
