"""What banks of earlier releases lack: names that stand for memories, and words beside hashes."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from channels import naming
from channels.analyser import term_key
from channels.base import BankKey
from channels.connection import Connection, Transaction
from channels.postings import Document, weighted_terms
from router.store.derive import document_of
from router.store.statements import statement

PAGE = 500  # memories in one transaction, in which other writers of the bank wait
WRITE_TIMEOUT_MS = 120_000


async def wordless(conn: Connection, bank: BankKey) -> int:
    """Words of the bank that no prefix finds, because only their hashes are kept."""
    row = await (await conn.execute(statement("wordless"), {"bank": bank})).fetchone()
    return int(row[0]) if row else 0


async def backfill(transaction: Transaction, bank: BankKey) -> int:
    """Give a bank that has such words names and words; how many memories were read.

    Page by page, so that nothing waits long; what is there already stays. Both came with the same
    release: a bank without such words has its names.
    """
    async with transaction(bank) as conn:
        if not await wordless(conn, bank):
            return 0
    read, after = 0, 0
    while True:
        async with transaction(bank, timeout_ms=WRITE_TIMEOUT_MS) as conn:
            await conn.execute(statement("lock_bank"), {"bank": bank})
            values = {"bank": bank, "after": after, "limit": PAGE}
            rows = await (await conn.execute(statement("document_page"), values)).fetchall()
            if not rows:
                return read
            documents = [_document(row) for row in rows]
            await _set_words(conn, bank, documents)
            await naming.link_names(conn, bank, list(map(_said, documents)), datetime.now(UTC))
        read, after = read + len(rows), rows[-1][0]


def _document(row: Sequence[Any]) -> Document:
    return document_of(row)


def _said(one: Document) -> naming.Said:
    return naming.Said(one.key, one.text, one.title, one.speaker is not None)


async def _set_words(conn: Connection, bank: BankKey, documents: Sequence[Document]) -> None:
    words = {term_key(word): word for one in documents for word in weighted_terms(one)}
    terms = sorted(words)
    named = {"terms": terms, "words": [words[term] for term in terms]}
    await conn.execute(statement("set_words"), {"bank": bank, **named})
