"""What a recall's events say of each memory it showed: one net value each. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feedback.examination import examination
from feedback.values import BOOKKEEPING, ActionValue

#: Said deliberately, of a memory or an answer; everything else is seen in passing.
EXPLICIT = frozenset(
    {
        "memory_thumbs_up",
        "memory_thumbs_down",
        "memory_corrected",
        "judge_relevance",
        "answer_thumbs_up",
        "answer_thumbs_down",
    }
)
CORRECTED = "memory_corrected"
EXPOSED = "memory_exposed"

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Signal:
    """An event as far as credit needs it."""

    action: str
    key: int | None  # of the memory it is about
    value: float | None  # in [-1, 1]
    confidence: float  # in [0, 1]
    trusted: bool  # sent with a trusted key
    used: tuple[int, ...] = ()  # places on the page of the memories it says were used


@dataclass(frozen=True, slots=True)
class Credit:
    """What a page of k memories got."""

    engagement: Array  # (k,) in [-1, 1]; 0 = none
    explicit: NDArray[np.bool_]  # (k,) said deliberately
    exposed: NDArray[np.bool_]  # (k,) looked at: reported or engaged with; all when none reported
    is_reported: bool  # exposed, or closed by an event
    is_trusted: bool  # everything that counts was sent with trusted keys


@dataclass(slots=True)
class _Said:
    """The strongest of each kind that was said of one memory; 0 = nothing."""

    up: float = 0.0
    up_explicit: bool = False
    down: float = 0.0  # in passing
    down_explicit: float = 0.0

    def hear(self, value: float, *, explicit: bool) -> None:
        if value > self.up:
            self.up, self.up_explicit = value, explicit
        elif explicit:
            self.down_explicit = min(self.down_explicit, value)
        else:
            self.down = min(self.down, value)

    @property
    def net(self) -> tuple[float, bool]:
        """A deliberate no outweighs everything; else a yes outweighs a no in passing."""
        if self.down_explicit < 0:
            return self.down_explicit, True
        return (self.up, self.up_explicit) if self.up > 0 else (self.down, False)


def credit(
    signals: Sequence[Signal],
    keys: Sequence[int],
    positions: NDArray[np.int64],
    values: Mapping[str, ActionValue],
    *,
    eta: float,
) -> Credit:
    """What the events of one page say. A repetition adds nothing: the strongest of a kind counts.

    What was said of the answer goes to the memories used, what was said of the list to all exposed,
    both by their examination and summing to the event's value. A yes to an answer of which nobody
    says what it used goes to nobody: shared out over all that was shown it would reward being
    shown. A corrected memory was found rightly, and its text was wrong; that counts against the
    ranking only where something better was on the page.
    """
    place = {key: at for at, key in enumerate(keys)}
    shown = np.zeros(len(keys), bool)
    for one in signals:
        if one.action == EXPOSED and one.key in place:
            shown[place[one.key]] = True
    seen = examination(positions, eta)
    said = [_Said() for _ in keys]
    counting = [one for one in signals if _worth(one, values)]
    used = _used(counting, place, values)
    for one in sorted(counting, key=lambda one: one.action == CORRECTED):
        if one.action == CORRECTED and not any(other.up > 0 for other in said):
            continue
        worth = _worth(one, values)
        for at, value in _shared(one, worth, place, used, shown, seen, values):
            said[at].hear(value, explicit=one.action in EXPLICIT)
    engagement = np.array([one.net[0] for one in said], np.float64)
    return Credit(
        engagement=engagement,
        explicit=np.array([one.net[1] for one in said], bool),
        exposed=(shown | (engagement != 0)) if shown.any() else np.ones(len(keys), bool),
        is_reported=any(one.action in BOOKKEEPING for one in signals),
        is_trusted=bool(counting) and all(one.trusted for one in counting),
    )


def _worth(one: Signal, values: Mapping[str, ActionValue]) -> float:
    meaning = values.get(one.action)
    if one.value is None or meaning is None or meaning.attribution == "none":
        return 0.0
    return one.value * one.confidence * meaning.trust


def _used(
    signals: Iterable[Signal], place: Mapping[int, int], values: Mapping[str, ActionValue]
) -> list[int]:
    """Places of the memories that were used: those named, and those with a yes of their own."""
    used: set[int] = set()
    for one in signals:
        used.update(one.used)
        if one.key is not None and one.key in place and values[one.action].attribution == "memory":
            used.update([place[one.key]] if _worth(one, values) > 0 else [])
    return sorted(used)


def _shared(
    one: Signal,
    worth: float,
    place: Mapping[int, int],
    used: list[int],
    shown: NDArray[np.bool_],
    seen: Array,
    values: Mapping[str, ActionValue],
) -> Iterable[tuple[int, float]]:
    """Places and what each gets."""
    target = values[one.action].attribution
    if target == "memory":
        at = None if one.key is None else place.get(one.key)
        return [] if at is None else [(at, worth)]
    if target == "used" and used:
        among = used
    elif target == "used" and worth > 0:
        return []
    else:
        among = np.flatnonzero(shown if shown.any() else np.ones_like(shown)).tolist()
    whole = float(seen[among].sum())
    return [(at, worth * float(seen[at]) / whole) for at in among]
