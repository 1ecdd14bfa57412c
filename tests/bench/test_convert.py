"""Converters of public data sets, on small samples of our own."""

import json
import re
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import convert, convert_locomo, convert_longmemeval
from bench.converted import Part
from channels.errors import BadInput
from router.evaluate.dataset import read_dataset

LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "My kite flew off."},
                {
                    "speaker": "Ben",
                    "dia_id": "D1:2",
                    "text": "Look at mine!",
                    "blip_caption": "a red kite",
                    "query": "kite",
                    "img_url": ["x"],
                },
            ],
            "session_10_date_time": "12:05 am on 1 January, 2024",
            "session_10": [{"speaker": "Ada", "dia_id": "D10:1", "text": "I built a new one."}],
            "session_2_date_time": "12:30 pm on 9 May, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "Found it in a tree."}],
            "session_11_date_time": "9:00 am on 2 January, 2024",
        },
        "qa": [
            {"question": "Whose kite flew off?", "answer": "Ada's", "evidence": ["D1:1"],
             "category": 4},
            {"question": "Where was it?", "answer": 7, "evidence": ["D1:01; D:2:1", "D9:9", "D"],
             "category": 1},
            {"question": "Why?", "answer": "?", "evidence": [], "category": 3},
            {"question": "Whose boat sank?", "adversarial_answer": "Ben's", "evidence": ["D2:1"],
             "category": 5},
        ],
        "event_summary": {},
    }
]  # fmt: skip
LONGMEMEVAL = [
    {
        "question_id": "q1",
        "question_type": "temporal-reasoning",
        "question": "Which came first?",
        "answer": "the kite",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/10 (Wed) 10:00"],
        "haystack_session_ids": ["b", "a"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "Hello."},
                {"role": "user", "content": "I bought a boat.", "has_answer": True},
                {"role": "assistant", "content": " "},
            ],
            [
                {"role": "user", "content": "I bought a kite.", "has_answer": True},
                {"role": "assistant", "content": "Nice.", "has_answer": False},
            ],
        ],
        "answer_session_ids": ["a", "b"],
    },
    {
        "question_id": "q2_abs",
        "question_type": "multi-session",
        "question": "How many swords?",
        "answer": 0,
        "question_date": "2023/06/01 (Thu) 08:00",
        "haystack_dates": ["2023/05/01 (Mon) 10:00"],
        "haystack_session_ids": ["c"],
        "haystack_sessions": [[{"role": "user", "content": "No swords."}]],
        "answer_session_ids": ["c"],
    },
]


def test_turns_become_memories_with_speaker_caption_and_time():
    found = convert_locomo.convert(LOCOMO)
    assert [one["id"] for one in found.memories] == [
        "conv-1:D1:1",
        "conv-1:D1:2",
        "conv-1:D2:1",
        "conv-1:D10:1",
    ]
    assert found.memories[1] == {
        "id": "conv-1:D1:2",
        "bank": "conv-1",
        "text": "Ben: Look at mine! [image: a red kite]",
        "occurred_at": "2023-05-08T13:56:00",
        "session": "conv-1:S1",
        "speaker": "Ben",
        "meta": {"dia_id": "D1:2", "turn": 2, "image_caption": "a red kite",
                 "image_query": "kite"},
    }  # fmt: skip
    assert found.memories[3]["occurred_at"] == "2024-01-01T00:05:00"


def test_evidence_is_mended_and_questions_without_any_are_counted():
    found = convert_locomo.convert(LOCOMO)
    assert [one["id"] for one in found.queries] == ["conv-1:q0", "conv-1:q1", "conv-1:q3"]
    assert found.queries[1] == {
        "id": "conv-1:q1",
        "bank": "conv-1",
        "text": "Where was it?",
        "asked_at": None,
        "type": "multi-hop",
        "relevant": ["conv-1:D1:1", "conv-1:D2:1"],
        "meta": {"category": 1, "n_evidence": 2, "n_sessions": 2,
                 "bank_end": "2024-01-01T00:05:00", "answer": 7},
    }  # fmt: skip
    assert found.queries[2]["meta"]["adversarial_answer"] == "Ben's"
    assert found.left_out == {"questions without evidence": 1, "evidence that names no turn": 2}


