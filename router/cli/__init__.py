"""The command line: parse, call, print. Each command imports what it needs when it runs."""

from typing import Annotated

import typer

from router.cli import doctor, evaluate, feedback, keys, matrix, memories, serve, tools, transfer
from router.cli.errors import OneLineErrors

app = typer.Typer(
    cls=OneLineErrors,
    help="Agent memory over five channels, fused by weights that fit the question.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def common(
    debug: Annotated[
        bool, typer.Option("--debug", help="before the command: show tracebacks")
    ] = False,
) -> None:
    """Agent memory over five channels, fused by weights that fit the question."""
    del debug  # read by OneLineErrors, which sees what a command raised


app.command()(serve.serve)
app.command()(memories.retain)
app.command()(memories.recall)
app.command("load-sample")(memories.load_sample)
app.command()(feedback.feedback)
app.add_typer(matrix.commands, name="matrix")
app.add_typer(keys.commands, name="keys")
app.command("eval")(evaluate.evaluate)
app.command()(tools.classify)
app.command()(tools.window)
app.command()(tools.settings)
app.command()(tools.migrate)
app.command()(doctor.doctor)
app.command()(doctor.maintain)
app.command()(transfer.export)
app.command("import")(transfer.import_)
