"""What the command line's tests share: a way to call it, and a database it finds."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog
from typer.testing import CliRunner, Result

Call = Callable[..., Result]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    """Calls `fivefold` with these words."""
    from router.cli import app

    monkeypatch.setenv("COLUMNS", "200")
    runner = CliRunner()
    yield lambda *words: runner.invoke(app, [str(word) for word in words])
    structlog.reset_defaults()


@pytest.fixture
def stored(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database of this test's own, found through the environment as a user's is."""
    monkeypatch.setenv("FIVEFOLD_DATABASE_URL", database)
    return database


@pytest.fixture
def jsonl(tmp_path: Path) -> Callable[[list[object]], Path]:
    """Writes a file of JSON lines; a text is written as it is."""

    def write(rows: list[object]) -> Path:
        path = tmp_path / "rows.jsonl"
        texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path.write_text("\n".join(texts) + "\n", "utf-8")
        return path

    return write


@pytest.fixture(autouse=True)
def _no_loop_left() -> Iterator[None]:
    yield
    asyncio.set_event_loop(None)
