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
