"""How the feeling of an episode went, turn by turn, and by what each turn's is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from channels.affect import behaviour_state, combine, label_state, text_state
from channels.arcs import Arc, State, encode
from channels.base import BankKey
from channels.connection import Connection
from channels.speaker import body_of
from channels.statements import statement

MOST = 1_000  # turns of an episode that are read, the latest: about .2 s of reading
Source = Literal["told", "read", "behaviour"]  # by the caller's labels, the text, what was done


@dataclass(frozen=True, slots=True)
class Turn:
    """A memory as far as feeling goes."""

    id: str
    text: str
    speaker: str | None = None
    behaviour: Mapping[str, Any] | None = None
    labels: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class FeltTurn:
    """A turn that shows a feeling."""

    id: str
    state: State  # (33,), with what is left of the turn before
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The turns of an episode that show a feeling, in order."""

    felt: tuple[FeltTurn, ...]
    read: int  # turns looked at, the latest
    turns: int  # all that the episode has

    @property
    def arc(self) -> Arc | None:
        """The arc (132,) over all of them; None when nothing was felt."""
        return encode(np.stack([turn.state for turn in self.felt])) if self.felt else None


def felt_turns(turns: Iterable[Turn]) -> list[FeltTurn | None]:
    """Each turn with its feeling, oldest first, None for one that shows none.

    By the same rules as the stored courses: `combine`, with what is left of the turn before.
    """
    found: list[FeltTurn | None] = []
    for turn in turns:
        told = label_state(turn.labels) if turn.labels else None
        read = text_state(body_of(turn.text, turn.speaker)) if told is None else None
        done = behaviour_state(turn.behaviour) if turn.behaviour else None
        before = found[-1].state if found and found[-1] is not None else None
        state = combine(read, done, told, before)
        known: tuple[tuple[Source, State | None], ...] = (
            ("told", told), ("read", read), ("behaviour", done),
        )  # fmt: skip
        sources = tuple(name for name, own in known if own is not None and own.any())
        found.append(None if state is None else FeltTurn(turn.id, state, sources))
    return found


def course_of(turns: Sequence[Turn], total: int) -> Course:
    """The course over all the turns, read anew from texts, behaviour and labels.

    What is stored beside each memory is a course of its own, of eight turns. Takes about .2 ms
    a turn; `total` is how many the episode has.
    """
    return Course(tuple(turn for turn in felt_turns(turns) if turn), len(turns), total)


async def turns_of(
    conn: Connection, bank: BankKey, episode: str, *, up_to: int | None = None, most: int
) -> tuple[list[Turn], int]:
    """The latest turns of an episode in order, up to that key, and how many there are in all."""
    values = {"bank": bank, "episode": episode, "up_to": up_to, "most": most}
    rows = await (await conn.execute(statement("episode_turns"), values)).fetchall()
    return [Turn(*row[:5]) for row in rows], rows[0][5] if rows else 0
