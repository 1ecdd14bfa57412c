"""The keyword lane: true BM25 over our own postings, identifiers whole, neighbours heard softly."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from channels.analyser import term_key, title_term
from channels.base import Hit, MemoryKey, Question, Scored, Term, TermStats, best_first
from channels.connection import Connection, Transaction
from channels.operators import Phrase, asks_nothing_else
from channels.phrases import applied, holders
from channels.statements import key_array, statement, visibility
from channels.tally import Formula, Postings, Tally, add_up, shares

K1 = 0.9  # term frequency saturates early: a chat turn that says a word twice is hardly better
B_SHORT, B_LONG = 0.3, 0.5  # length normalisation; long texts differ more in length than in topic
LONG_WORDS = 60  # mean weighted words from which a bank counts as long texts
LIST = 200  # length of the shared list
EXHAUSTIVE = 40_000  # postings in all: up to here reading every one costs less than leaving early
READ = 30_000  # postings read else: the bounds then close in on the top 20 of 9 in 10 questions
HOPEFUL = 400  # memories whose bounds are high, scored in full
WHOLE = 2**31 - 1  # more than any list has
FIRST = 1_000  # asked first whether they are visible; LIST of them nearly always are


class Keyword:
    """Ranks by BM25 of the question's words; silent when the bank knows none of them.

    Memories that hold what stands in quotes come first; a question of nothing else finds only
    those. When no memory holds it, it is read as words. Each hit says which of the two it is.
    """

    name = "keyword"

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def search(self, question: Question, depth: int) -> list[Hit]:
        found = (await question.lookups.keywords.get()).as_dict()
        asked = applied(question)
        if not asked:
            return best_first([Hit(key, score) for key, score in found.items()], depth)
        told = {"phrases": [one.text for one in asked]}
        held = await self._held(question, asked, depth)
        first = [Hit(key, score, {**told, "held": True}) for key, score in held.items()]
        if first and asks_nothing_else(question.text):
            return best_first(first, depth)
        others = [Hit(k, score, {**told, "held": False}) for k, score in found.items()]
        return _in_front(first, [hit for hit in others if hit.key not in held], depth)

    async def _held(
        self, question: Question, asked: tuple[Phrase, ...], depth: int
    ) -> dict[MemoryKey, float]:
        """Memories that hold every phrase, by BM25; those that no indexed word is asked of at 0."""
        known = await question.lookups.statistics.get()
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            held = await holders(conn, question, asked)
            known = held.statistics(known)
            asked_for = (*held.terms(question), *as_title(question))
            terms = [term for term in asked_for if known.df.get(term.text)]
            if not (held.keys and terms):
                return dict.fromkeys(sorted(held.keys), 0.0)
            values = Asked.of(terms, known, visibility(question), depth).values
            keys = {"keys": key_array(sorted(held.keys))}
            rows = await (await conn.execute(statement("bm25"), {**values, **keys})).fetchall()
        scores = {MemoryKey(key): score for key, score in rows if score is not None}
        if len(scores) < depth:
            scores |= dict.fromkeys(sorted(held.keys - scores.keys()), 0.0)
        return scores


def _in_front(first: list[Hit], others: list[Hit], depth: int) -> list[Hit]:
    """All of `first` before all others: scores of a run fall, so those in front are raised."""
    lift = max((hit.score for hit in others), default=0.0)
    raised = [Hit(hit.key, hit.score + lift, hit.detail) for hit in first]
    return best_first([*raised, *others], depth)


def searched(question: Question) -> tuple[Term, ...]:
    """The question's terms, and all of it as a title."""
    return (*question.terms, *as_title(question))


def as_title(question: Question) -> tuple[Term, ...]:
    """All of the question as one title, so that what is called so comes first; () if it is none.

    A memory so called holds each word, so the title is no more common than any of them; at one
    word's weight for each word it outweighs whatever other memories repeat.
    """
    whole = title_term(question.text)
    return () if whole is None else (Term(whole, float(len(whole.split()))),)


