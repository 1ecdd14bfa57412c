"""What a lane knows of one question beyond its row: its weight moves for that recall. Pure.

Rows are chosen by type of question, and no type says that this question names a year that a text
holds, that the best path leads by a name from one text to another, that the caller gave a course of
feeling, or that the model cannot read the question's script. The lanes see that, and say so in the
details of their hits. A factor multiplies every row alike (learned, default, and each candidate row
of the learner), is on record, and stays within the bounds of a matrix.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from channels.base import Hit
from router.weights import Row, row_of

NAMED = 10.0  # the graph lane, when a name leads on: words and meaning are in its order already
DATED = 3.0  # the temporal lane, when its first hit lies in the window that is asked for
# The emotional lane, when the caller gave an arc: that is the question, and words only go with it.
# By the default rows it then has 4 and the others 3 together: its order holds, and what all others
# have first comes about fourth. At NAMED's 10 every other place would be the words'.
ARC = 20.0
FIRST = 5  # hits of the graph that speak for it

Runs = Mapping[str, Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class Adjustment:
    """One lane's weight multiplied for one question."""

    channel: str
    factor: float
    why: str  # named, dated, arc or unread

    def as_json(self) -> dict[str, object]:
        """As recorded and shown in the trace."""
        return {"channel": self.channel, "factor": self.factor, "why": self.why}


def adjustments(runs: Runs) -> tuple[Adjustment, ...]:
    """What the runs say of their own lanes, at most once a lane."""
    found = (rule(runs) for rule in RULES)
    return tuple(one for one in found if one is not None)


def adjusted(row: Row, given: Sequence[Adjustment]) -> Row:
    """The row for this question; the row itself when nothing is adjusted."""
    factors = {one.channel: one.factor for one in given if one.channel in row.weights}
    if not factors:
        return row
    weights = {name: weight * factors.get(name, 1.0) for name, weight in row.weights.items()}
    return row_of(weights, row.rrf_k)


def named(runs: Runs) -> Adjustment | None:
    """A memory among the graph's first was reached by a name in what the words find best."""
    first = runs.get("graph", ())[:FIRST]
    return Adjustment("graph", NAMED, "named") if any("named" in h.detail for h in first) else None


def dated(runs: Runs) -> Adjustment | None:
    """The temporal lane's first hit lies in the window that the question names."""
    first = runs.get("temporal", ())[:1]
    is_inside = any(_number(hit.detail.get("near")) >= 1.0 for hit in first)
    return Adjustment("temporal", DATED, "dated") if is_inside else None


def given_arc(runs: Runs) -> Adjustment | None:
    """The caller gave the course of feeling that the emotional lane's hits resemble."""
    first = runs.get("emotional", ())[:1]
    return Adjustment("emotional", ARC, "arc") if any("arc" in h.detail for h in first) else None


def unread(runs: Runs) -> Adjustment | None:
    """The model cannot read part of the question: the semantic lane counts for the rest of it."""
    first = runs.get("semantic", ())[:1]
    share = _number(first[0].detail.get("unread")) if first else 0.0
    return Adjustment("semantic", 1.0 - share, "unread") if share > 0 else None


RULES: tuple[Callable[[Runs], Adjustment | None], ...] = (named, dated, given_arc, unread)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float | np.floating) else 0.0
