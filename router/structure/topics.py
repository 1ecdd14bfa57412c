"""Topics as a tree: dotted paths with what lies on and below each. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(slots=True)
class Topic:
    """One path and those below it."""

    path: str | None  # None: the whole bank
    memories: int  # on the path itself
    total: int  # with those below
    first: datetime | None
    last: datetime | None
    topics: list["Topic"] = field(default_factory=list)

    @property
    def has_more(self) -> bool:
        """Whether memories lie on topics below that are not listed here."""
        return self.total > self.memories + sum(topic.total for topic in self.topics)


def parent_of(path: str) -> str | None:
    """The path one level up; None at the top."""
    return path.rpartition(".")[0] or None


def grown(root: Topic, found: Sequence[Topic]) -> Topic:
    """The root with the topics found below it, each under its parent, in the order of paths.

    A topic whose parent was not found is left out.
    """
    known = {root.path: root}
    for topic in sorted(found, key=lambda topic: (topic.path or "").split(".")):
        parent = known.get(parent_of(topic.path or ""))
        if topic.path is not None and parent is not None:
            parent.topics.append(topic)
            known[topic.path] = topic
    return root
