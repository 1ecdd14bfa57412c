"""Notices that a bank's answers have become worse, so that old evidence can be forgotten. Pure.

Junk pages earn no clicks and therefore no evidence against themselves: without a monitor a learner
whose world has changed is trapped.
"""

from dataclasses import dataclass, field
from typing import Any

from river.drift import ADWIN

DELTA = 0.002  # ADWIN's chance of a false alarm
MOST_CLICKS = 2.0  # of one recall that count
KEPT = 0.05  # of the evidence, after a drop
LONGEST, SHORTENED = 4_000, 1_000  # values kept; longer ones start again from the newest


@dataclass
class DriftMonitor:
    """Watches engagement per recall. Bifet & Gavaldà, SDM 2007 (ADWIN).

    The window is always what a fresh one makes of `seen`, so a stored state goes on as it was.
    """

    seen: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._window = _window_of(self.seen)

    def dropped(self, clicks: float) -> bool:
        """Take in one recall's engagement; whether the mean has just fallen."""
        value = min(clicks, MOST_CLICKS)
        before = float(self._window.estimation)
        self._window.update(value)
        self.seen.append(value)
        fell = bool(self._window.drift_detected) and float(self._window.estimation) < before
        if fell:
            self._restart([])
        elif len(self.seen) > LONGEST:
            self._restart(self.seen[-SHORTENED:])
        return fell

    def _restart(self, values: list[float]) -> None:
        self.seen = values
        self._window = _window_of(values)


def _window_of(values: list[float]) -> Any:
    window: Any = ADWIN(delta=DELTA)  # type: ignore[no-untyped-call] # river has no types
    for value in values:
        window.update(value)
    return window
