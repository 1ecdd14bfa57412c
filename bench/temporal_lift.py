"""What the temporal lane adds: `python -m bench.temporal_lift bench/out/runs DATA`. Writes a page.

Reads what `fivefold eval SET --dump` recorded and scores the default rows with the temporal lane
and without it (its weight at 0), on questions that name a time (the sets say which) and on the
others. What reading years in texts adds is measured by bench/temporal_years.py, first.
"""

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.row_scores import Judged, Rows, drawn, read, scores
from bench.rows_page import shipped
from router.evaluate.intervals import Paired, paired
from router.presets import CHANNELS, LATE_ROWS
from router.understand.types import TYPES

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "temporal.md"
YEARS = ROOT / "bench" / "out" / "temporal_years.json"
SETS = ("locomo", "realtalk", "longmemeval_pool")
HEAD = """# What the temporal channel adds

Made by `python -m bench.temporal_lift bench/out/runs DATA` ({date}); do not edit. Mean nDCG@10 of
the default rows, without the temporal channel and with it, on the same recorded runs. The interval
(95 %) draws whole banks where a set has five or more.

| set | questions | n | without | with | difference | 95 % interval | better, same, worse |
|---|---|---:|---:|---:|---:|---|---|
"""
YEARS_HEAD = """
## Years in texts

Made by `python -m bench.temporal_years DATA/timeqa`: no memory of timeqa carries a time, the years
are in the texts. Each question asked with the intervals that were read from the texts when they
were stored, and without them. Mean nDCG@10.

| system | n | unread | read | difference | 95 % interval | better, same, worse |
|---|---:|---:|---:|---:|---|---|
"""


def names_time(data: Path, runs: Path) -> NDArray[np.bool_]:
    """Of each judged question of a recorded run, whether its set says that it names a time."""
    with (data / "queries.jsonl").open(encoding="utf-8") as lines:
        named = {row["id"]: bool(row["meta"]["time_expression"]) for row in map(json.loads, lines)}
    with runs.open(encoding="utf-8") as lines:
        asked = [row["query"] for row in map(json.loads, lines) if row["relevant"]]
    return np.array([named[query] for query in asked])


def lift(judged: Judged, rows: Rows) -> tuple[float, float, Paired]:
    """Mean score without the temporal lane and with it, and the paired difference."""
    silent = rows.changed(range(len(TYPES)), CHANNELS.index("temporal"), 0.0)
    without, whole = (scores(judged, one).astype(float) for one in (silent, rows))
    return (
        float(without.mean()),
        float(whole.mean()),
        paired(whole, without, drawn(judged)),
    )


def line(name: str, kind: str, without: float, whole: float, found: Paired) -> str:
    """A row of the table."""
    low, high = found.ci95
    count = found.win + found.tie + found.loss
    return (
        f"| {name} | {kind} | {count} | {without:.4f} | {whole:.4f} | {found.delta:+.4f} | "
        f"{low:+.4f} to {high:+.4f} | {found.win}, {found.tie}, {found.loss} |"
    )


def table(runs: Path, data: Path) -> list[str]:
    """The rows of all sets that are recorded."""
    rows, found = shipped(LATE_ROWS), []
    for name in SETS:
        file = runs / f"{name}.jsonl"
        judged, timed = read(file), names_time(data / name, file)
        for kind, chosen in (("name a time", timed), ("name none", ~timed)):
            found.append(line(name, kind, *lift(judged.where(chosen), rows)))
    return found


def years(stored: dict[str, list[float]]) -> list[str]:
    """The rows of the second table, from what bench/temporal_years.py kept."""
    rows = []
    for system in ("fivefold", "temporal"):
        unread, known = (np.array(stored[f"{system} {how}"]) for how in ("unread", "read"))
        found = paired(known, unread, [0] * len(known))
        rows.append(line(system, "", float(unread.mean()), float(known.mean()), found))
    return [row.replace("|  | ", "| ", 1) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path)
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    text = HEAD.format(date=datetime.now(UTC).date()) + "\n".join(table(given.runs, given.data))
    if YEARS.exists():
        text += "\n" + YEARS_HEAD + "\n".join(years(json.loads(YEARS.read_text("utf-8"))))
    PAGE.write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()
