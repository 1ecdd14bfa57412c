"""Request bodies into raw events."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import BadInput
from feedback.bodies import MAX_LINES
from feedback.events import parse_body
from tests.feedback.samples import CITED, LIKED


def body(document):
    return json.dumps(document).encode()


def test_one_event_a_batch_and_lines_are_the_same_to_us():
    lines = b"\xef\xbb\xbf" + body(CITED) + b"\r\n\n" + body(LIKED) + b"\n"
    assert parse_body(body(CITED), "application/json") == [CITED]
    assert parse_body(body({"events": [CITED, LIKED]}), "application/json") == [CITED, LIKED]
    assert parse_body(body([CITED, LIKED]), "application/cloudevents-batch+json") == [CITED, LIKED]
    assert parse_body(lines, "application/x-ndjson; charset=utf-8") == [CITED, LIKED]
    assert parse_body(lines, "application/json") == [CITED, LIKED]


def test_a_line_separator_inside_a_text_ends_no_line():
    event = {**CITED, "note": "a\u2028b"}
    raw = json.dumps(event, ensure_ascii=False).encode() + b"\n" + body(LIKED)
    assert parse_body(raw, "application/x-ndjson") == [event, LIKED]


def test_what_can_be_parsed_is_judged_event_by_event():
    assert parse_body(b"42", "application/json") == [42]
    assert parse_body(b'{"value": NaN}', "") != []
    assert parse_body(b'{"events": []}', "") == []
    assert parse_body(b'{"event_id": "e", "events": 3}', "") == [{"event_id": "e", "events": 3}]


@pytest.mark.parametrize(
    ("raw", "content_type", "field"),
    [
        (b"", "application/json", "body"),
        (b" \n ", "application/x-ndjson", "body"),
        (b"\xff\xfe{}", "application/json", "body"),
        (b'{"event_id": ', "application/json", "body"),
        (b"[" * 100_000, "application/json", "body"),
        (b"1" * 5_000, "application/json", "body"),
        (b'{"events": 3}', "application/json", "events"),
        (b'{"events": [], "atomic": true}', "application/json", "atomic"),
        (body({"events": [1] * 501}), "application/json", "events"),
        (b'\n{"a": \n}', "application/x-ndjson", "line 2"),
        (b"1\n" * (MAX_LINES + 1), "application/x-ndjson", f"line {MAX_LINES + 1}"),
    ],
)
def test_a_body_that_cannot_be_parsed_is_refused_by_name(raw, content_type, field):
    with pytest.raises(BadInput) as caught:
        parse_body(raw, content_type)
    assert caught.value.field == field


@pytest.mark.parametrize("content_type", ["application/x-ndjson", "application/json"])
def test_a_line_that_is_no_json_leaves_the_others(content_type):
    *good, bad, last = parse_body(b'{}\n{}\n{"a": }\n{}', content_type)
    assert (good, last) == ([{}, {}], {})
    assert isinstance(bad, BadInput)
    assert bad.field == "line 3"


def test_too_many_lines_are_told_how_many_are_taken():
    with pytest.raises(BadInput, match=f"at most {MAX_LINES}"):
        parse_body(b"1\n" * (MAX_LINES + 1), "application/x-ndjson")


def test_five_hundred_events_are_taken_at_once():
    assert len(parse_body(body({"events": [1] * 500}), "application/json")) == 500


@given(st.binary(max_size=60), st.sampled_from(["application/json", "application/x-ndjson", ""]))
def test_any_bytes_are_parsed_or_refused(raw, content_type):
    with suppress(BadInput):
        assert isinstance(parse_body(raw, content_type), list)
