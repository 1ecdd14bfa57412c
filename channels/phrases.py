"""Memories that hold what a question asks for in quotes: candidates by postings, judged by text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from channels.analyser import term_key
from channels.base import BankKey, MemoryKey, Question, Term, TermStats
from channels.connection import Connection
from channels.operators import Phrase, quotes
from channels.statements import key_array, statement, visibility

CANDIDATES = 1_000  # memories with all words of a phrase that are read for it
WORDS = 64  # words a prefix may stand for
SCANNED = 20_000  # memories of a bank whose texts are searched for stop words, some 40 ms
STOP_WORDS = "stop_words"  # why a phrase of a larger bank is read as words
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
    """Visible memories that hold every phrase, judged by text, title, description, tags, speaker.

    Of a phrase of words that more than CANDIDATES memories have, the best of those are read. Stop
    words are in no posting: for a phrase of them alone the texts are searched.
    """
    keys: set[MemoryKey] | None = None
    words: dict[str, int] = {}
    for phrase in asked:
        like = await _words_like(conn, question.bank, phrase)
        rows = await _candidates(conn, question, phrase, like)
        found = {
            MemoryKey(key) for key, *texts, tags in rows if phrase.is_in((*texts, *(tags or ())))
        }
        keys = found if keys is None else keys & found
        words |= like
    return Held(frozenset(keys or ()), words)


def applied(question: Question) -> tuple[Phrase, ...]:
    """The operators of the question that its bank can answer."""
    asked = quotes(question.text).applied
    if question.live_rows <= SCANNED:
        return asked
    return tuple(phrase for phrase in asked if not phrase.is_unindexed)


def read_as_words(question: Question) -> dict[str, str]:
    """What is quoted and read as words although an operator was meant, with the reason."""
    found = quotes(question.text)
    kept = applied(question)
    return {
        **found.unread,
        **{phrase.text: STOP_WORDS for phrase in found.applied if phrase not in kept},
    }


async def _candidates(
    conn: Connection, question: Question, phrase: Phrase, like: Mapping[str, int]
) -> list[tuple[Any, ...]]:
    values = visibility(question) | {"most": CANDIDATES}
    if phrase.is_unindexed:
        found = await conn.execute(statement("like_holders"), values | {"like": phrase.pattern})
        return await found.fetchall()
    if not phrase.terms:
        terms = key_array(MemoryKey(term_key(word)) for word in like)
        found = await conn.execute(statement("prefix_holders"), values | {"terms": terms})
        return await found.fetchall()
    asked = {"bank": question.bank, "terms": key_array(map(MemoryKey, phrase.terms))}
    rows = await (await conn.execute(statement("frequencies"), asked)).fetchall()
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
