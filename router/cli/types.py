"""`fivefold types`: what people's corrections add to the classifier of a bank."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.options import BankName, DataDir, Json
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from router.wiring import Service

commands = typer.Typer(no_args_is_help=True, help="Corrections of types and what they add.")
AUTHOR = "cli"  # whoever can run it owns the database


@commands.command()
def show(bank: BankName, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Print the layer learnt from corrections: its room, its voices, its effect."""
    from router.api.shown_types import layer_json
    from router.cli.opening import with_service
    from router.store.type_corrections import TypeCorrections

    async def act(service: "Service") -> dict[str, Any]:
        held = await service.banks.get(bank)
        return layer_json(*await TypeCorrections(service.transaction).standing(held.key))

    shown = with_service(data_dir, act)
    if as_json:
        print_json(shown)
        return
    effect = shown["effect"] or {}
    names = ("active", "counted", "evidence", "room", "cap")
    rows = [[name, str(shown[name])] for name in names]
    rows += [[name, str(value)] for name, value in effect.items()]
    print_table(f"{bank}, deed {shown['number']}", ["what", "value"], rows)


@commands.command()
def corrections(
    bank: BankName,
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="newest ones")] = 20,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print what was said of types: who, when, and what it did to its own question."""
    from router.api.shown_types import deed_json
    from router.cli.opening import with_service
    from router.store.type_corrections import Deed, TypeCorrections

    async def act(service: "Service") -> list[Deed]:
        held = await service.banks.get(bank)
        deeds = TypeCorrections(service.transaction)
        return await deeds.page(held.key, before=None, limit=limit)

    found = [deed_json(deed) for deed in with_service(data_dir, act)]
    if as_json:
        print_json({"corrections": found})
        return
    names = ("number", "deed", "recall_id", "type", "author", "at")
    rows = [[str(deed[name] or "") for name in names] for deed in found]
    print_table(bank, list(names), rows)


@commands.command()
def correct(
    recall_id: Annotated[str, typer.Argument(help="the recall that was typed wrongly")],
    kind: Annotated[str, typer.Argument(help="its type, or `none` to take a correction back")],
    bank: BankName,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Say what type a question really was; the bank's layer learns from it."""
    from dataclasses import asdict

    from router.cli.errors import wrong_usage
    from router.cli.opening import with_service
    from router.evaluate.classification import type_name
    from router.store.type_corrections import Corrected, TypeCorrections, Voice

    with wrong_usage():
        chosen = None if kind == "none" else type_name(kind, "kind")

    async def act(service: "Service") -> Corrected:
        held = await service.banks.get(bank)
        deeds = TypeCorrections(service.transaction)
        return await deeds.correct(held.key, recall_id, chosen, Voice(AUTHOR, True))

    done = with_service(data_dir, act)
    if as_json:
        print_json({"recall_id": recall_id, "corrected_type": chosen, **asdict(done)})
        return
    rows = [[name, f"{done.before[name]:.3f}", f"{done.after[name]:.3f}"] for name in done.before]
    print_table(recall_id, ["type", "before", "after"], rows)


@commands.command()
def reset(bank: BankName, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Let no correction made so far count any more; they stay in the list."""
    from router.cli.opening import with_service
    from router.store.type_corrections import TypeCorrections, Voice

    async def act(service: "Service") -> int:
        held = await service.banks.get(bank)
        return await TypeCorrections(service.transaction).reset(held.key, Voice(AUTHOR, True))

    number = with_service(data_dir, act)
    if as_json:
        print_json({"number": number, "active": False})
    else:
        typer.echo(f"{bank}: types are the classifier's own again (deed {number})")


@commands.command()
def rebuild(bank: BankName, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Learn the layer anew from the stored corrections and say whether it was so already."""
    from router.cli.opening import with_service
    from router.store.type_corrections import TypeCorrections
    from router.understand.layer import Layer

    async def act(service: "Service") -> tuple[Layer, bool]:
        held = await service.banks.get(bank)
        return await TypeCorrections(service.transaction).rebuild(held.key)

    layer, same = with_service(data_dir, act)
    if as_json:
        print_json({"number": layer.number, "counted": layer.counted, "same": same})
    else:
        state = "as it was" if same else "changed"
        typer.echo(f"{bank}: learnt from {layer.counted} corrections, {state}")
