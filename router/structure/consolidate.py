"""Repeated observations merged on request: one row, a higher count, and every source kept."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from channels.base import MemoryKey
from channels.connection import Connection
from channels.entities import extract_entities
from router.items import Draft, ItemError
from router.store.banks import Bank
from router.store.memories import Known, Placed, Prepared, half, new_id
from router.structure.change.text import stems
from router.structure.pairs import same_words
from router.structure.statements import statement

# Of the packaged model: other forms of one sentence are .93 to .99 alike. But "is slow" and
# "is fast" are .94 alike too, so that the words decide as well.
LEAST_COSINE = 0.9
LOOKED_AT = 5  # the nearest ones; names and numbers decide among them
KIND = "observation"
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_DENIAL = re.compile(
    r"\b(?:not|no|none|never|nobody|without|rarely|seldom|hardly|barely|stop\w*|refus\w*|unable|less)\b"
    r"|n't\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """An item that became evidence of an observation."""

    index: int  # in the request
    into: str  # id of the observation
    proof_count: int


@dataclass(frozen=True, slots=True)
class Merge:
    """A prepared item and the observation it goes into, a stored one or one of its batch."""

    item: Prepared
    into: tuple[MemoryKey, str] | Prepared


async def counted(
    conn: Connection, bank: Bank, drafts: Sequence[Draft], known: Known
) -> tuple[dict[int, str], list[ItemError]]:
    """Drafts that are evidence already (index -> the observation), and those that clash with it.

    Asked whether or not a request wants to consolidate: no item is both a row and evidence.
    """
    ids = [draft.item.id for draft in drafts if draft.item.id is not None]
    values = {"bank": bank.key, "ids": ids, "hashes": [draft.content_hash for draft in drafts]}
    rows = await (await conn.execute(statement("sources_known"), values)).fetchall()
    by_id = {row[0]: (bytes(row[1]), row[2]) for row in rows}
    by_hash = {bytes(row[1]): row[2] for row in rows}
    found: dict[int, str] = {}
    errors: list[ItemError] = []
    for draft in drafts:
        name, content = draft.item.id, draft.content_hash
        if name is None:
            if content in by_hash and known.holds(draft) is None:
                found[draft.index] = by_hash[content]
        elif name in by_id and name not in known.by_id:
            if by_id[name][0] == content:
                found[draft.index] = by_id[name][1]
            else:
                reason = (
                    f"{name!r} is evidence of {by_id[name][1]!r} with other content; use another"
                    " id, or DELETE it first"
                )
                errors.append(ItemError(draft.index, "id", reason))
    return found, errors


async def merges(
    conn: Connection, bank: Bank, known: Known, prepared: Sequence[Prepared]
) -> list[Merge]:
    """Which of the items go into another observation instead of a row of their own."""
    found: list[Merge] = []
    kept: list[Prepared] = []
    rewritten = [key for key, _ in known.by_id.values()]
    for one in prepared:
        if not _may_merge(one, known):
            continue
        into = await _stored(conn, bank, one, rewritten) or _of_batch(one, kept)
        if into is None:
            kept.append(one)
        else:
            found.append(Merge(one, into))
    return found


async def count(
    conn: Connection, bank: Bank, found: Sequence[Merge], placed: Sequence[Placed], now: datetime
) -> list[Consolidated]:
    """Write the evidence and raise the counts; what became of each item."""
    rows = {id(one.prepared): (one.key, one.id) for one in placed}
    done = []
    for merge in found:
        key, name = rows[id(merge.into)] if isinstance(merge.into, Prepared) else merge.into
        draft = merge.item.draft
        values = {
            "bank": bank.key,
            "key": key,
            "id": draft.item.id or new_id(),
            "text": draft.item.text,
            "happened": merge.item.reading.happened,
            "proofs": draft.item.proof_count,
            "hash": draft.content_hash,
            "now": now,
        }
        await conn.execute(statement("add_source"), values)
        row = await (await conn.execute(statement("raise_proof"), values)).fetchone()
        done.append(Consolidated(draft.index, name, row[0] if row else draft.item.proof_count))
    return done


def same_facts(one: str, other: str) -> bool:
    """Whether two texts agree in numbers, names and denials, and one says no word beyond the other.

    Only then they may merge: a vector does not tell a word from its opposite.
    """
    first, second = stems(one), stems(other)
    return _facts(one) == _facts(other) and (first <= second or second <= first)


def _facts(text: str) -> tuple[list[str], frozenset[str], int]:
    names = frozenset(extract_entities(text))
    return sorted(_NUMBER.findall(text)), names, len(_DENIAL.findall(text))


def _may_merge(one: Prepared, known: Known) -> bool:
    item = one.draft.item
    refers = bool(item.supersedes or item.edges)
    rewrites = item.id is not None and item.id in known.by_id
    return item.kind == KIND and not refers and not rewrites


async def _stored(
    conn: Connection, bank: Bank, one: Prepared, rewritten: Sequence[MemoryKey]
) -> tuple[MemoryKey, str] | None:
    """The observation that says the same; without a vector, in the same words."""
    values: Mapping[str, object] = {
        "bank": bank.key,
        "embedder": bank.embedder,
        "vector": half(one.embedded.vector),
        "text": one.draft.item.text,
        "speaker": one.draft.item.speaker,
        "except": list(rewritten),
        "limit": LOOKED_AT,
    }
    if one.embedded.vector is None:
        row = await (await conn.execute(statement("same_observation"), values)).fetchone()
        return None if row is None else (MemoryKey(row[0]), row[1])
    rows = await (await conn.execute(statement("like_observation"), values)).fetchall()
    for key, name, text, cosine in rows:
        if cosine >= LEAST_COSINE and same_facts(one.draft.item.text, text):
            return MemoryKey(key), name
    return None


def _of_batch(one: Prepared, kept: Sequence[Prepared]) -> Prepared | None:
    speaker = (one.draft.item.speaker or "").lower()
    for other in kept:
        if (other.draft.item.speaker or "").lower() != speaker:
            continue
        if _are_alike(one, other):
            return other
    return None


def _are_alike(one: Prepared, other: Prepared) -> bool:
    text, known = one.draft.item.text, other.draft.item.text
    first, second = one.embedded.vector, other.embedded.vector
    if first is None or second is None:
        return same_words(text, known)
    return float(np.dot(first, second)) >= LEAST_COSINE and same_facts(text, known)
