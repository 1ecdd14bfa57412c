"""The pure parts of the door: names in paths, cursors, bodies, plain values."""

import json
from contextlib import suppress
from datetime import UTC, datetime
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import BadInput
from router.api.body import first_unstorable, parse
from router.api.cursors import after_moment, after_number, moment_of, number_of
from router.api.encode import plain, timings
from router.api.names import bank_name, decoded, item_id
from router.api.problems import field_path

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(TEXTS)
def test_name_survives_its_way_through_a_path(name: str) -> None:
    assert decoded(quote(name, safe="")) == name


@given(TEXTS.filter(lambda name: name.isprintable() and 1 <= len(name) <= 200))
def test_printable_names_are_accepted(name: str) -> None:
    assert item_id(quote(name, safe="")) == name
    if "/" not in name:
        assert bank_name(quote(name, safe="")) == name


@given(st.text())
def test_any_segment_is_a_name_or_a_reason(segment: str) -> None:
    try:
        name = item_id(segment)
    except ValueError:
        return
    assert 1 <= len(name) <= 200


@given(st.integers(0, 2**63 - 1))
def test_cursor_gives_its_number_back(number: int) -> None:
    assert number_of(after_number(number)) == number


@given(st.datetimes(timezones=st.just(UTC)), TEXTS.filter(str.isprintable))
def test_cursor_gives_its_moment_back(at: datetime, name: str) -> None:
    assert moment_of(after_moment(at, name)) == (at, name)


@given(st.text())
def test_any_cursor_is_a_place_or_refused(cursor: str) -> None:
    for read in (number_of, moment_of):
        with suppress(BadInput):
            assert read(cursor) is not None


@given(JSON)
def test_what_passes_can_be_written_as_utf8_json(value: object) -> None:
    if first_unstorable(value) is None:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        assert b"\\u0000" not in written
        assert parse(written) == value


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": [1, {"b": float("nan")}]}, "a[1].b"),
        ({"a\x00": 1}, "a\ufffd"),
        (["x", "\ud800"], "[1]"),
        ("\x00", "body"),
        (float("inf"), "body"),
    ],
)
def test_place_of_what_cannot_be_stored_is_named(value: object, path: str) -> None:
    found = first_unstorable(value)
    assert found is not None
    assert found[0] == path


@given(JSON)
def test_plain_values_have_a_json_form(value: object) -> None:
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == plain(value)


def test_values_of_lanes_become_plain() -> None:
    moment = datetime(2024, 1, 1, tzinfo=UTC)
    detail = {
        "a": np.float32(0.5), "b": np.arange(2), "c": (1, moment), "d": float("nan"), 7: {True},
        "e": np.float64("inf"), "f": 1j,
    }  # fmt: skip
    assert plain(detail) == {
        "a": 0.5, "b": [0, 1], "c": [1, moment.isoformat()], "d": None, "7": [True], "e": None,
        "f": "1j",
    }  # fmt: skip


def test_every_step_has_a_time_and_further_ones_are_kept() -> None:
    shown = timings({"understand": 1.0, "fetch": 2.0, "total": 3.0})
    assert shown == {
        "understand": 1.0, "embed": 0.0, "channels": 0.0, "fuse": 0.0, "rerank": 0.0,
        "record": 0.0, "total": 3.0, "fetch": 2.0,
    }  # fmt: skip


def test_path_of_a_field_reads_like_the_request() -> None:
    assert field_path(("body", "filters", "tags", 2)) == "filters.tags[2]"
    assert field_path(("query", "limit")) == "limit"
    assert field_path(("path", "bank")) == "bank"
    assert field_path(("body",)) == "body"
    assert field_path(()) == ""
