"""Memories that hold what a question asks for in quotes: candidates by postings, judged by text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from channels.analyser import term_key
from channels.base import BankKey, MemoryKey, Question, Term, TermStats
from channels.connection import Connection
from channels.operators import Phrase
from channels.statements import key_array, statement, visibility

CANDIDATES = 1_000  # memories with all words of a phrase that are read for it
WORDS = 64  # words a prefix may stand for
LEAST_STEM = 3  # letters of a stem that a longer prefix is looked for under


@dataclass(frozen=True, slots=True)
class Held:
    """Memories that hold everything asked for in quotes, and the words to score them by."""

    keys: frozenset[MemoryKey]
    words: Mapping[str, int] = field(default_factory=dict)  # that prefixes stand for, with df

    def terms(self, question: Question) -> tuple[Term, ...]:
        """The question's terms, and the words that its prefixes stand for."""
        asked = {term.text for term in question.terms}
        return (*question.terms, *(Term(word) for word in self.words if word not in asked))

    def statistics(self, known: TermStats) -> TermStats:
        """What the bank knows of those terms."""
        return replace(known, df={**self.words, **known.df})


async def holders(conn: Connection, question: Question, asked: tuple[Phrase, ...]) -> Held:
    """Visible memories that hold every phrase, judged by their text, title and description.

    Of a phrase of words that more than CANDIDATES memories have, the best of those are read. A
    phrase of stop words alone cannot be looked up: nothing holds it.
    """
    keys: set[MemoryKey] | None = None
    words: dict[str, int] = {}
    for phrase in asked:
        like = await _words_like(conn, question.bank, phrase)
        rows = await _candidates(conn, question, phrase, like)
        found = {MemoryKey(key) for key, *texts in rows if phrase.is_in(texts)}
        keys = found if keys is None else keys & found
        words |= like
    return Held(frozenset(keys or ()), words)


async def _candidates(
    conn: Connection, question: Question, phrase: Phrase, like: Mapping[str, int]
) -> list[tuple[int, str, str | None, str | None]]:
    values = visibility(question) | {"most": CANDIDATES}
    if not phrase.terms:
        terms = key_array(MemoryKey(term_key(word)) for word in like)
        found = await conn.execute(statement("prefix_holders"), values | {"terms": terms})
        return await found.fetchall()
    asked = {"bank": question.bank, "terms": key_array(map(MemoryKey, phrase.terms))}
    rows = await (await conn.execute(statement("own_frequencies"), asked)).fetchall()
    df = dict(rows)
    if len(df) < len(phrase.terms):
        return []
    rarest = min(phrase.terms, key=lambda term: (df[term], term))
    others = key_array(MemoryKey(term) for term in phrase.terms if term != rarest)
    values |= {"rarest": rarest, "others": others}
    return await (await conn.execute(statement("phrase_holders"), values)).fetchall()


async def _words_like(conn: Connection, bank: BankKey, phrase: Phrase) -> dict[str, int]:
    """Stored words that the phrase's last one stands for, with their frequencies."""
    prefix = phrase.prefix
    if prefix is None:
        return {}
    # "deployme*" is "deployment", which is stored as its stem "deploy".
    shorter = [term_key(prefix[:end]) for end in range(LEAST_STEM, len(prefix))]
    values = {
        "bank": bank,
        "prefix": prefix,
        "shorter": key_array(map(MemoryKey, shorter)),
        "most": WORDS,
    }
    return dict(await (await conn.execute(statement("words_like"), values)).fetchall())
