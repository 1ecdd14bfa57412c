"""`fivefold feedback`: what it stores beyond the events themselves."""

import json

import psycopg


def test_answer_in_a_file_is_read_as_over_http(call, stored, jsonl):
    memory = {"id": "m1", "text": "We moved the staging cluster to eu-west"}
    call("retain", jsonl([memory]), "--bank", "b")
    asked = json.loads(call("recall", "where is staging?", "--bank", "b", "--json").stdout)
    answer = {
        "event_id": "a1",
        "action_name": "answer_given",
        "recall_id": asked["recall_id"],
        "timestamp": "2024-06-12T00:00:00Z",
        "answer": "The staging cluster is in eu-west.",
        "tool_arguments": {"region": "eu-west", "cluster": "staging"},
    }
    found = call("feedback", jsonl([answer]), "--bank", "b", "--json")
    assert json.loads(found.stdout)["accepted"] == 1, found.stderr
    with psycopg.connect(stored) as conn:
        rows = conn.execute("select event_id from events order by event_id").fetchall()
    assert [row[0] for row in rows] == ["a1", "a1#cited:m1", "a1#used:m1"]
