"""What goes wrong when graph neighbours join after the fusion, with their cosine as score.

At the usual constant of 60 fused scores live below .1 and cosines near .5: sorted in one list,
every neighbour outranks every direct hit. At a small constant the two scales overlap, and the order
is arbitrary instead. Both are made here from the same recorded runs.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from channels.base import Hit, MemoryKey, Vector
from channels.embedder import PACKAGED, SentenceEmbedder
from router.confidence import Adjustment, adjusted
from router.evaluate.dataset import read_dataset
from router.evaluate.intervals import paired
from router.evaluate.metrics import measure
from router.evaluate.report import table
from router.fuse import RRF_K, weighted_rrf
from router.presets import default_matrix
from router.weights import blend

SHOWN = 50


def ablation(folder: Path, runs: Path) -> str:
    """The markdown of one set: graph ranked before the fusion, inserted after it, and left out."""
    recorded = runs / f"{folder.name}.jsonl"
    if not recorded.exists():
        return f"(no recorded runs of {folder.name}: run `make eval`)"
    lines = [json.loads(line) for line in recorded.read_text("utf-8").splitlines()]
    lines = [line for line in lines if line["relevant"]]
    cosines = asyncio.run(graph_cosines(folder, lines))
    relevant = [frozenset(line["relevant"]) for line in lines]
    systems = {
        "graph ranked before the fusion": [fused(line, graph=True) for line in lines],
        "graph inserted after it by cosine": [
            inserted(line, near) for line, near in zip(lines, cosines, strict=True)
        ],
        "no graph at all": [fused(line, graph=False) for line in lines],
        "ranked before, rrf_k 60": [fused(line, graph=True, rrf_k=RRF_K) for line in lines],
        "inserted after, rrf_k 60": [
            inserted(line, near, rrf_k=RRF_K) for line, near in zip(lines, cosines, strict=True)
        ],
    }
    found = {name: measure(lists, relevant)["ndcg@10"] for name, lists in systems.items()}
    before = found["graph ranked before the fusion"]
    banks = [line["bank"] for line in lines]
    rows = []
    for name, values in found.items():
        one = paired(values, before, banks)
        low, high = one.ci95
        rows.append([name, f"{values.mean():.3f}", f"{one.delta:+.3f} ({low:+.3f} to {high:+.3f})"])
    head = table(["order of work", "nDCG@10", "against the first"], rows)
    return "\n".join([f"## The ordering trap on {folder.name}", "", *head, ""])


def fused(line: Mapping[str, Any], *, graph: bool, rrf_k: float | None = None) -> list[str]:
    """The ids in fused order under the default rows, with or without the graph channel."""
    return [name for name, _ in scored(line, graph=graph, rrf_k=rrf_k)][:SHOWN]


def scored(
    line: Mapping[str, Any], *, graph: bool, rrf_k: float | None = None
) -> list[tuple[str, float]]:
    """Ids with fused scores, best first; by the rows' own constant unless one is given."""
    factors = line.get("factors", {}).items()
    given = [Adjustment(channel, factor, "recorded") for channel, factor in factors]
    row = adjusted(blend(default_matrix(PACKAGED), line["types"]), given)
    ids = sorted({name for run in line["runs"].values() for name in run})
    keys = {name: MemoryKey(number) for number, name in enumerate(ids)}
    asked = {
        channel: [Hit(keys[name], 0.0) for name in run]
        for channel, run in line["runs"].items()
        if graph or channel != "graph"
    }
    return [
        (ids[item.key], item.score)
        for item in weighted_rrf(asked, row.weights, rrf_k=rrf_k or row.rrf_k)
    ]


def inserted(
    line: Mapping[str, Any], near: Mapping[str, float], *, rrf_k: float | None = None
) -> list[str]:
    """Four channels fused, then the graph's memories added under their raw cosine, and sorted."""
    scores = dict(scored(line, graph=False, rrf_k=rrf_k))
    for name in line["runs"].get("graph", ()):
        scores[name] = max(near[name], scores.get(name, 0.0))
    return sorted(scores, key=lambda name: (-scores[name], name))[:SHOWN]


async def graph_cosines(folder: Path, lines: Sequence[Mapping[str, Any]]) -> list[dict[str, float]]:
    """For each question, the cosine of every memory in its graph run."""
    dataset = read_dataset(folder)
    texts = {memory.id: memory.text for bank in dataset.memories.values() for memory in bank}
    asked = {query.id: query.text for query in dataset.queries}
    names = sorted({name for line in lines for name in line["runs"].get("graph", ())})
    embedder = SentenceEmbedder()
    stored = dict(zip(names, await embedder.embed([texts[name] for name in names]), strict=True))
    questions = await embedder.embed([asked[line["query"]] for line in lines])
    embedder.close()
    return [
        {name: _cosine(vector, stored[name]) for name in line["runs"].get("graph", ())}
        for line, vector in zip(lines, questions, strict=True)
    ]


def _cosine(one: Vector | None, other: Vector | None) -> float:
    return 0.0 if one is None or other is None else float(np.dot(one, other))
