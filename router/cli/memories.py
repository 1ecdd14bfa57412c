"""Commands over memories: retain, load-sample, recall."""

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.errors import wrong_usage
from router.cli.options import BankName, DataDir, Json, Lines, moment
from router.cli.output import print_json, progress

if TYPE_CHECKING:
    from channels.base import BankKey, MemoryKey
    from router.answer import Answer, RecallRequest
    from router.cli.loading import Tally
    from router.wiring import Service

MAX_QUESTION = 20_000  # characters, as the API has it
SAMPLE = Path("sample") / "memorybank" / "memories.jsonl"  # below the package router

OwnBank = Annotated[
    str | None, typer.Option("--bank", help="the bank; without it each line names its own")
]


def retain(
    file: Lines,
    bank: OwnBank = None,
    timezone: Annotated[str, typer.Option(help="zone of times that have none")] = "UTC",
    batch: Annotated[int, typer.Option(min=1, max=1_000, help="lines a transaction")] = 100,
    atomic: Annotated[bool, typer.Option("--atomic", help="store all lines or none")] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Store the memories of a file of JSON lines; safe to repeat: what is there is skipped."""
    from router.cli.loading import bank_name, load, load_atomic
    from router.jsonl import read_lines
    from router.timezone import zone

    with wrong_usage():
        zone(timezone, "--timezone")
        own = bank_name(bank) if bank is not None else None

    async def act(service: "Service") -> "Tally":
        if atomic:
            return await load_atomic(service, read_lines(file), bank=own, timezone=timezone)
        total = sum(1 for _ in read_lines(file))
        with progress("lines") as bar:
            task = bar.add_task(f"retain {file.name}", total=total, note="")
            return await load(
                service,
                read_lines(file),
                bank=own,
                timezone=timezone,
                batch=batch,
                tell=lambda tally: bar.update(task, completed=tally.lines, note=_counts(tally)),
            )

    _finish(_with_service(data_dir, act), as_json)


def load_sample(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Load the sample banks that come with fivefold; safe to repeat."""
    from importlib.resources import as_file, files

    with as_file(files("router")) as folder:
        file = folder / SAMPLE
        if not file.is_file():
            from channels.errors import ConfigError

            reason = f"{SAMPLE} is not in this installation; install fivefold again"
            raise ConfigError("the sample", reason)
        retain(file, None, "UTC", 100, False, data_dir, as_json)


def recall(
    question: Annotated[str, typer.Argument(help="what is asked")],
    bank: BankName,
    k: Annotated[int, typer.Option("--k", min=1, max=200, help="memories wanted")] = 10,
    explain: Annotated[bool, typer.Option("--explain", help="show what led to them")] = False,
    asked_at: Annotated[str | None, typer.Option(help="the question's clock")] = None,
    tz: Annotated[str | None, typer.Option("--tz", help="IANA time zone, else the bank's")] = None,
    include: Annotated[
        list[str] | None, typer.Option("--include", help="superseded or history")
    ] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", help="what was true then")] = None,
    known_at: Annotated[
        str | None, typer.Option("--known-at", help="what had been said by then")
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Ask a bank a question."""
    from channels.errors import ConfigError
    from router.api.encode import answer_json
    from router.cli.shown import print_answer

    async def act(service: "Service") -> "tuple[Answer, dict[MemoryKey, str]]":
        held = await service.banks.get(bank)
        with wrong_usage():
            request = _request(question, k, asked_at, tz or held.config.timezone)
            request = _seen(request, include or [], as_of, known_at)
        with suppress(ConfigError):  # the recall then does without, and says so
            await service.embedders.warm(held)
        answer = await service.recaller.recall(held, request)
        names = await _on_paths(service, held.key, answer) if explain else {}
        return answer, names

    with wrong_usage():
        _check_question(question)
    answer, names = _with_service(data_dir, act)
    if as_json:
        print_json(answer_json(answer, names, explain=explain))
    else:
        print_answer(answer, explain=explain)


def _check_question(question: str) -> None:
    from channels.errors import BadInput
    from router.items import nonblank

    try:
        nonblank(question)
    except ValueError as error:
        raise BadInput("question", str(error)) from error
    if len(question) > MAX_QUESTION:
        raise BadInput("question", f"has {len(question)} characters; ask in at most {MAX_QUESTION}")


def _request(question: str, k: int, asked_at: str | None, tz: str) -> "RecallRequest":
    from datetime import UTC, datetime

    from router.answer import RecallRequest
    from router.items import to_utc
    from router.timezone import zone

    where = zone(tz, "--tz")
    clock = moment(asked_at, "--asked-at") if asked_at else datetime.now(UTC)
    return RecallRequest(question, to_utc(clock, where, "--asked-at") or clock, tz, k=k)


def _seen(
    request: "RecallRequest", include: list[str], as_of: str | None, known_at: str | None
) -> "RecallRequest":
    """The request with the state of the bank that it asks about."""
    from dataclasses import replace

    from channels.base import View
    from router.items import to_utc
    from router.timezone import zone

    if unknown := set(include) - {"superseded", "history"}:
        raise typer.BadParameter(f"--include: {unknown.pop()!r} is neither superseded nor history")
    where = zone(request.timezone, "--tz")
    times = [
        to_utc(moment(text, option), where, option) if text else None
        for text, option in ((as_of, "--as-of"), (known_at, "--known-at"))
    ]
    view = View(times[0], bool(include), times[1])
    return replace(request, view=view, history="history" in include)


async def _on_paths(
    service: "Service", bank: "BankKey", answer: "Answer"
) -> "dict[MemoryKey, str]":
    """Ids of memories that paths run through and that are no candidates themselves."""
    from router.api.encode import path_keys
    from router.store.shelf import Shelf

    return await Shelf(service.transaction).ids_of(bank, sorted(path_keys(answer)))


def _with_service(data_dir: Path | None, act: Any) -> Any:
    from router.cli.opening import with_service

    return with_service(data_dir, act)


def _counts(tally: "Tally") -> str:
    return f"{tally.accepted} stored, {tally.duplicates} already there, {len(tally.errors)} failed"


def _finish(tally: "Tally", as_json: bool) -> None:
    found = sorted(tally.errors, key=lambda error: error.line)
    for error in found:
        typer.echo(str(error), err=True)
    for one in tally.partly_read if not as_json else ():
        typer.echo(str(one), err=True)
    if as_json:
        errors = [{"line": one.line, "field": one.field, "reason": one.reason} for one in found]
        counts = {"accepted": tally.accepted, "duplicates": tally.duplicates}
        cut = [asdict(one) for one in tally.partly_read]
        print_json({**counts, "errors": errors, **({"partly_read": cut} if cut else {})})
    else:
        typer.echo(_counts(tally))
    if tally.errors:
        raise typer.Exit(1)
