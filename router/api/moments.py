"""Times as the API answers them."""

from datetime import UTC, datetime


def moment(value: datetime | None) -> str | None:
    """A time as answered: ISO 8601 in UTC."""
    return None if value is None else value.astimezone(UTC).isoformat()
