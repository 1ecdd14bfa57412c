"""Which few memories stand for many: nearest to their centroid, none a repetition. Pure.

Centroids as in Radev et al., Information Processing & Management 2004; against repetition, maximal
marginal relevance, Carbonell & Goldstein, SIGIR 1998.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from channels.analyser import document_terms, term_key
from channels.keyword import B_SHORT, K1

Matrix = NDArray[np.float32]  # (memories, dimensions), rows of length 1 or 0
RELEVANCE: Final = 0.7  # against likeness to what is chosen already
FULL_WORDS: Final = 8  # "ok, thanks" lies near every centroid and says nothing
BUCKETS: Final = 1_024  # terms of a period share them by hash; collisions are rare and harmless


def choose(vectors: Matrix, words: Sequence[int], count: int) -> list[int]:
    """Places of at most `count` memories, in the order chosen; ties go to the earlier place.

    `words`: of each memory; fewer than FULL_WORDS count for less.
    """
    centroid = vectors.mean(axis=0) if len(vectors) else np.zeros(0, np.float32)
    length = float(np.linalg.norm(centroid))
    worth = np.minimum(1.0, np.asarray(words, np.float64) / FULL_WORDS)
    near = worth * (vectors @ (centroid / length) if length > 0 else np.ones(len(vectors)))
    alike = np.zeros(len(vectors))
    left = np.ones(len(vectors), bool)
    chosen: list[int] = []
    while left.any() and len(chosen) < count:
        gains = RELEVANCE * near - (1 - RELEVANCE) * alike
        best = int(np.argmax(np.where(left, np.round(gains, 6), -np.inf)))
        chosen.append(best)
        left[best] = False
        alike = np.maximum(alike, vectors @ vectors[best])
    return chosen


def term_vectors(texts: Sequence[str]) -> Matrix:
    """The texts by their words, weighed as BM25 weighs them among these texts; rows of length 1.

    A text without words is a row of zeros.
    """
    counts = [document_terms(text) for text in texts]
    lengths = np.array([sum(terms.values()) for terms in counts], np.float64)
    mean = max(float(lengths.mean()), 1.0) if len(lengths) else 1.0
    df: dict[str, int] = {}
    for terms in counts:
        for term in terms:
            df[term] = df.get(term, 0) + 1
    table = np.zeros((len(texts), BUCKETS), np.float32)
    for row, terms in enumerate(counts):
        norm = K1 * (1 - B_SHORT + B_SHORT * lengths[row] / mean)
        for term, count in terms.items():
            idf = np.log1p((len(texts) - df[term] + 0.5) / (df[term] + 0.5))
            table[row, term_key(term) % BUCKETS] += idf * count * (K1 + 1) / (count + norm)
    return unit_rows(table)


def unit_rows(table: Matrix) -> Matrix:
    """The rows at length 1; those of length 0 stay."""
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    rows: Matrix = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 1e-12)
    return rows
