"""Every table of docs/benchmarks.md: `python -m bench.benchmarks ../shared/data/retrieval`.

Runs `fivefold eval` on each set in its own process, keeps report and runs in bench/out, then writes
the page from the reports. `--only SET` repeats one set, `--page` measures nothing.
"""

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.ordering_trap import ablation
from router.evaluate.report import markdown, table

ROOT = Path(__file__).parent.parent
OUT = ROOT / "bench" / "out"
SHOWN = ("ndcg@10", "recall@10", "recall@50", "p@10")
PAGE = ROOT / "docs" / "benchmarks.md"

SOURCES = {  # set -> what it is, and where an outsider finds it
    "locomo": "LoCoMo (Maharana et al., ACL 2024; github.com/snap-research/locomo, CC BY-NC 4.0); "
    "six of its ten dialogues",
    "realtalk": "REALTALK (Lee et al., 2025; github.com/danny911kr/REALTALK); seven chats",
    "longmemeval_pool": "LongMemEval (Wu et al., ICLR 2025; "
    "github.com/xiaowu0162/LongMemEval, MIT); "
    "evidence turns of half of its questions as one pool",
    "gitlog": "commit messages of Open Bandit Pipeline (github.com/st-tech/zr-obp, Apache-2.0)",
    "timeqa": "TimeQA (Chen et al., NeurIPS 2021; github.com/wenhuchen/Time-Sensitive-QA, BSD-3)",
    "hotpotqa_100": "HotpotQA (Yang et al., EMNLP 2018; hotpotqa.github.io, CC BY-SA 4.0); "
    "100 questions",
    "empathetic": "EmpatheticDialogues (Rashkin et al., ACL 2019; "
    "github.com/facebookresearch/EmpatheticDialogues, CC BY-NC 4.0)",
    "memdaily_zh": "MemDaily (Zhang et al., 2024; github.com/nuster1128/MemSim), Chinese",
    "cranfield": "Cranfield 1400 (Cleverdon 1967)",
    "cisi": "CISI (Fox 1983)",
}

HEAD = """# Benchmarks

Made by `make eval` on {date}: {machine}, two shared cores, no GPU, Python {python}. Default matrix,
no reranker, no feedback, `explore: false`, packaged MiniLM with late interaction. Intervals are
95 % bootstraps over banks where a set has five or more, else over queries. Latencies come from a
busy machine: compare them, do not quote them.

The default rows were chosen on locomo, realtalk, longmemeval_pool, gitlog, empathetic and timeqa
(docs/default-rows.md has the scores with each bank left out of the choice); cranfield, cisi,
memdaily_zh and hotpotqa_100 had no part in it.

`uniform` and `published` weigh the same five runs by other rows; a channel's name is that channel
alone. empathetic is judged by P@10: about 86 memories are relevant to each query.
"""


def main() -> None:
    """Measure what is asked for and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with one folder a set")
    parser.add_argument(
        "--only", action="append", choices=sorted(SOURCES), help="repeat these sets"
    )
    parser.add_argument("--page", action="store_true", help="measure nothing, write the page")
    given = parser.parse_args()
    (OUT / "runs").mkdir(parents=True, exist_ok=True)
    for name in [] if given.page else given.only or SOURCES:
        measure(given.data / name)
    reports = {name: json.loads(found.read_text("utf-8")) for name, found in _found()}
    traps = [ablation(given.data / name, OUT / "runs") for name in ("locomo", "hotpotqa_100")]
    PAGE.write_text(page(reports, traps), "utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)} from {len(reports)} sets")


def measure(folder: Path) -> None:
    """Run `fivefold eval` on one set; its report and runs go to bench/out."""
    command = [
        *(sys.executable, "-m", "router", "eval", str(folder), "--json"),
        *("--dump", str(OUT / "runs" / f"{folder.name}.jsonl"), "--cache", str(OUT / "vectors")),
    ]
    print(f"{datetime.now(UTC):%H:%M:%S} {folder.name}", flush=True)
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    (OUT / f"{folder.name}.json").write_bytes(done.stdout)


def _found() -> list[tuple[str, Path]]:
    return [(name, OUT / f"{name}.json") for name in SOURCES if (OUT / f"{name}.json").exists()]


def page(reports: Mapping[str, Any], traps: list[str]) -> str:
    """The markdown of docs/benchmarks.md."""
    head = HEAD.format(
        date=f"{datetime.now(UTC):%Y-%m-%d}",
        machine=platform.machine(),
        python=platform.python_version(),
    )
    lines = [head, *summary(reports), "", *traps]
    for name, report in reports.items():
        lines += ["", markdown(report), "", f"Source: {SOURCES[name]}."]
    return "\n".join(lines) + "\n"


def summary(reports: Mapping[str, Any]) -> list[str]:
    """One row a set: fivefold, its best single channel, and the paired difference."""
    rows = []
    for name, report in reports.items():
        whole = report["systems"]["fivefold"]["all"]
        single, uniform = report["vs"]["best_single"], report["vs"]["uniform"]
        low, high = single["ci95"]
        rows.append(
            [
                *(name, str(report["queries"])),
                *(
                    f"{whole[metric]:.3f}"
                    for metric in ("ndcg@10", "recall@10", "recall@50", "p@10")
                ),
                single["channel"],
                f"{single['delta']:+.3f} ({low:+.3f} to {high:+.3f})",
                f"{uniform['delta']:+.3f}",
            ]
        )
    head = ["set", "queries", "nDCG@10", "recall@10", "recall@50", "P@10", "best single channel"]
    return table([*head, "fivefold minus it", "minus uniform"], rows)


if __name__ == "__main__":
    main()
