"""What adjusting rows for one question adds: `python -m bench.adjustments bench/out/runs`.

Reads what `fivefold eval SET --dump` recorded, scores the default rows with the recorded factors
(router/confidence.py) and without them, and prints the table of docs/default-rows.md.
"""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.row_scores import Judged, drawn, mean_score, read, scores, uniform
from bench.rows_page import shipped
from router.evaluate.intervals import paired
from router.evaluate.report import table
from router.presets import CHANNELS, LATE_ROWS

HEAD = ["set", "queries", "adjusted", "without", "with", "difference", "best lane alone"]


def line(name: str, judged: Judged) -> list[str]:
    """A row of the table: mean scores, and the paired difference with its 95 % interval."""
    rows = shipped(LATE_ROWS)
    plain = replace(judged, factors=np.ones_like(judged.factors))
    whole, without = (scores(one, rows).astype(float) for one in (judged, plain))
    found = paired(whole, without, drawn(judged))
    low, high = found.ci95
    best = max(CHANNELS, key=lambda channel: alone(plain, channel))
    return [
        name,
        str(len(whole)),
        str(int((judged.factors != 1).any(axis=1).sum())),
        f"{without.mean():.4f}",
        f"{whole.mean():.4f}",
        f"{found.delta:+.4f} ({low:+.4f} to {high:+.4f})",
        f"{best} {alone(plain, best):.4f}",
    ]


def alone(judged: Judged, channel: str) -> float:
    """The mean score of one lane."""
    return mean_score(judged, uniform([float(name == channel) for name in CHANNELS], 60.0))


def main() -> None:
    """Print the table of every recorded set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, help="folder with one <set>.jsonl a set")
    files = sorted(parser.parse_args().runs.glob("*.jsonl"))
    print("\n".join(table(HEAD, [line(file.stem, read(file)) for file in files])))


if __name__ == "__main__":
    main()
