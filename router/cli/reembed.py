"""`fivefold reembed`: a bank moved to another embedding model, with its progress."""

from typing import TYPE_CHECKING, Annotated

import typer

from router.cli.options import BankName, DataDir, Json
from router.cli.output import print_json, progress

if TYPE_CHECKING:
    from router.reembed.job import Progress
    from router.wiring import Service

LOOK_S = 0.5  # between two looks at how far it is


def reembed(
    bank: BankName,
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="the new model; without it go on, or just look")
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Move a bank to another model; it answers by the old one meanwhile. Stop and go on at will."""
    from router.cli.opening import with_service
    from router.reembed.job import progress as look

    async def act(service: "Service") -> str:
        import asyncio

        held = await service.banks.get(bank)
        if embedder is not None:
            config = held.config.model_copy(update={"embedder": embedder})
            await service.change_model(held, embedder)
            await service.banks.configure(held, held.title, config)
        service.reembedder.start()
        with progress("memories") as bar:
            task = bar.add_task(f"reembed {bank}", total=None, note="")
            while found := await look(service.transaction, held.key):
                bar.update(task, total=found.of, completed=found.done, note=_note(found))
                await asyncio.sleep(LOOK_S)
        service.banks.forget(bank)
        return (await service.banks.get(bank)).embedder_name

    used = with_service(data_dir, act)
    if as_json:
        print_json({"bank": bank, "embedder": used})
    else:
        typer.echo(f"{bank} uses {used}")


def _note(found: "Progress") -> str:
    return f"{found.phase} {found.problem or ''}".strip()
