"""`fivefold eval`: quality on a judged data set."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from router.cli.options import DataDir, Json
from router.cli.output import print_json, progress

if TYPE_CHECKING:
    from router.weights import Matrix

Folder = Annotated[
    Path,
    typer.Argument(
        exists=True, file_okay=False, help="a folder with memories.jsonl and queries.jsonl"
    ),
]
Rows = Annotated[
    str | None,
    typer.Option(
        help="weigh by a preset (default, published, uniform, ...) or a JSON file of rows"
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, help="only the first N queries")]
Cache = Annotated[Path | None, typer.Option(help="keep the memories' vectors in this folder")]
Dump = Annotated[Path | None, typer.Option(help="write every channel's run per query to this file")]


def evaluate(
    folder: Folder,
    rows: Rows = None,
    limit: Limit = None,
    cache: Cache = None,
    dump: Dump = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Load a data set into scratch banks, recall every query, and print what each system scores."""
    from router.cli.opening import settings_with, with_service
    from router.evaluate.dataset import read_dataset
    from router.evaluate.evaluate import Options
    from router.evaluate.evaluate import evaluate as measure
    from router.evaluate.report import markdown
    from router.wiring import Service

    options = Options(rows or "live", _rows(rows, settings_with(data_dir).embedder), cache, dump)
    dataset = read_dataset(folder, limit=limit)

    with progress("done") as bar:
        memories = sum(map(len, dataset.memories.values()))
        tasks = {
            "load": bar.add_task("load", total=memories, note=""),
            "ask": bar.add_task("ask", total=len(dataset.queries), note=""),
        }

        async def act(service: Service) -> dict[str, Any]:
            return await measure(
                service, dataset, options, lambda stage, count: bar.advance(tasks[stage], count)
            )

        report = with_service(data_dir, act)
    if as_json:
        print_json(report)
    else:
        typer.echo(markdown(report))


def _rows(given: str | None, embedder: str) -> "Matrix | None":
    """The rows of that preset or file; None when none were given. Wrong ones are wrong usage."""
    import json

    from router.cli.errors import wrong_usage
    from router.presets import parse_rows, preset
    from router.weights import Matrix

    if given is None:
        return None
    path = Path(given)
    with wrong_usage():
        if not path.is_file():
            return preset(given, embedder)
        try:
            stored = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise typer.BadParameter(f"--rows: {given} is not JSON ({error})") from error
        found = stored.get("rows", stored) if isinstance(stored, dict) else None
        if not isinstance(found, dict) or not all(isinstance(row, dict) for row in found.values()):
            raise typer.BadParameter(f'--rows: {given} holds no {{"rows": {{type: row}}}}')
        return Matrix(parse_rows(found), version=0)
