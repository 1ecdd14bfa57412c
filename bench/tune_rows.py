"""Choose the default rows from recorded runs: `python -m bench.tune_rows bench/out/runs`.

Each file is what `fivefold eval SET --dump` writes. One global row is found first, by coordinate
ascent from many starts over a fixed grid; then each type's row may move away from it, two weights
at a time, where that gains at least MIN_GAIN over all sets. The objective is the mean over sets of
nDCG@10 (precision@10 on the empathetic set), so that a large set does not drown a small one, less a
little for every step away from the weights of the lane study; rows under which an exact match could
go unheard do not compete. The report names, for every set, the score with each bank (or fifth of
the questions) left out of the choice.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from router.presets import CHANNELS
from router.understand.types import TYPES

GRID = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
GRID_K = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 60.0)
MIN_GAIN = 0.001  # below it a row of its own is noise
HARM = 0.001  # what a row of its own may cost any set
HEARD_BY = 5  # rank by which a memory that only the keyword channel found must be shown
LEAST = 0.1  # of the largest: a lane that cannot be heard cannot learn
TOP = 10
CHOOSE_ON = ("locomo", "realtalk", "longmemeval_pool", "gitlog", "empathetic", "timeqa")
FOLDS = 5
PRIOR = (0.5, 0.5, 0.2, 1.0, 0.35)  # the lane study's weights, in the order of CHANNELS
SHRINK = 0.01  # score that a row must gain for each e-fold its weights leave PRIOR, on average
STARTS = (([0.5, 0.5, 0.2, 1.0, 0.35], 1.0), ([0.5, 0.5, 0.2, 1.0, 0.35], 5.0), ([1.0] * 5, 1.0))


@dataclass(frozen=True, slots=True)
class Judged:
    """The judged questions of one set, padded to the longest candidate list."""

    ranks: NDArray[np.float32]  # (questions, candidates, channels), inf where a channel is absent
    gains: NDArray[np.float32]  # (questions, candidates), 1 for relevant
    discounts: NDArray[np.float32]  # (TOP,): what a hit at each rank is worth
    ideal: NDArray[np.float32]  # (questions,): what a perfect page would score
    types: NDArray[np.float32]  # (questions, types), probabilities
    groups: NDArray[np.str_]  # (questions,): bank, or one of FOLDS parts of a single bank

    def where(self, chosen: NDArray[np.bool_]) -> "Judged":
        """Only the chosen questions."""
        return Judged(
            self.ranks[chosen],
            self.gains[chosen],
            self.discounts,
            self.ideal[chosen],
            self.types[chosen],
            self.groups[chosen],
        )


@dataclass(frozen=True, slots=True)
class Rows:
    """Weights (types, channels) and constants (types,)."""

    weights: NDArray[np.float64]
    rrf_k: NDArray[np.float64]

    def changed(self, kinds: Sequence[int], channel: int | None, value: float) -> "Rows":
        """The same rows with one weight (or, for None, the constant) of some types replaced."""
        weights, rrf_k = self.weights.copy(), self.rrf_k.copy()
        for kind in kinds:
            if channel is None:
                rrf_k[kind] = value
            else:
                weights[kind, channel] = value
        return Rows(weights, rrf_k)


def read(path: Path) -> Judged:
    """The judged questions of one recorded set; precision, not nDCG, for the empathetic one."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    lines = [line for line in lines if line["relevant"]]
    banks = {line["bank"] for line in lines}
    discounts = 1 / np.log2(np.arange(2, TOP + 2))
    if path.stem == "empathetic":
        discounts = np.full(TOP, 1 / TOP)
    found = [_candidates(line) for line in lines]
    widest = max(len(gains) for _, gains in found)
    ranks = np.full((len(lines), widest, len(CHANNELS)), np.inf, np.float32)
    gains = np.zeros((len(lines), widest), np.float32)
    for row, (own_ranks, own_gains) in enumerate(found):
        ranks[row, : len(own_gains)] = own_ranks
        gains[row, : len(own_gains)] = own_gains
    return Judged(
        ranks,
        gains,
        discounts.astype(np.float32),
        np.array([discounts[: len(line["relevant"])].sum() for line in lines], np.float32),
        np.array([[line["types"][kind] for kind in TYPES] for line in lines], np.float32),
        np.array(
            [
                line["bank"] if len(banks) >= FOLDS else str(place % FOLDS)
                for place, line in enumerate(lines)
            ]
        ),
    )


