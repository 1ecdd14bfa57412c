"""`fivefold simulate`: what simulated people teach the real learner, study by study. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from feedback.library import TypeRows
from feedback.posterior import FleetPrior
from router.presets import CHANNELS
from router.simulate.collusion import collusion
from router.simulate.fleets import PROFILES as FLEET_PROFILES
from router.simulate.fleets import fleets
from router.simulate.gathering import Advance, Pool
from router.simulate.judging import judged
from router.simulate.learners import Fivefold, InversePropensity, NaiveCredit, Static, start_of
from router.simulate.scenarios import scenarios
from router.simulate.scoring import Half, Make, Run, halves_of, lived, summary
from router.simulate.stream import Traffic
from router.simulate.switch import switch
from router.simulate.verdict import COUNTS_FROM, LIBRARY_SHARE

CHECKPOINTS = (100, 500, 1_000, 2_000, 3_000)
STUDIES = ("bars", "scenarios", "switch", "fleet", "judging", "collusion")


def ours(default: TypeRows) -> Fivefold:
    """The product's learner for a bank of its own."""
    return Fivefold(start_of(CHANNELS, default), FleetPrior.none(len(CHANNELS)))


RIVALS: Mapping[str, Make] = {
    "static": lambda default: Static(start_of(CHANNELS, default)),
    "naive": lambda default: NaiveCredit(start_of(CHANNELS, default)),
    "ips": lambda default: InversePropensity(start_of(CHANNELS, default)),
}


@dataclass(frozen=True, slots=True)
class Bed:
    """What is simulated."""

    profiles: Sequence[str]
    seeds: Sequence[int]
    studies: Sequence[str] = ("bars",)
    checkpoints: Sequence[int] = CHECKPOINTS
    traffic: Traffic = field(default_factory=Traffic)
    rivals: bool = True  # also naive credit, inverse propensity and no learning

    @property
    def asked(self) -> list[str]:
        """Profiles whose questions the lanes must answer."""
        its = self.profiles if {*self.studies} - {"fleet"} else []
        further = FLEET_PROFILES if "fleet" in self.studies else ()
        return list(dict.fromkeys([*its, *further]))


def simulate(name: str, pools: Mapping[str, Pool], bed: Bed, advance: Advance) -> dict[str, Any]:
    """The report on a data set: each study, by profile."""
    report: dict[str, Any] = {"dataset": name, "studies": {}}
    told = report["studies"]
    if "fleet" in bed.studies:
        told["fleet"] = fleets(pools, bed.seeds, bed.traffic, advance)
    for profile in bed.profiles:
        if not {*bed.studies} - {"fleet"}:
            break
        pool = pools[profile]
        halves = halves_of(pool)
        for study in bed.studies:
            if study in OF_PROFILE:
                told.setdefault(study, {})[profile] = {
                    **described(pool, halves),
                    **OF_PROFILE[study](pool, halves, bed, advance),
                }
    return report


def described(pool: Pool, halves: Sequence[Half]) -> dict[str, Any]:
    """How much there is to learn: a profile counts when that is enough for the library to find."""
    gap = float(np.mean([half.ceiling - half.default for half in halves]))
    share = float(np.mean([half.library_share for half in halves]))
    return {
        "cases": len(pool.cases),
        "halves": [half.as_json() for half in halves],
        "gap": gap,
        "library_share": share,
        "counts": gap >= COUNTS_FROM and share >= LIBRARY_SHARE,
    }


def bars(pool: Pool, halves: Sequence[Half], bed: Bed, advance: Advance) -> dict[str, Any]:
    """Every learner, both halves, every seed."""
    makes: dict[str, Make] = {"fivefold": ours, **(RIVALS if bed.rivals else {})}
    runs: dict[str, list[Run]] = {name: [] for name in makes}
    for half in halves:
        for seed in bed.seeds:
            for name, make in makes.items():
                its = lived(half, pool.default, make, bed.traffic, bed.checkpoints, seed)
                runs[name].append(its)
                advance("live", 1)
    static = runs.get("static")
    regret = float(np.mean([run.regret for run in static])) if static else None
    return {"learners": {name: summary(its, regret) for name, its in runs.items()}}


OF_PROFILE: Mapping[str, Callable[[Pool, Sequence[Half], Bed, Advance], dict[str, Any]]] = {
    "bars": bars,
    "scenarios": lambda pool, halves, bed, advance: scenarios(
        pool, halves, ours, bed.seeds, advance
    ),
    "switch": lambda pool, halves, bed, advance: switch(pool, halves, ours, bed.seeds, advance),
    "judging": lambda pool, halves, bed, advance: judged(pool, halves, bed.seeds, advance),
    "collusion": lambda pool, halves, bed, advance: collusion(
        pool, halves, ours, bed.seeds, advance
    ),
}
