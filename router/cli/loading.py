"""A file of memories into banks, batch by batch; a bad line costs only itself."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from channels.errors import BadInput
from router.items import MAX_ITEMS, nonblank, printable_id
from router.jsonl import Line
from router.wiring import Service

MAX_NAME = 200  # characters of a bank's name
RENAMED = {"session": "episode", "meta": "metadata"}  # a data set's words for ours


@dataclass(frozen=True, slots=True)
class LineError:
    """Why one line was not stored."""

    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.field}: {self.reason}"


@dataclass(frozen=True, slots=True)
class PartlyRead:
    """A stored line whose text is longer than the model reads."""

    line: int
    read: int  # characters
    of: int

    def __str__(self) -> str:
        return f"line {self.line}: stored; by meaning its first {self.read} of {self.of} characters"


@dataclass(slots=True)
class Tally:
    """What became of the lines read so far."""

    accepted: int = 0
    duplicates: int = 0
    errors: list[LineError] = field(default_factory=list)
    partly_read: list[PartlyRead] = field(default_factory=list)  # of the accepted

    @property
    def lines(self) -> int:
        return self.accepted + self.duplicates + len(self.errors)


@dataclass(frozen=True, slots=True)
class Placed:
    """A line that can be offered to a bank."""

    line: int
    bank: str
    item: Mapping[str, Any]


Tell = Callable[[Tally], None]


async def load(
    service: Service,
    lines: Iterable[Line],
    *,
    bank: str | None,
    timezone: str,
    batch: int,
    tell: Tell,
) -> Tally:
    """Store the lines in order, `batch` at a time, each batch in one transaction.

    Without `bank` every line names its own. Storing is idempotent by id, so that loading a file
    again after an interruption skips what is there.
    """
    tally = Tally()
    for run in batches(placed(lines, bank, tally), batch):
        await _store(service, run, tally, timezone=timezone, atomic=False)
        tell(tally)
    tell(tally)
    return tally


async def load_atomic(
    service: Service, lines: Iterable[Line], *, bank: str | None, timezone: str
) -> Tally:
    """Store all lines in one transaction, or none when any of them is wrong.

    Raises BadInput when they cannot share a transaction: too many, or of several banks.
    """
    tally = Tally()
    runs = list(batches(placed(lines, bank, tally), MAX_ITEMS))
    if len(runs) > 1:
        reason = f"takes up to {MAX_ITEMS} lines of one bank; split the file or leave it out"
        raise BadInput("--atomic", reason)
    if runs and not tally.errors:
        await _store(service, runs[0], tally, timezone=timezone, atomic=True)
    return tally


def placed(lines: Iterable[Line], bank: str | None, tally: Tally) -> Iterator[Placed]:
    """Lines with their bank; those without go to the tally's errors."""
    for line in lines:
        try:
            yield _placed(line, bank)
        except BadInput as error:
            tally.errors.append(LineError(line.number, error.field, error.reason))


def batches(found: Iterable[Placed], size: int) -> Iterator[list[Placed]]:
    """Runs of at most `size` neighbouring lines of the same bank."""
    run: list[Placed] = []
    for one in found:
        if run and (len(run) == size or one.bank != run[0].bank):
            yield run
            run = []
        run.append(one)
    if run:
        yield run


def bank_name(name: object) -> str:
    """The name itself. Raises BadInput for what cannot name a bank."""
    if not isinstance(name, str) or not 1 <= len(name) <= MAX_NAME or "/" in name:
        raise BadInput("bank", f"{name!r} is no name; use 1 to {MAX_NAME} characters without /")
    try:
        return printable_id(nonblank(name))
    except ValueError as error:
        raise BadInput("bank", str(error)) from error


def _placed(line: Line, bank: str | None) -> Placed:
    if line.problem is not None:
        raise BadInput("json", line.problem)
    if not isinstance(line.value, dict):
        raise BadInput("item", "is no JSON object")
    item: dict[str, Any] = {
        str(RENAMED.get(name, name)): value for name, value in line.value.items()
    }
    own = item.pop("bank", None)
    if bank is None and own is None:
        raise BadInput("bank", "is missing; name one in the line or with --bank")
    if not item.get("episode"):
        item.pop("episode", None)  # data sets write an empty session for none
    return Placed(line.number, bank or bank_name(own), item)


async def _store(
    service: Service, run: list[Placed], tally: Tally, *, timezone: str, atomic: bool
) -> None:
    bank = await service.ensure_bank(run[0].bank)
    items = [one.item for one in run]
    receipt = await service.retain(bank, items, atomic=atomic, timezone=timezone)
    tally.accepted += receipt.accepted
    tally.duplicates += receipt.duplicates
    tally.errors += [
        LineError(run[error.index].line, error.field, error.reason) for error in receipt.errors
    ]
    tally.partly_read += [
        PartlyRead(run[one.index].line, one.read, one.of) for one in receipt.partly_read
    ]
