"""A bank with everything that an export must carry, and ways to look at one."""

import json
from pathlib import Path
from typing import Any

from channels.embedder import PACKAGED
from router.presets import preset
from router.store.matrices import Matrices
from tests.router.world import World, memory

PLACES = ("harbour", "orchard", "library", "workshop", "bakery", "museum")
DEEDS = ("painted the fence", "lost the keys", "met Ruth", "planted beans", "fixed E_PUMP_7")
QUESTIONS = (
    "who fixed E_PUMP_7 at the harbour?",
    "what happened at the library last week?",
    "when did we meet Ruth?",
    "was anybody sad about the keys?",
    "where do the beans grow?",
    "the bakery in May 2025",
)
TABLES = (
    *("memories", "memory_stats", "memory_tokens", "memory_dates", "episodes", "postings"),
    *("term_stats", "edges", "entities", "memory_entities", "bank_stats", "matrices"),
    *("matrix_heads",),
)


def story(count: int) -> list[dict[str, Any]]:
    """Turns of several episodes, the same each time."""
    items = []
    for place in range(count):
        where, deed = PLACES[place % len(PLACES)], DEEDS[place % len(DEEDS)]
        felt = "sad" if place % 7 else "glad"
        items.append(
            memory(
                f"m{place}",
                f"On walk {place} to the {where} we {deed} and felt {felt}",
                f"2025-05-{place % 28 + 1:02}T09:00:00Z",
                episode=f"walk-{place // 6}",
                position=place % 6,
                speaker=("Ada", "Ben")[place % 2],
                tags=[where],
                topic=f"walks.{where}",
                metadata={"place": place, "share": place / 3},
                proof_count=place % 3 + 1,
            )
        )
    return items


def rich_bank(world: World, *, replaced: bool, count: int = 60, **config: Any) -> str:
    """A bank of `count` memories and seven more, with supersession, edges and three matrices.

    `replaced`: an early memory is written anew, and refers to ones that came after it.
    """
    name: str = world.bank(**config)
    items = story(count)

    def keep(*items: object) -> None:
        assert world.keep(name, *items).errors == []

    for start in range(0, count, 20):
        keep(*items[start : start + 20])
    keep(
        memory("new-key", "The keys were found", "2025-06-01T08:00:00Z", supersedes=["m1", "m6"],
               entities=[{"text": "Ruth", "type": "person"}], kind="fact",
               behaviour={"retries": 2, "duration_s": 1.5},
               affect=[{"label": "joy", "intensity": 0.7}]),
        memory("cause", "Rain came", edges=[{"type": "CAUSES", "to": "m3", "strength": 0.3}]),
    )  # fmt: skip
    keep(memory("newer-key", "The keys hang at the door", supersedes=["new-key"]))
    keep({"text": "A memory whose caller gave it no id"})
    if replaced:
        forward = [{"type": "CAUSES", "to": "cause"}]
        keep(memory("m2", "Rewritten", episode="walk-0", position=2, edges=forward,
                                supersedes=["m9"]))  # fmt: skip
    keep(*(memory(f"late-{n}", f"Beans and keys, {n} at the harbour") for n in "abc"))
    key = world.run(world.service.banks.get(name)).key
    matrices = Matrices(world.service.transaction)
    world.run(
        matrices.publish(key, preset("uniform", PACKAGED), expected=0, reason="try", author="ada")
    )
    world.run(
        matrices.publish(key, preset("cascade", PACKAGED), expected=1, reason="why", author="ben")
    )
    world.run(matrices.roll_back(key, 1, preset("default", PACKAGED), reason=None, author="ada"))
    return name


def held(world: World, bank: str, tables: tuple[str, ...] = TABLES) -> dict[str, Any]:
    """Every row of the bank with its place on disk: equal only while nothing is written."""
    return {
        table: sorted(
            map(
                repr,
                world.rows(bank, f"select ctid, xmin, t.* from {table} t where bank_id = %(bank)s"),
            )
        )
        for table in tables
    }


def exported_rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """The lines of one file of an export."""
    return [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
