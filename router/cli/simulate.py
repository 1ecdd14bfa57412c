"""`fivefold simulate`: how much the learner gains from simulated people."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.options import DataDir, Json
from router.cli.output import print_json, progress

if TYPE_CHECKING:
    from router.simulate.people import User
    from router.simulate.stream import Traffic

Folder = Annotated[
    Path,
    typer.Argument(
        exists=True, file_okay=False, help="a folder with memories.jsonl and queries.jsonl"
    ),
]
Profile = Annotated[
    list[str] | None,
    typer.Option(help="natural, terse, dated, masked, weak_embedder, missing_keyword; all if none"),
]
Seeds = Annotated[int, typer.Option(min=1, help="runs of each half")]
FirstSeed = Annotated[int, typer.Option(min=0, help="the first seed")]
Impressions = Annotated[int, typer.Option(min=100, help="recalls a run")]
Person = Annotated[
    str,
    typer.Option(
        help="position, shallow, deep, careless, quiet, cascade, trusting, or FILE:MODEL of "
        "published click-model parameters"
    ),
]
Spam = Annotated[str | None, typer.Option(help="random, against or bottom: a fifth of the recalls")]
SpamActors = Annotated[int, typer.Option(min=1, help="accounts that the spam comes from")]
TypeErrors = Annotated[float, typer.Option(min=0, max=1, help="share of recalls typed wrongly")]
Rivals = Annotated[bool, typer.Option(help="also run naive credit, inverse propensity and none")]
Limit = Annotated[int | None, typer.Option(min=1, help="only the first N queries")]
Cache = Annotated[Path | None, typer.Option(help="keep the memories' vectors in this folder")]


def simulate(
    folder: Folder,
    profile: Profile = None,
    seeds: Seeds = 6,
    first_seed: FirstSeed = 100,
    impressions: Impressions = 3_000,
    person: Person = "position",
    spam: Spam = None,
    spam_actors: SpamActors = 2,
    type_errors: TypeErrors = 0.0,
    rivals: Rivals = True,
    limit: Limit = None,
    cache: Cache = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Stream half of a judged data set's questions past simulated people; score the other half."""
    from router.cli.opening import with_service
    from router.evaluate.dataset import read_dataset
    from router.simulate.profiles import PROFILES
    from router.simulate.report import markdown
    from router.simulate.simulate import CHECKPOINTS, Bed
    from router.simulate.simulate import simulate as run
    from router.wiring import Service

    chosen = profile or list(PROFILES)
    for name in chosen:
        if name not in PROFILES:
            raise typer.BadParameter(f"--profile {name}: choose from {', '.join(PROFILES)}")
    checkpoints = sorted({*(at for at in CHECKPOINTS if at < impressions), impressions})
    bed = Bed(
        profiles=chosen,
        seeds=range(first_seed, first_seed + seeds),
        checkpoints=checkpoints,
        traffic=_traffic(person, spam, spam_actors, type_errors),
        rivals=rivals,
    )
    dataset = read_dataset(folder, limit=limit)
    with progress("done") as bar:
        banks = len({name == "weak_embedder" for name in chosen})
        totals = {
            "load": banks * sum(map(len, dataset.memories.values())),
            "ask": len(chosen) * len(dataset.queries),
            "live": len(chosen) * 2 * seeds * (4 if rivals else 1),
        }
        tasks = {name: bar.add_task(name, total=total, note="") for name, total in totals.items()}

        async def act(service: Service) -> dict[str, Any]:
            return await run(
                service, dataset, bed, cache, lambda stage, n: bar.advance(tasks[stage], n)
            )

        report = with_service(data_dir, act)
    if as_json:
        print_json(report)
    else:
        typer.echo(markdown(report))


def _traffic(person: str, spam: str | None, actors: int, errors: float) -> "Traffic":
    from router.cli.errors import wrong_usage
    from router.simulate.people import SPAM
    from router.simulate.stream import Traffic

    if spam is not None and spam not in SPAM:
        raise typer.BadParameter(f"--spam {spam}: choose from {', '.join(SPAM)}")
    with wrong_usage():
        user = _user(person)
    return Traffic(
        user=user,
        spam=SPAM[spam] if spam else None,
        spam_actors=actors,
        type_errors=errors,
    )


def _user(person: str) -> "User":
    from router.simulate.people import USERS, published

    if person in USERS:
        return USERS[person]
    path, _, name = person.rpartition(":")
    if not Path(path).is_file():
        raise typer.BadParameter(f"--person {person}: choose from {', '.join(USERS)} or FILE:MODEL")
    return published(Path(path), name)
