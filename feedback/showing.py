"""Rows and what is known of them as plain values, for the store and for people. Pure."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from feedback.impression import TYPES
from feedback.learner import BankLearner, Start, Verdict
from feedback.library import TypeRows, normalised, rows_of
from feedback.offpolicy import PolicyValue, Value
from feedback.posterior import FleetPrior, posterior
from feedback.residual import ServedResidual

DECIMALS = 6  # of a published number: another machine's last bit makes no other version
MOST_RRF_K = 1_000.0  # as router.weights takes it
TOP = 5  # candidate rows shown for a type
Z = 1.96


def publishable(rows: TypeRows) -> TypeRows:
    """The rows as they are stored: rounded, and within what a matrix may hold."""
    weights = normalised(rows.weights).round(DECIMALS)
    return TypeRows(weights, np.clip(rows.rrf_k, 10.0**-DECIMALS, MOST_RRF_K).round(DECIMALS))


def rows_json(rows: TypeRows, channels: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Type -> {"weights": {channel: w}, "rrf_k": k}."""
    return {
        kind: {
            "weights": dict(zip(channels, rows.weights[at].tolist(), strict=True)),
            "rrf_k": float(rows.rrf_k[at]),
        }
        for at, kind in enumerate(TYPES)
    }


def rows_from_json(rows: Mapping[str, Mapping[str, Any]], start: Start) -> TypeRows:
    """Back from `rows_json`; a lane that came later has the weight that it starts with."""
    first = dict(zip(TYPES, start.rows.weights.tolist(), strict=True))
    weights = [
        [
            rows[kind]["weights"].get(name, prior)
            for name, prior in zip(start.channels, first[kind], strict=True)
        ]
        for kind in TYPES
    ]
    rrf_k = [rows[kind]["rrf_k"] for kind in TYPES]
    return TypeRows(np.array(weights, np.float64), np.array(rrf_k, np.float64))


def evidence_json(
    learner: BankLearner, start: Start, fleet: FleetPrior
) -> dict[str, dict[str, Any]]:
    """Per type: impressions counted, gain over the default in DCG with interval, best candidates.

    The gain is that of the row served, as the mean of the library under the posterior; `n` falls
    with forgetting, so it says how much still counts.
    """
    state = learner.matrix
    belief = posterior(state, fleet)
    told = {}
    for at, kind in enumerate(TYPES):
        n = float(state.count[at])
        gain = interval = None
        if n > 0:
            mean = float(belief[at] @ state.gain[at]) / n
            half = Z * float(belief[at] @ state.square[at]) ** 0.5 / n
            gain, interval = round(mean, 6), [round(mean - half, 6), round(mean + half, 6)]
        told[kind] = {
            "n": round(n, 3),
            "gain": gain,
            "interval": interval,
            "candidates": _candidates(belief[at], start, at)
            if n > 0 or fleet.gain[at].any()
            else [],
        }
    return told


def residual_json(learner: BankLearner | None, served: ServedResidual | None) -> dict[str, Any]:
    """The residual ranker's weights by feature, its gate, and what trusted keys let of them count.

    Those served stay what they were when the learner was held, while it is.
    """
    if learner is None:
        return {
            "coefficients": None,
            "served": None if served is None else _named(served.names, served.weights),
            "gate": "off",
            "z": None,
            "heeded": 1.0,
            "impressions": 0,
        }
    state = learner.residual
    return {
        "coefficients": _named(state.names, state.weights),
        "served": None if served is None else _named(served.names, served.weights),
        "gate": "on" if state.is_on else "off",
        "z": round(state.gate, 4),
        "heeded": round(state.trial.heed, 4),
        "impressions": state.impressions,
    }


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """A verdict with its estimate."""
    return {
        "publish": verdict.publish,
        "reason": verdict.reason,
        "estimate": None if verdict.estimate is None else policy_json(verdict.estimate),
    }


def policy_json(value: PolicyValue) -> dict[str, Any]:
    """What rows are worth beside the reference, in DCG at 10."""
    return {
        "dr": _value(value.gain),
        "affine_ips": _value(value.affine),
        "impressions": value.impressions,
        "effective": value.effective,
        "coverage": round(value.coverage, 4),
        "verdict": value.verdict,
    }


def _candidates(belief: Any, start: Start, kind: int) -> list[dict[str, Any]]:
    weights, rrf_k = rows_of(start.rows.weights[kind], float(start.rows.rrf_k[kind]))
    best = np.argsort(-belief, kind="stable")[:TOP]
    return [
        {
            "number": int(row),
            "belief": round(float(belief[row]), 4),
            "weights": dict(zip(start.channels, weights[row].round(4).tolist(), strict=True)),
            "rrf_k": round(float(rrf_k[row]), 4),
        }
        for row in best
    ]


def _named(names: tuple[str, ...], weights: Any) -> dict[str, float]:
    return {name: round(float(one), 6) for name, one in zip(names, weights, strict=True)}


def _value(value: Value) -> dict[str, float]:
    return {
        "mean": round(value.mean, 6),
        "low": round(value.low, 6),
        "high": round(value.high, 6),
    }
