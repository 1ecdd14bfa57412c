"""A bank's structure as JSON: each entry with its counts, and its first and last time."""

from collections.abc import Mapping
from typing import Any

from router.api.moments import moment
from router.structure.topics import Topic

Row = Mapping[str, Any]


def topic_json(topic: Topic) -> dict[str, Any]:
    """A topic with those below it."""
    return {
        "topic": topic.path,
        "memories": topic.memories,
        "total": topic.total,
        "first": moment(topic.first),
        "last": moment(topic.last),
        "topics": [topic_json(one) for one in topic.topics],
        "has_more": topic.has_more,
    }


def episode_json(row: Row) -> dict[str, Any]:
    """An episode as listed."""
    return {"episode": row["episode"], "memories": row["memories"], **_span(row)}


def entity_json(row: Row) -> dict[str, Any]:
    """An entity as listed."""
    named = {"entity": row["name"], "kind": row["kind"] or None}
    return {**named, "memories": row["memories"], **_span(row)}


def day_json(row: Row) -> dict[str, Any]:
    """A day as listed."""
    day = {"day": row["day"].isoformat(), "memories": row["memories"]}
    return {**day, **_span(row), "summary": row["id"]}


def _span(row: Row) -> dict[str, Any]:
    return {"first": moment(row["first"]), "last": moment(row["last"])}
