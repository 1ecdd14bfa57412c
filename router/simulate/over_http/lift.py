"""What a simulation over HTTP found: lift, how soon, how different the matrices. Pure."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from router.evaluate.dataset import Query
from router.evaluate.intervals import paired
from router.evaluate.metrics import measure
from router.simulate.over_http.remote import Reply
from router.simulate.over_http.tenant import CHANGED_S, Change

#: What the lift is made of: the later page less the earlier one. "lanes" is what changed under the
#: default rows meanwhile, and should be nothing.
PARTS: Mapping[str, tuple[str, str]] = {
    "lift": ("served", "default"),
    "matrix": ("matrix", "lanes"),
    "residual": ("served", "matrix"),
    "lanes": ("lanes", "default"),
}
VISIBLE = 0.1  # of a weight, the largest being 1, by which two banks' rows moved apart

Scores = dict[str, NDArray[np.float64]]  # page -> nDCG@10 of each unseen question


@dataclass(frozen=True, slots=True)
class Lived:
    """One bank's life."""

    bank: str
    profile: str
    half: int  # of the questions, that was asked
    asked: int  # questions that were asked again and again
    unseen: Sequence[Query]
    pages: Mapping[str, Sequence[Reply]]  # default, lanes, matrix, served -> a page a question
    told: Mapping[str, int]
    people: int
    first_learnt: int | None  # recalls before the first that learnt rows answered
    learnt_s: float  # from the last closing until it was learnt from
    change: Change
    state: Mapping[str, Any]  # the matrix as the server shows it

    def scores(self) -> Scores:
        """nDCG@10 of each page, in [0, 1]."""
        relevant = [query.relevant for query in self.unseen]
        return {
            name: measure([page.ids for page in pages], relevant)["ndcg@10"]
            for name, pages in self.pages.items()
        }


def report(dataset: str, recalls: int, people: int, lived: Sequence[Lived]) -> dict[str, Any]:
    """All of it as plain values."""
    scores = [one.scores() for one in lived]
    pool = {name: np.concatenate([its[name] for its in scores]) for name in scores[0]}
    owners = [one.bank for one in lived for _ in one.unseen]
    apart = [_apart(*pair) for pair in itertools.combinations(lived, 2)]
    pooled = {"questions": len(owners), **_scored(pool, owners)}
    return {
        "dataset": dataset,
        "recalls": recalls,
        "people": people,
        "banks": [_bank(one, its) for one, its in zip(lived, scores, strict=True)],
        "pooled": pooled,
        "apart": apart,
        "verdicts": {
            "lift_above_zero": pooled["parts"]["lift"]["ci95"][0] > 0,
            "closing_changes_what_is_served": all(one.change.seconds is not None for one in lived),
            "matrices_differ": any(pair["difference"] >= VISIBLE for pair in apart),
        },
        "bounds": {"seconds": CHANGED_S, "difference": VISIBLE},
    }


def _bank(one: Lived, scores: Scores) -> dict[str, Any]:
    state = one.state
    return {
        "bank": one.bank,
        "profile": one.profile,
        "half": one.half,
        "asked": one.asked,
        "unseen": len(one.unseen),
        **_scored(scores, [one.bank] * len(one.unseen)),
        "told": dict(one.told),
        "people": one.people,
        "first_learnt": one.first_learnt,
        "learnt_s": round(one.learnt_s, 2),
        "change": asdict(one.change),
        "version": state["version"],
        "rows": {kind: _row(row) for kind, row in state["rows"].items()},
        "default": {kind: _row(row) for kind, row in state["default"].items()},
        "gate": state["residual"]["gate"],
        "gate_z": state["residual"]["z"],
        "learnt_from": state["residual"]["impressions"],
    }


def _scored(scores: Scores, owners: Sequence[str]) -> dict[str, Any]:
    parts = {}
    for part, (later, earlier) in PARTS.items():
        found = paired(scores[later], scores[earlier], owners)
        parts[part] = {**asdict(found), "ci95": list(found.ci95)}
    return {
        "ndcg@10": {name: float(values.mean()) for name, values in scores.items()},
        "parts": parts,
    }


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"weights": dict(row["weights"]), "rrf_k": row["rrf_k"]}


def _apart(one: Lived, other: Lived) -> dict[str, Any]:
    """Where two banks' rows moved apart most, each seen from the default rows it began with."""
    moved, others = _moved(one.state), _moved(other.state)
    kind, channel = max(moved, key=lambda place: abs(moved[place] - others[place]))
    return {
        "banks": [f"{its.bank} ({its.profile}, half {its.half})" for its in (one, other)],
        "type": kind,
        "channel": channel,
        "weights": [its.state["rows"][kind]["weights"][channel] for its in (one, other)],
        "difference": abs(moved[kind, channel] - others[kind, channel]),
    }


def _moved(state: Mapping[str, Any]) -> dict[tuple[str, str], float]:
    return {
        (kind, channel): weight - state["default"][kind]["weights"][channel]
        for kind, row in state["rows"].items()
        for channel, weight in row["weights"].items()
    }
