"""How fast each runtime embeds, and how near its vectors are: `python -m bench.embedding`.

Asks torch, ONNX Runtime and its 8-bit form in turn, question by question and batch by batch, so
that a busy machine slows all three alike. Prints a table in markdown.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

import numpy as np

from channels.base import Embedded
from channels.embedder import PACKAGED, SentenceEmbedder
from channels.runtime import ONNX, ONNX_INT8, TORCH, name_for
from router.evaluate.report import table

BATCH = 32  # the product's own
WARM = 5  # questions before the first that counts


@dataclass
class Measured:
    """One runtime's times in seconds, and what it gave for the memories."""

    embedder: SentenceEmbedder
    start: float = 0.0  # until the first vector, with the export if there was none
    questions: list[float] = field(default_factory=list)
    batches: list[float] = field(default_factory=list)
    found: list[Embedded] = field(default_factory=list)


def main() -> None:
    """Measure and print."""
    given = arguments().parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        exports = given.exports or Path(folder) / "onnx"
        runs = asyncio.run(measure(given.model, exports, given.questions, given.memories))
    print("\n".join(table(HEAD, rows(runs))))
    print(f"\nload average {before:.1f} before, {os.getloadavg()[0]:.1f} after")


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=PACKAGED, help="by name or path")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--memories", type=int, default=20 * BATCH)
    parser.add_argument("--exports", type=Path, help="keep exported models here")
    return parser


async def measure(model: str, exports: Path, questions: int, memories: int) -> dict[str, Measured]:
    """Each runtime's measurements over texts of the shipped sample."""
    runs = {
        runtime: Measured(SentenceEmbedder(name_for(model, runtime), runtime=runtime,
                                           exports=exports))
        for runtime in (TORCH, ONNX, ONNX_INT8)
    }  # fmt: skip
    asked, told = sample("queries", questions), sample("memories", memories)
    for run in runs.values():
        run.start = (await timed(run.embedder, ["ready"]))[0]
        for text in asked[:WARM]:
            await run.embedder.embed_tokens([text])
    for text in asked:
        for run in runs.values():
            run.questions.append((await timed(run.embedder, [text]))[0])
    for place in range(0, len(told), BATCH):
        for run in runs.values():
            seconds, found = await timed(run.embedder, told[place : place + BATCH])
            run.batches.append(seconds)
            run.found += found
    for run in runs.values():
        run.embedder.close()
    return runs


def sample(name: str, count: int) -> list[str]:
    """The first distinct texts of the shipped conversations."""
    lines = files("router").joinpath("sample", "memorybank", f"{name}.jsonl").read_text("utf-8")
    return list(dict.fromkeys(json.loads(line)["text"] for line in lines.splitlines()))[:count]


async def timed(embedder: SentenceEmbedder, texts: Sequence[str]) -> tuple[float, list[Embedded]]:
    started = time.perf_counter()
    found = await embedder.embed_tokens(texts)
    return time.perf_counter() - started, found


HEAD = ["runtime", "question p50, ms", "of torch", "memories a second", "times torch",
        "cosine to torch, least / mean", "of token vectors, mean", "start, s"]  # fmt: skip


def rows(runs: dict[str, Measured]) -> list[list[str]]:
    """The table's rows: every runtime beside torch."""
    torch = runs[TORCH]
    return [
        [
            runtime,
            f"{np.median(run.questions) * 1e3:.1f}",
            f"{np.median(run.questions) / np.median(torch.questions):.2f}",
            f"{len(run.found) / sum(run.batches):.0f}",
            f"{sum(torch.batches) / sum(run.batches):.2f}",
            "{:.4f} / {:.4f}".format(*nearness(torch.found, run.found)),
            f"{token_nearness(torch.found, run.found):.4f}",
            f"{run.start:.1f}",
        ]
        for runtime, run in runs.items()
    ]


def nearness(ones: Sequence[Embedded], others: Sequence[Embedded]) -> tuple[float, float]:
    """Least and mean cosine of the vectors of the same texts."""
    found = [
        float(one.vector @ other.vector)
        for one, other in zip(ones, others, strict=True)
        if one.vector is not None and other.vector is not None
    ]
    return min(found), float(np.mean(found))


def token_nearness(ones: Sequence[Embedded], others: Sequence[Embedded]) -> float:
    """Mean cosine of the reduced token vectors; NaN for a model that gives none."""
    found: list[float] = []
    for one, other in zip(ones, others, strict=True):
        if one.tokens is not None and other.tokens is not None:
            lengths = np.linalg.norm(one.tokens, axis=1) * np.linalg.norm(other.tokens, axis=1)
            found += ((one.tokens * other.tokens).sum(axis=1) / lengths).tolist()
    return float(np.mean(found)) if found else float("nan")


if __name__ == "__main__":
    main()