def test_a_pool_holds_evidence_only_in_order_of_time():
    found = convert_longmemeval.convert(LONGMEMEVAL)
    assert [(one["id"], one["text"], one["occurred_at"]) for one in found.memories] == [
        ("lme:q1:s1:t0", "I bought a kite.", "2023-05-10T10:00:00"),
        ("lme:q1:s2:t0", "I bought a boat.", "2023-05-20T02:21:00"),
    ]
    assert found.queries == [
        {
            "id": "lme:q1",
            "bank": "longmemeval",
            "text": "Which came first?",
            "asked_at": "2023-05-30T23:40:00",
            "type": "temporal-reasoning",
            "relevant": ["lme:q1:s1:t0", "lme:q1:s2:t0"],
            "meta": {"answer": "the kite", "abstention": False, "n_evidence": 2},
        }
    ]
    assert found.left_out == {"questions without evidence turns": 1}


def test_a_haystack_is_a_bank_with_every_turn():
    found = convert_longmemeval.convert(LONGMEMEVAL, haystack=True)
    assert [one["id"] for one in found.memories] == [
        "lme:q1:s1:t0",
        "lme:q1:s1:t1",
        "lme:q1:s2:t0",
        "lme:q1:s2:t1",
    ]
    assert {one["bank"] for one in found.memories} == {"lme:q1"}
    assert found.queries[0]["relevant"] == ["lme:q1:s1:t0", "lme:q1:s2:t1"]
    assert found.left_out["turns without text"] == 1


@pytest.mark.parametrize(("name", "source"), [("locomo", LOCOMO), ("longmemeval", LONGMEMEVAL)])
def test_what_is_written_can_be_evaluated(name, source, tmp_path, capsys):
    file = tmp_path / "source.json"
    file.write_text(json.dumps(source), "utf-8")
    assert convert.main([name, str(file), str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert "memories" in told.out
    assert "left out: 1 questions without evidence" in told.err
    dataset = read_dataset(tmp_path / "out")
    held = {one.id for bank in dataset.memories.values() for one in bank}
    assert all(query.relevant <= held for query in dataset.queries)


def test_a_choice_of_dialogues_or_questions_is_kept_to(tmp_path):
    chosen = tmp_path / "ids.txt"
    chosen.write_text("q1\n\n", "utf-8")
    source = tmp_path / "source.json"
    source.write_text(json.dumps([LONGMEMEVAL[0], LONGMEMEVAL[0] | {"question_id": "q3"}]), "utf-8")
    words = ["longmemeval", str(source), str(tmp_path / "out"), "--ids", str(chosen)]
    assert convert.main(words) == 0
    lines = (tmp_path / "out" / "queries.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["lme:q1"]
    with pytest.raises(BadInput, match="conv-9"):
        convert_locomo.convert(LOCOMO, {"conv-9"})


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"sample_id": None}, "[0].sample_id"),
        ({"qa": 1}, "[0].qa"),
        ({"conversation": {"session_1": [{}]}}, "[0].conversation.session_1_date_time"),
        ({"qa": [{"category": 9}]}, "[0].qa[0].category"),
        ({"conversation": {"session_1": [{}], "session_1_date_time": "noon"}},
         "[0].conversation.session_1_date_time"),
        ({"conversation": {"session_1": [{}], "session_1_date_time": "1:00 pm on 31 June, 2023"}},
         "[0].conversation.session_1_date_time"),
    ],
)  # fmt: skip
def test_another_document_is_told_by_path(change, path):
    with pytest.raises(BadInput) as caught:
        convert_locomo.convert([LOCOMO[0] | change])
    assert caught.value.field == path


