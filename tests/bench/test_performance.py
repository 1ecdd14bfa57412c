"""`make bench` runs from end to end, and its helpers compute what they say."""

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import bulk
from bench.performance_page import both
from bench.stages import covered, quantiles
from tests.docs.snippets import ROOT

SPANS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)).map(sorted), max_size=8)


@pytest.mark.timeout(90)
def test_the_smallest_bank_is_measured_from_loading_to_the_page(bare_database, tmp_path):
    out, kept = tmp_path / "performance.md", tmp_path / "performance.json"
    command = [sys.executable, "-m", "bench.performance", "--quick", "--sizes", "100"]
    options = ["--questions", "5", "--database", bare_database]
    done = subprocess.run(
        [*command, *options, "--out", str(out), "--json", str(kept)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert "wrote" in done.stdout
    report = json.loads(kept.read_text("utf-8"))
    assert report["sizes"]["100"]["ingest"]["memories"] == 100
    assert report["events"]["rows_added_by_replay"] == 0
    assert report["vectors"]["100"]["as_served"]["mean"] == 1.0
    assert report["keywords"]["as_good"]["mean"] == 1.0
    assert report["http"]["fivefold"]["p50"] > 0
    page = out.read_text("utf-8")
    assert both(report["sizes"]["100"]["end_to_end"]) in page
    assert f"{report['http']['ratio_any']:.2f}" in page


@given(SPANS)
def test_covered_is_the_length_of_the_union(spans):
    seconds = {second for start, end in spans for second in range(start, end)}
    assert covered([(float(start), float(end)) for start, end in spans]) == len(seconds)


def test_quantiles_by_hand():
    assert quantiles([4.0, 1.0, 2.0, 3.0, 5.0]) == pytest.approx({"p50": 3.0, "p95": 4.8})


def test_items_are_the_same_for_a_seed_and_follow_zipf():
    texts = [f"sentence {number}" for number in range(50)]
    made, parts = bulk.items(texts, 2_000, 7)
    again, _ = bulk.items(texts, 2_000, 7)
    assert made == again
    assert len({item["id"] for item in made}) == 2_000
    sources = [part.source for memory in parts for part in memory]
    assert len(sources) == bulk.PARTS * 2_000
    counts = np.bincount(sources, minlength=50)
    assert counts[0] > 2 * counts[10] > counts[40]
    for item, memory in zip(made, parts, strict=True):
        said = " ".join(part.text(texts[part.source]) for part in memory)
        assert item["text"].startswith(said)


def test_memories_of_a_large_bank_hardly_ever_repeat_each_other():
    made, _ = bulk.items(bulk.sentences(), 5_000, 7)
    assert len({item["text"] for item in made}) >= 4_990


def test_a_part_takes_the_share_of_the_tokens_that_it_is_of_the_words():
    part = bulk.Part(source=0, start=2, stop=4, words=8)
    tokens = np.arange(12, dtype=np.float32).reshape(12, 1)
    assert part.text("a b c d e f g h") == "c d"
    assert part.tokens(tokens).ravel().tolist() == [3, 4, 5]
    assert len(bulk.Part(0, 7, 8, 8).tokens(tokens[:2])) == 1


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_made_up_names_differ_where_their_numbers_do(one, other):
    assert (bulk.name(one) == bulk.name(other)) == (one == other)
