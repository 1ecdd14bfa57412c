"""Public data sets in the form that `fivefold eval` reads: `python -m bench.convert SET FILE DIR`.

Writes memories.jsonl and queries.jsonl into DIR, which `fivefold eval DIR` takes as it is. Nothing
is downloaded; what the source leaves unusable is counted and told, never dropped in silence.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bench import convert_locomo, convert_longmemeval
from bench.converted import Converted
from channels.errors import BadInput


def main(words: list[str] | None = None) -> int:
    """Convert one file; 0 when done, 1 when it cannot be read."""
    given = _parser().parse_args(words)
    try:
        source = read_json(given.file)
        only = frozenset(given.only or ()) | (read_ids(given.ids) if given.ids else frozenset())
        if given.set == "locomo":
            found = convert_locomo.convert(source, only)
        else:
            found = convert_longmemeval.convert(source, only, haystack=given.haystack)
        write(given.out, found)
    except (BadInput, OSError) as error:
        print(f"convert: {error}", file=sys.stderr)
        return 1
    print(f"{len(found.memories)} memories, {len(found.queries)} queries written to {given.out}")
    for reason, count in sorted(found.left_out.items()):
        print(f"left out: {count} {reason}", file=sys.stderr)
    return 0


def read_json(path: Path) -> object:
    """The document in the file. Raises BadInput for what is no JSON, OSError without a file."""
    try:
        return json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise BadInput(path.name, f"is no JSON ({error}); get the file again") from error


def read_ids(path: Path) -> frozenset[str]:
    """The ids in a file, one a line."""
    return frozenset(line.strip() for line in path.read_text("utf-8").splitlines() if line.strip())


def write(folder: Path, found: Converted) -> None:
    """Put both files into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_lines(folder / "memories.jsonl", found.memories)
    _write_lines(folder / "queries.jsonl", found.queries)


def _write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    partial = path.with_name(f"{path.name}.partial")
    with partial.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    partial.rename(path)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.convert", description=__doc__)
    sets = parser.add_subparsers(dest="set", required=True)
    locomo = sets.add_parser("locomo", help="locomo10.json of github.com/snap-research/locomo")
    longmemeval = sets.add_parser(
        "longmemeval",
        help="longmemeval_oracle.json or _s.json of github.com/xiaowu0162/LongMemEval",
    )
    for one in (locomo, longmemeval):
        one.add_argument("file", type=Path)
        one.add_argument("out", type=Path, metavar="DIR")
        one.add_argument("--only", action="append", metavar="ID", help="this dialogue or question")
        one.add_argument("--ids", type=Path, help="a file that names them, one a line")
        one.set_defaults(haystack=False)
    longmemeval.add_argument(
        "--haystack", action="store_true", help="every turn, and a bank a question"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
