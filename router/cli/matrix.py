"""`fivefold matrix`: the weights a bank is served with."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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


@commands.command()
def diff(
    bank: BankName,
    former: Annotated[
        int | None, typer.Option("--from", min=0, help="a version; 0: the default")
    ] = None,
    to: Annotated[
        int | None, typer.Option("--to", min=0, help="a version; the live one if none")
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print what one version changed beside another: the live one beside its parent if none."""
    from router.api.shown import diff_json
    from router.cli.learner import learned_of
    from router.cli.opening import with_service

    async def act(service: "Service") -> dict[str, Any]:
        held = await service.banks.get(bank)
        return diff_json(*await learned_of(service).diff(held, former, to))

    told = with_service(data_dir, act)
    if as_json:
        print_json(told)
        return
    lines = [
        [kind, name, _number(change["from"]), _number(change["to"])]
        for kind, its in told["changes"].items()
        for name, change in {**its.get("weights", {}), **_constant(its)}.items()
    ]
    title = f"{bank}, version {told['from']} to {told['to']}"
    print_table(title, ["type", "weight", "before", "after"], lines)


@commands.command()
def publish(
    bank: BankName,
    rows: Annotated[
        Path,
        typer.Option("--rows", exists=True, dir_okay=False, help="JSON of rows, all five types"),
    ],
    expected: Annotated[int, typer.Option("--expected", min=0, help="the version now live")],
    reason: Annotated[str, typer.Option("--reason", help="for the audit")],
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Make rows the live version, unless another was published; holds the bank's learner."""
    from router.cli.opening import with_service
    from router.cli.rows import matrix_of
    from router.store.matrices import Matrices

    if not reason.strip():
        raise typer.BadParameter("is empty; say why, for the audit", None, None, "--reason")
    matrix = matrix_of(rows)

    async def act(service: "Service") -> int:
        held = await service.banks.get(bank)
        version = await Matrices(service.transaction).publish(
            held.key, matrix, expected=expected, reason=reason, author="cli"
        )
        service.live.forget(held.key)
        return version

    _published(bank, with_service(data_dir, act), as_json)


@commands.command()
def rollback(
    bank: BankName,
    to: Annotated[int, typer.Option("--to", min=0, help="an earlier version; 0: the default")],
    reason: Annotated[str | None, typer.Option("--reason", help="for the audit")] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Publish the rows of an earlier version anew; holds the bank's learner."""
    from router.cli.opening import with_service
    from router.store.matrices import Matrices

    async def act(service: "Service") -> int:
        held = await service.banks.get(bank)
        default = service.live.default(held)
        version = await Matrices(service.transaction).roll_back(
            held.key, to, default, reason=reason, author="cli"
        )
        service.live.forget(held.key)
        return version

    _published(bank, with_service(data_dir, act), as_json)


def _published(bank: str, version: int, as_json: bool) -> None:
    if as_json:
        print_json({"bank": bank, "version": version})
    else:
        typer.echo(f"{bank}: version {version} is live; its learner is held (`learner state`)")


def _constant(changes: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"rrf_k": changes["rrf_k"]} if "rrf_k" in changes else {}


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
