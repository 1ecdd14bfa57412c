"""timeqa with the years in its texts read and not: `python -m bench.temporal_years DATA/timeqa`.

The set is loaded once; then the intervals and marks that were read from the texts are forgotten and
every question is asked again. Keeps what bench/temporal_lift.py puts into docs/temporal.md.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

from bench.temporal_lift import YEARS
from router.evaluate.asking import Asked, ask
from router.evaluate.cache import VectorCache
from router.evaluate.dataset import Dataset, read_dataset
from router.evaluate.metrics import measure
from router.evaluate.scratch import scratch_banks
from router.retain import Retainer
from router.settings import Settings
from router.store.banks import Bank
from router.wiring import Service, open_service

CACHE = Path("bench/out/vectors")
FORGET = (
    "delete from memory_dates where bank_id = %s",
    "update memories set has_time = false where bank_id = %s",
)


async def compared(dataset: Dataset, settings: Settings) -> dict[str, list[float]]:
    """nDCG@10 a question of the whole and of the temporal lane, with years read and unread."""
    async with open_service(settings) as service:
        with VectorCache(CACHE, service.embedders.embed) as cache:
            retainer = Retainer(service.transaction, cache.embed)
            async with scratch_banks(service, retainer, dataset, lambda _: None) as banks:
                found = {"read": await _asked(service, dataset, banks)}
                for bank in banks.values():
                    await _forget(service, bank)
                found["unread"] = await _asked(service, dataset, banks)
    return {
        f"{system} {how}": measure(
            [one.ranked[system] for one in asked], [one.query.relevant for one in asked]
        )["ndcg@10"].tolist()
        for how, asked in found.items()
        for system in ("fivefold", "temporal")
    }


async def _asked(service: Service, dataset: Dataset, banks: Mapping[str, Bank]) -> list[Asked]:
    judged = [query for query in dataset.queries if query.relevant]
    return [await ask(service, banks[query.bank], dataset, query, None) for query in judged]


async def _forget(service: Service, bank: Bank) -> None:
    async with service.transaction(bank.key) as conn:
        for statement in FORGET:
            await conn.execute(statement.encode(), [bank.key])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, help="only so many questions")
    given = parser.parse_args()
    dataset = read_dataset(given.data, limit=given.limit)
    found = asyncio.run(compared(dataset, Settings()))
    YEARS.parent.mkdir(parents=True, exist_ok=True)
    YEARS.write_text(json.dumps(found), "utf-8")


if __name__ == "__main__":
    main()
