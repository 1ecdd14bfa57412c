"""What the learner must reach in the bed, and whether it did. Pure.

The limits are the specification's, of the studies too: those were set on other data, with a margin.
docs/learning.md, "The bed", says which of them have been measured here and what was missed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

COUNTS_FROM = 0.03  # nDCG that a fitted ceiling must be above the default for a profile to count
LIBRARY_SHARE = 0.965  # of the ceiling that the best library row must reach, or the bed is unfair
MUST_COUNT, LEAST_COUNTING = "weak_embedder", 3
RATIOS = {"500": 0.50, "1000": 0.65, "3000": 0.75}  # mean over profiles that count
MOST_HARM = -0.06  # of any run at any checkpoint
MOST_TYPE_HARM = -0.15  # of any type, mean over runs
MOST_REGRET = 0.55  # of that of not learning, in every profile that counts
BEHIND_IPS = 0.05  # ratio at 2,000
LEAST_PROFILE, LEAST_RUN = 0.65, 0.45  # ratio at 3,000 of a profile, and of any run

Report = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """One claim, what was measured, and the limit."""

    claim: str
    measured: float
    limit: float
    at_most: bool = False  # else at least
    unit: str = ""  # "%": shown as a share

    @property
    def is_met(self) -> bool:
        """Whether the figure is on the right side of the limit."""
        if self.at_most:
            return self.measured <= self.limit
        return self.measured >= self.limit

    def line(self) -> str:
        """For people."""
        word = "met   " if self.is_met else "MISSED"
        sign = "at most" if self.at_most else "at least"
        return (
            f"{word}  {self.claim}: {self._told(self.measured)} ({sign} {self._told(self.limit)})"
        )

    def _told(self, number: float) -> str:
        return f"{number:.1%}" if self.unit == "%" else f"{number:.3g}"


def verdict(report: Report) -> list[Bar]:
    """A bar for each claim that the report's studies can say something about."""
    studies = report["studies"]
    found: list[Bar] = []
    for name, bars in (
        ("bars", learning), ("scenarios", traffic), ("switch", switched), ("fleet", newcomers),
        ("judging", estimates), ("collusion", attack),
    ):  # fmt: skip
        if name in studies:
            found += bars(studies[name])
    return found


def learning(profiles: Report) -> Iterator[Bar]:
    """What the specification asks of the learner as such."""
    counting = {name: its for name, its in profiles.items() if its["counts"]}
    yield Bar("profiles that count", len(counting), LEAST_COUNTING)
    yield Bar(f"{MUST_COUNT} counts", float(MUST_COUNT in counting), 1.0)
    yield from _harms(profiles)
    if not counting:
        return
    own = {name: its["learners"]["fivefold"] for name, its in counting.items()}
    for at, limit in RATIOS.items():
        if at in next(iter(own.values()))["ratio"]:
            yield Bar(f"mean ratio @{at}", _mean(own, at), limit)
    if "3000" in next(iter(own.values()))["ratio"]:
        lowest = min(one["ratio"]["3000"] for one in own.values())
        yield Bar("lowest profile's ratio @3000", lowest, LEAST_PROFILE)
        run = min(one["lowest"]["3000"] for one in own.values())
        yield Bar("lowest run's ratio @3000", run, LEAST_RUN)
    if all("static" in its["learners"] for its in profiles.values()):
        yield from _against(profiles, counting)


def _harms(profiles: Report) -> Iterator[Bar]:
    ours = {name: its["learners"]["fivefold"] for name, its in profiles.items()}
    worst = min(ours, key=lambda name: ours[name]["worst_harm"])
    yield Bar(f"lowest run, all profiles ({worst})", ours[worst]["worst_harm"], MOST_HARM, unit="%")
    harms = {
        f"{profile}, {kind}, @{at}": value
        for profile, its in ours.items()
        for kind, values in its["types"].items()
        for at, value in values.items()
    }
    if harms:
        name = min(harms, key=lambda one: harms[one])
        yield Bar(f"lowest type, all profiles ({name})", harms[name], MOST_TYPE_HARM, unit="%")


