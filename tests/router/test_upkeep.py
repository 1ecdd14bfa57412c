"""What the service does from time to time on its own."""

import asyncio
from datetime import UTC, datetime, timedelta

from feedback.ingest import FeedbackStore
from router.upkeep import kept_up
from tests.router.world import World, memory


def test_events_that_wait_in_vain_for_a_day_expire_by_themselves(world: World) -> None:
    name = world.quick_bank(memory("m", "a memory"))
    late = [datetime.now(UTC)]
    feedback = FeedbackStore(world.service.transaction, clock=lambda: late[0])
    event = {
        "event_id": "e1",
        "action_name": "memory_cited",
        "timestamp": late[0].isoformat(),
        "query_id": "never-recorded",
        "memory_id": "m",
        "position": 1,
    }

    async def wait_and_look() -> str:
        bank = await world.service.banks.get(name)
        receipt = await feedback.ingest(bank.key, [event], api_key=None, trusted=False)
        assert receipt.parked == 1
        late[0] += timedelta(hours=25)
        async with kept_up(feedback, every_s=0.01), asyncio.timeout(20):
            while True:
                (found,) = await feedback.events_of(bank.key, "never-recorded")
                if found.state != "parked":
                    return str(found.state)
                await asyncio.sleep(0.01)

    assert world.run(wait_and_look()) == "expired"
