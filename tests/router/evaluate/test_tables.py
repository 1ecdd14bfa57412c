import pytest

from router.evaluate.asking import SYSTEMS, Asked
from router.evaluate.dataset import Query
from router.evaluate.report import markdown, table
from router.evaluate.tables import summarise
from router.presets import CHANNELS


def asked(number, *, relevant=("m1",), kind="temporal", fivefold=("m1",), others=(), ms=1.0):
    query = Query(f"q{number}", f"b{number % 2}", "?", None, kind, frozenset(relevant))
    ranked = {system: tuple(others) for system in SYSTEMS} | {"fivefold": tuple(fivefold)}
    return Asked(query, {}, {}, ranked, ("keyword:timeout",) if number == 0 else (), ms)


def test_a_report_has_every_system_every_type_and_the_counts():
    rows = [asked(0), asked(1, kind="general"), asked(2, relevant=(), kind="other")]
    report = summarise("set", rows)
    assert set(report["systems"]) == {"fivefold", "uniform", "published", *CHANNELS}
    assert set(report["systems"]["keyword"]) == {"all", "temporal", "general"}
    assert (report["queries"], report["systems"]["fivefold"]["general"]["n"]) == (2, 1)
    assert report["settings"]["unjudged_queries_left_out"] == 1
    assert report["settings"]["degraded"] == {"keyword:timeout": 1}


def test_a_system_that_always_wins_is_told_from_the_others():
    report = summarise("set", [asked(i) for i in range(20)])
    assert set(report["vs"]) == {"uniform", "published", "best_single"}
    against = report["vs"]["uniform"]
    assert (against["delta"], against["win"], against["loss"]) == (1, 20, 0)
    assert against["p"] <= 0.001


def test_latencies_are_percentiles_over_all_recalls():
    report = summarise("set", [asked(i, ms=float(i)) for i in range(101)])
    assert report["latency_ms"] == {"p50": 50.0, "p95": 95.0}


def test_a_set_without_judgements_still_reports_its_latency():
    report = summarise("set", [asked(0, relevant=())])
    assert (report["queries"], report["systems"], report["vs"]) == (0, {}, {})
    assert "Recall latency" in markdown(report)


def test_the_markdown_shows_systems_types_and_differences():
    text = markdown(summarise("my set", [asked(i) for i in range(6)]))
    assert "## my set: 6 queries" in text
    assert "| fivefold | 1.000 |" in text
    assert "| best_single (semantic) | +1.000 |" in text


@pytest.mark.parametrize("cell", ["a|b", "a\nb"])
def test_a_cell_cannot_break_its_table(cell):
    lines = table(["x", "y"], [[cell, "1"]])
    assert len(lines) == 3
    assert lines[2].replace("\\|", "").count("|") == 3