async def term_statistics(
    transaction: Transaction, question: Question, *, timeout_ms: int
) -> TermStats:
    """What the bank knows about the question's terms, in one statement."""
    by_key = {term_key(term.text): term.text for term in searched(question)}
    async with transaction(question.bank, timeout_ms=timeout_ms) as conn:
        cursor = await conn.execute(
            statement("term_statistics"), {"bank": question.bank, "terms": list(by_key)}
        )
        docs, length, terms, dfs = await cursor.fetchone() or (0, 0.0, [], [])
    df = {by_key[term]: count for term, count in zip(terms, dfs, strict=True) if count > 0}
    return TermStats(docs=docs, mean_length=max(length / max(docs, 1), 1.0), df=df)


async def bm25(
    transaction: Transaction, question: Question, limit: int, *, timeout_ms: int
) -> Scored:
    """The shared keyword look-up: at most `limit` visible memories by BM25, best first.

    Exact while the terms have at most EXHAUSTIVE postings in all. Beyond, each list is left where
    its share of READ ends, and the memories that could still be best are scored in full. Filters
    are answered from every posting as soon as those read leave the list short.
    """
    known = await question.lookups.statistics.get()
    terms = [term for term in searched(question) if known.df.get(term.text)]
    if not terms:
        return Scored.empty()
    asked = Asked.of(terms, known, visibility(question), limit)
    async with transaction(question.bank, timeout_ms=timeout_ms) as conn:
        if sum(asked.counts) > EXHAUSTIVE:
            found = await _bounded(conn, asked)
            if len(found.keys) == limit:
                return found
        return await _whole(conn, asked)


@dataclass(frozen=True, slots=True)
class Asked:
    """The terms that the bank knows, and what their statements are bound to."""

    counts: tuple[int, ...]  # postings of each term
    weights: tuple[float, ...]  # idf and the question's own weight
    formula: Formula
    values: Mapping[str, object]
    limit: int  # most memories to return

    @classmethod
    def of(
        cls, terms: Sequence[Term], known: TermStats, values: Mapping[str, object], limit: int
    ) -> "Asked":
        """Terms with a document frequency, over the values of visible.sql."""
        formula = Formula(
            K1, B_LONG if known.mean_length > LONG_WORDS else B_SHORT, known.mean_length
        )
        weights = [term.weight * known.idf(term.text) for term in terms]
        bound = {
            "terms": [term_key(term.text) for term in terms],
            "weights": weights,
            "limit": limit,
            **asdict(formula),
        }
        counts = tuple(known.df[term.text] for term in terms)
        return cls(counts, tuple(weights), formula, {**values, **bound}, limit)


async def _whole(conn: Connection, asked: Asked) -> Scored:
    """Every posting of every term: exact BM25, of which the best visible ones."""
    tally = await _read(conn, asked, [WHOLE] * len(asked.counts))
    keys, scores = tally.best(FIRST)
    found = await _visible(conn, asked, "bm25_visible", keys)
    if len(found) < asked.limit and len(tally.keys) > FIRST:
        # Most of the best are filtered out: the filter's own index is the faster way in.
        keys, scores = tally.best(len(tally.keys))
        found = await _visible(conn, asked, "visible_keys", keys)
    kept = np.flatnonzero(np.isin(keys, found))[: asked.limit]
    return Scored(keys[kept], scores[kept])


async def _bounded(conn: Connection, asked: Asked) -> Scored:
    """READ postings, best first, and full scores of the memories that could still be best."""
    tally = await _read(conn, asked, shares(asked.counts, READ))
    keys = key_array(map(MemoryKey, tally.hopeful(asked.limit, HOPEFUL).tolist()))
    rows = await (await conn.execute(statement("bm25"), {**asked.values, "keys": keys})).fetchall()
    return Scored(
        np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], float)
    )


async def _read(conn: Connection, asked: Asked, share: Sequence[int]) -> Tally:
    """The first postings of each term, added up by memory."""
    values = {**asked.values, "shares": list(share)}
    rows = await (await conn.execute(statement("bm25_read"), values, binary=True)).fetchall()
    packed = [data for _, data in sorted(rows)]
    parts = zip(packed, asked.weights, share, asked.counts, strict=True)
    lists = [Postings(data, weight, read >= count) for data, weight, read, count in parts]
    return add_up(lists, asked.formula)


async def _visible(
    conn: Connection, asked: Asked, name: str, keys: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Which of the keys the question may see: the first `limit` (bm25_visible) or all of them."""
    values = {**asked.values, "keys": key_array(map(MemoryKey, keys.tolist()))}
    rows = await (await conn.execute(statement(name), values)).fetchall()
    return np.array([row[0] for row in rows], np.int64)
