"""Whom items refer to: the named memories must exist, and none may supersede itself. Pure."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from router.items import Draft, ItemError

Problem = tuple[str, str]  # field and reason


def fitting(
    drafts: Sequence[Draft], stored: AbstractSet[str], newer: Iterable[tuple[str, str]]
) -> tuple[list[Draft], list[ItemError]]:
    """Drafts whose references hold, and errors of the others.

    `stored`: ids the bank has; `newer`: pairs (older id, newer id) of it. A batch may refer to
    itself; dropping one item may leave another without its target, and then that one goes too.
    """
    kept, dangling = drop_dangling(drafts, stored)
    kept, circular = drop_circular(kept, newer)
    kept, orphaned = drop_dangling(kept, stored)
    return kept, [*dangling, *circular, *orphaned]


def drop_dangling(
    drafts: Sequence[Draft], stored: AbstractSet[str]
) -> tuple[list[Draft], list[ItemError]]:
    """Drafts whose `supersedes` and `edges` name memories of bank or batch, and the others' errors.

    Repeats until nothing changes.
    """
    kept, errors = list(drafts), list[ItemError]()
    while True:
        known = stored | {draft.item.id for draft in kept if draft.item.id is not None}
        bad = [(draft, problem) for draft in kept if (problem := _dangling(draft, known))]
        if not bad:
            return kept, errors
        errors.extend(ItemError(draft.index, *problem) for draft, problem in bad)
        gone = {draft.index for draft, _ in bad}
        kept = [draft for draft in kept if draft.index not in gone]


def _dangling(draft: Draft, known: AbstractSet[str]) -> Problem | None:
    named = [(f"supersedes[{i}]", name) for i, name in enumerate(draft.item.supersedes)]
    named += [(f"edges[{i}].to", edge.to) for i, edge in enumerate(draft.item.edges)]
    for field, name in named:
        if name == draft.item.id:
            return field, f"{name!r} is the memory itself"
        if name not in known:
            return field, f"no memory named {name!r} in this bank; store it first"
    return None


def drop_circular(
    drafts: Sequence[Draft], newer: Iterable[tuple[str, str]]
) -> tuple[list[Draft], list[ItemError]]:
    """Drafts that close no circle of supersession, taken in order, and errors of the others.

    In a circle every memory would be replaced by another, and none would be current.
    """
    successors = successors_of(newer)
    kept, errors = list[Draft](), list[ItemError]()
    for draft in drafts:
        problem = _circular(draft, successors)
        if problem is not None:
            errors.append(ItemError(draft.index, *problem))
            continue
        kept.append(draft)
        if draft.item.id is not None:
            for _, name in draft.replaced:
                successors[name].add(draft.item.id)
    return kept, errors


def successors_of(newer: Iterable[tuple[str, str]]) -> defaultdict[str, set[str]]:
    """Each id with what supersedes it, from pairs (older id, newer id)."""
    successors: defaultdict[str, set[str]] = defaultdict(set)
    for older, by in newer:
        successors[older].add(by)
    return successors


def circle(successors: Mapping[str, AbstractSet[str]], older: str, by: str) -> list[str]:
    """The circle that `by` superseding `older` would close, from `older` back to it; else empty.

    Each of the list is superseded by the next. The shortest one, ties by name.
    """
    came_from: dict[str, str] = {by: older}
    todo = deque([by])
    while todo:
        here = todo.popleft()
        if here == older:
            way = [here]
            while len(way) == 1 or way[-1] != older:
                way.append(came_from[way[-1]])
            return way[::-1]
        for name in sorted(successors.get(here, ())):
            if name not in came_from:
                came_from[name] = here
                todo.append(name)
    return []


def _circular(draft: Draft, successors: Mapping[str, AbstractSet[str]]) -> Problem | None:
    own = draft.item.id
    if own is None:
        return None
    for field, name in draft.replaced:
        if found := circle(successors, name, own):
            named = " is replaced by ".join(map(repr, found))
            return (
                field,
                f"{name!r} supersedes this memory already, directly or through others ({named}); "
                "undo that first",
            )
    return None