def test_a_file_that_is_no_json_fails_in_one_line(tmp_path, capsys):
    (tmp_path / "x.json").write_text("<html>", "utf-8")
    assert convert.main(["locomo", str(tmp_path / "x.json"), str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith("convert: x.json: is no JSON")
    assert not (tmp_path / "out").exists()


@given(st.datetimes())
def test_every_time_is_read_back(moment):
    moment = moment.replace(second=0, microsecond=0)
    year = f"{moment.year:04}"
    half = "pm" if moment.hour >= 12 else "am"
    month = convert_locomo.MONTHS[moment.month - 1].title()
    clock = f"{(moment.hour + 11) % 12 + 1}:{moment.minute:02} {half}"
    spoken = f"{clock} on {moment.day} {month}, {year}"
    assert convert_locomo.parse_time(Part("t", spoken)) == moment.isoformat()
    slashed = f"{year}/{moment.month:02}/{moment.day:02} (Tue) {moment.hour:02}:{moment.minute:02}"
    assert convert_longmemeval.parse_time(Part("t", slashed)) == moment.isoformat()


@pytest.mark.shared
def test_dialogues_put_back_into_their_first_form_convert_to_the_same_lines(shared_data):
    folder = shared_data / "retrieval" / "locomo"
    memories, queries = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("memories.jsonl", "queries.jsonl")
    )
    found = convert_locomo.convert(original(memories, queries))
    assert found.memories == memories
    added = {"time_expression", "emotion_word", "audit", "relevant_audited", "evidence_repaired"}
    for query in queries:
        query["meta"] = {
            name: value
            for name, value in query["meta"].items()
            if name not in {*added, "duplicate_text"}
        }
    assert found.queries == queries


def original(memories, queries):
    """The document that the lines came from, as far as they tell."""
    samples = defaultdict(lambda: {"conversation": {}, "qa": {}})
    for one in memories:
        number = one["session"].rsplit(":S", 1)[1]
        conversation = samples[one["bank"]]["conversation"]
        moment = re.fullmatch(r"(\d+)-(\d+)-(\d+)T(\d+):(\d+):00", one["occurred_at"])
        year, month, day, hour, minute = map(int, moment.groups())
        half = "pm" if hour >= 12 else "am"
        name = convert_locomo.MONTHS[month - 1].title()
        conversation[f"session_{number}_date_time"] = (
            f"{(hour + 11) % 12 + 1}:{minute:02} {half} on {day} {name}, {year}"
        )
        caption = one["meta"].get("image_caption")
        text = one["text"].removeprefix(f"{one['speaker']}: ")
        turn = {"speaker": one["speaker"], "dia_id": one["meta"]["dia_id"]}
        turn["text"] = text.removesuffix(f" [image: {caption}]") if caption else text
        turn |= {"blip_caption": caption} if caption else {}
        query = one["meta"].get("image_query")
        turn |= {"query": query} if query else {}
        conversation.setdefault(f"session_{number}", []).append(turn)
    for one in queries:
        place = int(one["id"].rsplit(":q", 1)[1])
        raw = [name.removeprefix(f"{one['bank']}:") for name in one["relevant"]]
        named = one["meta"].get("evidence_repaired", raw)
        answers = {name: one["meta"][name] for name in ("answer", "adversarial_answer")
                   if name in one["meta"]}  # fmt: skip
        samples[one["bank"]]["qa"][place] = {
            "question": one["text"],
            "evidence": named,
            "category": one["meta"]["category"],
            **answers,
        }
    empty = {"question": "", "evidence": [], "category": 1}
    return [
        {
            "sample_id": bank,
            "conversation": sample["conversation"],
            "qa": [sample["qa"].get(place, empty) for place in range(max(sample["qa"]) + 1)],
        }
        for bank, sample in samples.items()
    ]