def _candidates(line: Mapping[str, Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    ids = sorted({name for run in line["runs"].values() for name in run})
    index = {name: row for row, name in enumerate(ids)}
    ranks = np.full((len(ids), len(CHANNELS)), np.inf, np.float32)
    for column, channel in enumerate(CHANNELS):
        for rank, name in enumerate(line["runs"].get(channel, ()), 1):
            ranks[index[name], column] = rank
    relevant = frozenset(line["relevant"])
    return ranks, np.array([name in relevant for name in ids], np.float32)


def scores(judged: Judged, rows: Rows) -> NDArray[np.float32]:
    """Each question's score under blended rows, shape (questions,)."""
    weights = judged.types @ rows.weights.astype(np.float32)
    rrf_k = judged.types @ rows.rrf_k.astype(np.float32)
    terms = 1 / (rrf_k[:, None, None] + judged.ranks)
    fused = np.einsum("qcl,ql->qc", terms, weights)
    best = np.argsort(-fused, axis=1, kind="stable")[:, :TOP]
    hits = np.take_along_axis(judged.gains, best, axis=1)
    value: NDArray[np.float32] = hits @ judged.discounts[: hits.shape[1]] / judged.ideal
    return value


def mean_score(judged: Judged, rows: Rows) -> float:
    """Mean over the questions."""
    return float(scores(judged, rows).mean())


def is_heard(rows: Rows) -> bool:
    """Whether the keyword channel's first hit stands among the first HEARD_BY under every row.

    That memory may be the one that holds the asked error code, found by no other channel, while
    the two heaviest other channels agree on everything they return.
    """
    keyword = CHANNELS.index("keyword")
    others = np.sort(np.delete(rows.weights, keyword, axis=1), axis=1)[:, -2:].sum(axis=1)
    own = rows.weights[:, keyword]
    return bool((own * (rows.rrf_k + HEARD_BY) >= others * (rows.rrf_k + 1)).all())


def objective(sets: Mapping[str, Judged], rows: Rows) -> float:
    """Mean over the sets of their mean scores, less SHRINK times the distance from PRIOR.

    Two lanes that say nearly the same leave a flat valley of equally good rows; the distance picks
    the row in it that the study would recognise. -1 where an exact match could go unheard.
    """
    if not is_heard(rows):
        return -1.0
    weights = rows.weights / rows.weights.max(axis=1, keepdims=True)
    distance = float(np.abs(np.log(weights / np.array(PRIOR))).mean())
    found = [mean_score(judged, rows) for judged in sets.values()]
    return float(np.mean(found)) - SHRINK * distance


def uniform(weights: Sequence[float], rrf_k: float) -> Rows:
    """The same row for every type."""
    return Rows(np.tile(np.array(weights), (len(TYPES), 1)), np.full(len(TYPES), rrf_k))


def choose_global(sets: Mapping[str, Judged]) -> Rows:
    """The best single row: coordinate ascent from each of STARTS."""
    best, best_value = uniform([1.0] * len(CHANNELS), 60.0), -1.0
    for start, rrf_k in STARTS:
        rows, value = uniform(start, rrf_k), -1.0
        while True:
            moved, found = climb(sets, rows, range(len(TYPES)))
            if found <= value + 1e-9:
                break
            rows, value = moved, found
        if value > best_value:
            best, best_value = rows, value
    return best


def climb(sets: Mapping[str, Judged], rows: Rows, kinds: Sequence[int]) -> tuple[Rows, float]:
    """One round over all coordinates, each set to its best value."""
    value = objective(sets, rows)
    moves: list[tuple[int | None, tuple[float, ...]]] = [
        (channel, GRID) for channel in range(len(CHANNELS))
    ]
    for channel, grid in [*moves, (None, GRID_K)]:
        for candidate in grid:
            changed = rows.changed(kinds, channel, candidate)
            found = objective(sets, changed)
            if found > value + 1e-9:
                rows, value = changed, found
    return rows, value


def specialise(sets: Mapping[str, Judged], rows: Rows) -> Rows:
    """Let each type's row leave the global one, by moves of two weights worth MIN_GAIN each.

    A type that a classifier only guesses at must not pay for one set with another: no set may fall
    more than HARM below what the global row gives it.
    """
    value = objective(sets, rows)
    least = {name: mean_score(judged, rows) - HARM for name, judged in sets.items()}
    for kind in range(len(TYPES)):
        while True:
            options = [
                rows.changed([kind], one, value_one).changed([kind], other, value_other)
                for one, other in combinations(range(len(CHANNELS)), 2)
                for value_one, value_other in product(GRID, GRID)
            ]
            ranked = sorted(
                (
                    (objective(sets, option), -number, option)
                    for number, option in enumerate(options)
                ),
                key=lambda one: one[:2],
                reverse=True,
            )
            found, _, best = next(
                (
                    one
                    for one in ranked
                    if one[0] < value + MIN_GAIN or _harmless(sets, one[2], least)
                ),
            )
            if found < value + MIN_GAIN:
                break
            rows, value = best, found
    return rows


def _harmless(sets: Mapping[str, Judged], rows: Rows, least: Mapping[str, float]) -> bool:
    return all(mean_score(judged, rows) >= least[name] for name, judged in sets.items())


def bounded(rows: Rows) -> Rows:
    """Largest 1 in each row, none below LEAST."""
    weights = rows.weights / rows.weights.max(axis=1, keepdims=True)
    return Rows(np.maximum(weights, LEAST), rows.rrf_k)


def left_out(sets: Mapping[str, Judged], name: str) -> float:
    """Mean score of one set when each of its groups was left out of the choice in turn."""
    found: list[float] = []
    for group in np.unique(sets[name].groups):
        own = sets[name].groups == group
        rows = bounded(choose_global({**sets, name: sets[name].where(~own)}))
        found += scores(sets[name].where(own), rows).tolist()
    return float(np.mean(found))


def as_json(rows: Rows) -> dict[str, object]:
    """Rows as router/default_rows.json holds them."""
    return {
        kind: {
            "weights": dict(zip(CHANNELS, rows.weights[number].round(4).tolist(), strict=True)),
            "rrf_k": float(rows.rrf_k[number]),
        }
        for number, kind in enumerate(TYPES)
    }


def report(sets: Mapping[str, Judged], one: Rows, rows: Rows, outside: Mapping[str, float]) -> str:
    """The markdown of docs/default-rows.md."""
    lines = [
        "# How the default rows were chosen",
        "",
        "Made by `python -m bench.tune_rows` from the runs that `make eval` records on the",
        f"development data ({datetime.now(UTC):%Y-%m-%d}). nDCG@10, precision@10 for empathetic.",
        "*left out*: the row is chosen anew without the bank (or fifth) it is scored on.",
        "",
        "| set | queries | uniform, k=60 | one row | by type | same, k=60 | one row, left out |",
        "|---|---|---|---|---|---|---|",
    ]
    flat = uniform([1.0] * len(CHANNELS), 60.0)
    at_sixty = Rows(rows.weights, np.full(len(TYPES), 60.0))
    for name, judged in sets.items():
        numbers = [mean_score(judged, option) for option in (flat, one, rows, at_sixty)]
        cells = " | ".join(f"{number:.4f}" for number in numbers)
        lines.append(f"| {name} | {len(judged.ideal)} | {cells} | {outside[name]:.4f} |")
    lines += ["", "| type | " + " | ".join(CHANNELS) + " | rrf_k |", "|" + "---|" * 7]
    for number, kind in enumerate(TYPES):
        cells = " | ".join(f"{weight:.2f}" for weight in rows.weights[number])
        lines.append(f"| {kind} | {cells} | {rows.rrf_k[number]:g} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the runs, choose, write router/default_rows.json and docs/default-rows.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder with one <set>.jsonl a set")
    folder = parser.parse_args().runs
    sets = {name: read(folder / f"{name}.jsonl") for name in CHOOSE_ON}
    one = bounded(choose_global(sets))
    rows = bounded(specialise(sets, one))
    outside = {name: left_out(sets, name) for name in sets}
    root = Path(__file__).parent.parent
    stored = {"how": "bench/tune_rows.py; see docs/default-rows.md", "rows": as_json(rows)}
    (root / "router" / "default_rows.json").write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    text = report(sets, one, rows, outside)
    (root / "docs" / "default-rows.md").write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
