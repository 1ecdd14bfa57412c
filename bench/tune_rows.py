"""Choose the default rows from recorded runs: `python -m bench.tune_rows bench/out/runs`.

With `--single` the runs are those of a model without token vectors, and the rows for its banks.
Each file is what `fivefold eval SET --dump` writes. One global row is found first, by coordinate
ascent from many starts over a fixed grid; then each type's row may move away from it, two weights
at a time, where that gains at least MIN_GAIN over all sets. The objective is the mean over sets of
nDCG@10 (precision@10 on the empathetic set), so that a large set does not drown a small one, less a
little for every step away from the weights of the lane study; rows under which an exact match could
go unheard do not compete. The report names, for every set, the score with each bank (or fifth of
the questions) left out of the choice.
"""

import argparse
from collections.abc import Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

import numpy as np

from bench.row_scores import Judged, Rows, mean_score, read, scores, uniform
from bench.rows_page import write_rows, write_section
from router.presets import CHANNELS, LATE_ROWS, SINGLE_ROWS
from router.understand.types import TYPES

GRID = (0.1, 0.2, 0.35, 0.5, 0.7, 1.0)
GRID_K = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 60.0)
MIN_GAIN = 0.001  # below it a row of its own is noise
HARM = 0.001  # what a row of its own may cost any set
HEARD_BY = 5  # rank by which a memory that only the keyword channel found must be shown
LEAST = 0.1  # of the largest: a lane that cannot be heard cannot learn
CHOOSE_ON = ("locomo", "realtalk", "longmemeval_pool", "gitlog", "empathetic", "timeqa")
PRIOR = (0.5, 0.5, 0.2, 1.0, 0.35)  # the lane study's weights, in the order of CHANNELS
SHRINK = 0.01  # score that a row must gain for each e-fold its weights leave PRIOR, on average
STARTS = (([0.5, 0.5, 0.2, 1.0, 0.35], 1.0), ([0.5, 0.5, 0.2, 1.0, 0.35], 5.0), ([1.0] * 5, 1.0))


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


def main() -> None:
    """Read the runs, choose, write the file of rows and its section of docs/default-rows.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder with one <set>.jsonl a set")
    parser.add_argument("--single", action="store_true", help="the runs are without token vectors")
    given = parser.parse_args()
    sets = {name: read(given.runs / f"{name}.jsonl") for name in CHOOSE_ON}
    one = bounded(choose_global(sets))
    rows = bounded(specialise(sets, one))
    outside = {name: left_out(sets, name) for name in sets}
    file = SINGLE_ROWS if given.single else LATE_ROWS
    write_rows(file, rows)
    print(write_section(file, sets, one, rows, outside))


if __name__ == "__main__":
    main()
