"""What the keyword lane stores: postings, document frequencies, lengths."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

import numpy as np

from channels.analyser import document_terms, term_key, title_term
from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.keyword import B_SHORT, K1
from channels.statements import statement

PREVIOUS, NEXT = (
    0.3,
    0.2,
)  # neighbours' words in the same episode; pooling them whole costs .106 nDCG
TITLE = 2.0  # times a title's word counts; 1, 2, 3 give the lane .818, .827, .825 on hotpotqa_100
CONTEXT = 0.5  # of a word of the context, which says where it was said, not what
NO_WORDS: Mapping[int, str] = MappingProxyType({})
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True, slots=True)
class Document:
    """The fields of a memory that the lane indexes."""

    key: MemoryKey
    text: str
    title: str | None
    description: str | None
    tags: tuple[str, ...]
    speaker: str | None
    happened: datetime | None  # in the bank's zone, see `in_zone`
    previous: str | None = None  # text of the turn before, in the same episode
    following: str | None = None
    context: str | None = None
    granularity: str | None = None  # of `happened`; None: a moment


def own_terms(document: Document) -> Counter[str]:
    """Words of the memory itself: body, description and tags at 1, title and context at theirs."""
    terms = Counter(document_terms(document.text))
    for field, share in (
        (document.title, TITLE),
        (document.description, 1.0),
        (" ".join(document.tags), 1.0),
        (document.context, CONTEXT),
    ):
        for word, count in document_terms(field or "").items():
            terms[word] += share * count  # type: ignore[assignment] # fractions are the point
    return terms


def weighted_terms(document: Document) -> Counter[str]:
    """Own words; the whole title, speaker and date in words at 1; neighbours' words at less."""
    terms = own_terms(document)
    if whole := title_term(document.title or ""):
        terms[whole] = 1
    for word in document_terms(document.speaker or ""):
        terms[word] = max(terms[word], 1)
    for word in document_terms(date_in_words(document.happened, document.granularity)):
        terms[word] = max(terms[word], 1)
    for text, share in ((document.previous, PREVIOUS), (document.following, NEXT)):
        for word, count in document_terms(text or "").items():
            terms[word] += share * count  # type: ignore[assignment] # fractions are the point
    return terms


def date_in_words(moment: datetime | None, granularity: str | None = None) -> str:
    """As people write it, "8 May 2023", so that a question's date finds it; no finer than known."""
    if moment is None or granularity == "decade":
        return ""
    if granularity in ("quarter", "season", "half", "year"):
        return str(moment.year)
    month = f"{MONTHS[moment.month - 1]} {moment.year}"
    return month if granularity in ("week", "month") else f"{moment.day} {month}"


def in_zone(moment: datetime | None, zone: ZoneInfo) -> datetime | None:
    """The aware moment as clocks and calendars of the zone tell it."""
    try:
        return moment and moment.astimezone(zone)
    except OverflowError:  # at the very edge of the calendar
        return moment


async def remove(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> None:
    """Take the memories out of the index, and out of its statistics."""
    rows = await (
        await conn.execute(statement("delete_postings"), {"bank": bank, "keys": list(keys)})
    ).fetchall()
    lengths = {row[0]: row[2] for row in rows}
    await _shift(
        conn,
        bank,
        Counter(row[1] for row in rows),
        Counter(row[1] for row in rows if row[3]),
        sign=-1,
        docs=len(lengths),
        length=sum(lengths.values()),
    )


async def add(
    conn: Connection, bank: BankKey, documents: Iterable[Document], mean_length: float
) -> dict[MemoryKey, frozenset[int]]:
    """Index memories that are not in the index; returns each one's own terms, as keys."""
    df: Counter[int] = Counter()
    own_df: Counter[int] = Counter()
    own: dict[MemoryKey, frozenset[int]] = {}
    words: dict[int, str] = {}
    rows: list[tuple[MemoryKey, int, float, float, float, bool]] = []
    docs, whole = 0, 0.0
    for document in documents:
        weighted = {term_key(word): (word, n) for word, n in weighted_terms(document).items()}
        terms = {term: float(n) for term, (_, n) in weighted.items()}
        words.update((term, word) for term, (word, _) in weighted.items())
        mine = frozenset(term_key(word) for word in own_terms(document))
        length = float(np.float32(math.fsum(terms.values())))  # as stored: no drift when taken off
        rows.extend(
            (document.key, term, tf, length, impact(tf, length, mean_length), term in mine)
            for term, tf in sorted(terms.items())
        )
        df.update(terms.keys())
        own_df.update(mine)
        own[document.key] = mine
        docs += 1 if terms else 0
        whole += length
    columns = ("keys", "terms", "tfs", "lengths", "impacts", "owns")
    values = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)) if rows else None
    if values:
        await conn.execute(statement("insert_postings"), {"bank": bank, **values})
    await _shift(conn, bank, df, own_df, sign=1, docs=docs, length=whole, words=words)
    return own


def impact(tf: float, length: float, mean_length: float) -> float:
    """BM25 without idf, at write time: only orders the candidates a rare term proposes."""
    norm = 1 - B_SHORT + B_SHORT * length / max(mean_length, 1.0)
    return tf * (K1 + 1) / (tf + K1 * norm)


async def _shift(
    conn: Connection,
    bank: BankKey,
    df: Mapping[int, int],
    own_df: Mapping[int, int],
    *,
    sign: int,
    docs: int,
    length: float,
    words: Mapping[int, str] = NO_WORDS,
) -> None:
    terms = sorted(df)
    await conn.execute(
        statement("shift_term_stats"),
        {
            "bank": bank,
            "terms": terms,
            "counts": [sign * df[term] for term in terms],
            "own": [sign * own_df.get(term, 0) for term in terms],
            "words": [words.get(term) for term in terms],
        },
    )
    await conn.execute(
        statement("shift_bank_stats"),
        {"bank": bank, "docs": sign * docs, "length": sign * length},
    )
