"""The peer of docs/performance.md: FastAPI, pgvector and full text, fused by ranks; two channels.

What a careful reader of tutorials would write: one table, HNSW, a stored tsvector under GIN, both
queries at once from a pool, RRF in Python. Question vectors come from a file (VECTORS), as ours do.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np
from fastapi import FastAPI, HTTPException
from pgvector.psycopg import register_vector_async
from psycopg_pool import AsyncConnectionPool
from pydantic import BaseModel

DEPTH, RRF_K = 50, 60
BY_VECTOR = "select id, text from peer order by embedding <=> %s limit %s"
BY_WORDS = """select id, text from peer, to_tsquery('english', %s) q
where words @@ q order by ts_rank_cd(words, q) desc limit %s"""


class Ask(BaseModel):
    """A question; `match`: whether a text needs any of its words or all."""

    question: str
    k: int = 10
    match: str = "any"


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the pool and read the vectors."""
    with np.load(os.environ["VECTORS"], allow_pickle=False) as file:
        app.state.vectors = dict(zip(file["texts"].tolist(), file["vectors"], strict=True))
    async with AsyncConnectionPool(
        os.environ["PEER_DSN"], min_size=4, max_size=8, configure=register_vector_async, open=False
    ) as app.state.pool:
        yield


app = FastAPI(lifespan=lifespan)


async def rows(statement: str, *values: object) -> list[tuple[str, str]]:
    async with app.state.pool.connection() as conn:
        return await (await conn.execute(statement, values)).fetchall()


@app.post("/recall")
async def recall(ask: Ask) -> list[dict[str, object]]:
    """The k best of both lists."""
    vector = app.state.vectors.get(ask.question)
    if vector is None:
        raise HTTPException(422, "question: has no cached embedding")
    words = "".join(letter if letter.isalnum() else " " for letter in ask.question).split()
    joined = (" | " if ask.match == "any" else " & ").join(words)
    runs = await asyncio.gather(rows(BY_VECTOR, vector, DEPTH), rows(BY_WORDS, joined, DEPTH))
    scores: dict[str, float] = {}
    texts: dict[str, str] = {}
    for run in runs:
        for rank, (name, text) in enumerate(run, 1):
            scores[name] = scores.get(name, 0.0) + 1 / (RRF_K + rank)
            texts[name] = text
    best = sorted(scores, key=lambda name: -scores[name])[: ask.k]
    return [{"id": name, "text": texts[name], "score": scores[name]} for name in best]
