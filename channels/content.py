"""How well candidates match the question's words and meaning, for lanes that need content first."""

import asyncio

from channels.base import MemoryKey, Nearest, Question, Scored

KEYWORD_SHARE = 0.6  # words against meaning


async def content_scores(question: Question) -> dict[MemoryKey, float]:
    """Content in [0, 1] of every candidate of the shared look-ups.

    One look-up that fails leaves the other's candidates (the lane that owns it is reported as
    failed); when both fail, what the first raised is raised.
    """
    keywords, meaning = await asyncio.gather(
        question.lookups.keywords.get(), _meaning(question), return_exceptions=True
    )
    if isinstance(keywords, BaseException):
        if isinstance(meaning, BaseException):
            raise keywords
        keywords = Scored.empty()
    if isinstance(meaning, BaseException):
        meaning = Nearest.empty()
    return blend(keywords, meaning)


async def seed_scores(question: Question) -> dict[MemoryKey, float]:
    """What a question starts from: the keyword list, best first.

    When the words cannot be looked up (the keyword lane is reported as failed), the candidates by
    meaning, in the order of their content.
    """
    (keywords,) = await asyncio.gather(question.lookups.keywords.get(), return_exceptions=True)
    if not isinstance(keywords, BaseException):
        return keywords.as_dict()
    content = await content_scores(question)
    ordered = sorted(content, key=lambda key: (-content[key], key))
    return {key: content[key] for key in ordered if content[key] > 0}


async def _meaning(question: Question) -> Scored | Nearest:
    """Late interaction where the model can, else the single vectors."""
    late = await question.lookups.late.get() if question.lookups.late else None
    return await question.lookups.vectors.get() if late is None else late


def blend(keywords: Scored, meaning: Scored | Nearest) -> dict[MemoryKey, float]:
    """KEYWORD_SHARE x score / best + the rest x meaning stretched from worst to best."""
    scores: dict[MemoryKey, float] = {}
    best = float(keywords.scores.max()) if len(keywords.scores) else 0.0
    for key, score in keywords.as_dict().items():
        scores[key] = KEYWORD_SHARE * score / best if best > 0 else 0.0
    if len(meaning.scores):
        low, high = float(meaning.scores.min()), float(meaning.scores.max())
        span = high - low
        for number, score in zip(meaning.keys, meaning.scores, strict=True):
            key = MemoryKey(int(number))
            share = (float(score) - low) / span if span > 0 else 1.0
            scores[key] = scores.get(key, 0.0) + (1 - KEYWORD_SHARE) * share
    return scores
