"""SQL of the lanes, read once, with the shared visibility condition put in its place."""

from collections.abc import Iterable
from functools import cache
from typing import LiteralString

from channels.base import Filters, MemoryKey, Question
from channels.sql_files import load

VISIBLE = "/* visible */"  # stands in a statement where channels/sql/visible.sql belongs


@cache
def statement(name: str) -> LiteralString:
    """The statement in channels/sql/<name>.sql; only our own files are joined, never input."""
    text = load("channels", name)
    return with_visibility(text)


def with_visibility(text: LiteralString) -> LiteralString:
    """A statement of a plug-in with the condition on memories `m` in the place of VISIBLE.

    Bind it to `visibility(question)` and the statement's own values.
    """
    return text.replace(VISIBLE, load("channels", "visible"))


def key_array(keys: Iterable[MemoryKey]) -> str:
    """Keys as Postgres writes a bigint[]; adapting a list item by item costs five times as much."""
    return "{" + ",".join(map(str, keys)) + "}"


def visibility(question: Question) -> dict[str, object]:
    """Bound values of visible.sql: state of the facts asked about, and the caller's filters."""
    filters: Filters = question.filters
    return {
        "bank": question.bank,
        "as_of": question.view.as_of,
        "known_at": question.view.known_at,
        "any_state": question.view.include_superseded,
        "tags": list(filters.tags),
        "topic": filters.topic,
        "kinds": list(filters.kinds),
        "speaker": filters.speaker,
        "strict_start": question.window.start if _strict(question) and question.window else None,
        "strict_end": question.window.end if _strict(question) and question.window else None,
        "strict_dated": key_array(question.dated or ()),
    }


def _strict(question: Question) -> bool:
    return question.strict_window and question.window is not None
