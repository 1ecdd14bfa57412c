"""Kinds of traffic: the same judged questions as other people would put them. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from channels.analyser import document_terms
from channels.postings import date_in_words
from router.evaluate.dataset import Dataset, Query

TERSE_WORDS = 3
MASKED_WORDS = 2
WORD = re.compile(r"[^\W_][\w'-]*")

Frequencies = Mapping[str, int]  # term -> memories of the bank that say it
Rewrite = Callable[[Query, Dataset, Frequencies], str]


def natural(query: Query, dataset: Dataset, known: Frequencies) -> str:
    """As it was asked."""
    return query.text


def terse(query: Query, dataset: Dataset, known: Frequencies) -> str:
    """Its TERSE_WORDS rarest words, as somebody types into a search box."""
    rare = set(_by_rarity(query.text, known)[:TERSE_WORDS])
    return " ".join(word for word in WORD.findall(query.text) if word in rare) or query.text


def masked(query: Query, dataset: Dataset, known: Frequencies) -> str:
    """Without its MASKED_WORDS rarest words: the asker remembers the gist, not the term."""
    rare = set(_by_rarity(query.text, known)[:MASKED_WORDS])
    return WORD.sub(lambda found: "it" if found[0] in rare else found[0], query.text)


def dated(query: Query, dataset: Dataset, known: Frequencies) -> str:
    """With the day of what it asks for; as it was where no relevant memory has one."""
    times = [
        memory.occurred_at
        for memory in dataset.memories[query.bank]
        if memory.id in query.relevant and memory.occurred_at
    ]
    return f"{query.text.rstrip(' ?')} on {date_in_words(min(times))}?" if times else query.text


PROFILES: Mapping[str, Rewrite] = {
    "natural": natural,
    "terse": terse,
    "dated": dated,
    "masked": masked,
    "weak_embedder": natural,  # asked of banks whose vectors mean nothing
    "missing_keyword": natural,  # the keyword lane returns nothing
    "wrong_dates": dated,  # the temporal lane answers nonsense
    "wrong_words": natural,  # the keyword and graph lanes do
}


def rewritten(dataset: Dataset, profile: str) -> Dataset:
    """The data set with its questions put that way."""
    rewrite = PROFILES[profile]
    known = {bank: frequencies(memory.text for memory in memories)
             for bank, memories in dataset.memories.items()}  # fmt: skip
    queries = tuple(
        replace(query, text=rewrite(query, dataset, known[query.bank])) for query in dataset.queries
    )
    return replace(dataset, queries=queries)


def frequencies(texts: Iterable[str]) -> Frequencies:
    """How many texts hold each term."""
    found: Counter[str] = Counter()
    for text in texts:
        found.update(set(document_terms(text)))
    return found


def _by_rarity(text: str, known: Frequencies) -> list[str]:
    """Words of the text, rarest in the bank first; common words and unknown ones last."""
    words = list(dict.fromkeys(WORD.findall(text)))

    def rarity(word: str) -> tuple[int, int]:
        counts = [known[term] for term in document_terms(word) if known.get(term)]
        return (min(counts) if counts else 10**9, words.index(word))

    return sorted(words, key=rarity)
