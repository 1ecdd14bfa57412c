"""The runs of the click study: the usual traffic by prior, noise, what may go wrong, and teeth."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.residual_bed import CHECKPOINTS, Make, Point, Tenant, label_gain, run
from bench.residual_clicks import NOISE, USUAL, Scenario, scenarios
from bench.residual_data import Array
from bench.residual_naive import Hasty, Pairs, PlainPropensity, Unbounded
from bench.residual_rows import rows_study
from feedback.residual import ResidualState
from router.features import FEATURE_VERSION, model_names
from router.presets import CHANNELS

NOISE_RUNS = 48
WRONG_UNTIL = 3_000  # impressions at which the bars of wrong assumptions stand
TEETH: Mapping[str, type[ResidualState]] = {
    "pairs": Pairs,
    "neither_cap_nor_one_vote": Unbounded,
    "no_ridge_schedule": Hasty,
    "plain_propensity": PlainPropensity,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """Who is simulated, how often, and where learning may start."""

    tenants: Sequence[Tenant]
    zero: Array
    outside: Mapping[str, Array]  # set -> prior mean learnt without it
    shipped: Array
    seeds: Sequence[int]
    until: int
    parameters: Mapping[str, Mapping[str, object]] | None = None

    def prior(self, tenant: Tenant) -> Array:
        """Learnt on the other sets; the shipped one where there is no other."""
        return self.outside.get(tenant.set_name, self.shipped)


def study(plan: Plan, parts: Sequence[str] | None = None) -> dict[str, Any]:
    """Every part's numbers by name."""
    known = {
        "zero": lambda: _many(plan, USUAL, lambda _: plan.zero),
        "outside": lambda: _many(plan, USUAL, plan.prior),
        "shipped": lambda: _many(plan, USUAL, lambda _: plan.shipped),
        "noise": lambda: _noise(plan),
        "wrong": lambda: _wrong(plan),
        "teeth": lambda: _teeth(plan),
        "rows": lambda: rows_study(plan.tenants, plan.zero, plan.seeds),
    }
    report: dict[str, Any] = {
        "label_gain": {
            f"{one.set_name}/{one.direction}": round(label_gain(one), 4) for one in plan.tenants
        }
    }
    for name in parts or known:
        started = time.perf_counter()
        report[name] = known[name]()
        report[name]["seconds"] = round(time.perf_counter() - started, 1)
    return report


def _many(
    plan: Plan,
    scenario: Scenario,
    prior: Callable[[Tenant], Array],
    *,
    until: int | None = None,
    make: Make | None = None,
) -> dict[str, Any]:
    until = min(plan.until, until or plan.until)
    runs = [
        (tenant, run(tenant, scenario, prior(tenant), seed, until=until, make=make))
        for tenant in plan.tenants
        for seed in plan.seeds
    ]
    return _summary(plan.tenants, runs)


def _summary(
    tenants: Sequence[Tenant], runs: Sequence[tuple[Tenant, list[Point]]]
) -> dict[str, Any]:
    """By checkpoint: shares of the label gain, worst runs, gains live, and where the gate stood."""
    most = {id(tenant): label_gain(tenant) for tenant in tenants}
    marks = [point.impressions for point in runs[0][1]]
    names = sorted({tenant.set_name for tenant in tenants})
    found: dict[str, Any] = {"runs": len(runs), "at": {}}
    for place, mark in enumerate(marks):
        points = [(tenant, points[place]) for tenant, points in runs]
        shares = {
            name: {
                kind: _ratio(
                    [getattr(point, kind) for tenant, point in points if tenant.set_name == name],
                    [most[id(tenant)] for tenant, _ in points if tenant.set_name == name],
                )
                for kind in ("learnt", "served")
            }
            for name in names
        }
        found["at"][mark] = {
            "share": _mean([shares[name]["learnt"] for name in names]),
            "share_served": _mean([shares[name]["served"] for name in names]),
            "by_set": {name: round(shares[name]["learnt"], 2) for name in names},
            "gain_other": {
                name: _mean([p.other for t, p in points if t.set_name == name]) for name in names
            },
            "worst_learnt": round(min(point.learnt for _, point in points), 4),
            "worst_served": round(min(point.served for _, point in points), 4),
            "live": _mean([point.live for _, point in points]),
            "worst_live": round(min(point.live for _, point in points), 4),
            "on": _mean([float(point.is_on) for _, point in points]),
        }
    return found


def _noise(plan: Plan) -> dict[str, Any]:
    """Tenants where every click is noise: runs in which the gate was open, by checkpoint."""
    each = -(-NOISE_RUNS // (2 * len(plan.tenants)))
    found = [
        run(tenant, NOISE, start, plan.seeds[0] + seed, until=plan.until)
        for tenant in plan.tenants
        for start in (plan.zero, plan.prior(tenant))
        for seed in range(each)
    ]
    return {
        "runs": len(found),
        "on": {
            mark: sum(points[place].is_on for points in found)
            for place, mark in enumerate(CHECKPOINTS)
            if mark <= plan.until
        },
        "worst_live": round(min(point.live for points in found for point in points), 4),
    }


def _wrong(plan: Plan) -> dict[str, Any]:
    return {
        one.name: _many(plan, one, plan.prior, until=_until(one))
        for one in scenarios(plan.parameters)
    }


def _until(scenario: Scenario) -> int:
    return CHECKPOINTS[-1] if scenario.name.startswith("collusion") else WRONG_UNTIL


def _teeth(plan: Plan) -> dict[str, Any]:
    names = model_names(CHANNELS)

    def maker(kind: type[ResidualState]) -> Make:
        return lambda prior: kind.empty(names, FEATURE_VERSION, prior)

    return {
        name: _many(plan, USUAL, lambda _: plan.zero, make=maker(kind))
        for name, kind in TEETH.items()
    }


def _ratio(gains: Sequence[float], most: Sequence[float]) -> float:
    return float(np.mean(gains) / np.mean(most))


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4)
