"""What goes wrong in the traffic: spam, other people than assumed, wrong types. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from router.presets import CHANNELS
from router.simulate.cases import Case, ndcg
from router.simulate.gathering import Advance, Pool
from router.simulate.people import USERS
from router.simulate.scoring import Half, Make, lived, summary
from router.simulate.stream import Traffic

CHECKPOINTS = (500, 1_000, 2_000, 4_000)

SCENARIOS: Mapping[str, Traffic] = {
    "as assumed": Traffic(),
    **{f"spam: {kind}": Traffic(spam=kind) for kind in ("random", "lane", "against", "bottom")},
    "eta .5": Traffic(user=USERS["deep"]),
    "eta 1.5": Traffic(user=USERS["steep"]),
    "eta 2": Traffic(user=USERS["shallow"]),
    "cascade": Traffic(user=USERS["cascade"]),
    "trust bias": Traffic(user=USERS["trusting"]),
    "25 % wrong types": Traffic(type_errors=0.25),
    "accidents .15": Traffic(user=USERS["careless"]),
}


def scenarios(
    pool: Pool, halves: Sequence[Half], make: Make, seeds: Sequence[int], advance: Advance
) -> dict[str, Any]:
    """Each scenario's runs over both halves and all seeds."""
    lane = worst_lane(pool.cases)
    found = {}
    for name, traffic in SCENARIOS.items():
        runs = []
        for half in halves:
            for seed in seeds:
                its = replace(traffic, lane=lane)
                runs.append(lived(half, pool.default, make, its, CHECKPOINTS, seed))
                advance("live", 1)
        found[name] = summary(runs)
    return {"scenarios": found, "pushed_lane": CHANNELS[lane]}


def worst_lane(cases: Sequence[Case]) -> int:
    """The lane that alone answers worst of those that answer at least half of the questions.

    What an attacker who knew the labels would push.
    """
    answered = [np.mean([case.ranks[:, lane].any() for case in cases]) for lane in _lanes()]
    alone = [np.mean([_alone(case, lane) for case in cases]) for lane in _lanes()]
    return min((lane for lane in _lanes() if answered[lane] >= 0.5), key=lambda lane: alone[lane])


def _lanes() -> range:
    return range(len(CHANNELS))


def _alone(case: Case, lane: int) -> float:
    found = np.flatnonzero(case.ranks[:, lane])
    return ndcg(case, found[np.argsort(case.ranks[found, lane], kind="stable")])
