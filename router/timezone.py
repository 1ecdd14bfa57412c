"""Time zones by name."""

from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from channels.errors import BadInput


@lru_cache(maxsize=512)
def zone(name: str, field: str = "timezone") -> ZoneInfo:
    """The IANA zone of that name. Raises BadInput for any other text."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            field, f"{name!r} is no time zone; use an IANA name such as Europe/Berlin"
        ) from error
