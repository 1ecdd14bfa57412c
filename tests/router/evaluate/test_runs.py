"""Recorded runs: what the click bed reads back is what the recall had."""

import json
from pathlib import Path

import numpy as np

from bench.residual_data import read
from router.evaluate.asking import Asked, Candidates
from router.evaluate.dataset import Query
from router.evaluate.runs import run_json, write_runs
from router.features import feature_names
from router.presets import CHANNELS
from router.understand.types import TYPES

RANKS = np.array([[1, 0, 0, 2, 1], [0, 3, 0, 1, 0], [2, 0, 0, 0, 0]], np.int16)
TABLE = np.random.default_rng(1).standard_normal((3, len(feature_names(CHANNELS))))


def asked(candidates: Candidates | None, relevant: str = "m1") -> Asked:
    query = Query("q", "b", "who?", None, "single-hop", frozenset({relevant}))
    types = dict.fromkeys(TYPES, 0.2)
    return Asked(query, types, {"keyword": ("m1", "m0")}, {}, (), 1.0, candidates)


def candidates(*, described: bool = True) -> Candidates:
    table = TABLE.astype(np.float32) if described else None
    return Candidates(("m0", "m1", "m2"), RANKS, table)


def test_recorded_candidates_are_read_back_with_ranks_and_features(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    assert write_runs(path, [asked(candidates())]) == 1
    (one,) = read(path)
    assert (one.ranks == RANKS).all()
    np.testing.assert_array_equal(one.features, TABLE.astype(np.float16).astype(np.float32))
    assert one.relevant.tolist() == [False, True, False]
    assert 0 < one.ndcg() <= 1


def test_degraded_question_is_scored_by_its_base_and_teaches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    write_runs(path, [asked(candidates(described=False))])
    (one,) = read(path)
    assert not one.features.any()
    assert one.ndcg() > 0


def test_question_that_found_nothing_counts_as_nothing_found(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    empty = Candidates((), np.zeros((0, len(CHANNELS)), np.int16), None)
    write_runs(path, [asked(empty)])
    (one,) = read(path)
    assert one.ndcg() == 0.0
    assert one.ndcg(np.ones(one.table.shape[1])) == 0.0


def test_without_description_a_line_says_so() -> None:
    assert run_json(asked(None))["candidates"] is None
    assert json.dumps(run_json(asked(candidates())))
