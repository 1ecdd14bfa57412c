"""A process that moves a bank is killed; the next one goes on where it was."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.router.reembed.conftest import HASHES, OTHER, Moves
from tests.router.world import memory

TURNS = [memory(f"k{place}", f"turn {place} of the long walk home") for place in range(400)]
SCRIPT = """
import asyncio, sys
from pydantic import SecretStr
from router.settings import Settings
from router.wiring import open_service
from tests.router.api.conftest import WordHashes
from tests.router.reembed.conftest import OtherHashes

class Slow(OtherHashes):
    async def embed_tokens(self, texts):
        await asyncio.sleep(0.3)
        return await super().embed_tokens(texts)

async def main():
    settings = Settings(database_url=SecretStr(sys.argv[1]), pool_size=4)
    async with open_service(settings) as service:
        service.embedders.add(WordHashes())
        service.embedders.add(Slow())
        service.reembedder.start()
        await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.parametrize("batches", [1, 4])
def test_killed_move_is_taken_up_by_the_next_process(moves: Moves, batches: int) -> None:
    bank = moves.world.quick_bank(*TURNS)
    moves.ask(bank)
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, moves.world.dsn])
    try:
        deadline = time.monotonic() + 60
        while (found := moves.progress(bank)) and found["done"] < 64 * batches:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
    assert found is not None
    kept = moves.progress(bank)
    assert kept is not None
    assert kept["done"] >= 64 * batches
    assert moves.models(bank) == {HASHES}
    moves.world.rows(  # as a minute later
        bank, "update reembeddings set busy_until = null where bank_id = %(bank)s returning 1"
    )
    made = moves.model.embedded
    moves.work(bank)
    assert moves.model.embedded - made <= len(TURNS) - 64 * batches
    assert moves.models(bank) == {OTHER}
    assert moves.progress(bank) is None