def _against(profiles: Report, counting: Report) -> Iterator[Bar]:
    for what, its in (("profiles that count", counting), ("all profiles", profiles)):
        regrets = {name: one["learners"]["fivefold"]["regret_share"] for name, one in its.items()}
        worst = max(regrets, key=lambda name: regrets[name])
        claim = f"regret against not learning, {what} ({worst})"
        yield Bar(claim, regrets[worst], MOST_REGRET, at_most=True, unit="%")
    learners = {
        name: {profile: its["learners"][name] for profile, its in counting.items()}
        for name in ("fivefold", "naive", "ips")
    }
    known = learners["fivefold"][next(iter(counting))]["ratio"]
    if "2000" in known:
        ahead = _mean(learners["fivefold"], "2000") - _mean(learners["ips"], "2000")
        yield Bar("ratio @2000 ahead of inverse propensity", ahead, -BEHIND_IPS)
    if "3000" in known:
        naive = _mean(learners["naive"], "3000")
        yield Bar("naive credit's mean ratio @3000, which must fail", naive, 0.0, at_most=True)
    naive_regret = {
        name: its["learners"]["naive"]["regret_share"] for name, its in profiles.items()
    }
    worst = max(naive_regret, key=lambda name: naive_regret[name])
    claim = f"naive credit's regret against not learning ({worst}), which must be no gain"
    yield Bar(claim, naive_regret[worst], 1.0, unit="%")


def _mean(learners: Report, at: str) -> float:
    return float(np.mean([one["ratio"][at] for one in learners.values()]))


# Of the studies.
LEAST_SPAMMED = 0.50  # ratio at the end under 2 spammers
LEAST_OTHERS = 0.50  # ratio at the end with other people than assumed
MOST_HARM_OTHERS = -0.08
LEAST_FLEET = {"same": 0.05, "mixed": 0.03}  # of what starting alone gives
LEAST_SPEARMAN = {"500": 0.65, "2000": 0.75}
MOST_FALSE = 0.03
LEAST_ATTACKED = -0.10


def traffic(profiles: Report) -> Iterator[Bar]:
    """Spam, and people unlike those assumed."""
    for profile, its in profiles.items():
        for name, one in its["scenarios"].items():
            end = list(one["ratio"])[-1]
            limit = LEAST_SPAMMED if name.startswith("spam") else LEAST_OTHERS
            yield Bar(f"{profile}, {name}: ratio @{end}", one["ratio"][end], limit)
            if not name.startswith("spam"):
                claim = f"{profile}, {name}: lowest run"
                yield Bar(claim, one["worst_harm"], MOST_HARM_OTHERS, unit="%")


def switched(profiles: Report) -> Iterator[Bar]:
    """After a lane broke: above the default that is left, on average over runs."""
    for profile, its in profiles.items():
        for at, value in list(its["value"].items())[1:]:
            claim = f"{profile}, @{int(at) - its['breaks_at']:+} after the lane broke: over default"
            yield Bar(claim, value, 0.0, unit="%")


def newcomers(fleet: Report) -> Iterator[Bar]:
    """A fleet of banks alike is worth something to a new one."""
    for kind, limit in LEAST_FLEET.items():
        its = fleet["kinds"][kind]
        for at in its["fleet"]:
            if at not in ("1", "50"):
                continue
            ahead = its["fleet"][at]["mean"] - its["alone"][at]["mean"]
            yield Bar(f"new bank in a fleet ({kind}) @{at}: over starting alone", ahead, limit,
                      unit="%")  # fmt: skip


def estimates(profiles: Report) -> Iterator[Bar]:
    """What the log says of rows that were never served."""
    for profile, its in profiles.items():
        for size, limit in LEAST_SPEARMAN.items():
            one = its["sizes"][size]
            yield Bar(f"{profile}, {size} recalls: Spearman, doubly robust",
                      one["robust_spearman"], limit)  # fmt: skip
            yield Bar(f"{profile}, {size} recalls: false promotions by the affine gate",
                      one["affine_false"], MOST_FALSE, at_most=True, unit="%")  # fmt: skip


def attack(profiles: Report) -> Iterator[Bar]:
    """Twenty colluders of 120 accounts, against at most a tenth of trusted ones."""
    for profile, its in profiles.items():
        one = its["collusion"]["attack, 10 % trusted"]
        end = list(one["value"])[-1]
        claim = f"{profile}, collusion against 10 % trusted accounts @{end}: over default"
        yield Bar(claim, one["value"][end], LEAST_ATTACKED, unit="%")


def told(bars: Iterable[Bar]) -> str:
    """The verdict as text."""
    lines = [bar.line() for bar in bars]
    missed = sum(line.startswith("MISSED") for line in lines)
    return "\n".join(["## Verdict", "", *lines, "", f"{len(lines) - missed} met, {missed} missed."])
