"""The curated lane: ranks by titles, descriptions and tags alone, what people wrote on purpose."""

from collections.abc import Iterable

from channels.analyser import document_terms
from channels.base import Hit, Question, TermStats, best_first
from channels.connection import Transaction
from channels.statements import key_array, visibility, with_visibility

# Candidates are those of the shared keyword look-up, which knows titles and tags too: no scan.
CURATED = with_visibility("""
select m.key, m.title, m.description, m.tags
from memories m
where m.bank_id = %(bank)s and m.key = any(%(keys)s::bigint[]) and /* visible */
""")
TITLE, DESCRIPTION, TAG = 1.0, 0.5, 0.5  # what a word is worth where it stands


class Curated:
    """Scores the share of the question's rare words that a memory's curated fields hold."""

    name = "curated"
    prior_weight = 0.5

    def __init__(self, transaction: Transaction, *, timeout_ms: int) -> None:
        self._transaction = transaction
        self._timeout_ms = timeout_ms

    async def search(self, question: Question, depth: int) -> list[Hit]:
        """At most `depth` hits, best first, ties by key."""
        candidates = (await question.lookups.keywords.get()).as_dict()
        known = await question.lookups.statistics.get()
        if not candidates:
            return []
        values = visibility(question) | {"keys": key_array(candidates)}
        async with self._transaction(question.bank, timeout_ms=self._timeout_ms) as conn:
            rows = await (await conn.execute(CURATED, values)).fetchall()
        hits = [
            Hit(key, score, {"title": title})
            for key, title, description, tags in rows
            if (score := curated_score(question, known, title, description, tags)) > 0
        ]
        return best_first(hits, depth)


def curated_score(
    question: Question,
    known: TermStats,
    title: str | None,
    description: str | None,
    tags: Iterable[str],
) -> float:
    """How much of the question, by idf, the fields hold; in [0, 1]."""
    fields = ((title, TITLE), (description, DESCRIPTION), (" ".join(tags), TAG))
    worth: dict[str, float] = {}
    for text, share in fields:
        for term in document_terms(text or ""):
            worth[term] = max(worth.get(term, 0.0), share)
    weights = {term.text: term.weight * known.idf(term.text) for term in question.terms}
    whole = sum(weights.values())
    return sum(weights[term] * worth.get(term, 0.0) for term in weights) / whole if whole else 0.0
