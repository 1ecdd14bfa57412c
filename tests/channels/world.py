"""A store on a real database, the five lanes over it, and questions as the router makes them."""

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from itertools import count
from typing import Any, TypeVar

import numpy as np

from channels.base import (
    Channel,
    Embedded,
    Filters,
    Hit,
    Lookups,
    MemoryKey,
    Question,
    Vector,
    View,
)
from channels.connection import Connection, Transaction
from channels.embedder import unit
from channels.keyword import LIST, bm25, term_statistics
from channels.late import WORD, late_interaction
from channels.once import Once
from channels.semantic import SCAN, nearest
from channels.tokens import DIM as TOKEN_DIM
from router.retain import Retainer
from router.store.banks import Bank, BankConfig, Banks
from router.store.pool import bank_transaction
from router.store.session import StorePool
from router.understand.read import understand
from router.wiring import lanes

NOW = datetime(2023, 6, 15, 12, 0, tzinfo=UTC)
DIM = 384
LANES = ("semantic", "temporal", "emotional", "keyword", "graph")
PATIENT_MS = 20_000  # no statement here may be late because the machine is busy
T = TypeVar("T")


def at(text: str) -> datetime:
    """A moment in UTC from ISO 8601."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def vector_of(text: str) -> Vector | None:
    """Words hashed into 384 dimensions, unit length; the same text has the same vector."""
    return unit(sum((_word(match[0], DIM) for match in WORD.finditer(text)), np.zeros(DIM)))


def embedded(text: str, model: str) -> Embedded:
    """What the model "words" makes of a text; "tokens" gives a vector for each word besides."""
    found = list(WORD.finditer(text))
    if model == "words" or not found:
        return Embedded(vector_of(text))
    tokens = np.array([_word(match[0], TOKEN_DIM) for match in found], np.float32)
    return Embedded(vector_of(text), tokens, tuple(match.span() for match in found))


def _word(word: str, dim: int) -> Vector:
    vector = np.zeros(dim, dtype=np.float32)
    digest = blake2b(word.casefold().encode(), digest_size=4).digest()
    vector[int.from_bytes(digest) % dim] = 1
    return vector


class World:
    """One database for many banks; every test takes banks of its own."""

    def __init__(self, pool: StorePool, runner: asyncio.Runner, dsn: str) -> None:
        self.pool = pool
        self.dsn = dsn
        self.transaction: Transaction = partial(bank_transaction, pool)
        self.banks = Banks(self.transaction)
        self.retainer = Retainer(self.transaction, self._embed)
        self._runner = runner
        self._numbers = count(1)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The outcome of a coroutine, on the loop that the pool lives on."""
        return self._runner.run(work)

    def bank(
        self, *items: Mapping[str, Any], config: BankConfig | None = None, model: str = "words"
    ) -> Bank:
        """A new bank that holds the items; `model` is words (one vector a text) or tokens."""
        name = f"bank{next(self._numbers)}"
        made = self.run(self.banks.create(name, None, config or BankConfig(), model, DIM))
        return self.retain(made, *items)

    def retain(self, bank: Bank, *items: Mapping[str, Any]) -> Bank:
        """The bank after the items were stored in one batch; every item must be valid."""
        if items:
            receipt = self.run(self.retainer.retain(bank, items))
            assert receipt.errors == []
        self.banks.forget(bank.name)
        return self.run(self.banks.get(bank.name))

    def question(
        self, bank: Bank, text: str, *, timeout_ms: int = PATIENT_MS, **changes: Any
    ) -> Question:
        """The question as the router makes it, with look-ups of its own."""
        read = understand(text, NOW, "UTC")
        question = Question(
            bank=bank.key,
            text=text,
            asked_at=NOW,
            timezone="UTC",
            embedder=bank.embedder,
            live_rows=bank.live_rows,
            indexed=bank.indexed,
            vector=Once(_never),
            terms=read.terms,
            identifiers=read.identifiers,
            entities=read.entities,
            window=read.window,
            strict_window=False,
            asks_date=read.asks_date,
            recency=read.recency,
            decay=bank.config.decay_curve(),
            affect=read.affect,
            arc_of=None,
            filters=Filters(),
            view=View(),
            lookups=Lookups(Once(_never), Once(_never), Once(_never)),
        )
        question = replace(question, embedded=Once(partial(_embedded, text, bank.embedder_name)))
        return with_lookups(self.transaction, replace(question, **changes), timeout_ms)

    def lane(self, name: str, *, timeout_ms: int = PATIENT_MS) -> Channel:
        """One of the five, as it is wired."""
        wired = lanes(self.transaction, timeout_ms=timeout_ms)
        return next(lane for lane in wired if lane.name == name)

    def ask(
        self, lane: str, bank: Bank, text: str, *, depth: int = 50, **changes: Any
    ) -> list[Hit]:
        """What the lane finds for the text."""
        question = self.question(bank, text, **changes)
        return self.run(self.lane(lane).search(question, depth))

    def found(self, lane: str, bank: Bank, text: str, **changes: Any) -> list[str]:
        """Ids of what the lane finds, best first."""
        ids = self.ids(bank)
        return [ids[hit.key] for hit in self.ask(lane, bank, text, **changes)]

    def rows(self, bank: Bank, text: str, **values: Any) -> list[tuple[Any, ...]]:
        """Rows of a statement that sees this bank; `bank` is bound to its key."""

        async def read() -> list[tuple[Any, ...]]:
            async with self.transaction(bank.key) as conn:
                cursor = await conn.execute(text.encode(), {"bank": bank.key, **values})
                return await cursor.fetchall() if cursor.description else []

        return self.run(read())

    def ids(self, bank: Bank) -> dict[MemoryKey, str]:
        """Key to id of every memory of the bank."""
        return dict(self.rows(bank, "select key, id from memories where bank_id = %(bank)s"))

    async def _embed(self, bank: Bank, texts: Sequence[str]) -> list[Embedded]:
        return [embedded(text, bank.embedder_name) for text in texts]


def with_lookups(
    transaction: Transaction, question: Question, timeout_ms: int = PATIENT_MS
) -> Question:
    """The question with unasked look-ups, which see the question that carries them."""
    fresh = replace(
        question,
        vector=Once(partial(_vector, question.text)),
        lookups=Lookups(
            vectors=Once(lambda: nearest(transaction, fresh, SCAN, timeout_ms=timeout_ms)),
            statistics=Once(lambda: term_statistics(transaction, fresh, timeout_ms=timeout_ms)),
            keywords=Once(lambda: bm25(transaction, fresh, LIST, timeout_ms=timeout_ms)),
            late=Once(lambda: late_interaction(transaction, fresh, timeout_ms=timeout_ms)),
        ),
    )
    return fresh


def bound_to(transaction: Transaction, bank: Bank) -> Transaction:
    """Transactions that see this bank only, whichever is asked for."""

    def opened(
        _: object, *, timeout_ms: int | None = None
    ) -> AbstractAsyncContextManager[Connection]:
        return transaction(bank.key, timeout_ms=timeout_ms)

    return opened


async def _vector(text: str) -> Vector | None:
    return vector_of(text)


async def _embedded(text: str, model: str) -> Embedded:
    return embedded(text, model)


async def _never() -> Any:
    raise AssertionError("look-ups are set before the question is asked")
