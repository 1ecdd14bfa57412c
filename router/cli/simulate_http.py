"""`fivefold simulate-http`: what simulated people teach a real server, over HTTP."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from router.cli.options import DataDir, Json
from router.cli.output import print_json, progress

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from router.simulate.over_http.course import Plan

Folder = Annotated[
    Path,
    typer.Argument(
        exists=True, file_okay=False, help="a folder with memories.jsonl and queries.jsonl"
    ),
]
Profile = Annotated[
    list[str] | None,
    typer.Option(help="traffic of the banks in turn: natural, terse, dated, masked; three if none"),
]
Banks = Annotated[int, typer.Option(min=1, help="the first N banks of the data set")]
Recalls = Annotated[int, typer.Option(min=1, help="recalls of each bank")]
People = Annotated[int, typer.Option(min=1, help="who ask each bank")]
Person = Annotated[
    str,
    typer.Option(help="position, shallow, deep, careless, quiet, cascade or trusting"),
]
Seed = Annotated[int, typer.Option(min=0, help="of who asks what and clicks")]
Swap = Annotated[bool, typer.Option("--swap", help="then the halves change places, in new banks")]
Limit = Annotated[int | None, typer.Option(min=1, help="only the first N queries")]
Url = Annotated[str | None, typer.Option(help="a server that runs already; its worker must too")]
Key = Annotated[
    str | None,
    typer.Option(
        envvar="FIVEFOLD_KEY",
        help="key for that server, admin and trusted: one that is not counts for a fifth at most",
    ),
]


def simulate_http(
    folder: Folder,
    profile: Profile = None,
    banks: Banks = 3,
    recalls: Recalls = 1_500,
    people: People = 100,
    person: Person = "position",
    seed: Seed = 100,
    swap: Swap = False,
    limit: Limit = None,
    url: Url = None,
    key: Key = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Let simulated people ask a real server and report to it; score what they never asked.

    Starts a server with its worker over a folder that is deleted afterwards, unless --url names
    one. Half of the questions of each bank are asked again and again over HTTP, the other half is
    measured before and after.
    """
    from router.cli.errors import wrong_usage
    from router.evaluate.dataset import read_dataset
    from router.simulate.over_http.course import simulate
    from router.simulate.over_http.remote import Remote
    from router.simulate.over_http.told import markdown

    plan = _plan(profile, banks, recalls, people, person, seed, swap)
    dataset = read_dataset(folder, limit=limit)
    with wrong_usage():
        totals = plan.totals(dataset)
    with _server(url, data_dir) as address, Remote(address, key) as remote, progress("done") as bar:
        tasks = {name: bar.add_task(name, total=total, note="") for name, total in totals.items()}
        report = simulate(remote, dataset, plan, lambda stage, n: bar.advance(tasks[stage], n))
    if as_json:
        print_json(report)
    else:
        typer.echo(markdown(report))


def _plan(
    profile: list[str] | None,
    banks: int,
    recalls: int,
    people: int,
    person: str,
    seed: int,
    swap: bool,
) -> "Plan":
    from router.simulate.over_http.course import PROFILES, TRAFFIC, Plan
    from router.simulate.people import USERS

    for name in profile or ():
        if name not in TRAFFIC:
            raise typer.BadParameter(f"--profile {name}: choose from {', '.join(TRAFFIC)}")
    if person not in USERS:
        raise typer.BadParameter(f"--person {person}: choose from {', '.join(USERS)}")
    return Plan(profile or PROFILES, banks, recalls, people, USERS[person], seed, swap)


def _server(url: str | None, data_dir: Path | None) -> "AbstractContextManager[str]":
    from contextlib import nullcontext

    from router.simulate.over_http.process import own_server

    return own_server(data_dir) if url is None else nullcontext(url)
