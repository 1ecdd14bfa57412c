"""What the residual ranker gains: `python -m bench.residual labels|clicks RUNS`.

RUNS holds one <set>.jsonl a set, as `fivefold eval SET --dump RUNS/<set>.jsonl` writes it.

labels  fitted to all judgements, each dialogue (or fifth of the questions) left out in turn.
clicks  learnt from simulated clicks by feedback.residual itself; prints the share of what labels of
        the same questions gain on unseen ones, for every checkpoint, as JSON and as a table.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.residual_bed import NAMES, tenants
from bench.residual_clicks import published
from bench.residual_data import Array, Judged, mean_ndcg, read
from bench.residual_fit import fit
from bench.residual_study import Plan, study
from bench.residual_table import table
from feedback.residual import prior_mean
from router.residual import shipped_prior

SETS = ("locomo", "realtalk", "longmemeval_pool")
BARS = {"locomo": 0.66, "realtalk": 0.575, "longmemeval_pool": 0.80}


def labels(judged: Sequence[Judged]) -> dict[str, float]:
    """nDCG@10 of the base and of weights fitted to the other groups' judgements."""
    found: list[float] = []
    for group in sorted({one.group for one in judged}):
        weights = fit([one for one in judged if one.group != group])
        found += [one.ndcg(weights) for one in judged if one.group == group]
    return {"base": mean_ndcg(judged), "fitted": float(np.mean(found))}


def outside_priors(sets: Mapping[str, Sequence[Judged]]) -> dict[str, Array]:
    """Prior mean for each set: the mean of the weights fitted to every other set."""
    fitted = {name: fit(judged) for name, judged in sets.items()}
    return {
        name: prior_mean(np.mean([fitted[other] for other in sets if other != name], axis=0))
        for name in sets
    }


def main() -> None:
    """Read the runs and print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("labels", "clicks"))
    parser.add_argument("runs", type=Path)
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--until", type=int, default=10_000)
    parser.add_argument("--split", type=int, default=900, help="seed of the halves and the clicks")
    parser.add_argument("--parts", nargs="+", help="only these parts of the study")
    parser.add_argument("--click-models", type=Path, help="published click parameters (JSON)")
    parser.add_argument("--out", type=Path, help="write the JSON to this file")
    given = parser.parse_args()
    sets = {name: read(given.runs / f"{name}.jsonl") for name in given.sets}
    report: dict[str, Any]
    if given.what == "labels":
        report = {name: labels(judged) | {"bar": BARS.get(name)} for name, judged in sets.items()}
    else:
        report = _clicks(sets, given)
    if given.out:
        given.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    print(json.dumps(report))
    if given.what == "clicks":
        print(table(report))


def _clicks(sets: Mapping[str, Sequence[Judged]], given: argparse.Namespace) -> dict[str, Any]:
    plan = Plan(
        tenants=[
            one for name, judged in sets.items() for one in tenants(name, judged, seed=given.split)
        ],
        zero=np.zeros(len(NAMES)),
        outside=outside_priors(sets) if len(sets) > 1 else {},
        shipped=shipped_prior(NAMES),
        seeds=range(given.split, given.split + given.seeds),
        until=given.until,
        parameters=published(given.click_models) if given.click_models else None,
    )
    return study(plan, given.parts)


if __name__ == "__main__":
    main()
