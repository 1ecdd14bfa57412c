"""Late interaction: candidates of both shared look-ups, ordered by their token vectors."""

import asyncio
import re

import numpy as np
from numpy.typing import NDArray

from channels.analyser import stem_words
from channels.base import Embedded, MemoryKey, Question, Scored, TermStats
from channels.connection import Transaction
from channels.statements import key_array, statement
from channels.tokens import BASE_WEIGHT, Tokens, max_sim

EACH = 100  # candidates from each look-up; ordering a whole bank finds nothing more
# Bytes of token vectors times question tokens: some 3 ms. More would hold up other recalls.
BRIEF = 12_000_000
MOST_ASKED = 256  # question tokens compared: the time grows with them as with the memories' own
WORD = re.compile(r"\w+")


async def late_interaction(
    transaction: Transaction, question: Question, *, timeout_ms: int
) -> Scored | None:
    """Candidates by idf-weighted MaxSim, best first; None when the model gives no token vectors.

    A memory written without token vectors is left out; the single-vector order still has it. When
    the look-ups of words fail (the keyword lane is reported as failed), the vectors' candidates
    are ordered with all words weighed alike.
    """
    embedded = await question.embedded.get() if question.embedded else None
    if embedded is None or embedded.tokens is None:
        return None
    keys, known = await _candidates(question)
    values = {"bank": question.bank, "embedder": question.embedder, "keys": key_array(keys)}
    async with transaction(question.bank, timeout_ms=timeout_ms) as conn:
        rows = await (await conn.execute(statement("token_vectors"), values)).fetchall()
    if not rows:
        return None
    weights = token_weights(question, embedded, known)
    asked, weights = strongest(embedded.tokens, weights)
    packs = [row[1] for row in rows]
    if sum(map(len, packs)) * len(asked) > BRIEF:
        scores = await asyncio.to_thread(max_sim, asked, weights, packs)
    else:
        scores = max_sim(asked, weights, packs)
    found = np.array([row[0] for row in rows], np.int64)
    order = np.lexsort((found, -scores))
    return Scored(found[order], scores[order].astype(np.float64))


def strongest(tokens: Tokens, weights: NDArray[np.float32]) -> tuple[Tokens, NDArray[np.float32]]:
    """The MOST_ASKED question tokens that count most, in their order; all of a shorter question."""
    if len(weights) <= MOST_ASKED:
        return tokens, weights
    kept = np.sort(np.argsort(-weights, kind="stable")[:MOST_ASKED])
    return tokens[kept], weights[kept]


def token_weights(question: Question, embedded: Embedded, known: TermStats) -> NDArray[np.float32]:
    """How much each question token counts: the bank's idf of its word, plus BASE_WEIGHT.

    A token that the model cannot read counts nothing: all of them look alike to it.
    """
    asked = frozenset(term.text for term in question.terms)
    words = [
        (match.start(), match.end(), _idf(match[0], asked, known))
        for match in WORD.finditer(question.text)
    ]
    weights = np.full(len(embedded.spans), BASE_WEIGHT, np.float32)
    for place, (start, end) in enumerate(embedded.spans):
        if end > start:
            weights[place] += next((idf for a, b, idf in words if a <= start < b), 0.0)
    if len(embedded.unread) < len(embedded.spans):  # of a text it cannot read, all count alike
        weights[list(embedded.unread)] = 0.0
    return weights


def _idf(word: str, asked: frozenset[str], known: TermStats) -> float:
    return max((known.idf(stem) for stem in stem_words(word) if stem in asked), default=0.0)


async def _candidates(question: Question) -> tuple[list[MemoryKey], TermStats]:
    lookups = question.lookups
    vectors, keywords, known = await asyncio.gather(
        lookups.vectors.get(),
        lookups.keywords.get(),
        lookups.statistics.get(),
        return_exceptions=True,
    )
    if isinstance(vectors, BaseException):
        raise vectors
    if isinstance(keywords, BaseException):
        keywords = Scored.empty()
    if isinstance(known, BaseException):
        known = TermStats(docs=0, mean_length=1.0, df={})
    found = dict.fromkeys([*vectors.keys[:EACH].tolist(), *keywords.keys[:EACH].tolist()])
    return [MemoryKey(key) for key in found], known
