"""Commands that need no bank: window, classify, settings, migrate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.errors import wrong_usage
from router.cli.options import DataDir, Json, Lines, moment
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from datetime import datetime

    from channels.base import Window
    from router.understand.customs import Customs

EMBED_AT_ONCE = 256  # questions; the progress bar moves between batches


def window(
    text: Annotated[str, typer.Argument(help="a question, such as: what broke last week?")],
    now: Annotated[str | None, typer.Option("--now", help="the clock it is read by")] = None,
    tz: Annotated[str, typer.Option("--tz", help="IANA time zone")] = "UTC",
    day_first: Annotated[bool, typer.Option("--day-first", help="3/4 is the 3rd of April")] = False,
    southern: Annotated[bool, typer.Option("--southern", help="summer is in December")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="all that is read, with rules")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the stretch of time a question names, in UTC."""
    from datetime import UTC, datetime

    from router.timezone import zone
    from router.understand.customs import Customs

    with wrong_usage():
        clock = moment(now, "--now") if now else datetime.now(UTC)
        clock = clock if clock.tzinfo else clock.replace(tzinfo=zone(tz, "--tz"))
        customs = Customs(
            "day_first" if day_first else "month_first", "southern" if southern else "northern"
        )
        if explain:
            _print_reading(text, clock, tz, customs, as_json=as_json)
        else:
            _print_window(text, clock, tz, customs, as_json=as_json)


def classify(
    file: Lines,
    as_json: Json = False,
) -> None:
    """Print how well the questions' types are told: accuracy and calibration."""
    from router.evaluate.classification import labelled, summarise
    from router.jsonl import read_lines

    rows = []
    for line in read_lines(file):
        if line.problem is not None:
            raise _file_error(file, line.number, line.problem)
        rows.append(labelled(line.value, f"{file.name} line {line.number}"))
    report = summarise(rows, _probabilities([row.text for row in rows]))
    if as_json:
        print_json(report)
        return
    _print_measures("all", report)
    _print_measures("without high doubt", report["without_high_doubt"])


def settings(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Print every setting: its variable, value and meaning; secrets are masked."""
    from router.cli.opening import settings_with

    values = settings_with(data_dir)
    shown = values.model_dump(mode="json")
    if as_json:
        print_json(shown)
        return
    rows = [
        [f"FIVEFOLD_{name.upper()}", str(shown[name]), field.description or ""]
        for name, field in type(values).model_fields.items()
    ]
    print_table("settings", ["variable", "value", "meaning"], rows)


def migrate(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Bring the database's tables up to date; safe to repeat."""
    from router.cli.opening import settings_with
    from router.store.embedded import EmbeddedPostgres
    from router.store.migrate import migrate as apply

    values = settings_with(data_dir)
    if values.dsn is not None:
        applied = apply(values.dsn)
    else:
        with EmbeddedPostgres(values.data_dir) as server:
            applied = apply(server.start())
    if as_json:
        print_json({"applied": applied})
    else:
        typer.echo("\n".join(applied) or "nothing to do")


def _print_window(
    text: str, clock: "datetime", tz: str, customs: "Customs", *, as_json: bool
) -> None:
    from router.understand.time import find_window

    found = find_window(text, clock, tz, customs)
    shown = _window_json(found)
    if as_json:
        print_json(shown)
    elif found is None:
        typer.echo("no window")
    else:
        named = {**shown, "rule": found.rule}
        print_table(text, list(named), [[str(value) for value in named.values()]])


def _print_reading(
    text: str, clock: "datetime", tz: str, customs: "Customs", *, as_json: bool
) -> None:
    from router.cli.shown import reading_rows
    from router.understand.read import understand

    read = understand(text, clock, tz, customs)
    if as_json:
        print_json(read.as_json())
    else:
        print_table(text, ["part", "read as", "because of"], reading_rows(read))


def _window_json(found: "Window | None") -> dict[str, Any]:
    names = ("start", "end", "granularity", "text", "confidence")
    if found is None:
        return dict.fromkeys(names)
    values = {name: getattr(found, name) for name in names}
    for side in ("start", "end"):
        values[side] = values[side].isoformat() if values[side] else None
    return values


def _probabilities(texts: list[str]) -> list[dict[str, float]]:
    import asyncio

    from router.cli.opening import settings_with
    from router.cli.output import progress
    from router.embedders import Embedders
    from router.understand.types import TypeClassifier

    embedder = Embedders.of(settings_with()).named(None)
    classifier = TypeClassifier.load()
    found: list[dict[str, float]] = []
    try:
        with progress("questions") as bar:
            task = bar.add_task("classify", total=len(texts), note="")
            for start in range(0, len(texts), EMBED_AT_ONCE):
                batch = texts[start : start + EMBED_AT_ONCE]
                vectors = asyncio.run(embedder.embed(batch))
                found += [
                    classifier.probabilities(text, vector, embedder.name)
                    for text, vector in zip(batch, vectors, strict=True)
                ]
                bar.advance(task, len(batch))
    finally:
        embedder.close()
    return found


def _file_error(file: Path, number: int, problem: str) -> Exception:
    from channels.errors import BadInput

    return BadInput(f"{file.name} line {number}", problem)


def _print_measures(title: str, block: dict[str, Any]) -> None:
    names = ("n", "accuracy", "accuracy_with_also", "ece")
    groups = {"all": block, **block["per_type"]}
    groups |= {f"source {name}": one for name, one in block["per_source"].items()}
    rows = [[name, *(str(one[measure]) for measure in names)] for name, one in groups.items()]
    print_table(title, ["of", *names], rows)
