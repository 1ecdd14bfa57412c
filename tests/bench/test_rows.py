"""Rows are scored as documented, and each set of them keeps its section of the page."""

import json
from pathlib import Path

import numpy as np
import pytest

from bench.adjustments import line as adjustment
from bench.compare_rows import HEAD, line
from bench.row_scores import drawn, mean_score, read, uniform
from bench.rows_page import TITLES, as_json, best_single, shipped, with_section
from bench.tune_rows import LEAST, bounded, is_heard
from router.presets import CHANNELS, LATE_ROWS, SINGLE_ROWS, default_rows, parse_rows
from router.understand.types import TYPES

TYPES_OF = dict.fromkeys(TYPES, 0.0) | {"factual": 1.0}
FILES = (LATE_ROWS, SINGLE_ROWS)


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """Two questions: keyword has the memory first and second, semantic only in the first."""
    runs = (
        {"keyword": ["a", "b"], "semantic": ["b", "a"]},
        {"keyword": ["b", "a"], "semantic": []},
    )
    lines = [
        {"query": f"q{n}", "bank": "b", "types": TYPES_OF, "relevant": ["a"], "runs": run}
        for n, run in enumerate(runs)
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_score_by_hand(recorded: Path) -> None:
    # Rank 1 is worth 1, rank 2 is worth 1 / log2(3).
    judged = read(recorded)
    second = 1 / np.log2(3)
    keyword = [float(name == "keyword") for name in CHANNELS]
    assert mean_score(judged, uniform(keyword, 60.0)) == pytest.approx((1 + second) / 2)


def test_lane_alone_gets_nothing_for_what_it_did_not_return(recorded: Path) -> None:
    judged = read(recorded)
    semantic = [float(name == "semantic") for name in CHANNELS]
    assert mean_score(judged, uniform(semantic, 60.0)) == pytest.approx(1 / np.log2(3) / 2)
    assert best_single(judged).startswith("keyword")


def test_comparison_has_a_cell_for_every_heading(recorded: Path) -> None:
    cells = line(recorded)
    assert len(cells) == len(HEAD)
    assert cells[:2] == ["set", "2"]
    assert cells[5] == "keyword 0.815"  # (1 + .631) / 2


@pytest.mark.parametrize("file", FILES)
def test_shipped_rows_are_within_the_bounds_of_the_choice(file: str) -> None:
    rows = shipped(file)
    assert is_heard(rows)
    assert rows.weights.min() >= LEAST
    assert np.array_equal(bounded(rows).weights, rows.weights)


@pytest.mark.parametrize("file", FILES)
def test_rows_survive_being_written_and_read(file: str) -> None:
    assert parse_rows(as_json(shipped(file))) == default_rows(file)


def test_heavy_pair_beside_a_light_keyword_channel_is_refused() -> None:
    weights = [0.1 if name == "keyword" else 1.0 for name in CHANNELS]
    assert not is_heard(uniform(weights, 1.0))
    assert is_heard(uniform([1.0] * len(CHANNELS), 1.0))


def test_a_set_of_rows_replaces_its_own_section_and_keeps_the_others() -> None:
    page = ""
    for file, text in ((SINGLE_ROWS, "former"), (LATE_ROWS, "two"), (SINGLE_ROWS, "three")):
        page = with_section(page, file, f"## {TITLES[file]}\n\n{text}\n")
    assert "former" not in page
    assert [part.partition("\n")[0] for part in page.split("\n## ")[1:]] == list(TITLES.values())
    assert page.index("two") < page.index("three")


def test_recorded_factors_multiply_the_weights_of_every_row(recorded: Path) -> None:
    lines = [json.loads(line) for line in recorded.read_text("utf-8").splitlines()[:1]]
    lines[0]["factors"] = {"semantic": 3.0}  # which has the memory second, keyword first
    path = recorded.with_name("adjusted.jsonl")
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    judged = read(path)
    weights = [float(name in ("keyword", "semantic")) for name in CHANNELS]
    weights[CHANNELS.index("keyword")] = 1.5
    assert mean_score(judged, uniform(weights, 60.0)) == pytest.approx(1 / np.log2(3))
    found = adjustment("adjusted", judged)
    assert found[:3] == ["adjusted", "1", "1"]
    assert drawn(judged) == ["0"]
