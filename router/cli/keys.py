"""`fivefold keys`: who may call the API."""

from typing import TYPE_CHECKING, Annotated

import typer

from router.cli.options import DataDir, Json
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from router.store.keys import ApiKey
    from router.wiring import Service

commands = typer.Typer(no_args_is_help=True, help="Who may call the API.")

Scopes = Annotated[
    list[str],
    typer.Option("--scope", help="recall, retain, feedback or admin; may be given several times"),
]


@commands.command()
def create(
    name: Annotated[str, typer.Option("--name", help="whose key it is")],
    scope: Scopes,
    banks: Annotated[str, typer.Option("--banks", help="pattern over bank names")] = "*",
    trusted: Annotated[
        bool, typer.Option("--trusted", help="its explicit signals count more")
    ] = False,
    no_explore: Annotated[
        bool, typer.Option("--no-explore", help="its recalls get the learned rows, unvaried")
    ] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Make a key and print it: it is shown this once."""
    from router.cli.errors import wrong_usage
    from router.cli.opening import with_service
    from router.store.keys import KeyStore

    async def act(service: "Service") -> tuple[str, str]:
        with wrong_usage():
            keys = KeyStore(service.transaction)
            return await keys.create(name, scope, banks, trusted, explores=not no_explore)

    key_id, text = with_service(data_dir, act)
    if as_json:
        print_json({"id": key_id, "key": text})
    else:
        typer.echo(text)
        typer.echo("Keep it: it cannot be shown again.", err=True)


@commands.command("list")
def list_keys(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Print all keys, revoked ones too; their secrets are not kept anywhere."""
    from router.cli.opening import with_service
    from router.store.keys import KeyStore

    async def act(service: "Service") -> "list[ApiKey]":
        return await KeyStore(service.transaction).list()

    shown = [
        {
            "id": key.id,
            "name": key.name,
            "scopes": list(key.scopes),
            "banks": key.banks,
            "trusted": key.trusted,
            "explores": key.explores,
            "created_at": key.created_at.isoformat(),
            "revoked_at": key.revoked_at.isoformat() if key.revoked_at else None,
        }
        for key in with_service(data_dir, act)
    ]
    if as_json:
        print_json(shown)
        return
    head = ["id", "name", "scopes", "banks", "trusted", "explores", "created_at", "revoked_at"]
    rows = [[_cell(key[column]) for column in head] for key in shown]
    print_table("keys", head, rows)


@commands.command()
def revoke(
    key_id: Annotated[str, typer.Argument(help="the id that list shows")],
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """End a key; servers notice within two seconds."""
    from router.cli.opening import with_service
    from router.store.keys import KeyStore

    async def act(service: "Service") -> None:
        await KeyStore(service.transaction).revoke(key_id)

    with_service(data_dir, act)
    if as_json:
        print_json({"id": key_id, "revoked": True})
    else:
        typer.echo(f"{key_id} is revoked")


def _cell(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
