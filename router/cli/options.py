"""Options that several commands share."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from router.written import is_moment, refusal

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
    """The time written as the API takes it. Raises BadParameter naming the option."""
    try:
        if is_moment(text):
            return datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(f"{option}: {text!r} {refusal(text)} ({error})") from error
    raise typer.BadParameter(f"{option}: {text!r} {refusal(text)}")
