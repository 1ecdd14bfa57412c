import json
from datetime import UTC, datetime

import pytest

from channels.errors import BadInput
from router.evaluate.dataset import read_dataset

MEMORY = {"id": "m1", "bank": "b", "text": "Tea at five", "occurred_at": "2024-03-01T10:00:00"}
QUERY = {"id": "q1", "bank": "b", "text": "When is tea?", "relevant": ["m1"], "type": "x"}


def write(folder, memories, queries):
    for name, rows in (("memories", memories), ("queries", queries)):
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def test_only_five_fields_and_the_id_of_a_memory_are_loaded(tmp_path):
    full = MEMORY | {
        "speaker": "Ana",
        "session": "s1",
        "meta": {"title": "Tea", "answer": "five"},
        "type": "secret",
        "relevant": ["q1"],
    }
    (memory,) = read_dataset(write(tmp_path, [full], [QUERY])).memories["b"]
    assert memory.item() == {
        "id": "m1",
        "text": "Tea at five",
        "occurred_at": "2024-03-01T10:00:00+00:00",
        "speaker": "Ana",
        "episode": "s1",
        "title": "Tea",
    }


def test_an_empty_session_is_no_episode(tmp_path):
    rows = [MEMORY | {"session": "", "speaker": None}]
    (memory,) = read_dataset(write(tmp_path, rows, [QUERY])).memories["b"]
    assert memory.item().keys() == {"id", "text", "occurred_at"}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, datetime(2024, 3, 1, 10, tzinfo=UTC)),
        ({"meta": {"bank_end": "2024-04-01T00:00:00"}}, datetime(2024, 4, 1, tzinfo=UTC)),
        (
            {"asked_at": "2024-05-01T02:00:00+02:00", "meta": {"bank_end": "2024-04-01"}},
            datetime(2024, 5, 1, tzinfo=UTC),
        ),
    ],
)
def test_a_query_is_asked_at_its_time_or_its_banks_end_or_the_newest_memory(
    tmp_path, fields, expected
):
    data = read_dataset(write(tmp_path, [MEMORY], [QUERY | fields]))
    assert data.asked_at(data.queries[0]) == expected


def test_without_any_time_a_query_is_asked_now(tmp_path):
    data = read_dataset(write(tmp_path, [MEMORY | {"occurred_at": None}], [QUERY]))
    assert abs((data.asked_at(data.queries[0]) - datetime.now(UTC)).total_seconds()) < 60


def test_a_limit_takes_the_first_queries_and_their_banks_only(tmp_path):
    memories = [MEMORY, MEMORY | {"bank": "c"}]
    queries = [QUERY, QUERY | {"id": "q2", "bank": "c"}]
    data = read_dataset(write(tmp_path, memories, queries), limit=1)
    assert [query.id for query in data.queries] == ["q1"]
    assert set(data.memories) == {"b"}


def test_memories_without_text_are_counted(tmp_path):
    data = read_dataset(write(tmp_path, [MEMORY, MEMORY | {"id": "m2", "text": " "}], [QUERY]))
    assert (data.blank, len(data.memories["b"])) == (1, 1)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ('{"id": ', "memories.jsonl line 7"),
        ("[]", "memories.jsonl line 7"),
        ({"id": "m9", "bank": "b"}, "memories.jsonl line 7: text"),
        (MEMORY | {"id": "m9", "bank": ""}, "memories.jsonl line 7: bank"),
        (MEMORY | {"id": "m9", "occurred_at": "soon"}, "memories.jsonl line 7: occurred_at"),
        (MEMORY | {"id": "m9", "occurred_at": "0001-01-01T00:00:00+14:00"}, "occurred_at"),
        (MEMORY | {"id": "m9", "meta": 3}, "memories.jsonl line 7: meta"),
        (MEMORY | {"id": "m3"}, "memories.jsonl line 7: id"),
    ],
)
def test_a_bad_memory_is_named_by_file_line_and_field(tmp_path, bad, field):
    rows = [MEMORY | {"id": f"m{i}"} for i in range(6)]
    with pytest.raises(BadInput) as caught:
        read_dataset(write(tmp_path, [*rows, bad], [QUERY]))
    assert field in caught.value.field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"relevant": "m1"}, "queries.jsonl line 1: relevant"),
        ({"text": None}, "queries.jsonl line 1: text"),
        ({"bank": "other"}, "queries.jsonl"),
    ],
)
def test_a_bad_query_is_named(tmp_path, change, field):
    with pytest.raises(BadInput) as caught:
        read_dataset(write(tmp_path, [MEMORY], [QUERY | change]))
    assert field in caught.value.field


def test_a_folder_without_its_files_says_which_is_missing(tmp_path):
    with pytest.raises(BadInput, match=r"queries\.jsonl: is missing"):
        read_dataset(tmp_path)
