"""The caller's clock: local wall time in a named zone, and the way back to UTC."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from channels.errors import BadInput


@dataclass(frozen=True, slots=True)
class Clock:
    """What rules may ask: local time, zone, the order in slash dates, the text as written."""

    now: datetime  # naive, local
    zone: ZoneInfo
    day_first: bool
    original: str  # as long as the text the rules match, with its capitals
    southern: bool = False  # seasons of the southern half of the earth

    def season(self, number: int) -> int:
        """The northern season (1 spring .. 4 winter) of the same months as that one here."""
        return (number + 1) % 4 + 1 if self.southern else number

    def hours_back(self, hours: float) -> datetime:
        """Local wall time that many hours ago, counted in real hours."""
        moment = to_utc(self.now, self.zone) - timedelta(hours=hours)
        return moment.astimezone(self.zone).replace(tzinfo=None)


@lru_cache(maxsize=256)
def zone_named(name: str) -> ZoneInfo:
    """The zone of that IANA name. Raises BadInput when there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise BadInput(
            "timezone", f"no time zone named {name!r}; use an IANA name such as Europe/Berlin"
        ) from None


def local_now(now: datetime, zone: ZoneInfo) -> datetime:
    """Naive wall time in that zone, with its fold. Raises BadInput if `now` is naive."""
    if now.tzinfo is None:
        raise BadInput("now", "needs a UTC offset, such as 2025-06-11T09:00:00Z")
    return now.astimezone(zone).replace(tzinfo=None)


def to_utc(moment: datetime, zone: ZoneInfo) -> datetime:
    """The instant of that wall time; one that the clocks skip counts from before the change."""
    return moment.replace(tzinfo=zone).astimezone(UTC)
