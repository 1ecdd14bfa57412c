"""docs/checklist.md is whole, and no row claims what no test shows."""

import ast
import re
from functools import cache

import pytest

from tests.docs.snippets import ROOT

TEXT = (ROOT / "docs" / "checklist.md").read_text("utf-8")
ROW = re.compile(r"^\| (\d-\d\d) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
ROWS = ROW.findall(TEXT)
SIZES = {0: 27, 1: 45, 2: 25, 3: 43, 4: 13}


@cache
def functions(file: str) -> frozenset[str]:
    """The test functions at the top of a module."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(one.name for one in tree.body if isinstance(one, kinds))


def test_every_row_is_there_once_and_in_order() -> None:
    expected = [f"{part}-{n:02}" for part, size in SIZES.items() for n in range(1, size + 1)]
    assert len(expected) == 153
    assert [row[0] for row in ROWS] == expected


@pytest.mark.parametrize(("name", "capability", "state"), ROWS, ids=[row[0] for row in ROWS])
def test_row_says_what_it_may(name: str, capability: str, state: str) -> None:
    tests = TEST.findall(state)
    if state.startswith("yes: "):
        assert tests, f"{name} names no test"
    else:
        assert state.startswith(("not yet", "no: ", "[position](trade-offs.md#")), state
    for file, function in tests:
        assert function in functions(file), f"{name}: {file}::{function}"


def test_counts_above_the_table_are_those_of_the_table() -> None:
    starts = {"yes": "yes", "not yet": "not yet", "no": "no:", "positions": "[position]"}
    for word, start in starts.items():
        count = sum(state.startswith(start) for _, _, state in ROWS)
        assert f"{count} {word}" in TEXT
