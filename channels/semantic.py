"""The semantic lane: single vectors find candidates, token vectors order them."""

import numpy as np
from pgvector import HalfVector

from channels.base import Hit, MemoryKey, Nearest, Question, best_first
from channels.connection import Connection, Transaction
from channels.errors import ChannelError
from channels.statements import statement, visibility
from channels.topic import has_topic

EXACT_ROWS = 20_000  # up to here every row is compared; a filtered index loses rows of small banks
EPISODE_SHARE = 0.3  # of the episode mean; the only context that helps written and real chat alike
SCAN = 200  # candidates of the shared scan: five lanes' depth of 50 never reaches further
MODEL_CHANGED = "model_changed"  # the reason, when a move to another model was just finished
MAX_EF = 1_000  # pgvector's limit for hnsw.ef_search
EF_SHARE = (
    2.5  # times the rows wanted; at 2 recall@20 is .984 of 100,000, at 3 .990 and 4 ms slower
)
# Row security makes the planner expect a fraction of the bank's rows, and it would sort them all.
BY_INDEX = "select set_config('hnsw.ef_search', %s, true), set_config('enable_sort', 'off', true)"


class Semantic:
    """Ranks by late interaction; each hit's detail says by which order it stands.

    A model without token vectors is ranked by its cosine plus `EPISODE_SHARE` times the cosine with
    the episode's mean.
    """

    name = "semantic"

    async def search(self, question: Question, depth: int) -> list[Hit]:
        if not has_topic(question):
            return []  # the words only name a time, which has no place in a vector
        found = await question.lookups.vectors.get()
        late = await question.lookups.late.get() if question.lookups.late else None
        cosines = dict(zip(found.keys.tolist(), found.cosines.round(4).tolist(), strict=True))
        ranked = found if late is None else late
        told: dict[str, object] = {"scan": found.path} if found.path == "repeated" else {}
        embedded = await question.embedded.get() if question.embedded else None
        if embedded is not None and embedded.unread:
            told["unread"] = round(embedded.unread_share, 4)
        order = "cosine" if late is None else "late interaction"
        return best_first(
            [
                Hit(MemoryKey(key), score, {"order": order, "cosine": cosines.get(key)} | told)
                for key, score in zip(ranked.keys.tolist(), ranked.scores.tolist(), strict=True)
            ],
            depth,
        )


def uses_index(question: Question) -> bool:
    """Whether the bank is large enough for HNSW, has its index, and no filter narrows the scan.

    A filter multiplies selectivity, and an index scan under a narrow filter loses rows without an
    error; so a filtered question is always compared exactly.
    """
    narrowed = (
        question.filters != type(question.filters)()
        or question.view.as_of is not None
        or question.strict_window
    )
    return question.live_rows > EXACT_ROWS and question.indexed and not narrowed


async def nearest(
    transaction: Transaction, question: Question, limit: int, *, timeout_ms: int
) -> Nearest:
    """The shared vector look-up: at most `limit` visible memories nearest to the question.

    Empty when the question has no vector. An index scan that returns fewer rows than the bank
    could give is repeated exactly, once; `path` says so. Raises ChannelError(MODEL_CHANGED) when
    the bank has moved to another model since the question was read.
    """
    vector = await question.vector.get()
    if vector is None:
        return Nearest.empty()
    values = visibility(question) | {
        "vector": HalfVector(vector.astype(np.float16)),
        "embedder": question.embedder,
        "episode_share": EPISODE_SHARE,
        "limit": limit,
    }
    async with transaction(question.bank, timeout_ms=timeout_ms) as conn:
        if uses_index(question):
            text = statement("nearest_index").replace("{dim}", str(len(vector)))
            async with conn.transaction():
                await conn.execute(BY_INDEX, [str(min(MAX_EF, max(100, round(EF_SHARE * limit))))])
                rows = await (await conn.execute(text.encode(), values)).fetchall()
            if len(rows) >= limit:
                return Nearest.of(rows, "index")
        rows = await (await conn.execute(statement("nearest_exact"), values)).fetchall()
        if not rows and question.live_rows:
            await _same_model(conn, question)
    return Nearest.of(rows, "repeated" if uses_index(question) else "exact")


async def _same_model(conn: Connection, question: Question) -> None:
    """Raises ChannelError when nothing was found because another model made all the vectors."""
    values = {"bank": question.bank}
    row = await (await conn.execute(statement("embedder_of"), values)).fetchone()
    if row is not None and row[0] != question.embedder:
        raise ChannelError("semantic", MODEL_CHANGED)
