"""Every exception fivefold raises, in one tree.

RecallError                      base of all we raise
├─ BadInput(field, reason)       422  the caller can mend it; names the field and the next step
├─ NotFound(kind, name)          404  bank, memory, recall or matrix version
├─ Forbidden(reason)             401/403  no key, unknown key, scope or bank not covered
├─ Conflict(field, reason)       409  stale matrix version, bank bound to another embedder
├─ ChannelError(channel, reason) stays inside while one channel is left
├─ NoChannel(failures)           503  every channel failed
├─ Unavailable(part, reason)     503  the database or another part cannot be reached
└─ ConfigError(setting, reason)  the process does not start
"""

from collections.abc import Mapping


class RecallError(Exception):
    """Base of all we raise."""


class BadInput(RecallError):
    """A value the caller can mend. `field` is the path in the request, such as `items[3].text`."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class NotFound(RecallError):
    """No bank, memory, recall or version of that name."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(f"no {kind} named {name!r}")
        self.kind = kind
        self.name = name


class Forbidden(RecallError):
    """The request carries no key, or one that does not cover what it asks for."""

    def __init__(self, reason: str, *, authenticated: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.authenticated = authenticated


class Conflict(RecallError):
    """The stored state has moved on, or does not allow the change."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class ChannelError(RecallError):
    """One channel could not answer; `reason` is timeout, pool, database, dependency or its own."""

    def __init__(self, channel: str, reason: str) -> None:
        super().__init__(f"{channel}: {reason}")
        self.channel = channel
        self.reason = reason


class NoChannel(RecallError):
    """Every channel failed, so there is nothing to fuse."""

    def __init__(self, failures: Mapping[str, str]) -> None:
        named = ", ".join(f"{channel} ({reason})" for channel, reason in sorted(failures.items()))
        super().__init__(f"every channel failed: {named}; see /health/ready")
        self.failures = dict(failures)


class Unavailable(RecallError):
    """A part the service cannot do without does not answer."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"{part} is unavailable: {reason}")
        self.part = part
        self.reason = reason


class ConfigError(RecallError):
    """A setting is wrong; the process does not start."""

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(f"{setting}: {reason}")
        self.setting = setting
        self.reason = reason
