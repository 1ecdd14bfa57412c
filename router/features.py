"""Named features of every candidate, logged for the residual ranker. Pure.

Each is centred over the candidates of the question when it is logged, with no other scaling. What
follows from ranks alone (contrasts between lanes, the base) is not logged: feedback.lanes makes it
from the ranks on record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channels.base import MemoryKey, Nearest, Question, Scored, TermStats
from channels.times import Times, nearness
from router.facts import Facts
from router.fuse import Fused

# Another list, another number: events of another version are skipped, not guessed. 1 also logged
# the contrasts and the base, and the cosines of neighbours instead of their late interaction.
FEATURE_VERSION = 2
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
    "meaning_previous",
    "meaning_next",
    "keyword_episode",
    "meaning_episode",
)

Near = Mapping[MemoryKey, float]  # a look-up's scores in [0, 1]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the store adds for the candidates: turns beside them, and the asked words they hold."""

    beside: Mapping[MemoryKey, tuple[MemoryKey | None, MemoryKey | None]]  # previous, next
    holds: Mapping[MemoryKey, frozenset[str]]  # the question's terms in the memory itself


@dataclass(frozen=True, slots=True)
class LookedUp:
    """The look-ups of the reply, which reach further down than the lanes' runs."""

    keywords: Scored
    vectors: Nearest
    late: Scored | None  # None: the model has no token vectors; cosines stand in
    known: TermStats

    def by_keyword(self) -> Near:
        """BM25 over the best, in (0, 1]."""
        scores = self.keywords.scores
        best = float(scores.max()) if len(scores) else 1.0
        return _by_key(self.keywords.keys, scores / (best or 1.0))

    def by_cosine(self) -> Near:
        """Cosine of the memory's own vector."""
        return _by_key(self.vectors.keys, self.vectors.cosines)

    def by_meaning(self) -> Near:
        """Late interaction from worst to best, in [0, 1]."""
        if self.late is None:
            return self.by_cosine()
        scores = self.late.scores
        low = float(scores.min()) if len(scores) else 0.0
        span = float(scores.max()) - low if len(scores) else 0.0
        return _by_key(self.late.keys, (scores - low) / (span or 1.0))


def feature_names(channels: Sequence[str]) -> tuple[str, ...]:
    """Names of what is logged, in column order: texts, then each lane's score."""
    return (*TEXT_FEATURES, *(f"score_{channel}" for channel in channels))


def model_names(channels: Sequence[str]) -> tuple[str, ...]:
    """Names of what the residual ranker weighs: what is logged, contrasts of the lanes, slope."""
    contrasts = tuple(f"contrast_{number}" for number in range(1, len(channels)))
    return (*feature_names(channels), *contrasts, "slope")


def features(
    question: Question,
    candidates: Sequence[Fused],
    facts: Mapping[MemoryKey, Facts],
    looked_up: LookedUp,
    around: Surroundings,
    channels: Sequence[str],
) -> NDArray[np.float32]:
    """Shape (candidates, len(feature_names)), centred: every column sums to 0."""
    if not candidates:
        return np.zeros((0, len(feature_names(channels))), np.float32)
    texts = _text_features(question, candidates, facts, looked_up, around)
    _, scores = ranks_and_scores(candidates, channels)
    table = np.concatenate([texts, _spread(candidates, scores, channels)], axis=1)
    return np.asarray(table - table.mean(axis=0, keepdims=True), dtype=np.float32)


def ranks_and_scores(
    candidates: Sequence[Fused], channels: Sequence[str]
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Ranks (0: not returned) and raw scores, each (candidates, channels)."""
    ranks = np.zeros((len(candidates), len(channels)), np.int16)
    scores = np.zeros((len(candidates), len(channels)), np.float32)
    column = {channel: place for place, channel in enumerate(channels)}
    for row, item in enumerate(candidates):
        for channel, vote in item.votes.items():
            ranks[row, column[channel]] = vote.rank
            scores[row, column[channel]] = vote.score
    return ranks, scores


def _text_features(
    question: Question,
    candidates: Sequence[Fused],
    facts: Mapping[MemoryKey, Facts],
    looked_up: LookedUp,
    around: Surroundings,
) -> NDArray[np.float64]:
    keyword, cosine = looked_up.by_keyword(), looked_up.by_cosine()
    meaning = looked_up.by_meaning()
    idf = {term.text: looked_up.known.idf(term.text) for term in question.terms}
    whole = sum(idf.values()) or 1.0
    asked = question.text.casefold()
    asks = float(question.asks_date)
    by_episode = _episode_best(facts, keyword), _episode_best(facts, meaning)
    rows = []
    for item in candidates:
        fact = facts[item.key]
        previous, following = around.beside.get(item.key, (None, None))
        held = around.holds.get(item.key, frozenset())
        rows.append(
            (
                _named(fact.speaker, asked),
                sum(idf[term] for term in held) / whole,
                min(fact.words, LONG) / LONG,
                _near(question, fact),
                float(fact.has_time),
                float(fact.has_time) * asks,
                float(fact.is_question),
                cosine.get(item.key, 0.0),
                _of(keyword, previous),
                _of(keyword, following),
                _of(meaning, previous),
                _of(meaning, following),
                by_episode[0].get(fact.episode or "", 0.0),
                by_episode[1].get(fact.episode or "", 0.0),
            )
        )
    return np.array(rows, np.float64).reshape(len(candidates), len(TEXT_FEATURES))


def _by_key(keys: NDArray[np.int64], scores: NDArray[np.float64]) -> Near:
    return dict(zip(map(MemoryKey, keys.tolist()), scores.tolist(), strict=True))


def _of(scores: Near, key: MemoryKey | None) -> float:
    return 0.0 if key is None else scores.get(key, 0.0)


def _named(speaker: str | None, asked: str) -> float:
    return float(any(part in asked for part in (speaker or "").casefold().split()))


def _near(question: Question, fact: Facts) -> float:
    if question.window is None:
        return 0.0
    times = Times(fact.start, fact.happened_end, fact.kind, None, fact.has_time, fact.dates)
    return nearness(question.window, times)


def _episode_best(facts: Mapping[MemoryKey, Facts], scores: Near) -> dict[str, float]:
    best: dict[str, float] = {}
    for key, fact in facts.items():
        if fact.episode is not None:
            best[fact.episode] = max(best.get(fact.episode, 0.0), scores.get(key, 0.0))
    return best


def _spread(
    candidates: Sequence[Fused], scores: NDArray[np.float32], channels: Sequence[str]
) -> NDArray[np.float64]:
    """Each lane's scores from its worst (0) to its best (1); 0 also where it returned nothing."""
    spread = np.zeros(scores.shape)
    for column, channel in enumerate(channels):
        there = np.array([channel in item.votes for item in candidates])
        if not there.any():
            continue
        own = scores[there, column].astype(np.float64)
        low, span = own.min(), own.max() - own.min()
        spread[there, column] = (own - low) / span if span > 0 else 1.0
    return spread
