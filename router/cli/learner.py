"""`fivefold worker`, `policy` and `learner`: what is learnt from feedback, and how to stop it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.options import BankName, DataDir, Json
from router.cli.output import print_json, print_table

if TYPE_CHECKING:
    from feedback.replay import Replay
    from router.learned import Forgotten, Learned
    from router.store.banks import Bank
    from router.wiring import Service

commands = typer.Typer(no_args_is_help=True, help="What a bank has learnt from feedback.")
STATES = ("on", "frozen", "shadow")


def worker(data_dir: DataDir = None) -> None:
    """Learn from closed recalls until interrupted; several may run beside each other."""
    from router.cli.opening import with_service

    with_service(data_dir, _learn)


def policy(
    bank: BankName,
    rows: Annotated[
        Path | None,
        typer.Option("--rows", exists=True, dir_okay=False, help="JSON of rows to compare too"),
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print what the live, default and last matrix are worth, by what people did."""
    from router.cli.opening import with_service
    from router.cli.rows import matrix_of

    given = None if rows is None else matrix_of(rows)

    async def act(service: "Service") -> dict[str, Any]:
        return await learned_of(service).policy(await service.banks.get(bank), given)

    told = with_service(data_dir, act)
    if as_json:
        print_json(told)
        return
    names = ["matrix", "doubly robust", "affine IPS", "effective", "coverage", "verdict"]
    lines = [
        [
            name,
            _interval(one["dr"]),
            _interval(one["affine_ips"]),
            f"{one['effective']:.0f}",
            f"{one['coverage']:.2f}",
            one["verdict"],
        ]
        for name, one in told["policies"].items()
    ]
    title = f"{bank}: DCG at 10 over the default, {told['impressions']} recalls"
    print_table(title, names, lines)


@commands.command()
def state(
    bank: BankName,
    to: Annotated[
        str | None, typer.Option("--set", help="on, frozen, or shadow: say what it would do")
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="for the audit")] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Print whether a bank's learner publishes, why, and its last batch; or change it."""
    from router.api.shown_learner import learner_json
    from router.cli.opening import with_service

    if to is not None and to not in STATES:
        raise typer.BadParameter(f"{to!r} is none of {', '.join(STATES)}", None, None, "--set")

    async def act(service: "Service") -> dict[str, Any]:
        held, learned = await service.banks.get(bank), learned_of(service)
        if to is not None:
            why = f"{to} by cli" + (f": {reason}" if reason else "")
            await learned.set_state(held, to, why)  # type: ignore[arg-type] # one of STATES
        return learner_json(await learned.known(held))

    told = with_service(data_dir, act)
    if as_json:
        print_json(told)
        return
    last = told.pop("last") or {}
    names = ("at", "recalls", "impressions", "events", "version", "reason")
    lines = [[name, str(told[name] or "")] for name in told]
    lines += [[f"last {name}", str(last[name])] for name in names if name in last]
    print_table(bank, ["what", "value"], lines)


@commands.command("replay")
def replay_log(
    bank: Annotated[str | None, typer.Option("--bank", help="the bank's name; all without")] = None,
    without_actor: Annotated[
        str | None,
        typer.Option("--without-actor", help="delete this actor's events and learn the rest anew"),
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Learn the log anew and check state and versions, bit for bit; exit code 1 if any differs."""
    from router.api.shown_learner import replay_json
    from router.cli.opening import with_service

    if without_actor is not None:
        if bank is None:
            raise typer.BadParameter("name the bank too", None, None, "--bank")
        _forget(bank, without_actor, data_dir, as_json)
        return

    async def act(service: "Service") -> "dict[str, Replay]":
        banks: list[Bank] = (
            await service.banks.list() if bank is None else [await service.banks.get(bank)]
        )
        return {one.name: await learned_of(service).replay(one) for one in banks}

    found = with_service(data_dir, act)
    if as_json:
        print_json({name: replay_json(one) for name, one in found.items()})
    else:
        lines = [
            [
                name,
                str(one.batches),
                str(one.impressions),
                str(len(one.checked)),
                ", ".join(map(str, one.differing)) or "none",
                "same" if one.same_state else "differs",
            ]
            for name, one in found.items()
        ]
        names = ["bank", "batches", "impressions", "versions", "differing", "state"]
        print_table("replay", names, lines)
    if not all(one.is_exact for one in found.values()):
        raise typer.Exit(1)


def _forget(bank: str, actor: str, data_dir: Any, as_json: bool) -> None:
    from router.cli.opening import with_service

    async def act(service: "Service") -> "Forgotten":
        return await learned_of(service).forget_actor(await service.banks.get(bank), actor)

    done = with_service(data_dir, act)
    version = done.step.done.version
    told = {
        "actor": actor,
        "events": done.events,
        "recalls": done.recalls,
        "batch": done.step.batch.batch,
        "version": version,
        "outcome": done.step.done.outcome,
    }
    if as_json:
        print_json(told)
    else:
        rows = "rows unchanged" if version is None else f"version {version} published"
        typer.echo(f"{done.events} events deleted, {done.recalls} recalls no evidence now; {rows}")


def learned_of(service: "Service") -> "Learned":
    """What banks have learnt."""
    from router.learned import Learned

    return Learned(service.transaction, service.live, fleet=service.settings.fleet_prior)


def _interval(value: dict[str, float]) -> str:
    return f"{value['mean']:+.4f} [{value['low']:+.4f}, {value['high']:+.4f}]"


async def _learn(service: "Service") -> None:
    import asyncio
    import signal

    from router.learning import learning

    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    async with learning(service.transaction, service.settings):
        typer.echo("fivefold learns; interrupt to stop")
        await stopped.wait()
