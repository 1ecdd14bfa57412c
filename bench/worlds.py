"""Multi-hop worlds: 800 memories over 250 entities and a hub, and questions two entities away.

`python -m bench.worlds` loads the worlds into scratch banks without an embedding model and prints
how often the memory that is meant is among the first ten. Everything follows from the seed.
"""

import argparse
import asyncio
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from router.answer import RecallRequest
from router.settings import Settings
from router.wiring import Service, open_service

MEMORIES, ENTITIES, QUESTIONS = 800, 250, 160
HUB, HUB_SHARE = "Orla Venn", 0.7  # named in 70 % of the memories, as a user is
PER_MEMORY = 2  # entities besides the hub
ASKED_MOST = 3  # memories that mention the entity asked about
BETWEEN_MOST = 20  # memories that mention the entity between; the store links through no commoner
SEEDS = (1, 2, 3)
K = 10
BATCH = 200
ONSETS = ("b", "br", "d", "dr", "f", "g", "gr", "h", "k", "kl", "l", "m", "n", "p", "pr", "r", "s")
VOWELS = ("a", "e", "i", "o", "u", "ai", "ei", "oa")
CODAS = ("k", "l", "ld", "m", "n", "nd", "r", "rt", "s", "st")
DEEDS = (
    "met {} about {}",
    "sent {} a note that concerns {}",
    "put {} and {} on the same list",
    "heard from {} that {} is late",
)


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """Asks by an entity that few memories mention; the one meant shares another with one of them.

    So the only way to it is entity, memory, entity, memory.
    """

    text: str
    meant: str  # id


@dataclass(frozen=True, slots=True)
class World:
    """Memories as a retain request carries them, and questions over them."""

    items: Sequence[dict[str, object]]
    questions: Sequence[HopQuestion]


def world(seed: int) -> World:
    """The world of that seed: two entities a memory, by Zipf's law, and the hub."""
    rng = random.Random(seed)  # noqa: S311 - a fixed world, no secret
    names = _names(rng)
    shares = [1 / rank for rank in range(1, ENTITIES + 1)]
    held: list[tuple[str, ...]] = []
    items: list[dict[str, object]] = []
    for number in range(MEMORIES):
        mentioned: tuple[str, ...] = ()
        while len(mentioned) < PER_MEMORY:
            mentioned = tuple(dict.fromkeys(rng.choices(names, shares, k=PER_MEMORY)))
        held.append(mentioned)
        items.append({"id": f"m{number}", "text": _text(rng, mentioned)})
    return World(items, _questions(rng, held))


def _names(rng: random.Random) -> list[str]:
    """Coined names of two words, none of which another name has."""
    words: dict[str, None] = {}
    while len(words) < 2 * ENTITIES:
        word = "".join(rng.choice(part) for part in (ONSETS, VOWELS, CODAS, VOWELS, CODAS))
        words.setdefault(word.capitalize())
    coined = list(words)
    return [f"{coined[2 * n]} {coined[2 * n + 1]}" for n in range(ENTITIES)]


def _text(rng: random.Random, mentioned: Sequence[str]) -> str:
    who = HUB if rng.random() < HUB_SHARE else "someone"
    return f"that day {who} " + rng.choice(DEEDS).format(*mentioned)


def _questions(rng: random.Random, held: Sequence[tuple[str, ...]]) -> list[HopQuestion]:
    holders: dict[str, list[int]] = defaultdict(list)
    for number, mentioned in enumerate(held):
        for name in mentioned:
            holders[name].append(number)
    found: dict[tuple[str, int], HopQuestion] = {}
    first = [name for name, numbers in holders.items() if len(numbers) <= ASKED_MOST]
    while len(found) < QUESTIONS:  # a walk: entity, memory, entity, memory
        asked = rng.choice(first)
        between = rng.choice(held[rng.choice(holders[asked])])
        meant = rng.choice(holders[between])
        if len(holders[between]) <= BETWEEN_MOST and asked not in held[meant]:
            found[asked, meant] = HopQuestion(f"What has to do with {asked}?", f"m{meant}")
    return list(found.values())


async def hits(service: Service, name: str, made: World) -> list[bool]:
    """For each question, whether a recall has the memory meant among its first K."""
    bank = await service.ensure_bank(name)
    try:
        for start in range(0, len(made.items), BATCH):
            await service.retain(bank, made.items[start : start + BATCH])
        bank = await service.banks.get(name)
        now = datetime.now(UTC)
        found = []
        for question in made.questions:
            request = RecallRequest(question.text, now, "UTC", k=K, explore=False)
            answer = await service.recaller.recall(bank, request)
            found.append(question.meant in {answer.facts[item.key].id for item in answer.page})
        return found
    finally:
        await service.recorder.flush()
        await service.delete_bank(bank)


async def measure(settings: Settings, seeds: Sequence[int]) -> dict[int, list[bool]]:
    """Seed -> what `hits` gives of its world."""
    async with open_service(settings) as service:
        return {seed: await hits(service, f"worlds:{seed}", world(seed)) for seed in seeds}


def main() -> None:
    """Print hit@10 of each world and of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="fivefold-worlds-") as folder:
        found = asyncio.run(measure(Settings(data_dir=Path(folder), embedder="none"), asked.seeds))
    for seed, one in found.items():
        print(f"seed {seed}: hit@{K} {sum(one) / len(one):.3f} of {len(one)} questions")
    whole = [hit for one in found.values() for hit in one]
    print(f"all: {sum(whole) / len(whole):.3f}")


if __name__ == "__main__":
    main()
