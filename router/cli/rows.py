"""Rows of weights from a file."""

import json
from pathlib import Path

from channels.errors import BadInput
from router.cli.errors import wrong_usage
from router.presets import parse_rows
from router.weights import Matrix


def matrix_of(file: Path) -> Matrix:
    """The rows in a file: as `fivefold matrix show --json` prints them, or the rows alone.

    A file that holds none ends the command with what is wrong with it.
    """
    with wrong_usage():
        try:
            found = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise BadInput(file.name, f"is no JSON: {error}") from error
        rows = found.get("rows", found) if isinstance(found, dict) else found
        if rows is not found and isinstance(rows, dict):  # what is shown beside weights is no input
            rows = {kind: _weighed(row) for kind, row in rows.items()}
        return Matrix(parse_rows(rows), 0)


def _weighed(row: object) -> object:
    if not isinstance(row, dict):
        return row
    return {name: row[name] for name in ("weights", "rrf_k") if name in row}
