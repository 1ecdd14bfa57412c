"""Conversations to retain, and short ways to look at what became of them."""

from typing import Any

from router.retain import Receipt
from tests.router.world import World, memory

TURNS = (
    "The staging cluster moved to eu-west",
    "Petra asked why the bill doubled",
    "Nobody had stopped the old machines",
    "We stop them on 5 June 2025",
    "@petra confirmed E_BILL_22 is gone",
)

STANDUP = [
    memory("m0", "We moved the staging cluster to eu-west", "2025-06-02T09:00:00Z",
           speaker="Ana", episode="e1", tags=["infra"], topic="infra.staging"),
    memory("m1", "The deploy script broke and Ben was angry", "2025-06-03T09:00:00Z",
           speaker="Ben", episode="e1", tags=["infra", "deploy"], topic="infra.deploy",
           affect=[{"label": "anger", "intensity": 0.8}]),
    memory("m2", "Billing runs on the old cluster until July", "2025-06-04T09:00:00Z",
           speaker="Ana", episode="e2", tags=["billing"], topic="billing", kind="fact"),
    memory("m3", "E_AUTH_404 was fixed in the login service", "2025-06-05T09:00:00Z",
           speaker="Ben", episode="e2", topic="infrared"),
    memory("m4", "Lunch is at noon in the canteen", "2025-06-10T09:00:00Z", speaker="Cleo"),
]  # fmt: skip
STANDUP_QUESTION = "when was Ben angry about the deploy script last week?"


def told(receipt: Receipt) -> list[tuple[int, str]]:
    return [(error.index, error.field) for error in receipt.errors]


def texts(world: World, bank: str) -> dict[str, str]:
    found = world.rows(bank, "select id, text from memories where bank_id = %(bank)s")
    return {name: text for name, text in found}


def conversation(episode: str = "e1", prefix: str = "t") -> list[dict[str, Any]]:
    return [
        memory(
            f"{prefix}{place}", text, f"2025-06-01T09:0{place}:00Z", episode=episode, position=place
        )
        for place, text in enumerate(TURNS)
    ]


def edges(world: World, bank: str, kind: str) -> set[tuple[str, str]]:
    found = world.rows(
        bank,
        "select s.id, d.id from edges e join memories s on s.bank_id = e.bank_id and s.key = e.src"
        " join memories d on d.bank_id = e.bank_id and d.key = e.dst"
        f" where e.bank_id = %(bank)s and e.type = '{kind}'",
    )
    return {(source, target) for source, target in found}
