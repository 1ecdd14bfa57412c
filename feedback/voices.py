"""How much of the evidence one voice may own: caps per actor and per key. Pure.

What an actor's impressions weigh together is never more than a share of the bank's, a few, or what
the typical actor has sent. Without the last a bank of one agent, or of a small team, would learn a
tenth as fast, and nobody would be the safer for it: the share is of others' evidence, and there is
none. A trusted key's impressions are not capped, because an operator vouched for who stands behind.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

ACTOR_SHARE = 0.01  # of a bank's impressions; two spammers with a fifth of the traffic then own 2 %
KEY_SHARE = 0.2  # of all actors behind one key together
AT_LEAST = 3.0  # impressions' worth that anyone has, however small the bank
MOST = 4_096  # voices remembered of a kind, least recently heard forgotten first: bounds the state
FRESH = 1.02  # growth of the bank after which what is typical is counted again


def most_of(share: float, total: float, typical: float) -> float:
    """Impressions' worth that one voice may own of a bank's `total`."""
    return max(AT_LEAST, share * total, typical)


def typical(counts: Iterable[float]) -> float:
    """What half of the voices do not exceed; 0 of none."""
    ordered = sorted(counts)
    return ordered[(len(ordered) - 1) // 2] if ordered else 0.0


@dataclass
class _Kind:
    """Voices of a kind: how often each was heard, and what that weighs."""

    share: float
    heard: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    typical: float = 0.0
    counted_at: float = 0.0  # total when `typical` was counted

    def left(self, voice: str, total: float) -> float:
        """Count the voice once more; what it may still add, in [0, 1]."""
        count, owned = self.heard.pop(voice, (0.0, 0.0))
        self.heard[voice] = (count + 1, owned)
        if len(self.heard) > MOST:
            self.heard.popitem(last=False)
        if total >= FRESH * self.counted_at:
            self.typical = typical(count for count, _ in self.heard.values())
            self.counted_at = total
        return min(1.0, max(0.0, most_of(self.share, total, self.typical) - owned))

    def add(self, voice: str, weight: float) -> None:
        """The voice owns that much more."""
        count, owned = self.heard[voice]
        self.heard[voice] = (count, owned + weight)

    def pack(self) -> Any:
        """For a state's bytes, voices oldest first."""
        voices = [[voice, *both] for voice, both in self.heard.items()]
        return [voices, self.typical, self.counted_at]

    def unpack(self, packed: Any) -> None:
        """Back from `pack`."""
        voices, self.typical, self.counted_at = packed
        self.heard = OrderedDict((voice, (count, owned)) for voice, count, owned in voices)


@dataclass
class Voices:
    """Impressions so far, in all and by voice; `weight` counts one more."""

    total: float = 0.0
    actors: _Kind = field(default_factory=lambda: _Kind(ACTOR_SHARE))
    keys: _Kind = field(default_factory=lambda: _Kind(KEY_SHARE))

    def weight(self, actor: str, api_key: str | None, *, trusted: bool) -> float:
        """Weight in [0, 1] of the actor's next impression; what is trusted is not owned."""
        self.total += 1
        weight = self.actors.left(actor, self.total)
        if api_key:
            weight = min(weight, self.keys.left(api_key, self.total))
        if trusted:
            return 1.0
        self.actors.add(actor, weight)
        if api_key:
            self.keys.add(api_key, weight)
        return weight

    def pack(self) -> Any:
        """For a state's bytes."""
        return [self.total, self.actors.pack(), self.keys.pack()]

    @classmethod
    def unpack(cls, packed: Any) -> "Voices":
        """Back from `pack`."""
        total, actors, keys = packed
        found = cls(total)
        found.actors.unpack(actors)
        found.keys.unpack(keys)
        return found
