"""Commands that carry a bank from one store to another: export, import."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from router.cli.errors import wrong_usage
from router.cli.options import BankName, DataDir, Json
from router.cli.output import print_json, progress

if TYPE_CHECKING:
    from router.transfer.importing import Imported
    from router.transfer.manifest import Manifest
    from router.wiring import Service


def export(
    bank: BankName,
    to: Annotated[Path, typer.Option("--to", file_okay=False, help="the folder to write")],
    with_decisions: Annotated[
        bool, typer.Option("--with-decisions", help="recalls and feedback events too")
    ] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Write a bank into a folder: memories, edges, matrices and a manifest with checksums."""
    from router.cli.opening import with_service
    from router.transfer.export import export_bank

    async def act(service: "Service") -> "Manifest":
        held = await service.banks.get(bank)
        with progress("lines") as bar:
            task = bar.add_task(f"export {bank}", total=None, note="")
            return await export_bank(
                service.pool,
                held,
                to,
                with_decisions=with_decisions,
                tell=lambda name, lines: bar.update(task, completed=lines, note=name),
            )

    manifest = with_service(data_dir, act)
    if as_json:
        print_json(manifest.model_dump(mode="json"))
    else:
        counts = ", ".join(f"{count} {name}" for name, count in manifest.counts.items())
        typer.echo(f"{counts} written to {to}")


def import_(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, metavar="DIR")],
    bank: Annotated[
        str | None, typer.Option("--bank", help="the bank's name here; without it the old one")
    ] = None,
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="another model for a new bank's vectors")
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Read an exported bank; safe to repeat: what is there is skipped, nothing overwritten."""
    from router.cli.loading import bank_name
    from router.cli.opening import with_service
    from router.transfer.importing import import_bank
    from router.transfer.manifest import MEMORIES, read_manifest

    with wrong_usage():
        own = bank_name(bank) if bank is not None else None

    async def act(service: "Service") -> "Imported":
        total = read_manifest(folder).files[MEMORIES].lines
        with progress("memories") as bar:
            task = bar.add_task(f"import {folder.name}", total=total, note="")
            return await import_bank(
                service,
                folder,
                name=own,
                embedder=embedder,
                tell=lambda lines: bar.update(task, completed=lines),
            )

    _finish(with_service(data_dir, act), as_json)


def _finish(done: "Imported", as_json: bool) -> None:
    for difference in done.differences:
        typer.echo(str(difference), err=True)
    if as_json:
        print_json(asdict(done))
    elif done.different:
        typer.echo(
            f"fivefold: {done.different} differences, nothing was written; import under "
            "another name with --bank",
            err=True,
        )
    else:
        typer.echo(
            f"{done.stored} stored, {done.present} already there, {done.edges} edges and "
            f"{done.matrices} matrix versions in bank {done.bank} ({done.embedder})"
        )
        for name in done.left_out:
            typer.echo(f"{name} was checked and stays in the folder", err=True)
    if done.different:
        raise typer.Exit(1)
