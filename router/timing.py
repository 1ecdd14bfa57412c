"""How long each step of a recall took."""

import time


class Clock:
    """Milliseconds between marks, and in all."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._parts: dict[str, float] = {}

    def mark(self, part: str) -> None:
        """End a step: it took the time since the last mark."""
        now = time.perf_counter()
        self._parts[part] = (now - self._last) * 1_000
        self._last = now

    def elapsed_s(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._start

    def timings(self) -> dict[str, float]:
        """Step -> milliseconds, and `total`, which also holds what lies between steps."""
        total = (time.perf_counter() - self._start) * 1_000
        return {part: round(ms, 3) for part, ms in {**self._parts, "total": total}.items()}
