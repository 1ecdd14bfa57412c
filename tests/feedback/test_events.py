"""Reading one feedback event: what is understood, kept and refused."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.errors import BadInput
from feedback.events import event_id_of, read_event
from feedback.values import DEFAULTS, DWELL_MOST, action_values, dwell_value
from tests.feedback.samples import CITED, LIKED, NOW


def read(**changes):
    return read_event({**CITED, **changes}, now=NOW)


def refused(**changes):
    with pytest.raises(BadInput) as caught:
        read(**changes)
    return caught.value


def test_an_event_in_the_published_form_is_read():
    event = read()
    assert (event.event_id, event.action, event.recall_id) == ("e1", "memory_cited", "r1")
    assert (event.memory_id, event.position, event.value) == ("m7", 3, 1.0)
    assert (event.confidence, event.annotator) == (1.0, "agent")
    assert event.happened == datetime(2024, 6, 3, 9, 12, tzinfo=UTC)
    assert json.loads(event.body) == CITED


@pytest.mark.parametrize("where", ["top", "router"])
def test_convenience_fields_stand_at_the_top_or_inside_router(where):
    flat = {"memory_id": "m7", "position": 3, "value": 0.5, "confidence": 0.7, "annotator": "human"}
    raw = {name: CITED[name] for name in ("event_id", "action_name", "timestamp")}
    raw |= {"recall_id": "r1"} | (flat if where == "top" else {"router": flat})
    event = read_event(raw, now=NOW)
    assert (event.memory_id, event.position, event.value) == ("m7", 3, 0.5)
    assert (event.confidence, event.annotator) == (0.7, "human")


def test_a_fact_given_twice_must_agree():
    assert read(memory_id="m7", recall_id="r1").memory_id == "m7"
    assert refused(memory_id="m8").field == "memory_id"
    assert refused(recall_id="r2").field == "recall_id"
    assert refused(position=4).field == "position"


def test_a_cloud_event_is_unwrapped_and_its_other_attributes_are_kept():
    data = {name: CITED[name] for name in ("action_name", "query_id", "event_attributes")}
    envelope = {"specversion": "1.0", "id": "c1", "source": "/agent", "type": "feedback"}
    raw = {**envelope, "time": "2024-06-03T09:12:00Z", "data": data}
    event = read_event(raw, now=NOW)
    assert (event.event_id, event.memory_id) == ("c1", "m7")
    assert event_id_of(raw) == "c1"
    assert json.loads(event.body)["source"] == "/agent"
    with pytest.raises(BadInput) as caught:
        read_event({**envelope, "data_base64": "e30="}, now=NOW)
    assert caught.value.field == "data"


def test_unknown_fields_are_kept_and_ignored():
    event = read(colour="red", router={"shade": 3})
    assert json.loads(event.body)["colour"] == "red"
    assert event.value == 1.0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"event_id": None}, "event_id"),
        ({"event_id": ""}, "event_id"),
        ({"event_id": 7}, "event_id"),
        ({"event_id": "e" * 201}, "event_id"),
        ({"event_id": "a\nb"}, "event_id"),
        ({"action_name": None}, "action_name"),
        ({"action_name": "Memory_Cited"}, "action_name"),
        ({"action_name": "memory_cited\n"}, "action_name"),
        ({"action_name": "a" * 101}, "action_name"),
        ({"timestamp": None}, "timestamp"),
        ({"timestamp": 1717405920}, "timestamp"),
        ({"timestamp": "2024-06-03T09:12:00"}, "timestamp"),
        ({"timestamp": "2024-06-03"}, "timestamp"),
        ({"timestamp": "2024-02-30T09:12:00Z"}, "timestamp"),
        ({"timestamp": "0000-01-01T00:00:00Z"}, "timestamp"),
        ({"timestamp": "0001-01-01T00:00:00+10:00"}, "timestamp"),
        ({"timestamp": "2024-06-04T12:00:01Z"}, "timestamp"),
        ({"timestamp": "٢٠٢٤-06-03T09:12:00Z"}, "timestamp"),
        ({"query_id": 5}, "query_id"),
        ({"query_id": "r" * 201}, "query_id"),
        ({"event_attributes": 3}, "event_attributes"),
        ({"event_attributes": {"object": "m7"}}, "event_attributes.object"),
        ({"event_attributes": {}}, "event_attributes.object.object_id"),
        ({"memory_id": "m" * 201, "event_attributes": None}, "memory_id"),
        ({"position": 0, "event_attributes": None, "memory_id": "m7"}, "position"),
        ({"position": True, "event_attributes": None, "memory_id": "m7"}, "position"),
        ({"position": 2**31, "event_attributes": None, "memory_id": "m7"}, "position"),
        ({"position": 1.5, "event_attributes": None, "memory_id": "m7"}, "position"),
        ({"router": []}, "router"),
        ({"router": {"value": 1.01}}, "router.value"),
        ({"router": {"value": True}}, "router.value"),
        ({"router": {"value": float("nan")}}, "router.value"),
        ({"value": "1"}, "value"),
        ({"value": 10**400}, "value"),
        ({"confidence": -0.1}, "confidence"),
        ({"router": {"confidence": float("inf")}}, "router.confidence"),
        ({"annotator": "robot"}, "annotator"),
        ({"router": {"annotator": []}}, "router.annotator"),
        ({"router": {"dwell_ms": -1}}, "router.dwell_ms"),
        ({"router": {"used_ids": "m1"}}, "router.used_ids"),
        ({"router": {"used_ids": ["m1", "m1"]}}, "router.used_ids"),
        ({"router": {"used_ids": ["m1", ""]}}, "router.used_ids[1]"),
        ({"router": {"unused_ids": [str(n) for n in range(201)]}}, "router.unused_ids"),
        ({"router": {"trace_id": "xyz"}}, "router.trace_id"),
        ({"router": {"reason": "r" * 1025}}, "router.reason"),
        ({"message": "m" * 1025}, "message"),
        ({"user_id": 5}, "user_id"),
        ({"note": "a\x00b"}, "note"),
        ({"note": [{"deep": "\ud800"}]}, "note[0].deep"),
        ({"note\x00": 1}, "note\ufffd"),
        ({"note": float("-inf")}, "note"),
        ({"note": "n" * 262_144}, "event"),
    ],
)
def test_a_bad_event_is_refused_naming_the_field(changes, field):
    error = refused(**changes)
    assert error.field == field
    assert error.reason
    (error.field + error.reason).encode()


def test_a_backslash_before_u0000_is_no_nul():
    assert json.loads(read(note="\\u0000").body)["note"] == "\\u0000"


def test_an_event_nested_too_deeply_is_refused():
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    assert refused(note=deep).field == "event"


@pytest.mark.parametrize("raw", [None, 3, "e", [CITED]])
def test_what_is_no_object_is_refused(raw):
    with pytest.raises(BadInput) as caught:
        read_event(raw, now=NOW)
    assert caught.value.field == "event"
    assert event_id_of(raw) is None


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2024-06-03T09:12:00Z", datetime(2024, 6, 3, 9, 12, tzinfo=UTC)),
        ("2024-06-03t09:12:00.5z", datetime(2024, 6, 3, 9, 12, 0, 500_000, tzinfo=UTC)),
        ("2024-06-03 09:12:00.123456789+02:00", datetime(2024, 6, 3, 7, 12, 0, 123456, tzinfo=UTC)),
        ("2024-06-03T23:12:00-05:30", datetime(2024, 6, 4, 4, 42, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_in_every_rfc_3339_spelling(stamp, expected):
    assert read(timestamp=stamp).happened == expected


def test_an_event_needs_its_recall():
    assert refused(query_id=None).field == "query_id"
    with pytest.raises(BadInput) as caught:
        read_event({**LIKED, "recall_id": None}, now=NOW)
    assert caught.value.field == "query_id"


def test_an_unknown_action_is_kept_without_a_value():
    assert read(action_name="memory_admired").value is None
    assert read(action_name="click", value=0.5).value is None
    assert read_event({**LIKED, "action_name": "sighed"}, now=NOW).value is None


def test_every_known_action_gets_its_default_value():
    for action, meaning in DEFAULTS.items():
        if action not in ("judge_relevance", "dwell"):
            assert read(action_name=action).value == meaning.value


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"action_name": "judge_relevance"}, "router.value"),
        ({"action_name": "judge_relevance", "router": {"valu": 0.2}}, "router.value"),
        (
            {"action_name": "judge_relevance", "value": 1, "event_attributes": None},
            "event_attributes.object.object_id",
        ),
        ({"action_name": "dwell"}, "router.dwell_ms"),
        (
            {"action_name": "dwell", "dwell_ms": 4_000, "event_attributes": None},
            "event_attributes.object.object_id",
        ),
        ({"action_name": "memory_thumbs_down", "value": 1}, "value"),
        ({"action_name": "task_failed", "router": {"value": 0.1}}, "router.value"),
        ({"action_name": "memory_cited", "value": -0.5}, "value"),
        ({"events": [CITED], "event_id": None}, "event_id"),
    ],
)
def test_what_says_nothing_or_the_contrary_is_refused(changes, field):
    error = refused(**changes)
    assert error.field == field
    assert error.reason


def test_a_value_that_agrees_with_its_action_is_taken():
    assert read(action_name="memory_thumbs_down", value=-0.5).value == -0.5
    assert read(action_name="memory_thumbs_down", value=0).value == 0
    assert read(action_name="judge_relevance", value=-1).value == -1
    assert read(action_name="dwell", value=0.2).value == 0.2
    own = action_values({"task_failed": 0.3})
    raw = {**CITED, "action_name": "task_failed", "value": 0.5}
    assert read_event(raw, now=NOW, values=own).value == 0.5


def test_a_list_of_events_in_the_place_of_one_is_told_so():
    with pytest.raises(BadInput, match="send one event here") as caught:
        read_event({"events": [CITED]}, now=NOW)
    assert caught.value.field == "events"


def test_being_shown_is_worth_nothing_whatever_the_client_says():
    assert read(action_name="memory_exposed", value=1).value == 0.0
    assert read(action_name="recall_closed", value=1).value is None


def test_a_bank_gives_its_own_values():
    values = action_values({"memory_cited": 0.25})
    assert read_event(CITED, now=NOW, values=values).value == 0.25
    assert read_event({**CITED, "value": 0.5}, now=NOW, values=values).value == 0.5


def test_dwell_is_graded_with_floor_and_cap():
    assert read(action_name="dwell", router={"dwell_ms": 3_000}).value == 0.0
    assert read(action_name="dwell", dwell_ms=10**6).value == pytest.approx(DWELL_MOST)
    assert dwell_value(13_416) == pytest.approx(DWELL_MOST / 2, abs=1e-4)  # sqrt(3 s * 60 s)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_longer_look_is_never_worth_less(one, other):
    low, high = sorted((one, other))
    assert 0 <= dwell_value(low) <= dwell_value(high) <= DWELL_MOST + 1e-12


def test_the_hash_ignores_the_order_of_keys_and_nothing_else():
    turned = dict(reversed(list(CITED.items())))
    assert read_event(turned, now=NOW).content_hash == read().content_hash
    assert read(note="x").content_hash != read().content_hash


# A few characters of every kind that matters; the full table costs seconds to build.
texts = st.text(alphabet="ab0_ \\\x00\n\u00e9\u2028\u200d\U0001f600\ud800\udc00", max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(
    [*CITED, "router", "memory_id", "position", "value", "specversion", "data", "id", "note"]
)


@given(st.dictionaries(names, json_values, max_size=8), st.booleans())
def test_any_json_is_read_or_refused_by_name(changes, whole):
    raw = {**CITED, **changes} if whole else changes
    try:
        event = read_event(raw, now=NOW)
    except BadInput as error:
        (error.field + error.reason).encode()
    else:
        assert event.value is None or -1 <= event.value <= 1
        assert "\x00" not in json.dumps(json.loads(event.body), ensure_ascii=False)
        assert event.happened <= NOW + timedelta(days=1)
    (event_id_of(raw) or "").encode()


@given(texts)
def test_an_id_is_taken_as_it_is_or_refused(text):
    kept = all(character in "ab0_ \\\u00e9\u200d\U0001f600" for character in text)
    if kept and text:
        assert read(event_id=text).event_id == text
    else:
        assert refused(event_id=text).field == "event_id"
