"""One thing that was looked at: how it is, and what to do about it."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`warn`: works, but look at it; `fail`: something is wrong. A hint is the next step."""

    check: str
    status: Status
    detail: str
    hint: str | None = None
    bank: str | None = None  # None: of the whole installation

    def as_json(self) -> dict[str, Any]:
        """The finding as `fivefold doctor --json` prints it."""
        return asdict(self)


def judged(
    check: str,
    is_well: bool,
    detail: str,
    hint: str,
    *,
    bank: str | None = None,
    otherwise: Status = "fail",
) -> Finding:
    """The finding: ok without the hint, or `otherwise` with it."""
    if is_well:
        return Finding(check, "ok", detail, None, bank)
    return Finding(check, otherwise, detail, hint, bank)
