import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import BadInput
from router.evaluate.classification import calibration_error, labelled, summarise
from router.understand.types import TYPES


def shares(kind, share):
    return {name: share if name == kind else (1 - share) / 4 for name in TYPES}


def test_calibration_error_checked_with_a_pencil():
    # Bin .9 to 1: two answers of .95, one right: |1 - 1.9| = .9. Bin .5 to .6: |1 - .55| = .45.
    error = calibration_error([0.95, 0.95, 0.55], [True, False, True])
    assert error == pytest.approx((0.9 + 0.45) / 3)


def test_complete_certainty_falls_into_the_last_bin():
    assert calibration_error([1.0], [True]) == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1))
def test_calibration_error_lies_between_zero_and_one(pairs):
    assert 0 <= calibration_error(*zip(*pairs, strict=True)) <= 1


def test_a_report_counts_types_sources_and_also():
    values = [
        {"text": "a", "type": "multi-hop", "source": "s", "doubt": "low"},
        {"text": "b", "type": "factual", "also": ["multi-hop"], "source": "s", "doubt": "high"},
        {"text": "c"},
    ]
    rows = [labelled(value, "line") for value in values]
    report = summarise(rows, [shares("multi_hop", 0.6)] * 3)
    assert (report["n"], report["accuracy"], report["accuracy_with_also"]) == (2, 0.5, 1.0)
    assert report["per_type"]["multi_hop"]["accuracy"] == 1
    assert report["per_source"]["s"]["n"] == 2
    assert report["without_high_doubt"]["accuracy"] == 1
    assert [row["text"] for row in report["rows"]] == ["a", "b", "c"]


def test_without_labels_there_is_nothing_to_measure():
    report = summarise([labelled({"text": "a"}, "line")], [shares("general", 0.9)])
    assert (report["n"], report["accuracy"], report["ece"]) == (0, None, None)


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("text", "line 3"),
        ({"text": " "}, "line 3: text"),
        ({"text": "a", "type": "poetic"}, "line 3: type"),
        ({"text": "a", "also": "general"}, "line 3: also"),
    ],
)
def test_a_bad_row_is_named(value, field):
    with pytest.raises(BadInput) as caught:
        labelled(value, "line 3")
    assert caught.value.field == field
