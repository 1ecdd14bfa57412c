"""Ranked lists against judged relevance, query by query, through pytrec_eval. Pure."""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np
import pytrec_eval
from numpy.typing import NDArray

METRICS: Final = ("ndcg@10", "recall@10", "mrr@10", "recall@50", "p@10")
DEPTH: Final = 50  # the deepest cut above
FIRST_PAGE: Final = 10
_CUT = {
    "ndcg@10": "ndcg_cut_10",
    "recall@10": "recall_10",
    "recall@50": "recall_50",
    "p@10": "P_10",
}
_ASKED = {"ndcg_cut.10", "recall.10,50", "P.10"}

Scores = dict[str, NDArray[np.float64]]  # metric -> one value in [0, 1] per query


def measure(ranked: Sequence[Sequence[str]], relevant: Sequence[Collection[str]]) -> Scores:
    """Each metric's value per query, in the order given; shape (n_queries,), in [0, 1].

    `ranked[i]` are distinct memory ids, best first; relevance is binary. A query without results
    scores 0. mrr@10 is 1 / rank of the first relevant memory among the first ten, else 0. Raises
    ValueError for a query without a relevant memory: there is nothing to measure it by.
    """
    if len(ranked) != len(relevant):
        raise ValueError(f"{len(ranked)} ranked lists for {len(relevant)} queries")
    if not all(relevant):
        raise ValueError("a query has no relevant memory")
    qrels = {str(i): dict.fromkeys(ids, 1) for i, ids in enumerate(relevant)}
    cuts = _evaluated(qrels, _ASKED, ranked, DEPTH)
    firsts = _evaluated(qrels, {"recip_rank"}, ranked, FIRST_PAGE)
    values = {
        name: np.array([cuts.get(query, {}).get(cut, 0.0) for query in qrels])
        for name, cut in _CUT.items()
    }
    values["mrr@10"] = np.array([firsts.get(q, {}).get("recip_rank", 0.0) for q in qrels])
    return {name: values[name] for name in METRICS}


def _evaluated(
    qrels: dict[str, dict[str, int]], asked: set[str], ranked: Sequence[Sequence[str]], depth: int
) -> dict[str, dict[str, float]]:
    # The evaluator sorts by score and breaks ties by id, so a place becomes a falling score.
    run = {
        str(i): {name: float(depth - place) for place, name in enumerate(names[:depth])}
        for i, names in enumerate(ranked)
        if names
    }
    found: dict[str, dict[str, float]] = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    return found
