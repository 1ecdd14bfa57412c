"""The command line: parse, call, print. Each command imports what it needs when it runs."""

from typing import Annotated

import typer

from router.cli import (
    browse,
    doctor,
    evaluate,
    feedback,
    keys,
    learner,
    matrix,
    memories,
    reembed,
    serve,
    simulate,
    simulate_http,
    structure,
    tools,
    transfer,
    types,
)
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
app.command()(learner.worker)
app.command()(memories.retain)
app.command()(memories.recall)
app.command("load-sample")(memories.load_sample)
app.command()(feedback.feedback)
app.add_typer(matrix.commands, name="matrix")
app.command()(learner.policy)
app.add_typer(learner.commands, name="learner")
app.add_typer(types.commands, name="types")
app.command()(reembed.reembed)
app.command()(structure.supersede)
app.add_typer(structure.commands, name="conflicts")
app.add_typer(browse.commands, name="browse")
app.command()(browse.summarise)
app.add_typer(keys.commands, name="keys")
app.command("eval")(evaluate.evaluate)
app.command()(simulate.simulate)
app.command("simulate-http")(simulate_http.simulate_http)
app.command()(tools.classify)
app.command()(tools.window)
app.command()(tools.settings)
app.command()(tools.migrate)
app.command()(doctor.doctor)
app.command()(doctor.maintain)
app.command()(transfer.export)
app.command("import")(transfer.import_)
