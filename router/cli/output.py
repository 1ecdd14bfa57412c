"""What commands print: data on stdout, everything else on stderr."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.progress import Progress


def print_json(value: Any) -> None:
    """Write one JSON document to stdout."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False))


def print_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table to stdout; text from outside is printed as it is, never as markup."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left")
    for name in head:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console().print(table)


def printable(text: str) -> str:
    """The text without characters that steer a terminal; line ends and tabs become spaces."""
    spaced = text.translate({ord("\n"): " ", ord("\t"): " ", ord("\r"): " "})
    return "".join(letter if letter.isprintable() else "�" for letter in spaced)


@contextmanager
def progress(unit: str) -> Iterator["Progress"]:
    """A progress bar on stderr with counts; a task's `note` field stands behind them."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit + " {task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        yield bar
