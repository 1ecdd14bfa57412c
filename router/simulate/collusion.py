"""Many accounts that click alike: what trusted keys are worth against them. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from router.presets import CHANNELS
from router.simulate.gathering import Advance, Pool
from router.simulate.scenarios import worst_lane
from router.simulate.scoring import Half, Make, lived, summary
from router.simulate.stream import Traffic

CHECKPOINTS = (100, 500, 1_000, 2_000, 4_000)
HONEST, COLLUDERS = 100, 20  # accounts; none owns more than a hundredth of the evidence
TRUSTED: Mapping[str, int] = {"none": 0, "5 %": 6, "10 %": 12}  # of all 120 accounts


def collusion(
    pool: Pool, halves: Sequence[Half], make: Make, seeds: Sequence[int], advance: Advance
) -> dict[str, Any]:
    """The attack's curve by how many accounts are trusted, and the same people without it."""
    lane = worst_lane(pool.cases)
    curves = {
        "no attack, none trusted": Traffic(actors=HONEST),
        "no attack, 10 % trusted": Traffic(actors=HONEST, trusted=TRUSTED["10 %"]),
    }
    for name, trusted in TRUSTED.items():
        curves[f"attack, {name} trusted"] = Traffic(
            actors=HONEST, trusted=trusted, spam="lane", spam_actors=COLLUDERS, lane=lane
        )
    found = {}
    for name, traffic in curves.items():
        runs = []
        for half in halves:
            for seed in seeds:
                runs.append(lived(half, pool.default, make, traffic, CHECKPOINTS, seed))
                advance("live", 1)
        found[name] = summary(runs)
    return {"collusion": found, "pushed_lane": CHANNELS[lane]}
