"""`fivefold simulate`: how much the learner gains from simulated people."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from router.cli.options import DataDir, Json
from router.cli.output import print_json, progress

if TYPE_CHECKING:
    from router.evaluate.dataset import Dataset
    from router.simulate.gathering import Advance, Folders, Pool
    from router.simulate.people import User
    from router.simulate.simulate import Bed
    from router.simulate.stream import Traffic

Folder = Annotated[
    Path,
    typer.Argument(
        exists=True, file_okay=False, help="a folder with memories.jsonl and queries.jsonl"
    ),
]
Profile = Annotated[
    list[str] | None,
    typer.Option(
        help="natural, terse, dated, masked, weak_embedder, missing_keyword, wrong_dates, "
        "wrong_words; all if none"
    ),
]
Study = Annotated[
    list[str] | None,
    typer.Option(
        help="bars (the learner beside its rivals; if none), scenarios (spam, other people, wrong "
        "types), switch (a lane breaks), fleet (a new bank), judging (rows from the log alone), "
        "collusion (twenty accounts that agree)"
    ),
]
Seeds = Annotated[int, typer.Option(min=1, help="runs of each half")]
FirstSeed = Annotated[int, typer.Option(min=0, help="the first seed")]
Impressions = Annotated[int, typer.Option(min=100, help="recalls a run of the bars")]
Person = Annotated[
    str,
    typer.Option(
        help="position, steep, shallow, deep, careless, quiet, cascade, trusting, or FILE:MODEL of "
        "published click-model parameters"
    ),
]
Actors = Annotated[int, typer.Option(min=1, help="people that the recalls come from")]
Spam = Annotated[
    str | None, typer.Option(help="random, against, bottom or lane: a fifth of the recalls")
]
SpamActors = Annotated[int, typer.Option(min=1, help="accounts that the spam comes from")]
TypeErrors = Annotated[float, typer.Option(min=0, max=1, help="share of recalls typed wrongly")]
Rivals = Annotated[bool, typer.Option(help="also run naive credit, inverse propensity and none")]
Limit = Annotated[int | None, typer.Option(min=1, help="only the first N queries")]
Cache = Annotated[Path | None, typer.Option(help="keep the memories' vectors in this folder")]
Cases = Annotated[
    Path | None,
    typer.Option(help="keep what the lanes answered in this folder; empty it when they changed"),
]
Start = Annotated[
    str, typer.Option(help="rows that banks begin with: default, published, uniform, cascade")
]
Report = Annotated[Path | None, typer.Option(help="also write the report as JSON to this file")]
Enforce = Annotated[bool, typer.Option("--enforce", help="fail when a bar is missed")]


def simulate(
    folder: Folder,
    profile: Profile = None,
    study: Study = None,
    seeds: Seeds = 6,
    first_seed: FirstSeed = 100,
    impressions: Impressions = 3_000,
    person: Person = "position",
    actors: Actors = 100,
    spam: Spam = None,
    spam_actors: SpamActors = 2,
    type_errors: TypeErrors = 0.0,
    rivals: Rivals = True,
    start: Start = "default",
    limit: Limit = None,
    cache: Cache = None,
    cases: Cases = None,
    report: Report = None,
    enforce: Enforce = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Stream half of a judged data set's questions past simulated people; score the other half."""
    from router.evaluate.dataset import read_dataset
    from router.simulate.gathering import Folders
    from router.simulate.profiles import PROFILES
    from router.simulate.report import markdown
    from router.simulate.simulate import CHECKPOINTS, STUDIES, Bed
    from router.simulate.simulate import simulate as run
    from router.simulate.verdict import verdict

    bed = Bed(
        profiles=_chosen("--profile", profile, PROFILES) or list(PROFILES),
        studies=_chosen("--study", study, STUDIES) or ["bars"],
        seeds=range(first_seed, first_seed + seeds),
        checkpoints=sorted({*(at for at in CHECKPOINTS if at < impressions), impressions}),
        traffic=_traffic(person, actors, spam, spam_actors, type_errors),
        rivals=rivals,
    )
    dataset = read_dataset(folder, limit=limit)
    with progress("done") as bar:
        tasks = {name: bar.add_task(name, total=None, note="") for name in ("load", "ask", "live")}

        def advance(stage: str, count: int) -> None:
            bar.advance(tasks[stage], count)

        pools = _pools(data_dir, dataset, bed, Folders(cache, cases), advance, start)
        found = run(dataset.name, pools, bed, advance)
    if report is not None:
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(json.dumps(found, indent=1), "utf-8")
    if as_json:
        print_json(found)
    else:
        typer.echo(markdown(found))
    if enforce and not all(one.is_met for one in verdict(found)):
        raise typer.Exit(1)


def _pools(
    data_dir: Path | None,
    dataset: "Dataset",
    bed: "Bed",
    folders: "Folders",
    advance: "Advance",
    start: str,
) -> dict[str, "Pool"]:
    from router.cli.opening import with_service
    from router.simulate.gathering import pools
    from router.wiring import Service

    async def act(service: Service) -> dict[str, "Pool"]:
        return await pools(service, dataset, bed.asked, folders, advance, start=start)

    return with_service(data_dir, act)


def _chosen(option: str, given: list[str] | None, known: Collection[str]) -> list[str]:
    for name in given or ():
        if name not in known:
            raise typer.BadParameter(f"{option} {name}: choose from {', '.join(known)}")
    return given or []


def _traffic(
    person: str, actors: int, spam: str | None, spam_actors: int, type_errors: float
) -> "Traffic":
    from router.cli.errors import wrong_usage
    from router.simulate.spam import SPAM
    from router.simulate.stream import Traffic

    if spam is not None and spam not in SPAM:
        raise typer.BadParameter(f"--spam {spam}: choose from {', '.join(SPAM)}")
    with wrong_usage():
        user = _user(person)
    return Traffic(user, actors, spam=spam, spam_actors=spam_actors, type_errors=type_errors)


def _user(person: str) -> "User":
    from router.simulate.people import USERS, published

    if person in USERS:
        return USERS[person]
    path, _, name = person.rpartition(":")
    if not Path(path).is_file():
        raise typer.BadParameter(f"--person {person}: choose from {', '.join(USERS)} or FILE:MODEL")
    return published(Path(path), name)
