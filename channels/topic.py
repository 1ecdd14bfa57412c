"""Whether a question has a subject besides the time it asks for. Pure."""

from channels.analyser import question_terms
from channels.base import Question

GENERIC = frozenset({"happen", "occur", "go", "anyth", "someth", "everyth"})  # stems
RECENCY = frozenset({"last", "latest", "late", "recent", "newest", "now", "current"})
WORD_WEIGHT = 1.0  # below it are other spellings of the same words


def has_topic(question: Question) -> bool:
    """False for "what did I do last Monday?" and "what did we talk about last?".

    There every word asks, or names the window or recency: likeness to the words is chance, and only
    time tells memories apart. True when the question says nothing of time.
    """
    if question.window is None and question.recency == "none":
        return True
    own = GENERIC | RECENCY
    if question.window is not None:
        own |= {term.text for term in question_terms(question.window.text)}
    return any(term.text not in own for term in question.terms if term.weight >= WORD_WEIGHT)
