"""What evidence says beside its words goes over to the observation that stands for it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from channels import links
from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.entities import entity_key, normal_form
from router.items import MemoryItem
from router.store import derive
from router.store.memories import Placed, Prepared
from router.structure.consolidate import Merge
from router.structure.pyramids.marking import mark
from router.structure.statements import statement

MOST_TAGS, MOST_ENTITIES, MOST_LABELS = 100, 200, 50  # of one memory, as for those who write one
Row = Mapping[str, Any]


async def absorb(
    conn: Connection, bank: BankKey, found: Sequence[Merge], placed: Sequence[Placed], now: datetime
) -> None:
    """Add to each observation the tags, entities, feelings, topic and metadata it has not itself.

    What the observation says stays: its topic, and its value of a metadata key.
    """
    rows = {id(one.prepared): one.key for one in placed}
    into: dict[MemoryKey, list[MemoryItem]] = {}
    for merge in found:
        stored = merge.into
        key = rows[id(stored)] if isinstance(stored, Prepared) else stored[0]
        into.setdefault(key, []).append(merge.item.draft.item)
    changed: list[MemoryKey] = []
    for key, items in sorted(into.items()):
        own = await _own(conn, bank, key)
        whole = united(own, items)
        if whole == own:
            continue
        await _write(conn, bank, key, whole)
        await _mention(conn, bank, key, whole["entities"], own["entities"], now)
        changed.append(key)
    if changed:
        await mark(conn, bank, changed)
        await derive.renew_neighbours(conn, bank, changed, now)
        after = await derive.following(conn, bank, changed)
        await derive.feel_again(conn, bank, sorted({*changed, *after}))


def united(own: Row, items: Iterable[MemoryItem]) -> dict[str, Any]:
    """The observation's fields with what the items add, in order, each thing once."""
    tags, topic, metadata = list(own["tags"]), own["topic"], dict(own["metadata"])
    entities, labels = list(own["entities"]), list(own["affect"])
    for item in items:
        tags += [tag for tag in item.tags if tag not in tags]
        topic = topic or item.topic
        metadata = {**item.metadata, **metadata}
        known = {normal_form(entity["text"]) for entity in entities}
        entities += [e.model_dump() for e in item.entities if normal_form(e.text) not in known]
        felt = {label["label"] for label in labels}
        labels += [label.model_dump() for label in item.affect if label.label not in felt]
    return {
        "tags": tags[:MOST_TAGS],
        "topic": topic,
        "metadata": metadata,
        "entities": entities[:MOST_ENTITIES],
        "affect": labels[:MOST_LABELS],
    }


async def _own(conn: Connection, bank: BankKey, key: MemoryKey) -> dict[str, Any]:
    cursor = conn.cursor(row_factory=dict_row)
    await cursor.execute(statement("said_beside"), {"bank": bank, "key": key})
    row = await cursor.fetchone()
    assert row is not None  # noqa: S101 - the bank is locked and the row is its own
    return row


async def _write(conn: Connection, bank: BankKey, key: MemoryKey, whole: Row) -> None:
    boxed = {name: Jsonb(whole[name]) for name in ("metadata", "entities", "affect")}
    await conn.execute(statement("say_beside"), {"bank": bank, "key": key, **whole, **boxed})


async def _mention(
    conn: Connection,
    bank: BankKey,
    key: MemoryKey,
    whole: Sequence[Row],
    own: Sequence[Row],
    now: datetime,
) -> None:
    """Link the observation by the entities that are new to it; others count it already."""
    named = {normal_form(one["text"]): (one["text"], one["type"]) for one in whole[len(own) :]}
    named.pop("", None)
    values = {"bank": bank, "key": key}
    rows = await (await conn.execute(statement("mentioned"), values)).fetchall()
    known = {row[0] for row in rows}
    fresh = {normal: one for normal, one in named.items() if entity_key(normal) not in known}
    if fresh:
        await links.link_entities(conn, bank, {key: fresh}, now)
