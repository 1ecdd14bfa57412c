"""Errors of the command line: one line on stderr, exit code 1 failed or 2 wrong usage."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from channels.errors import BadInput, RecallError

# The class above all usage errors; its module differs between typer releases.
USAGE: type[Any] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")
INTERRUPTED = 130  # as shells count a process ended by Ctrl-C


class OneLineErrors(TyperGroup):
    """Commands whose errors are one line; with --debug a failure shows its traceback."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        options["standalone_mode"] = False
        words = list(sys.argv[1:] if args is None else args)
        try:
            code = super().main(words, *rest, **options)
            if code == INTERRUPTED:  # typer has caught the KeyboardInterrupt
                _say("interrupted")
        except USAGE as error:
            _say(error.format_message())
            code = error.exit_code
        except (typer.Abort, KeyboardInterrupt):
            _say("interrupted")
            code = INTERRUPTED
        except (RecallError, OSError) as error:
            if words[:1] == ["--debug"]:
                raise
            _say(" ".join(str(error).split()))
            code = 1
        sys.exit(code if isinstance(code, int) else 0)


@contextmanager
def wrong_usage() -> Iterator[None]:
    """Turns BadInput into an error of usage, where all input comes from the command line."""
    try:
        yield
    except BadInput as error:
        raise typer.BadParameter(str(error)) from error


def _say(message: str) -> None:
    typer.echo(message if "\n" in message else f"fivefold: {message}", err=True)
