"""Every number of docs/performance.md: `python -m bench.performance --out docs/performance.md`.

Loads one bank a size into a server of its own, measures recalls, writes, events and the shared
look-ups there, and writes bench/out/performance.json and the page. `--sizes`, `--quick`.
"""

import argparse
import asyncio
import json
import os
import platform
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import SecretStr

from bench import against, bulk, events, over_http, stages
from bench.performance_page import page
from bench.stages import Forgetful
from channels.embedder import PACKAGED
from channels.semantic import EXACT_ROWS
from router.settings import Settings
from router.store.banks import Bank, BankConfig
from router.store.embedded import EmbeddedPostgres
from router.store.vector_index import build_index
from router.wiring import Service, open_service

ROOT = Path(__file__).parent.parent
JSON = ROOT / "bench" / "out" / "performance.json"
SIZES = (100, 1_000, 5_000, 20_000, 100_000)
QUICK = (100, 1_000)
SEED = 20_26
QUESTIONS = 100  # a size
HTTP_ROWS = 5_000  # memories of the bank asked over HTTP
WITH_INDEX = 1_000  # memories written once more, with an index in place
DIM = 384


def main() -> None:
    """Measure what is asked for, keep the numbers, write the page."""
    given = arguments().parse_args()
    sizes = given.sizes or (QUICK if given.quick else SIZES)
    report = measure(
        sorted(sizes),
        questions=given.questions or (20 if given.quick else QUESTIONS),
        sources=400 if given.quick else None,
        database=given.database,
    )
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    given.out.write_text(page(report), "utf-8")
    print(f"wrote {given.out} and {given.json}")


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", help="memories a bank")
    parser.add_argument("--questions", type=int, help=f"a size; {QUESTIONS} unless told")
    parser.add_argument("--quick", action="store_true", help="100 and 1,000; few questions")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "performance.md")
    parser.add_argument("--json", type=Path, default=JSON)
    parser.add_argument("--database", help="a superuser's DSN, instead of a server of its own")
    return parser


def measure(
    sizes: Sequence[int], *, questions: int, sources: int | None, database: str | None
) -> dict[str, Any]:
    """Everything, on the given database or on a server that is removed afterwards."""
    if database is not None:
        return asyncio.run(_measure(sizes, questions, sources, database))
    folder = Path(tempfile.mkdtemp(prefix="fivefold-bench-"))
    try:
        with EmbeddedPostgres(folder) as embedded:
            return asyncio.run(_measure(sizes, questions, sources, embedded.start()))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _measure(
    sizes: Sequence[int], questions: int, sources: int | None, dsn: str
) -> dict[str, Any]:
    report: dict[str, Any] = {"machine": machine(), "seed": SEED, "sizes": {}}
    async with _service(dsn) as (service, embedder):
        report["machine"] |= await _server_facts(service)
        known = await bulk.sources(embedder, sources, SEED)
        report["sources"] = len(known.texts)
        asked = chosen_questions(questions)
        banks: dict[int, Bank] = {}
        for size in sizes:
            banks[size], report["sizes"][str(size)] = await _size(
                service, embedder, dsn, known, size, asked
            )
        largest, middle = max(sizes), _nearest_size(sizes)
        walk = stages.staged_recaller(service, service.reading)
        words = sorted({word for text in known.texts for word in text.lower().split()})
        say(f"look-ups of the bank of {largest}")
        report["keywords"] = await against.keywords(
            service, walk, banks[largest], dsn, words, questions, SEED
        )
        report["vectors"] = {
            str(size): await _vector_recall(service, walk, dsn, banks[size], asked)
            for size in sorted({largest, middle})
        }
        say("feedback events")
        report["events"] = await events.measure(service, banks[middle], asked)
        say("over HTTP")
        found = {text: await embedder.embed_question(text) for text in asked}
        bank = await service.banks.get(banks[middle].name)
        report["http"] = await asyncio.to_thread(over_http.compare, dsn, bank, found, questions)
        report["with_index"] = await bulk.load(
            service, bank, known, min(WITH_INDEX, middle), SEED, first=middle
        )
    report["machine"]["load_after"] = os.getloadavg()
    return report


