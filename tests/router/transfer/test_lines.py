"""Files of lines: what is written is read, and no damage goes unnoticed."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import BadInput
from router.transfer.lines import LineFile, pages, verified

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
ROWS = st.lists(st.dictionaries(TEXT.filter(lambda name: name != "crc32"), VALUES, min_size=1))


def written(folder, rows):
    file = LineFile(Path(folder) / "rows.jsonl")
    file.write(rows)
    return Path(folder) / "rows.jsonl", file.finish()


@given(ROWS)
def test_rows_come_back_as_they_were(rows):
    with tempfile.TemporaryDirectory() as folder:
        path, entry = written(folder, rows)
        assert [line.value for line in verified(path, entry)] == rows
        assert entry.lines == len(rows)


@given(st.data())
def test_no_changed_byte_goes_unnoticed(data):
    rows = data.draw(ROWS.filter(bool))
    with tempfile.TemporaryDirectory() as folder:
        path, entry = written(folder, rows)
        whole = bytearray(path.read_bytes())
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] ^= data.draw(st.integers(1, 255))
        path.write_bytes(whole)
        with pytest.raises(BadInput, match=r"rows\.jsonl"):
            list(verified(path, entry))


def test_a_file_is_partial_until_it_is_finished(tmp_path):
    file = LineFile(tmp_path / "rows.jsonl")
    file.write([{"a": 1}])
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl.partial"]
    file.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


@pytest.mark.parametrize(("was", "now"), [("e+308", "e+309"), ("\\\\ud83d", "\\ud83d")])
def test_damage_that_no_json_can_carry_is_told_by_line(tmp_path, was, now):
    path, entry = written(tmp_path, [{"a": 1.5e308, "b": "\\ud83d"}])
    path.write_text(path.read_text("utf-8").replace(was, now), "utf-8")
    with pytest.raises(BadInput, match=r"rows\.jsonl line 1: is not as it was written"):
        list(verified(path, entry))


@given(st.lists(st.integers()), st.integers(1, 5))
def test_pages_hold_everything_once_in_order(values, size):
    found = list(pages(values, size))
    assert [value for page in found for value in page] == values
    assert all(len(page) == size for page in found[:-1])
