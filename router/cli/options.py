"""Options that several commands share."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="folder of the embedded server [FIVEFOLD_DATA_DIR]"),
]
Json = Annotated[bool, typer.Option("--json", help="print JSON and nothing else")]
BankName = Annotated[str, typer.Option("--bank", help="the bank's name")]
Lines = Annotated[
    Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="a file of JSON lines")
]


def moment(text: str, option: str) -> datetime:
    """The time written in ISO 8601, maybe without zone. Raises BadParameter naming the option."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        reason = f"{option}: {text!r} is no time; write ISO 8601, such as 2024-06-03T09:12:00Z"
        raise typer.BadParameter(reason) from error
