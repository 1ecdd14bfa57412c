"""Commands on which memory replaced which: supersede, and conflicts list, accept, dismiss."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.options import BankName, DataDir, Json
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from router.structure.supersede import Changed
    from router.wiring import Service

commands = typer.Typer(no_args_is_help=True, help="Memories that contradict others.")
AUTHOR = "cli"
Reason = Annotated[str | None, typer.Option("--reason", help="for the audit")]
Number = Annotated[int, typer.Argument(min=1, help="the conflict's number")]


def supersede(
    memory: Annotated[str, typer.Argument(help="id of the older memory")],
    bank: BankName,
    by: Annotated[str | None, typer.Option("--by", help="id of what replaces it")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="take it back; without --by all")] = False,
    reason: Reason = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Let one memory replace another, or take that back; safe to repeat."""
    from router.cli.opening import with_service
    from router.structure.supersede import Supersessions

    if by is None and not undo:
        raise typer.BadParameter(
            "name what replaces it, or take it back with --undo", None, None, "--by"
        )

    async def act(service: "Service") -> "Changed":
        key = (await service.banks.get(bank)).key
        told = Supersessions(service.transaction)
        if undo or by is None:
            return await told.undo(key, memory, by=by, reason=reason, author=AUTHOR)
        return await told.supersede(key, memory, by, reason=reason, author=AUTHOR)

    _print_changed({"id": memory, "by": by}, with_service(data_dir, act), as_json)


@commands.command("list")
def list_conflicts(
    bank: BankName,
    state: Annotated[
        str, typer.Option("--state", help="open, accepted, dismissed, withdrawn or all")
    ] = "open",
    limit: Annotated[int, typer.Option("--limit", min=1, max=200, help="newest ones")] = 50,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print what waits for a word: the rule that fired, and both texts."""
    from router.api.shown_structure import conflict_json
    from router.cli.opening import with_service
    from router.structure.conflicts import STATES, Conflicts

    if state not in STATES:
        raise typer.BadParameter(f"{state!r} is none of {', '.join(STATES)}", None, None, "--state")

    async def act(service: "Service") -> list[dict[str, Any]]:
        held = await service.banks.get(bank)
        conflicts = Conflicts(service.transaction)
        return await conflicts.page(held.key, state=state, before=None, limit=limit)

    found = [conflict_json(row) for row in with_service(data_dir, act)]
    if as_json:
        print_json({"conflicts": found})
        return
    rows = [
        [str(one["id"]), one["rule"], one["state"], *_told(one["older"]), *_told(one["newer"])]
        for one in found
    ]
    names = ["id", "rule", "state", "older", "its text", "newer", "its text"]
    print_table(bank, names, rows)


@commands.command()
def accept(
    number: Number,
    bank: BankName,
    keep: Annotated[str | None, typer.Option("--keep", help="id; without it the newer")] = None,
    reason: Reason = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Let the newer memory, or the one kept, supersede the other."""
    _settle(number, bank, data_dir, as_json, accept=True, keep=keep, reason=reason)


@commands.command()
def dismiss(
    number: Number,
    bank: BankName,
    reason: Reason = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Let both memories stand; the pair is not brought up again."""
    _settle(number, bank, data_dir, as_json, accept=False, reason=reason)


def _settle(number: int, bank: str, data_dir: Any, as_json: bool, **word: Any) -> None:
    from router.cli.opening import with_service
    from router.structure.conflicts import Conflicts

    async def act(service: "Service") -> "Changed":
        key = (await service.banks.get(bank)).key
        return await Conflicts(service.transaction).settle(key, number, author=AUTHOR, **word)

    told = {"id": number, "accept": word["accept"]}
    _print_changed(told, with_service(data_dir, act), as_json)


def _print_changed(told: dict[str, Any], done: "Changed", as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        print_json({**told, **asdict(done)})
    elif done.changed:
        typer.echo(f"done: {done.closed} closed, {done.opened} current again")
    else:
        typer.echo("it was so already")


def _told(end: dict[str, Any]) -> tuple[str, str]:
    return end["id"], end["text"]
