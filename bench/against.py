"""The shared look-ups against what they stand for: exact vectors, exhaustive BM25, ts_rank_cd."""

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import psycopg

from bench.stages import TIMEOUT_MS, Staged, quantiles
from channels.analyser import term_key
from channels.base import Nearest, Question
from channels.keyword import B_LONG, B_SHORT, K1, LIST, LONG_WORDS, bm25
from channels.semantic import SCAN, nearest
from channels.statements import VISIBLE, statement, visibility
from router.store.banks import Bank
from router.wiring import Service

TOP = 20
COMMON = 30  # most frequent words, of which a common question takes three
FULL_TEXT = """
drop table if exists bench_full_text;
create table bench_full_text as
select bank_id, key, text, to_tsvector('english', text) as words
from memories where bank_id = {bank};
create index on bench_full_text using gin (words);
create index on bench_full_text using gin (to_tsvector('english', text));
analyze bench_full_text;
grant select on bench_full_text to fivefold_app
"""
STORED = """
select t.key, ts_rank_cd(t.words, q.asked) as score
from bench_full_text t, to_tsquery('english', %(asked)s) q(asked)
where t.bank_id = %(bank)s and t.words @@ q.asked
order by score desc, t.key limit %(limit)s
"""
COMPUTED = """
select t.key, ts_rank_cd(to_tsvector('english', t.text), q.asked) as score
from bench_full_text t, to_tsquery('english', %(asked)s) q(asked)
where t.bank_id = %(bank)s and to_tsvector('english', t.text) @@ q.asked
order by score desc, t.key limit %(limit)s
"""
EXHAUSTIVE = """
select p.key, sum(a.weight * p.tf * (%(k1)s + 1)
       / (p.tf + %(k1)s * (1 - %(b)s + %(b)s * p.length / %(mean_length)s))) as score
from unnest(%(terms)s::bigint[], %(weights)s::float8[]) a(term, weight)
join postings p on p.bank_id = %(bank)s and p.term = a.term
join memories m on m.bank_id = %(bank)s and m.key = p.key and /* visible */
group by p.key order by score desc, p.key limit %(limit)s
"""
# As the memories say them: full text knows neither speakers nor dates, which we index as words.
FREQUENT = "select term from term_stats where bank_id = %(bank)s order by own_df desc limit 400"


async def vectors(
    service: Service, walk: Staged, bank: Bank, questions: Sequence[str]
) -> dict[str, Any]:
    """Share of the exact nearest TOP that the bank's index finds, and that a recall is given."""
    by_index, as_served = [], []
    for text in questions:
        question = walk.asked(bank, text)
        forced = replace(question, live_rows=10**9, indexed=True)
        truth = _top(await _nearest(service, replace(question, indexed=False)))
        by_index.append(len(truth & _top(await _nearest(service, forced))) / TOP)
        as_served.append(len(truth & _top(await _nearest(service, question))) / TOP)
    return {
        "n": len(questions),
        "rows": bank.live_rows,
        "index": interval(by_index),
        "as_served": interval(as_served),
    }


async def _nearest(service: Service, question: Question) -> Nearest:
    return await nearest(service.transaction, question, SCAN, timeout_ms=TIMEOUT_MS)


def _top(found: Nearest) -> set[int]:
    order = np.lexsort((found.keys, -found.cosines))[:TOP]
    return set(found.keys[order].tolist())


