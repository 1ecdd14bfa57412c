"""Events that follow from an answer, a tool call or a reply that a client reported."""

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import class_row, tuple_row

from channels.sql_files import load
from feedback.bodies import canonical
from feedback.events import Event
from feedback.implicit import Shown as Memory
from feedback.implicit import derive
from feedback.joining import Placed, Shown
from feedback.rephrasing import complaint
from feedback.values import IMPLIED, ActionValue, action_values

ANSWER, REPLY = "answer_given", "user_replied"
COMPLAINTS = {"complaint": "answer_thumbs_down", "retry": "answer_retry"}
MOST_TEXT = 4_000  # characters of a memory that are compared with an answer

Pair = tuple[Event, Placed]


@dataclass(frozen=True, slots=True)
class Asked:
    """A recall's question, and what its bank says of the worth of events."""

    recall_id: str
    question: str
    event_values: Any


async def derived(
    conn: AsyncConnection[Any], bank: int, stored: Sequence[Pair], recalls: Mapping[str, Shown]
) -> list[Pair]:
    """The events that follow from those just stored, with their places; ready to be inserted.

    Their ids follow from the ids of those they come from, so that nothing can count twice.
    """
    sources = [
        (event, where, recall)
        for event, where in stored
        if event.action in (ANSWER, REPLY) and (recall := recalls.get(event.recall_id or ""))
    ]
    if not sources:
        return []
    asked = await _asked(conn, bank, {recall.recall_id for _, _, recall in sources})
    sources = [one for one in sources if one[2].recall_id in asked]
    keys = {key for event, _, one in sources if event.action == ANSWER for key in one.shown_keys}
    texts = await _texts(conn, bank, keys)

    def work() -> list[Pair]:
        return [
            pair
            for event, where, recall in sources
            for pair in _of(event, where, recall, asked[recall.recall_id], texts)
        ]

    return await asyncio.to_thread(work)


def implied(
    event_id: str,
    rule: str,
    action: str,
    recall_id: str,
    values: Mapping[str, ActionValue],
    happened: datetime,
    *,
    told: Mapping[str, object],
    memory: tuple[str, int] | None = None,
    **router: object,
) -> Event:
    """An event that we derived by the rule. `memory`: its id and the rank it was shown at.

    `told`: whatever else its body says of where it comes from; `router`: further fields of ours.
    """
    share, confidence = IMPLIED[rule]
    known = values[action].value
    value = None if known is None else known * share
    body: dict[str, Any] = {
        "event_id": event_id,
        "action_name": action,
        "timestamp": happened.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "query_id": recall_id,
        "router": {"annotator": "code", "value": value, "confidence": confidence, **router},
        "rule": rule,
        **told,
    }
    if memory is not None:
        place = {"object": {"object_id": memory[0]}, "position": {"ordinal": memory[1]}}
        body["event_attributes"] = place
    text, content_hash = canonical(body)
    return Event(
        event_id=event_id,
        action=action,
        recall_id=recall_id,
        memory_id=memory[0] if memory else None,
        position=memory[1] if memory else None,
        value=value,
        confidence=confidence,
        annotator=f"implicit:{rule}",
        happened=happened,
        named=(),
        body=text,
        content_hash=content_hash,
    )


def _of(
    event: Event, where: Placed, recall: Shown, asked: Asked, texts: Mapping[int, str]
) -> Iterator[Pair]:
    body = json.loads(event.body)
    values = action_values(asked.event_values)
    if event.action == REPLY:
        rule = complaint(body.get("reply") or "")
        if rule:
            yield (
                implied(
                    f"{event.event_id}#{rule}", rule, COMPLAINTS[rule], recall.recall_id, values,
                    event.happened, told={"derived_from": event.event_id},
                ),
                Placed(where.state, recall.actor),
            )  # fmt: skip
        return
    held = list(zip(recall.shown_ids, recall.shown_keys, strict=True))
    shown = [Memory(name, texts.get(key, "")) for name, key in held]
    place = {name: at for at, name in enumerate(recall.shown_ids)}
    for one in derive(asked.question, body.get("answer"), body.get("tool_arguments"), shown):
        at = place[one.memory_id]
        kind = "cited" if one.action == "memory_cited" else "used"
        found = implied(
            f"{event.event_id}#{kind}:{one.memory_id}", one.rule, one.action, recall.recall_id,
            values, event.happened, told={"derived_from": event.event_id, "quote": one.quote},
            memory=(one.memory_id, recall.shown_from + 1 + at),
        )  # fmt: skip
        yield found, Placed(where.state, recall.actor, recall.shown_keys[at])


async def _asked(
    conn: AsyncConnection[Any], bank: int, recall_ids: Iterable[str]
) -> dict[str, Asked]:
    cursor = conn.cursor(row_factory=class_row(Asked))
    await cursor.execute(
        load("feedback", "asked"), {"bank": bank, "recall_ids": sorted(recall_ids)}
    )
    return {one.recall_id: one for one in await cursor.fetchall()}


async def _texts(conn: AsyncConnection[Any], bank: int, keys: Iterable[int]) -> dict[int, str]:
    wanted = sorted(keys)
    if not wanted:
        return {}
    cursor = conn.cursor(row_factory=tuple_row)
    await cursor.execute(
        load("feedback", "shown_texts"), {"bank": bank, "keys": wanted, "most": MOST_TEXT}
    )
    rows = await cursor.fetchall()
    return {key: f"{speaker}: {text}" if speaker else text for key, speaker, text in rows}
