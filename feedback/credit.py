"""What a recall's events say of each memory it showed: one net value each. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

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
RULES = "credit-2"  # stands with the learner's settings: another rule, and logs are learnt anew

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
    vouched: Array  # (k,) in [-1, 1]; what trusted keys said deliberately, whatever others sent


@dataclass(slots=True)
class _Said:
    """The strongest of each kind that was said of one memory; 0 = nothing."""

    up: float = 0.0  # in passing
    up_explicit: float = 0.0
    down: float = 0.0  # in passing
    down_explicit: float = 0.0

    def hear(self, value: float, *, explicit: bool) -> None:
        if explicit:
            self.up_explicit = max(self.up_explicit, value)
            self.down_explicit = min(self.down_explicit, value)
        else:
            self.up, self.down = max(self.up, value), min(self.down, value)

    @property
    def is_liked(self) -> bool:
        return self.up > 0 or self.up_explicit > 0

    @property
    def net(self) -> tuple[float, bool]:
        """A deliberate no outweighs everything; else a yes outweighs a no in passing."""
        if self.down_explicit < 0:
            return self.down_explicit, True
        if self.is_liked:
            return max(self.up, self.up_explicit), self.up_explicit >= self.up
        return self.down, False

    @property
    def deliberate(self) -> float:
        """As if nothing had been seen in passing."""
        return self.down_explicit if self.down_explicit < 0 else self.up_explicit


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
    ranking only where something better was on the page. What trusted keys say deliberately is
    besides weighed alone, on their own word as to what was used: others can neither take it away
    nor steer it.
    """
    page = _Page(signals, keys, positions, values, eta)
    counting = [one for one in signals if worth(one, values)]
    said = page.heard(counting)
    vouched = page.heard([one for one in counting if one.trusted])
    engagement = np.array([one.net[0] for one in said], np.float64)
    shown = page.shown
    return Credit(
        engagement=engagement,
        explicit=np.array([one.net[1] for one in said], bool),
        exposed=(shown | (engagement != 0)) if shown.any() else np.ones(len(keys), bool),
        is_reported=any(one.action in BOOKKEEPING for one in signals),
        is_trusted=bool(counting) and all(one.trusted for one in counting),
        vouched=np.array([one.deliberate for one in vouched], np.float64),
    )


def added(
    before: Sequence[Signal],
    signals: Sequence[Signal],
    keys: Sequence[int],
    positions: NDArray[np.int64],
    values: Mapping[str, ActionValue],
    *,
    eta: float,
) -> Credit:
    """What `signals` say beyond what `before` has taught of the page already.

    One reward for each action on a memory: said before it adds nothing, with another value neither.
    Another action adds what it moves the net by, at most 1 either way, and exposes only that.
    """
    page = _Page([*before, *signals], keys, positions, values, eta)
    told = [one for one in before if worth(one, values)]
    spoken = [one for one in signals if worth(one, values)]
    fresh = _fresh(told, spoken)
    was, now = page.moved(told, fresh)
    engagement = np.clip([b.net[0] - a.net[0] for a, b in zip(was, now, strict=True)], -1.0, 1.0)
    told, spoken = ([one for one in some if one.trusted] for some in (told, spoken))
    was, vouched = page.moved(told, _fresh(told, spoken))
    word = np.clip([b.deliberate - a.deliberate for a, b in zip(was, vouched, strict=True)], -1, 1)
    return Credit(
        engagement=engagement,
        explicit=(engagement != 0) & np.array([one.net[1] for one in now], bool),
        exposed=engagement != 0,
        is_reported=False,
        is_trusted=bool(fresh) and all(one.trusted for one in fresh),
        vouched=word,
    )


class _Page:
    """The memories shown, and who hears what is said of them."""

    def __init__(
        self,
        signals: Sequence[Signal],
        keys: Sequence[int],
        positions: NDArray[np.int64],
        values: Mapping[str, ActionValue],
        eta: float,
    ) -> None:
        self.values = values
        self.size = len(keys)
        self.place = {key: at for at, key in enumerate(keys)}
        self.seen = examination(positions, eta)
        self.shown = np.zeros(self.size, bool)
        for one in signals:
            if one.action == EXPOSED and one.key in self.place:
                self.shown[self.place[one.key]] = True

    def heard(self, signals: Sequence[Signal]) -> list[_Said]:
        """What was said of each memory, (k,)."""
        said = [_Said() for _ in range(self.size)]
        self._hear(said, signals, _used(signals, self.place, self.values))
        return said

    def moved(
        self, before: Sequence[Signal], signals: Sequence[Signal]
    ) -> tuple[list[_Said], list[_Said]]:
        """What was said before, and with `signals` as well."""
        was = self.heard(before)
        now = [replace(one) for one in was]
        self._hear(now, signals, _used([*before, *signals], self.place, self.values))
        return was, now

    def _hear(self, said: list[_Said], signals: Sequence[Signal], used: list[int]) -> None:
        for one in sorted(signals, key=lambda one: one.action == CORRECTED):
            if one.action == CORRECTED and not any(other.is_liked for other in said):
                continue
            for at, value in self._shared(one, used):
                said[at].hear(value, explicit=one.action in EXPLICIT)

    def _shared(self, one: Signal, used: list[int]) -> Iterable[tuple[int, float]]:
        """Places and what each gets."""
        value, target = worth(one, self.values), self.values[one.action].attribution
        if target == "memory":
            at = None if one.key is None else self.place.get(one.key)
            return [] if at is None else [(at, value)]
        if target == "used" and used:
            among = used
        elif target == "used" and value > 0:
            return []
        else:
            shown = self.shown if self.shown.any() else np.ones_like(self.shown)
            among = np.flatnonzero(shown).tolist()
        whole = float(self.seen[among].sum())
        return [(at, value * float(self.seen[at]) / whole) for at in among]


def _fresh(before: Iterable[Signal], signals: Iterable[Signal]) -> list[Signal]:
    """Those of the signals whose action on that memory was not told before."""
    known = {(one.action, one.key) for one in before}
    return [one for one in signals if (one.action, one.key) not in known]


def worth(one: Signal, values: Mapping[str, ActionValue]) -> float:
    """What a signal says at most, in [-1, 1]; 0 of what only reports or is unknown."""
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
            used.update([place[one.key]] if worth(one, values) > 0 else [])
    return sorted(used)
