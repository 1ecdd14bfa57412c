"""Measured lists into the report of `fivefold eval`: systems, differences, latency. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from router.evaluate.asking import FUSED_BASELINES, SYSTEMS, Asked
from router.evaluate.intervals import (
    FLIPS,
    RESAMPLES,
    SEED,
    Paired,
    bootstrap,
    paired,
    resampled_unit,
)
from router.evaluate.metrics import DEPTH, Scores, measure
from router.presets import CHANNELS

MAIN: Final = "ndcg@10"  # what intervals and comparisons are made of
DIGITS: Final = 4

Chosen = NDArray[np.bool_]


def summarise(name: str, asked: Sequence[Asked]) -> dict[str, Any]:
    """The report without what only the run itself knows; values rounded to four digits.

    Queries without a relevant memory cannot be measured: they are counted, and left out of all
    but the latency.
    """
    judged = [one for one in asked if one.query.relevant]
    settings = {
        "k": DEPTH,
        "depth": DEPTH,
        "seed": SEED,
        "resamples": RESAMPLES,
        "ci95": f"percentile bootstrap of {MAIN} over "
        f"{resampled_unit([one.query.bank for one in judged])} (per type: over bank from five on)",
        "p": f"two-sided paired sign-flip permutation over queries, {FLIPS} draws",
        "unjudged_queries_left_out": len(asked) - len(judged),
        "degraded": dict(sorted(Counter(d for one in asked for d in one.degraded).items())),
    }
    scores = {system: _scores(system, judged) for system in SYSTEMS} if judged else {}
    return {
        "dataset": name,
        "queries": len(judged),
        "systems": {system: _by_type(found, judged) for system, found in scores.items()},
        "vs": _against(scores, judged) if judged else {},
        "latency_ms": _latency(asked),
        "settings": settings,
    }


def _scores(system: str, judged: Sequence[Asked]) -> Scores:
    ranked = [one.ranked[system] for one in judged]
    return measure(ranked, [one.query.relevant for one in judged])


def _by_type(scores: Scores, judged: Sequence[Asked]) -> dict[str, Any]:
    kinds = np.array([one.query.type for one in judged])
    blocks = {"all": _block(scores, judged, np.ones(len(judged), np.bool_))}
    for kind in sorted(set(kinds.tolist())):
        blocks[kind] = _block(scores, judged, kinds == kind)
    return blocks


def _block(scores: Scores, judged: Sequence[Asked], chosen: Chosen) -> dict[str, Any]:
    banks = [one.query.bank for one, take in zip(judged, chosen, strict=True) if take]
    low, high = bootstrap(scores[MAIN][chosen], banks)
    means = {name: round(float(values[chosen].mean()), DIGITS) for name, values in scores.items()}
    return {**means, "n": len(banks), "ci95": [round(low, DIGITS), round(high, DIGITS)]}


def _against(scores: dict[str, Scores], judged: Sequence[Asked]) -> dict[str, Any]:
    banks = [one.query.bank for one in judged]

    def against(baseline: str) -> dict[str, Any]:
        return _paired_json(paired(scores["fivefold"][MAIN], scores[baseline][MAIN], banks))

    best = max(CHANNELS, key=lambda channel: float(scores[channel][MAIN].mean()))
    found = {name: against(name) for name in FUSED_BASELINES}
    return {**found, "best_single": {"channel": best, **against(best)}}


def _paired_json(one: Paired) -> dict[str, Any]:
    values = asdict(one)
    effect = values["cohens_d"]
    return {
        **values,
        "delta": round(one.delta, DIGITS),
        "ci95": [round(bound, DIGITS) for bound in one.ci95],
        "cohens_d": None if effect is None else round(effect, DIGITS),
        "p": round(one.p, DIGITS + 1),
    }


def _latency(asked: Sequence[Asked]) -> dict[str, float]:
    p50, p95 = np.percentile([one.ms for one in asked], [50, 95])
    return {"p50": round(float(p50), 2), "p95": round(float(p95), 2)}
