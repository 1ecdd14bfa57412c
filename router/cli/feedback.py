"""`fivefold feedback`: events of a file into the store."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from router.cli.options import BankName, DataDir, Json, Lines
from router.cli.output import print_json

if TYPE_CHECKING:
    from router.wiring import Service

EVENTS_AT_ONCE = 500  # of one transaction, as one request may hold
COUNTS = ("accepted", "late", "duplicate", "parked")  # late ones are accepted too


def feedback(
    file: Lines,
    bank: BankName,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Store feedback events, one a line; safe to repeat: an event id counts once in its bank."""
    from router.cli.opening import with_service

    events, rejected = _events(file)

    async def act(service: "Service") -> dict[str, Any]:
        return await _ingest(service, bank, events)

    report = with_service(data_dir, act)
    report["rejected"] = sorted([*rejected, *report["rejected"]], key=lambda one: one["line"])
    for one in report["rejected"]:
        typer.echo(f"line {one['line']}: {one['field']}: {one['reason']} ({one['code']})", err=True)
    if as_json:
        print_json(report)
    else:
        counts = ", ".join(f"{report[name]} {name}" for name in COUNTS)
        typer.echo(f"{counts}, {len(report['rejected'])} rejected")
    if report["rejected"]:
        raise typer.Exit(1)


def _events(file: Path) -> tuple[list[tuple[int, Any]], list[dict[str, Any]]]:
    """Events with their line numbers, and the lines that hold none."""
    from router.jsonl import read_lines

    events, rejected = [], []
    for line in read_lines(file):
        if line.problem is None:
            events.append((line.number, line.value))
        else:
            rejected.append(_rejection(line.number, None, "invalid", "json", line.problem))
    return events, rejected


async def _ingest(service: "Service", name: str, events: list[tuple[int, Any]]) -> dict[str, Any]:
    from feedback.values import action_values

    bank = await service.banks.get(name)
    values = action_values(bank.config.event_values)
    report: dict[str, Any] = {**dict.fromkeys(COUNTS, 0), "rejected": []}
    for batch in _batches(events):
        receipt = await service.feedback.ingest(
            bank.key, [event for _, event in batch], api_key=None, trusted=False, values=values
        )
        for count in COUNTS:
            report[count] += getattr(receipt, count)
        report["rejected"] += [
            _rejection(batch[one.index][0], one.event_id, one.code, one.field, one.reason)
            for one in receipt.rejected
        ]
    return report


def _batches(events: list[tuple[int, Any]]) -> Iterator[list[tuple[int, Any]]]:
    for start in range(0, len(events), EVENTS_AT_ONCE):
        yield events[start : start + EVENTS_AT_ONCE]


def _rejection(
    line: int, event_id: str | None, code: str, field: str, reason: str
) -> dict[str, Any]:
    return {"line": line, "event_id": event_id, "code": code, "field": field, "reason": reason}
