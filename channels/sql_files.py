"""Statements read from the .sql files beside the package that runs them."""

from functools import cache
from importlib.resources import files
from typing import LiteralString


@cache
def load(package: str, name: str) -> LiteralString:
    """Return the text of `<package>/sql/<name>.sql`, read once.

    LiteralString, because the text is ours, not a caller's: psycopg takes it as it is. Raises
    FileNotFoundError for a name that does not exist.
    """
    return (files(package) / "sql" / f"{name}.sql").read_text(encoding="utf-8")
