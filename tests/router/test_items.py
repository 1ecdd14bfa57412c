"""Items of a retain request: what is refused, by which name, and what makes two the same."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.items import Draft, read_items

TOKYO = ZoneInfo("Asia/Tokyo")
UTC_ZONE = ZoneInfo("UTC")
FULL: dict[str, Any] = {
    "id": "m1", "text": "We moved the staging cluster to eu-west", "context": "stand-up",
    "title": "Staging", "description": "moved", "kind": "turn", "speaker": "Ana",
    "episode": "2024-06-03-standup", "position": 12, "occurred_at": "2024-06-03T09:12:00Z",
    "occurred_start": None, "occurred_end": None, "mentioned_at": None, "granularity": "day",
    "tags": ["infra"], "topic": "infra.staging",
    "entities": [{"text": "staging cluster", "type": "thing"}],
    "affect": [{"label": "frustration", "intensity": 0.8}, {"label": "valence", "intensity": -0.7}],
    "behaviour": {"retries": 3, "errors": 2, "duration_s": 640, "abandoned": False,
                  "success": False},
    "proof_count": 1, "supersedes": ["m0"],
    "edges": [{"type": "REFERS_TO", "to": "m0", "strength": 0.8}], "metadata": {"source": "slack"},
}  # fmt: skip


def draft(timezone: ZoneInfo = UTC_ZONE, **item: Any) -> Draft:
    drafts, errors = read_items([{"text": "hello", **item}], timezone)
    assert errors == []
    return drafts[0]


def refused(item: object) -> tuple[str, str]:
    drafts, errors = read_items([item], UTC_ZONE)
    assert drafts == []
    return errors[0].field, errors[0].reason


def test_full_item_of_the_contract_is_taken() -> None:
    drafts, errors = read_items([FULL], UTC_ZONE)
    assert errors == []
    assert drafts[0].item.topic == "infra.staging"
    assert drafts[0].happened == datetime(2024, 6, 3, 9, 12, tzinfo=UTC)


NESTED: dict[str, Any] = {"a": [1, {"b": "x\x00y"}]}
BAD: list[tuple[dict[str, Any], str]] = [
    ({"text": None}, "text"),
    ({"text": 5}, "text"),
    ({"text": ""}, "text"),
    ({"text": " \n\t\u2003"}, "text"),
    ({"text": "a\x00b"}, "text"),
    ({"text": "a\ud800b"}, "text"),
    ({"text": "x" * 100_001}, "text"),
    ({"id": ""}, "id"),
    ({"id": "x" * 201}, "id"),
    ({"id": "a\nb"}, "id"),
    ({"id": "a\x00b"}, "id"),
    ({"id": 7}, "id"),
    ({"title": "a\x00"}, "title"),
    ({"context": "a\udfffb"}, "context"),
    ({"speaker": "x" * 201}, "speaker"),
    ({"kind": "Turn!"}, "kind"),
    ({"position": -1}, "position"),
    ({"position": 3_000_000_000}, "position"),
    ({"granularity": "fortnight"}, "granularity"),
    ({"occurred_at": "yesterday"}, "occurred_at"),
    ({"occurred_at": 1_717_400_000}, "occurred_at"),
    ({"occurred_at": "2024-13"}, "occurred_at"),
    ({"occurred_at": "1717400000"}, "occurred_at"),
    ({"occurred_at": "20240603"}, "occurred_at"),
    ({"occurred_at": "0000-01-01T00:00:00Z"}, "occurred_at"),
    ({"occurred_at": "10000-01-01T00:00:00Z"}, "occurred_at"),
    ({"occurred_at": "2024-02-30T00:00:00Z"}, "occurred_at"),
    ({"occurred_at": "0001-01-01T00:00:00+05:00"}, "occurred_at"),
    ({"mentioned_at": "9999-12-31T23:00:00-05:00"}, "mentioned_at"),
    ({"occurred_start": "2024-06-02", "occurred_end": "2024-06-01"}, "occurred_end"),
    ({"occurred_at": "2024-06-02", "occurred_end": "2024-06-01"}, "occurred_end"),
    ({"occurred_start": "2024-06-02T00:00Z", "occurred_end": "2024-06-01T00:00"}, "occurred_end"),
    ({"tags": ["infra", ""]}, "tags[1]"),
    ({"tags": ["a\x00"]}, "tags[0]"),
    ({"tags": "infra"}, "tags"),
    ({"tags": ["t"] * 101}, "tags"),
    ({"topic": "infra..staging"}, "topic"),
    ({"topic": "."}, "topic"),
    ({"entities": [{"type": "thing"}]}, "entities[0].text"),
    ({"entities": [{"text": "x", "colour": "red"}]}, "entities[0].colour"),
    ({"affect": [{"label": "frustration"}]}, "affect[0].intensity"),
    ({"affect": [{"label": "frustration", "intensity": float("nan")}]}, "affect[0].intensity"),
    ({"affect": [{"label": "frustration", "intensity": float("inf")}]}, "affect[0].intensity"),
    ({"affect": [{"label": "frustration", "intensity": 1.5}]}, "affect[0].intensity"),
    ({"affect": [{"label": "hunger", "intensity": 0.5}]}, "affect"),
    ({"behaviour": {"retries": -1}}, "behaviour.retries"),
    ({"behaviour": {"duration_s": float("nan")}}, "behaviour.duration_s"),
    ({"behaviour": {"mood": 1}}, "behaviour.mood"),
    ({"proof_count": 0}, "proof_count"),
    ({"supersedes": "m0"}, "supersedes"),
    ({"supersedes": [""]}, "supersedes[0]"),
    ({"edges": [{"type": "LIKES", "to": "m0"}]}, "edges[0].type"),
    ({"edges": [{"type": "CAUSES"}]}, "edges[0].to"),
    ({"edges": [{"type": "CAUSES", "to": "m0", "strength": 0}]}, "edges[0].strength"),
    ({"edges": [{"type": "CAUSES", "to": "m0", "strength": float("nan")}]}, "edges[0].strength"),
    ({"metadata": []}, "metadata"),
    ({"metadata": {"a\x00": 1}}, "metadata"),
    ({"metadata": NESTED}, "metadata"),
    ({"metadata": {"a": "\ud800"}}, "metadata"),
    ({"metadata": {"a": [float("nan")]}}, "metadata"),
    ({"metadata": {"a": float("inf")}}, "metadata"),
    ({"mood": "good"}, "mood"),
]


@pytest.mark.parametrize(("change", "field"), BAD, ids=[f"{n}-{b[1]}" for n, b in enumerate(BAD)])
def test_bad_value_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    found, reason = refused({"text": "hello", **change})
    assert found == field
    assert reason


@pytest.mark.parametrize("item", [None, "hello", 5, [], True])
def test_item_that_is_no_object_is_refused(item: object) -> None:
    assert refused(item)[0] == "item"


def test_item_without_text_is_refused() -> None:
    assert refused({"id": "m1"}) == ("text", "is required")


def test_bad_items_cost_only_themselves() -> None:
    raw = [{"text": "a"}, {"text": " "}, {"text": "b"}, 7, {"text": "c", "position": -1}]
    drafts, errors = read_items(raw, UTC_ZONE)
    assert [entry.index for entry in drafts] == [0, 2]
    assert [(error.index, error.field) for error in errors] == [
        (1, "text"), (3, "item"), (4, "position"),
    ]  # fmt: skip


def test_time_without_a_zone_is_read_in_the_requests() -> None:
    found = draft(TOKYO, occurred_at="2024-06-03T09:00:00")
    assert found.times["occurred_at"] == datetime(2024, 6, 3, 0, 0, tzinfo=UTC)


def test_time_with_a_zone_keeps_its_own() -> None:
    found = draft(TOKYO, occurred_at="2024-06-03T09:00:00+02:00")
    assert found.times["occurred_at"] == datetime(2024, 6, 3, 7, 0, tzinfo=UTC)


def test_date_alone_is_its_midnight() -> None:
    assert draft(occurred_at="2024-06-03").happened == datetime(2024, 6, 3, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given_times", "first"),
    [
        ({"occurred_start": "2024-01-01", "occurred_at": "2024-01-02"}, 1),
        ({"occurred_at": "2024-01-02", "mentioned_at": "2024-01-03"}, 2),
        ({"mentioned_at": "2024-01-03", "occurred_end": "2024-01-04"}, 3),
        ({"occurred_end": "2024-01-04"}, 4),
    ],
)
def test_effective_time_is_start_then_mention_then_end(given_times, first: int) -> None:
    assert draft(**given_times).happened == datetime(2024, 1, first, tzinfo=UTC)


def test_memory_without_any_time_has_no_effective_time() -> None:
    assert draft().happened is None


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)


@given(text=TEXTS, one=TEXTS, other=TEXTS)
def test_content_hash_ignores_the_id(text: str, one: str, other: str) -> None:
    hashes = {draft(text=text, id=name[:200]).content_hash for name in (one, other)}
    assert hashes == {draft(text=text).content_hash}


@pytest.mark.parametrize(
    "change",
    [
        {"text": "hello."}, {"kind": "fact"}, {"speaker": "Ana"}, {"occurred_at": "2024-06-03"},
        {"tags": ["x"]}, {"metadata": {"a": 1}}, {"supersedes": ["m0"]},
        {"affect": [{"label": "frustration", "intensity": 0.5}]}, {"proof_count": 2},
    ],
)  # fmt: skip
def test_content_hash_sees_everything_else(change: dict[str, Any]) -> None:
    assert draft(**change).content_hash != draft().content_hash


def test_same_moment_in_two_zones_is_the_same_content() -> None:
    one = draft(occurred_at="2024-06-03T09:00:00+02:00")
    assert one.content_hash == draft(occurred_at="2024-06-03T07:00:00Z").content_hash
    assert one.content_hash == draft(TOKYO, occurred_at="2024-06-03T16:00:00").content_hash


def test_order_of_metadata_keys_does_not_change_the_content() -> None:
    one, other = draft(metadata={"a": 1, "b": 2}), draft(metadata={"b": 2, "a": 1})
    assert one.content_hash == other.content_hash
