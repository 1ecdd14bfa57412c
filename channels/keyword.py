"""The keyword lane: true BM25 over our own postings, identifiers whole, neighbours heard softly."""

from collections.abc import Sequence

import numpy as np

from channels.analyser import term_key
from channels.base import Hit, Question, Scored, Term, TermStats, best_first
from channels.connection import Transaction
from channels.statements import statement, visibility

K1 = 0.9  # term frequency saturates early: a chat turn that says a word twice is hardly better
B_SHORT, B_LONG = 0.3, 0.5  # length normalisation; long texts differ more in length than in topic
LONG_WORDS = 60  # mean weighted words from which a bank counts as long texts
LIST = 200  # length of the shared list
EXHAUSTIVE = 5_000  # postings in all: up to here every memory that holds a term is scored
PER_TERM = 1_000  # candidates a term proposes; top 20 then equals exhaustive BM25 (postgres study)
RARE_SHARE = 0.05  # a term in more of the bank than this only scores


class Keyword:
    """Ranks by BM25 of the question's words; silent when the bank knows none of them."""

    name = "keyword"

    async def search(self, question: Question, depth: int) -> list[Hit]:
        found = await question.lookups.keywords.get()
        return best_first([Hit(key, score) for key, score in found.as_dict().items()], depth)


async def term_statistics(
    transaction: Transaction, question: Question, *, timeout_ms: int
) -> TermStats:
    """What the bank knows about the question's terms, in one statement."""
    by_key = {term_key(term.text): term.text for term in question.terms}
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
    """The shared keyword look-up: at most `limit` visible memories by BM25, best first."""
    known = await question.lookups.statistics.get()
    terms = [term for term in question.terms if known.df.get(term.text)]
    if not terms:
        return Scored.empty()
    rare = proposers(terms, known)
    values = visibility(question) | {
        "terms": [term_key(term.text) for term in terms],
        "weights": [term.weight * known.idf(term.text) for term in terms],
        "rare": [term_key(term.text) for term in rare],
        "per_term": EXHAUSTIVE if is_small(terms, known) else PER_TERM,
        "k1": K1,
        "b": B_LONG if known.mean_length > LONG_WORDS else B_SHORT,
        "mean_length": known.mean_length,
        "limit": limit,
    }
    async with transaction(question.bank, timeout_ms=timeout_ms) as conn:
        rows = await (await conn.execute(statement("bm25"), values)).fetchall()
    return Scored(
        np.array([row[0] for row in rows], np.int64), np.array([row[1] for row in rows], float)
    )


def is_small(terms: Sequence[Term], known: TermStats) -> bool:
    """Whether the terms' postings are few enough to score every one of them."""
    return sum(known.df[term.text] for term in terms) <= EXHAUSTIVE


def proposers(terms: Sequence[Term], known: TermStats) -> list[Term]:
    """The terms that may propose candidates: all in a small list, else the rare ones.

    With only common words, the rarest of them proposes alone. Order: rarest first.
    """
    ordered = sorted(terms, key=lambda term: (known.df[term.text], term.text))
    if is_small(terms, known):
        return ordered
    bound = RARE_SHARE * known.docs
    return [term for term in ordered if known.df[term.text] <= bound] or ordered[:1]
