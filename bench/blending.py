"""Do rows blended by type serve as well as one for all? `python -m bench.blending bench/out/runs`.

Reads what `fivefold eval SET --dump` recorded, tells every question's type anew with the classifier
as it now is, and compares two ways to weigh the same five lanes on the same questions: the default
rows blended by type, and the one row that is best over all sets (bench/tune_rows.py). Intervals
draw whole banks where a set has five or more. Writes docs/blending.md.
"""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.row_scores import Judged, Rows, read, scores
from bench.rows_page import shipped
from bench.train_types import embed
from bench.tune_rows import CHOOSE_ON, bounded, choose_global
from channels.embedder import PACKAGED
from router.evaluate.intervals import paired
from router.presets import CHANNELS, LATE_ROWS, SINGLE_ROWS
from router.understand.types import TYPES, TypeClassifier

ROOT = Path(__file__).resolve().parent.parent
JUDGED_ON = ("locomo", "realtalk", "longmemeval_pool", "empathetic")
PAGE = ROOT / "docs" / "blending.md"
HEAD = """# Rows blended by type against one row

Made by `python -m bench.blending bench/out/runs` ({date}); do not edit. The same five lanes of the
same recorded recalls, weighed in two ways: by the default rows, blended by each question's type
probabilities, and by the one row that scores best over all sets. Types are told anew by the
classifier as it is in this version; the runs hold those of the version that recorded them. Mean
nDCG@10, precision@10 for empathetic; the interval (95 %) draws whole banks where a set has five or
more (locomo has six, so its interval is narrower than it should be; p, a sign-flip test, draws
questions). *hard*: each question by the row of its likeliest type alone.

| set | n | one row | blended | difference | 95 % interval | better, same, worse | p | hard |
|---|---|---|---|---|---|---|---|---|
"""


def texts_of(name: str, runs: Path, data: Path) -> list[str]:
    """The judged questions of a set, in the order of its recorded run."""
    with (data / name / "queries.jsonl").open(encoding="utf-8") as lines:
        text = {row["id"]: row["text"] for row in map(json.loads, lines)}
    with (runs / f"{name}.jsonl").open(encoding="utf-8") as lines:
        return [text[row["query"]] for row in map(json.loads, lines) if row["relevant"]]


def told(texts: list[str], classifier: TypeClassifier, cache: Path) -> NDArray[np.float32]:
    """Type probabilities, shape (n_texts, n_types)."""
    vectors = embed(texts, cache).astype(np.float32)
    found = [
        list(classifier.probabilities(text, vector, PACKAGED).values())
        for text, vector in zip(texts, vectors, strict=True)
    ]
    return np.array(found, np.float32)


def hard(types: NDArray[np.float32]) -> NDArray[np.float32]:
    """All of a question's probability on its likeliest type."""
    chosen: NDArray[np.float32] = np.eye(len(TYPES), dtype=np.float32)[types.argmax(axis=1)]
    return chosen


def line(name: str, judged: Judged, one: Rows, rows: Rows) -> str:
    """The set's row of the table."""
    single, blended = scores(judged, one).astype(float), scores(judged, rows).astype(float)
    found = paired(blended, single, judged.groups.tolist())
    by_label = scores(replace(judged, types=hard(judged.types)), rows).mean()
    low, high = found.ci95
    return (
        f"| {name} | {len(single)} | {single.mean():.4f} | {blended.mean():.4f} | "
        f"{found.delta:+.4f} | {low:+.4f} to {high:+.4f} | {found.win}, {found.tie}, {found.loss} "
        f"| {found.p:.3f} | {by_label:.4f} |"
    )


def page(sets: Mapping[str, Judged], one: Rows, rows: Rows) -> str:
    """The page in Markdown."""
    lines = [line(name, sets[name], one, rows) for name in JUDGED_ON]
    weights = ", ".join(
        f"{name} {weight:.2f}" for name, weight in zip(CHANNELS, one.weights[0], strict=True)
    )
    gained = [float((scores(sets[n], rows) - scores(sets[n], one)).mean()) for n in JUDGED_ON]
    foot = (
        f"Blending loses at most {max(0.0, -min(gained)):.4f} on a set and gains at most "
        f"{max(gained):.4f}.\n\nThe one row: {weights}, rrf_k {one.rrf_k[0]:g}. The rows by type: "
        "[default rows](default-rows.md)."
    )
    return HEAD.format(date=f"{datetime.now(UTC):%Y-%m-%d}") + "\n".join([*lines, "", foot, ""])


def main() -> None:
    """Compare, write the page, print it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("runs", type=Path, help="folder with one <set>.jsonl a set")
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data" / "retrieval")
    options.add_argument("--cache", type=Path, default=ROOT / "bench" / "out")
    options.add_argument("--single", action="store_true", help="a model without token vectors")
    chosen = options.parse_args()
    classifier = TypeClassifier.load()
    sets = {}
    for name in CHOOSE_ON:
        judged = read(chosen.runs / f"{name}.jsonl")
        texts = texts_of(name, chosen.runs, chosen.data)
        sets[name] = replace(judged, types=told(texts, classifier, chosen.cache))
    one = bounded(choose_global(sets))
    text = page(sets, one, shipped(SINGLE_ROWS if chosen.single else LATE_ROWS))
    if not chosen.single:
        PAGE.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
