"""Named features of every candidate, logged for the residual ranker. Pure.

Each is centred over the candidates of the question when it is logged, with no other scaling.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channels.base import MemoryKey, Nearest, Question, Scored, TermStats
from channels.times import Times, nearness
from router.facts import Facts
from router.fuse import Fused

FEATURE_VERSION = (
    1  # another list, another number: events of another version are skipped, not guessed
)
LONG = 60  # words from which a memory counts as long
TEXT_FEATURES = (
    "speaker_named",
    "coverage",
    "length",
    "window_near",
    "has_time",
    "time_word_x_asks",
    "is_question",
    "cosine",
    "keyword_previous",
    "keyword_next",
    "cosine_previous",
    "cosine_next",
    "keyword_episode",
    "cosine_episode",
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the store adds for the candidates: turns beside them, and the asked words they hold."""

    beside: Mapping[MemoryKey, tuple[MemoryKey | None, MemoryKey | None]]  # previous, next
    holds: Mapping[MemoryKey, frozenset[str]]  # the question's terms in the memory itself


def feature_names(channels: Sequence[str]) -> tuple[str, ...]:
    """Names in column order: texts, each lane's score, contrasts between lanes, slope."""
    lanes = tuple(f"score_{channel}" for channel in channels)
    contrasts = tuple(f"contrast_{number}" for number in range(1, len(channels)))
    return (*TEXT_FEATURES, *lanes, *contrasts, "slope")


def features(
    question: Question,
    candidates: Sequence[Fused],
    facts: Mapping[MemoryKey, Facts],
    keywords: Scored,
    vectors: Nearest,
    known: TermStats,
    around: Surroundings,
    weights: Mapping[str, float],
    rrf_k: float,
) -> NDArray[np.float32]:
    """Shape (candidates, len(feature_names)), centred: every column sums to 0."""
    if not candidates:
        return np.zeros((0, len(feature_names(tuple(weights)))), np.float32)
    texts = _text_features(question, candidates, facts, keywords, vectors, known, around)
    lanes = _lane_features(candidates, tuple(weights), np.array(list(weights.values())), rrf_k)
    table = np.concatenate([texts, lanes], axis=1)
    return np.asarray(table - table.mean(axis=0, keepdims=True), dtype=np.float32)


def base_scores(
    candidates: Sequence[Fused], weights: Mapping[str, float], rrf_k: float
) -> NDArray[np.float32]:
    """The fused score in [0, 1]: sum of w (k + 1) / (k + rank) over sum of w."""
    whole = sum(weights.values())
    return np.array([item.score * (rrf_k + 1) / whole for item in candidates], np.float32)


def _text_features(
    question: Question,
    candidates: Sequence[Fused],
    facts: Mapping[MemoryKey, Facts],
    keywords: Scored,
    vectors: Nearest,
    known: TermStats,
    around: Surroundings,
) -> NDArray[np.float64]:
    keyword = keywords.as_dict()
    best = max(keyword.values(), default=1.0) or 1.0
    by_keyword = {key: score / best for key, score in keyword.items()}
    by_cosine = {
        MemoryKey(int(key)): float(cosine)
        for key, cosine in zip(vectors.keys, vectors.cosines, strict=True)
    }
    idf = {term.text: known.idf(term.text) for term in question.terms}
    whole = sum(idf.values()) or 1.0
    asked = question.text.casefold()
    episodes = _episode_best(facts, by_keyword), _episode_best(facts, by_cosine)
    rows = []
    for item in candidates:
        fact = facts[item.key]
        previous, following = around.beside.get(item.key, (None, None))
        held = around.holds.get(item.key, frozenset())
        asks = float(question.asks_date)
        rows.append(
            (
                _named(fact.speaker, asked),
                sum(idf[term] for term in held) / whole,
                min(fact.words, LONG) / LONG,
                _near(question, fact),
                float(fact.has_time),
                float(fact.has_time) * asks,
                float(fact.is_question),
                by_cosine.get(item.key, 0.0),
                by_keyword.get(previous, 0.0) if previous else 0.0,
                by_keyword.get(following, 0.0) if following else 0.0,
                by_cosine.get(previous, 0.0) if previous else 0.0,
                by_cosine.get(following, 0.0) if following else 0.0,
                episodes[0].get(fact.episode or "", 0.0),
                episodes[1].get(fact.episode or "", 0.0),
            )
        )
    return np.array(rows, np.float64).reshape(len(candidates), len(TEXT_FEATURES))


def _named(speaker: str | None, asked: str) -> float:
    return float(any(part in asked for part in (speaker or "").casefold().split()))


def _near(question: Question, fact: Facts) -> float:
    if question.window is None:
        return 0.0
    times = Times(fact.happened, fact.happened_end, fact.kind, None, fact.has_time, fact.dates)
    return nearness(question.window, times)


def _episode_best(
    facts: Mapping[MemoryKey, Facts], scores: Mapping[MemoryKey, float]
) -> dict[str, float]:
    best: dict[str, float] = {}
    for key, fact in facts.items():
        if fact.episode is not None:
            best[fact.episode] = max(best.get(fact.episode, 0.0), scores.get(key, 0.0))
    return best


def _lane_features(
    candidates: Sequence[Fused],
    channels: tuple[str, ...],
    weights: NDArray[np.float64],
    rrf_k: float,
) -> NDArray[np.float64]:
    """Min-max score per lane, orthonormal contrasts of the rank terms, and the base as slope."""
    scores = np.zeros((len(candidates), len(channels)))
    ranks = np.zeros_like(scores)
    for column, channel in enumerate(channels):
        votes = [
            (row, item.votes[channel])
            for row, item in enumerate(candidates)
            if channel in item.votes
        ]
        if not votes:
            continue
        low = min(vote.score for _, vote in votes)
        span = max(vote.score for _, vote in votes) - low
        for row, vote in votes:
            scores[row, column] = (vote.score - low) / span if span > 0 else 1.0
            ranks[row, column] = (rrf_k + 1) / (rrf_k + vote.rank)
    base = ranks @ weights / weights.sum()
    return np.concatenate([scores, ranks @ contrasts(weights).T, base[:, None]], axis=1)


def contrasts(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Orthonormal rows, shape (lanes - 1, lanes), orthogonal to the weights.

    They span what the base leaves out. Signs are fixed (first non-zero entry positive), so that
    equal weights give equal rows.
    """
    basis = np.linalg.qr(np.column_stack([weights, np.eye(len(weights))]))[0].T[1 : len(weights)]
    lead = np.array([row[np.flatnonzero(np.abs(row) > 1e-9)[0]] for row in basis])
    oriented: NDArray[np.float64] = basis * np.sign(lead)[:, None]
    return oriented
