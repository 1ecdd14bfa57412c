"""Both sets of default rows on recorded runs: `python -m bench.compare_rows bench/out/runs-single`.

A line a set: its score under each, and paired 95 % intervals against the other rows and against
the best lane alone; over banks where a set has five or more, else over questions.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from bench.row_scores import read, scores, uniform
from bench.rows_page import shipped
from router.evaluate.intervals import paired
from router.evaluate.report import table
from router.presets import CHANNELS, LATE_ROWS, SINGLE_ROWS

HEAD = ("set", "questions", "rows for token vectors", "rows for one vector", "difference",
        "best lane alone", "rows for one vector minus it")  # fmt: skip


def line(path: Path) -> list[str]:
    """The cells of one set."""
    judged = read(path)
    late, single = (
        scores(judged, shipped(file)).astype(np.float64) for file in (LATE_ROWS, SINGLE_ROWS)
    )
    alone = {
        name: scores(judged, uniform(one.tolist(), 60.0)).astype(np.float64)
        for name, one in zip(CHANNELS, np.eye(len(CHANNELS)), strict=True)
    }
    best = max(alone, key=lambda name: float(alone[name].mean()))
    asked = [json.loads(text) for text in path.read_text("utf-8").splitlines()]
    banks = [one["bank"] for one in asked if one["relevant"]]
    deltas = [paired(single, other, banks) for other in (late, alone[best])]
    against = [f"{one.delta:+.3f} ({one.ci95[0]:+.3f} to {one.ci95[1]:+.3f})" for one in deltas]
    means = [f"{values.mean():.3f}" for values in (late, single, alone[best])]
    return [path.stem, str(len(late)), *means[:2], against[0], f"{best} {means[2]}", against[1]]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder with one <set>.jsonl a set")
    print("\n".join(table(HEAD, map(line, sorted(parser.parse_args().runs.glob("*.jsonl"))))))


if __name__ == "__main__":
    main()
