"""`fivefold matrix`: the weights a bank is served with."""

from typing import TYPE_CHECKING

import typer

from router.cli.options import BankName, DataDir, Json
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from feedback.checking import Known
    from router.store.matrices import Published
    from router.weights import Matrix
    from router.wiring import Service

commands = typer.Typer(no_args_is_help=True, help="The weights a bank is served with.")


@commands.command()
def show(bank: BankName, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Print the live rows: a weight per channel and rrf_k for each type of question."""
    from router.api.shown import matrix_json
    from router.cli.learner import learned_of
    from router.cli.opening import with_service
    from router.presets import stored_rows
    from router.store.matrices import Matrices
    from router.weights import Matrix

    async def act(service: "Service") -> "tuple[Matrix, Published | None, Matrix, Known]":
        held = await service.banks.get(bank)
        head = await Matrices(service.transaction).head(held.key)
        default = service.live.default(held)
        known = await learned_of(service).known(held)
        live = default
        if head is not None:
            live = Matrix(stored_rows(head.rows, service.live.priors), head.version)
        return live, head, default, known

    matrix, head, default, known = with_service(data_dir, act)
    if as_json:
        print_json(matrix_json(matrix, head, default, known))
        return
    channels = list(next(iter(matrix.rows.values())).weights)
    rows = [
        [kind, *(f"{row.weights[name]:.2f}" for name in channels), f"{row.rrf_k:g}"]
        for kind, row in matrix.rows.items()
    ]
    print_table(f"{bank}, version {matrix.version}", ["type", *channels, "rrf_k"], rows)
