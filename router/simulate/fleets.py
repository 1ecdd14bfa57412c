"""A new bank among others: what their word is worth to it, also where it is unlike them. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from feedback.fleet import fleet_prior
from feedback.library import TypeRows
from feedback.posterior import FleetPrior, MatrixState
from router.presets import CHANNELS
from router.simulate.cases import Case
from router.simulate.gathering import Advance, Pool
from router.simulate.learners import Fivefold, start_of
from router.simulate.stream import Traffic, live, scored

TAUGHT = 1_000  # impressions in each of the other banks
CHECKPOINTS = (1, 50, 200, 500)  # of the newcomer; before the first it serves the default by rule
MIXED = ("natural", "terse", "dated", "masked", "missing_keyword")
PROFILES = MIXED  # all that must have been asked
SPLIT_SEED = 11
Banks = Mapping[str, Sequence[Case]]


def fleets(
    pools: Mapping[str, Pool], seeds: Sequence[int], traffic: Traffic, advance: Advance
) -> dict[str, Any]:
    """Each bank of the data set in turn as the newcomer, with and without the others' word.

    `same`: all banks natural. `mixed`: kinds of traffic dealt round. `alien`: a natural fleet, and
    a newcomer without a keyword lane.
    """
    default = pools["natural"].default
    by_bank = {name: _by_bank(pools[name].cases) for name in PROFILES}
    banks = sorted(set.intersection(*({*its} for its in by_bank.values())))
    dealt = {bank: MIXED[at % len(MIXED)] for at, bank in enumerate(banks)}
    kinds: Mapping[str, tuple[Banks, Banks]] = {  # what the others ask, and what the newcomer asks
        "same": (by_bank["natural"], by_bank["natural"]),
        "mixed": ({bank: by_bank[dealt[bank]][bank] for bank in banks},) * 2,
        "alien": (by_bank["natural"], by_bank["missing_keyword"]),
    }
    found = {}
    for kind, (others, own) in kinds.items():
        gains: dict[str, list[dict[int, float]]] = {"alone": [], "fleet": []}
        for seed in seeds:
            states = {bank: _taught(others[bank], default, traffic, seed) for bank in banks}
            advance("live", len(banks))
            for bank in banks:
                word = fleet_prior([states[one] for one in banks if one != bank], len(CHANNELS))
                for name, prior in (("alone", FleetPrior.none(len(CHANNELS))), ("fleet", word)):
                    gains[name].append(_newcomer(own[bank], default, prior, traffic, seed))
                    advance("live", 1)
        found[kind] = {name: _mean(its) for name, its in gains.items()}
    return {"banks": len(banks), "kinds": found}


def _taught(cases: Sequence[Case], default: TypeRows, traffic: Traffic, seed: int) -> MatrixState:
    learner = Fivefold(start_of(CHANNELS, default), FleetPrior.none(len(CHANNELS)))
    live(learner, default, lambda _: cases, lambda _: cases[:1], [TAUGHT], traffic, seed=seed)
    return learner.state.matrix


def _newcomer(
    cases: Sequence[Case], default: TypeRows, prior: FleetPrior, traffic: Traffic, seed: int
) -> dict[int, float]:
    """Gain over the default rows on its own unseen questions, relative, by checkpoint."""
    mixed = np.random.default_rng([SPLIT_SEED, seed]).permutation(len(cases))
    asked = [cases[at] for at in mixed[: len(cases) // 2]]
    unseen = [cases[at] for at in mixed[len(cases) // 2 :]]
    start, _ = scored(unseen, default)
    learner = Fivefold(start_of(CHANNELS, default), prior)
    course = live(
        learner, default, lambda _: asked, lambda _: unseen, CHECKPOINTS, traffic, seed=seed + 1_000
    )
    return {at: score / start - 1 for at, score in course.unseen.items()}


def _by_bank(cases: Sequence[Case]) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in cases:
        found.setdefault(case.bank, []).append(case)
    return found


def _mean(gains: Sequence[Mapping[int, float]]) -> dict[str, dict[str, float]]:
    return {
        str(at): {
            "mean": float(np.mean([one[at] for one in gains])),
            "lowest": float(min(one[at] for one in gains)),
        }
        for at in CHECKPOINTS
    }