async def keywords(
    service: Service, walk: Staged, bank: Bank, dsn: str, words: Sequence[str], n: int, seed: int
) -> dict[str, Any]:
    """Common words: our look-up against ts_rank_cd and against every posting scored; ms."""
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("select set_config('fivefold.bank', 'all', false)")
        for part in FULL_TEXT.format(bank=int(bank.key)).split(";"):
            conn.execute(part.encode())
    common = await _common(service, bank, words)
    rng = np.random.default_rng(seed)
    asked = [" ".join(rng.choice(common, 3, replace=False)) for _ in range(n)]
    rows = [await _every_way(service, walk, bank, text) for text in asked]
    return {
        "n": n,
        "rows": bank.live_rows,
        "ours": quantiles(row["ours"] for row in rows),
        "computed": quantiles(row["computed"] for row in rows),
        "stored": quantiles(row["stored"] for row in rows),
        "ratio_computed": quantiles(row["computed"] / row["ours"] for row in rows),
        "ratio_stored": quantiles(row["stored"] / row["ours"] for row in rows),
        "overlap": interval([row["overlap"] for row in rows]),
        "as_good": interval([row["as_good"] for row in rows]),
    }


async def _common(service: Service, bank: Bank, words: Sequence[str]) -> list[str]:
    """The bank's most frequent terms, as the words that stand for them in the texts."""
    by_key = {term_key(word): word for word in words}
    async with service.transaction(bank.key) as conn:
        rows = await (await conn.execute(FREQUENT, {"bank": bank.key})).fetchall()
    return [by_key[term] for (term,) in rows if term in by_key][:COMMON]


async def _every_way(service: Service, walk: Staged, bank: Bank, text: str) -> dict[str, float]:
    """Every way of one question, one after the other, on a warm cache."""
    await bm25(service.transaction, walk.asked(bank, text), LIST, timeout_ms=TIMEOUT_MS)
    question = walk.asked(bank, text)
    started = time.perf_counter()
    found = await bm25(service.transaction, question, LIST, timeout_ms=TIMEOUT_MS)
    ours = (time.perf_counter() - started) * 1_000
    values = {"asked": " | ".join(text.split()), "bank": bank.key, "limit": LIST}
    stored = await _full_text(service, STORED, values)
    computed = await _full_text(service, COMPUTED, values)
    truth = await _exhaustive(service, question)
    best, bar = {key for key, _ in truth[:TOP]}, truth[:TOP][-1][1] - 1e-9
    mine = list(zip(found.keys.tolist(), found.scores.tolist(), strict=True))[:TOP]
    return {
        "ours": ours,
        "stored": stored,
        "computed": computed,
        "overlap": sum(key in best for key, _ in mine) / len(best),
        "as_good": sum(score >= bar for _, score in mine) / len(best),
    }


async def _full_text(service: Service, text: str, values: dict[str, Any]) -> float:
    """Milliseconds of a ranked full-text query; one before it warms the cache, as ours was."""
    spent = 0.0
    for _ in range(2):
        started = time.perf_counter()
        async with service.transaction(values["bank"], timeout_ms=TIMEOUT_MS) as conn:
            await (await conn.execute(text.encode(), values)).fetchall()
        spent = (time.perf_counter() - started) * 1_000
    return spent


async def _exhaustive(service: Service, question: Question) -> list[tuple[int, float]]:
    """Every memory that holds a term, scored by the database, which leaves no list early."""
    known = await question.lookups.statistics.get()
    terms = [term for term in question.terms if known.df.get(term.text)]
    values = visibility(question) | {
        "terms": [term_key(term.text) for term in terms],
        "weights": [term.weight * known.idf(term.text) for term in terms],
        "k1": K1,
        "b": B_LONG if known.mean_length > LONG_WORDS else B_SHORT,
        "mean_length": known.mean_length,
        "limit": LIST,
    }
    async with service.transaction(question.bank, timeout_ms=TIMEOUT_MS) as conn:
        text = EXHAUSTIVE.replace(VISIBLE, statement("visible"))
        return await (await conn.execute(text.encode(), values)).fetchall()


def interval(values: Sequence[float]) -> dict[str, float]:
    """Mean and its 95 % interval by the normal approximation over questions."""
    known = np.array(values, float)
    half = 1.96 * float(known.std(ddof=1)) / len(known) ** 0.5 if len(known) > 1 else 0.0
    mean = float(known.mean())
    return {"mean": mean, "low": max(0.0, mean - half), "high": min(1.0, mean + half)}
