"""`fivefold eval`: a data set loaded, every query asked, every system measured."""

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from router.evaluate.asking import Asked, ask
from router.evaluate.cache import VectorCache
from router.evaluate.dataset import Dataset
from router.evaluate.runs import write_runs
from router.evaluate.scratch import scratch_banks
from router.evaluate.surroundings import load_average, versions
from router.evaluate.tables import summarise
from router.presets import ALWAYS_RECENT, default_matrix
from router.retain import Retainer
from router.store.banks import Bank, BankConfig
from router.weights import Matrix
from router.wiring import Service

Advance = Callable[[str, int], None]  # stage ("load" or "ask") and how many more are done


@dataclass(frozen=True, slots=True)
class Options:
    """What an evaluation may be told."""

    rows_name: str = "live"
    rows: Matrix | None = None  # None: what the banks are served with
    cache: Path | None = None
    dump: Path | None = None


async def evaluate(
    service: Service, dataset: Dataset, options: Options, advance: Advance
) -> dict[str, Any]:
    """The report that api.md describes. Raises BadInput for a data set the store refuses."""
    loads, started = [load_average()], time.monotonic()
    matrix = options.rows or default_matrix(service.embedders.default)
    async with _banks(service, dataset, options, advance) as banks:
        loaded_s = time.monotonic() - started
        asked = await _ask_all(service, dataset, banks, options, advance)
        versions_used = await versions(service)
    loads.append(load_average())
    if options.dump is not None:
        write_runs(options.dump, asked)
    settings = {
        "rows": options.rows_name,
        "rrf_k": {kind: row.rrf_k for kind, row in matrix.rows.items()},
        "embedder": service.embedders.default,
        "memories": sum(map(len, dataset.memories.values())),
        "banks": len(dataset.memories),
        "blank_memories_left_out": dataset.blank,
        "load_seconds": round(loaded_s, 1),
        "load_average": {"start": loads[0], "end": loads[1]},
        "versions": versions_used,
    }
    report = summarise(dataset.name, asked)
    report["settings"] |= settings
    return report


@asynccontextmanager
async def _banks(
    service: Service, dataset: Dataset, options: Options, advance: Advance
) -> AsyncIterator[Mapping[str, Bank]]:
    with ExitStack() as closing:
        embed = service.embedders.embed
        if options.cache is not None:
            embed = closing.enter_context(VectorCache(options.cache, embed)).embed
        retainer = Retainer(service.transaction, embed, service.retainer.names)
        is_recent = options.rows_name in ALWAYS_RECENT
        config = BankConfig(recency="always" if is_recent else "asked")
        async with scratch_banks(
            service, retainer, dataset, lambda count: advance("load", count), config=config
        ) as banks:
            yield banks


async def _ask_all(
    service: Service,
    dataset: Dataset,
    banks: Mapping[str, Bank],
    options: Options,
    advance: Advance,
) -> list[Asked]:
    asked = []
    described = options.dump is not None
    for query in dataset.queries:  # one at a time: latencies of a queue would measure the queue
        bank = banks[query.bank]
        asked.append(await ask(service, bank, dataset, query, options.rows, described=described))
        advance("ask", 1)
    return asked
