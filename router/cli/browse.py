"""Commands that walk a bank without a question, and `summarise`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.options import BankName, DataDir, Json, moment
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from router.structure.pyramids.making import Refreshed
    from router.structure.topics import Topic
    from router.wiring import Service

commands = typer.Typer(no_args_is_help=True, help="Walk a bank without a question.")
Limit = Annotated[int, typer.Option("--limit", min=1, max=200, help="most entries")]
OfTopic = Annotated[str | None, typer.Option("--topic", help="this dotted path or below it")]
State = Annotated[str, typer.Option("--state", help="current, superseded or all")]


@commands.command()
def topics(
    bank: BankName,
    prefix: Annotated[
        str | None, typer.Option("--prefix", help="dotted path to look below")
    ] = None,
    levels: Annotated[int, typer.Option("--levels", min=1, max=4, help="levels shown")] = 2,
    limit: Limit = 50,
    state: State = "current",
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print the tree of topics: memories on each, and with those below."""
    from router.api.shown_browse import topic_json
    from router.structure.browse import Browser

    async def act(service: "Service") -> "Topic":
        held = await service.banks.get(bank)
        tree, _ = await Browser(service.transaction).topics(
            held.key, prefix=prefix, levels=levels, after=None, limit=limit, state=_state(state)
        )
        return tree

    tree = _with_service(data_dir, act)
    if as_json:
        print_json(topic_json(tree))
        return
    print_table(bank, ["topic", "memories", "with those below", "first", "last"], _rows(tree))


@commands.command()
def episodes(
    bank: BankName,
    topic: OfTopic = None,
    entity: Annotated[str | None, typer.Option("--entity", help="that mention it")] = None,
    limit: Limit = 50,
    state: State = "current",
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print episodes, the latest first."""
    from router.api.shown_browse import episode_json
    from router.structure.browse import Browser, Walked

    async def act(service: "Service") -> Walked:
        held = await service.banks.get(bank)
        return await Browser(service.transaction).episodes(
            held.key, topic=topic, entity=entity, after=None, limit=limit, state=_state(state)
        )

    found = [episode_json(row) for row in _with_service(data_dir, act).rows]
    _print(bank, "episodes", found, as_json)


@commands.command()
def entities(
    bank: BankName,
    prefix: Annotated[str | None, typer.Option("--prefix", help="how the name begins")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="person, thing, …")] = None,
    limit: Limit = 50,
    state: State = "current",
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print entities, the most mentioned first."""
    from router.api.shown_browse import entity_json
    from router.structure.browse import Browser, Walked

    async def act(service: "Service") -> Walked:
        held = await service.banks.get(bank)
        return await Browser(service.transaction).entities(
            held.key, prefix=prefix, kind=kind, after=None, limit=limit, state=_state(state)
        )

    found = [entity_json(row) for row in _with_service(data_dir, act).rows]
    _print(bank, "entities", found, as_json)


@commands.command()
def days(
    bank: BankName,
    topic: OfTopic = None,
    before: Annotated[str | None, typer.Option("--before", help="days before this one")] = None,
    tz: Annotated[str | None, typer.Option("--tz", help="IANA time zone, else the bank's")] = None,
    limit: Limit = 50,
    state: State = "current",
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print days on which memories happened, the latest first, and their summaries."""
    from router.api.shown_browse import day_json
    from router.structure.browse import Browser, Walked

    day = moment(before, "--before").date() if before else None

    async def act(service: "Service") -> Walked:
        held = await service.banks.get(bank)
        return await Browser(service.transaction).days(
            held.key, timezone=tz or held.config.timezone, own_timezone=held.config.timezone,
            topic=topic, before=day, start=None, end=None, limit=limit, state=_state(state),
        )  # fmt: skip

    found = [day_json(row) for row in _with_service(data_dir, act).rows]
    _print(bank, "days", found, as_json)


def summarise(bank: BankName, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Make the summaries of a bank that are due, now; safe to repeat and beside a server."""
    from dataclasses import asdict

    async def act(service: "Service") -> "Refreshed":
        return await service.summariser.refresh(await service.banks.get(bank))

    done = asdict(_with_service(data_dir, act))
    if as_json:
        print_json(done)
    else:
        typer.echo(", ".join(f"{count} {name.replace('_', ' ')}" for name, count in done.items()))


def _with_service(data_dir: Any, act: Any) -> Any:
    from router.cli.opening import with_service

    return with_service(data_dir, act)


def _state(name: str) -> str:
    from router.structure.browse import STATES

    if name not in STATES:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(STATES)}", None, None, "--state")
    return name


def _rows(tree: "Topic", depth: int = 0) -> list[list[str]]:
    """The tree as rows, each topic below the one it lies in."""
    name = tree.path or "(all; own: without a topic)"
    span = [str(time.date()) if time else "" for time in (tree.first, tree.last)]
    lines = [["  " * depth + name, str(tree.memories), str(tree.total), *span]]
    for topic in tree.topics:
        lines += _rows(topic, depth + 1)
    return lines


def _print(bank: str, name: str, found: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json({name: found})
        return
    head = list(found[0]) if found else ["nothing"]
    rows = [["" if value is None else str(value) for value in one.values()] for one in found]
    print_table(bank, head, rows)
