"""What serving the residual ranker costs: `python -m bench.residual_serving FOLDER [--queries N]`.

Each question of a judged data set is asked twice, with the gate shut and open, in turn; prints the
medians, the step's own share, and the load of the machine.
"""

import argparse
import asyncio
import json
import os
import statistics
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from psycopg.types.json import Jsonb

from feedback import learners
from feedback.learner import BankLearner
from router.answer import RecallRequest
from router.cli.opening import settings_with
from router.evaluate.dataset import Dataset, read_dataset
from router.evaluate.scratch import scratch_banks
from router.learning import setup_of
from router.store.banks import Bank
from router.wiring import Service, open_service

WARM = 20  # questions asked first and not counted


async def learn(service: Service, bank: Bank) -> None:
    """Give the bank an open gate over small weights, as a worker would have saved them."""
    settings = setup_of(bank.config, bank.embedder_name, fleet=True).settings
    learner = BankLearner.empty(settings.start)
    learner.residual.weights = np.full(len(settings.start.names), 0.1)
    learner.residual.is_on = True
    async with service.transaction(bank.key) as conn:
        await conn.execute(
            "insert into learners (bank_id, batch, state, settings, updated_at)"
            " values (%s, 1, %s, %s, now())",
            [bank.key, learner.dump(), Jsonb(settings.as_json())],
        )


async def turn(service: Service, bank: Bank, status: str) -> None:
    """Let the residual ranker correct answers (on), or take back what it adds (off)."""
    now = datetime.now(UTC)
    async with service.transaction(bank.key) as conn:
        if status == "on":
            await learners.set_status(conn, bank.key, "on", "measured", now)
        else:
            await learners.hold(conn, bank.key, "measured", now)
    service.recaller.residuals.forget(bank.key)


async def measure(dataset: Dataset, queries: int) -> dict[str, float]:
    """Medians in milliseconds."""
    totals: dict[str, list[float]] = {"off": [], "on": []}
    steps: list[float] = []
    async with (
        open_service(settings_with()) as service,
        scratch_banks(service, service.retainer, dataset, lambda _: None) as banks,
    ):
        for bank in banks.values():
            await learn(service, bank)
        for number, query in enumerate(dataset.queries[: queries + WARM]):
            asked = RecallRequest(query.text, dataset.asked_at(query), "UTC", explore=False)
            for status in ("off", "on") if number % 2 else ("on", "off"):
                await turn(service, banks[query.bank], status)
                await service.recaller.recall(banks[query.bank], asked)  # reads the learner anew
                started = time.perf_counter()
                answer = await service.recaller.recall(banks[query.bank], asked)
                if number >= WARM:
                    totals[status].append((time.perf_counter() - started) * 1_000)
                    if status == "on":
                        steps.append(answer.timings_ms["residual"])
    medians = {f"total_{status}_ms": statistics.median(ms) for status, ms in totals.items()}
    return medians | {"step_ms": statistics.median(steps), "load": os.getloadavg()[0]}


def main() -> None:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--queries", type=int, default=200)
    given = parser.parse_args()
    dataset = read_dataset(given.folder, limit=given.queries + WARM)
    found = asyncio.run(measure(dataset, given.queries))
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