async def _size(
    service: Service,
    embedder: Forgetful,
    dsn: str,
    known: bulk.Sources,
    size: int,
    asked: Sequence[str],
) -> tuple[Bank, dict[str, Any]]:
    """Load one bank, give it its index when the product would, and ask it."""
    say(f"{size} memories: loading")
    bank = await service.banks.create(f"size-{size}", None, BankConfig(), PACKAGED, DIM)
    report: dict[str, Any] = {"ingest": await bulk.load(service, bank, known, size, SEED)}
    await _analyse(service)
    bank = await service.banks.get(bank.name)
    if size > EXACT_ROWS:
        say(f"{size} memories: building the index")
        report["index_seconds"] = await _build(dsn, bank)
        service.banks.forget(bank.name)
        bank = await service.banks.get(bank.name)
    say(f"{size} memories: asking")
    report["load_before"] = os.getloadavg()
    report |= await stages.measure(service, embedder, bank, asked)
    return bank, report


async def _vector_recall(
    service: Service, walk: stages.Staged, dsn: str, bank: Bank, asked: Sequence[str]
) -> dict[str, Any]:
    """A bank too small for an index gets one, to see what it would find; recalls do not use it."""
    seconds = None
    if not bank.indexed:
        seconds = await _build(dsn, bank)
    return {**await against.vectors(service, walk, bank, asked), "index_seconds": seconds}


async def _build(dsn: str, bank: Bank) -> float:
    started = time.perf_counter()
    await build_index(dsn, bank)
    return time.perf_counter() - started


async def _analyse(service: Service) -> None:
    """What autovacuum does within a minute of such a load."""
    async with service.pool.connection() as conn:
        await conn.execute("reset role")
        await conn.execute("vacuum analyze")
        await conn.execute("set role fivefold_app")


def chosen_questions(count: int) -> list[str]:
    """English questions of the shipped set, all five types alike, in a seeded order."""
    lines = [json.loads(line) for line in bulk.QUESTIONS.read_text("utf-8").splitlines()]
    by_type: dict[str, list[str]] = {}
    for line in lines:
        if line["lang"] == "en":
            by_type.setdefault(line["type"], []).append(line["text"])
    rng = np.random.default_rng(SEED)
    for texts in by_type.values():
        rng.shuffle(texts)
    types = sorted(by_type)
    return [by_type[types[place % len(types)]][place // len(types)] for place in range(count)]


def _nearest_size(sizes: Sequence[int]) -> int:
    return min(sizes, key=lambda size: (abs(size - HTTP_ROWS), size))


def machine() -> dict[str, Any]:
    """Where the numbers come from."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load_before": os.getloadavg(),
    }


async def _server_facts(service: Service) -> dict[str, str]:
    names = ("server_version", "shared_buffers", "fsync", "synchronous_commit")
    async with service.pool.connection() as conn:
        rows = await (
            await conn.execute(
                "select name, current_setting(name) from unnest(%s::text[]) name", [list(names)]
            )
        ).fetchall()
        vector = await (
            await conn.execute("select extversion from pg_extension where extname = 'vector'")
        ).fetchone()
    return {**dict(rows), "pgvector": vector[0] if vector else "none"}


@asynccontextmanager
async def _service(dsn: str) -> AsyncIterator[tuple[Service, Forgetful]]:
    settings = Settings(
        database_url=SecretStr(dsn), channel_timeout_ms=stages.TIMEOUT_MS, log_level="WARNING"
    )
    async with open_service(settings) as service:
        embedder = Forgetful(PACKAGED)
        service.embedders.add(embedder)
        yield service, embedder


def say(text: str) -> None:
    """Progress, for whoever waits."""
    print(f"{datetime.now(UTC):%H:%M:%S} {text}", flush=True)


if __name__ == "__main__":
    main()
