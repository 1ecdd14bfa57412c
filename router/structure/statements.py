"""SQL of this package, read once."""

from functools import cache
from typing import LiteralString

from channels.sql_files import load


@cache
def statement(name: str) -> LiteralString:
    """The statement in router/structure/sql/<name>.sql."""
    return load("router.structure", name)
