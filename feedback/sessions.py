"""What the next question of a session says about the answer before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import class_row

from channels.analyser import stem_words
from channels.sql_files import load
from feedback.deriving import COMPLAINTS, Pair, implied
from feedback.events import Event
from feedback.joining import Misfit, place
from feedback.rephrasing import LEAST, WITHIN, complaint, is_rephrasing
from feedback.values import action_values
from feedback.writing import Request, insert, recalls_of

LOOKED_AT = 4  # recalls before one; complaints among them are passed over
BARE = 3  # content words; a complaint of no more asks nothing itself


@dataclass(frozen=True, slots=True)
class Before:
    """A question, and one that was asked before it in the session."""

    recall_id: str
    at: datetime
    question: str
    before_id: str
    before_at: datetime
    before_question: str
    taken_up: bool  # something of the earlier answer was used by then
    event_values: Any


async def book_hints(
    conn: AsyncConnection[Any],
    bank: int,
    recall_ids: Sequence[str],
    now: datetime,
    window_s: float,
) -> int:
    """How many recalls were judged by these, which have just been recorded.

    Each judges at most the one before it, and only once however often this is called.
    """
    cursor = conn.cursor(row_factory=class_row(Before))
    await cursor.execute(
        load("feedback", "session_before"),
        {"bank": bank, "recall_ids": list(recall_ids), "within": WITHIN, "most": LOOKED_AT},
    )
    rows = await cursor.fetchall()
    found = [hint(list(group)) for _, group in groupby(rows, key=lambda row: row.recall_id)]
    events = [event for event in found if event is not None]
    if not events:
        return 0
    recalls = await recalls_of(conn, bank, [one.recall_id for one in events])
    pairs: list[Pair] = []
    for event in events:
        recall = recalls.get(event.recall_id)
        where = place(event, recall, now, window_s) if recall else None
        if where is not None and not isinstance(where, Misfit):
            pairs.append((event, where))
    request = Request(bank, (), now, None, False)
    return len(await insert(conn, request, pairs))


def hint(before: Sequence[Before]) -> Event | None:
    """The event that a question makes of the one before it; `before`: the latest first.

    A complaint counts against the last thing that was asked, a rephrasing only where nothing of
    the answer was taken up.
    """
    last = next((one for one in before if not _only_complains(one.before_question)), None)
    if last is None:
        return None
    rule = complaint(last.question)
    values = action_values(last.event_values)
    told = {"derived_from": last.recall_id}
    if rule is not None:
        return implied(
            f"{last.recall_id}#{rule}", rule, COMPLAINTS[rule], last.before_id, values, last.at,
            told=told,
        )  # fmt: skip
    asked_anew = is_rephrasing(last.before_question, last.question)
    if not asked_anew or last.taken_up or last.at - last.before_at < LEAST:
        return None
    return implied(
        f"{last.recall_id}#rephrased", "rephrased", "query_rephrased", last.before_id, values,
        last.at, told=told, next_query_id=last.recall_id,
    )  # fmt: skip


def _only_complains(text: str) -> bool:
    return complaint(text) is not None and len(stem_words(text)) <= BARE
