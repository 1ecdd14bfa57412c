"""JSON lines read one by one, so that a bad line costs only itself."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank: its number from 1, and its value or why it has none."""

    number: int
    value: Any
    problem: str | None = None


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of a file in order, read as they are asked for. Raises OSError."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if raw.strip():
                yield _line(number, raw)


def _line(number: int, raw: bytes) -> Line:
    try:
        return Line(number, json.loads(raw.decode("utf-8"), parse_constant=_refuse))
    except UnicodeDecodeError as error:
        return Line(number, None, f"is not UTF-8 at byte {error.start}; save the file as UTF-8")
    except json.JSONDecodeError as error:
        problem = f"is not JSON at column {error.colno} ({error.msg}); mend or remove it"
        return Line(number, None, problem)
    except RecursionError:
        return Line(number, None, "is nested too deeply; flatten it")
    except ValueError as error:
        return Line(number, None, f"{error}; mend or remove it")


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"holds {name}, which is no JSON number")
