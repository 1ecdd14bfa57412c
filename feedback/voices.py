"""How much of the evidence one voice may own: caps per actor and per key. Pure.

An impression counts in full until its actor or key owns more than a share of the bank's; a trusted
key's impressions are not capped, because an operator vouched for who stands behind them.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

ACTOR_SHARE = 0.01  # of a bank's impressions; two spammers with a fifth of the traffic then own 2 %
KEY_SHARE = 0.2  # of all actors behind one key together
AT_LEAST = 3.0  # impressions' worth that anyone has, however small the bank
MOST = 4_096  # voices remembered, least recently heard forgotten first: bounds the state


@dataclass
class Voices:
    """Impressions so far, in all and by voice; `weight` counts one more."""

    total: float = 0.0
    counts: OrderedDict[str, float] = field(default_factory=OrderedDict)

    def weight(self, actor: str, api_key: str | None, *, trusted: bool) -> float:
        """Weight in (0, 1] of the actor's next impression."""
        self.total += 1
        by_actor = self._cap(f"a:{actor}", ACTOR_SHARE)
        by_key = self._cap(f"k:{api_key}", KEY_SHARE) if api_key else 1.0
        return 1.0 if trusted else min(by_actor, by_key)

    def _cap(self, voice: str, share: float) -> float:
        count = self.counts.pop(voice, 0.0) + 1
        self.counts[voice] = count
        if len(self.counts) > MOST:
            self.counts.popitem(last=False)
        return min(1.0, max(AT_LEAST, share * self.total) / count)

    def pairs(self) -> list[list[object]]:
        """Voices with their counts, oldest first, for a state's bytes."""
        return [[voice, count] for voice, count in self.counts.items()]

    @classmethod
    def of(cls, total: float, pairs: Iterable[tuple[str, float]]) -> "Voices":
        """Back from `total` and `pairs`."""
        return cls(total, OrderedDict((voice, count) for voice, count in pairs))
