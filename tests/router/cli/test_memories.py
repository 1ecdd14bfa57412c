import json
import time

from channels import embedder
from channels.embedder import PACKAGED
from router.presets import default_matrix
from router.weights import as_json

MEMORY = {"text": "We moved the staging cluster to eu-west", "occurred_at": "2024-06-03T09:00:00"}


def test_line_seven_is_reported_and_nothing_else_is_lost(call, stored, jsonl):
    rows = [MEMORY | {"id": f"m{number}"} for number in range(1, 13)]
    rows[6] = '{"id": "m7", '
    file = jsonl(rows)
    found = call("retain", file, "--bank", "b", "--batch", "5", "--json")
    assert found.exit_code == 1
    shown = json.loads(found.stdout)
    assert (shown["accepted"], shown["duplicates"]) == (11, 0)
    assert [error["line"] for error in shown["errors"]] == [7]
    assert "line 7: json: " in found.stderr
    again = json.loads(call("retain", file, "--bank", "b", "--json").stdout)
    assert (again["accepted"], again["duplicates"]) == (0, 11)


def test_a_line_that_is_longer_than_the_model_reads_is_told_and_stored(call, stored, jsonl):
    file = jsonl([MEMORY, MEMORY | {"text": "We moved the staging cluster. " * 300}])
    found = call("retain", file, "--bank", "b")
    assert found.exit_code == 0
    assert "line 2: stored; by meaning its first" in found.stderr
    assert "line 1" not in found.stderr
    more = jsonl([MEMORY | {"text": "We moved the cluster again. " * 300}])
    [cut] = json.loads(call("retain", more, "--bank", "b", "--json").stdout)["partly_read"]
    assert (cut["line"], cut["of"]) == (1, 28 * 300)
    assert 2_000 < cut["read"] < 8_400


def test_lines_of_a_data_set_name_their_bank_and_session(call, stored, jsonl):
    rows = [
        MEMORY | {"id": "m1", "bank": "one", "session": "s1", "meta": {"turn": 1}},
        MEMORY | {"id": "m2", "bank": "two", "session": ""},
        MEMORY | {"id": "m3"},
        MEMORY | {"id": "m4", "bank": "two", "bogus": 1},
    ]
    found = call("retain", jsonl(rows), "--json")
    errors = json.loads(found.stdout)["errors"]
    assert [(error["line"], error["field"]) for error in errors] == [(3, "bank"), (4, "bogus")]
    answer = json.loads(call("recall", "staging cluster", "--bank", "one", "--json").stdout)
    assert [result["id"] for result in answer["results"]] == ["m1"]
    assert answer["results"][0]["metadata"] == {"turn": 1}


def test_atomic_stores_all_or_none(call, stored, jsonl):
    good = [MEMORY | {"id": "m1"}, MEMORY | {"id": "m2"}]
    spoilt = call("retain", jsonl([*good, {"text": " "}]), "--bank", "b", "--atomic", "--json")
    assert (spoilt.exit_code, json.loads(spoilt.stdout)["accepted"]) == (1, 0)
    unread = call("retain", jsonl([*good, "{"]), "--bank", "b", "--atomic", "--json")
    assert (unread.exit_code, json.loads(unread.stdout)["accepted"]) == (1, 0)
    whole = call("retain", jsonl(good), "--bank", "b", "--atomic", "--json")
    assert (whole.exit_code, json.loads(whole.stdout)["accepted"]) == (0, 2)


def test_atomic_refuses_what_cannot_be_one_transaction(call, stored, jsonl):
    rows = [MEMORY | {"bank": "one"}, MEMORY | {"bank": "two"}]
    found = call("retain", jsonl(rows), "--atomic")
    assert found.exit_code == 1
    assert "--atomic" in found.stderr


def test_a_recall_is_shown_as_a_table_and_explained(call, stored, jsonl):
    call("retain", jsonl([MEMORY | {"id": "m[bold]1"}]), "--bank", "b")
    found = call("recall", "where did the cluster move last week?", "--bank", "b", "--explain",
                 "--asked-at", "2024-06-12")  # fmt: skip
    assert found.exit_code == 0
    assert "m[bold]1" in found.stdout
    for part in ("temporal 0.", "2024-06-03", "last week", "keyword", "graph", "reach"):
        assert part in found.stdout


def test_a_model_slower_to_load_than_any_deadline_costs_no_channel(
    call, stored, jsonl, monkeypatch
):
    call("retain", jsonl([MEMORY]), "--bank", "b")
    load = embedder.load_model

    def slowly(name):
        time.sleep(2.0)  # a channel waits 1.5 seconds
        return load(name)

    monkeypatch.setattr(embedder, "load_model", slowly)
    found = json.loads(call("recall", "where is the cluster?", "--bank", "b", "--json").stdout)
    assert found["degraded"] == []
    assert "semantic" in found["results"][0]["channels"]


def test_an_unknown_bank_fails_in_one_line(call, stored):
    found = call("recall", "anything", "--bank", "nowhere")
    assert (found.exit_code, found.stderr) == (1, "fivefold: no bank named 'nowhere'\n")


def test_feedback_reports_each_line(call, stored, jsonl):
    call("retain", jsonl([MEMORY | {"id": "m1"}]), "--bank", "b")
    asked = json.loads(call("recall", "cluster", "--bank", "b", "--json").stdout)
    event = {
        "event_id": "e1",
        "action_name": "memory_cited",
        "recall_id": asked["recall_id"],
        "memory_id": "m1",
        "timestamp": asked.get("at") or "2024-06-12T00:00:00Z",
    }
    file = jsonl([event, "{", {"action_name": "Not An Action"}])
    found = call("feedback", file, "--bank", "b", "--json")
    shown = json.loads(found.stdout)
    assert found.exit_code == 1
    assert shown["accepted"] == 1
    assert [rejected["line"] for rejected in shown["rejected"]] == [2, 3]
    assert json.loads(call("feedback", file, "--bank", "b", "--json").stdout)["duplicate"] == 1


def test_the_live_matrix_is_shown(call, stored, jsonl):
    call("retain", jsonl([MEMORY]), "--bank", "b")
    shown = json.loads(call("matrix", "show", "--bank", "b", "--json").stdout)
    assert shown["version"] == 0
    assert set(shown["rows"]) == {"temporal", "factual", "multi_hop", "emotional", "general"}
    assert shown["default"] == as_json(default_matrix(PACKAGED))
    assert "multi_hop" in call("matrix", "show", "--bank", "b").stdout


def test_rows_that_were_shown_are_published_compared_and_taken_back(call, stored, jsonl, tmp_path):
    call("retain", jsonl([MEMORY]), "--bank", "b")
    shown = json.loads(call("matrix", "show", "--bank", "b", "--json").stdout)
    shown["rows"]["general"]["weights"]["keyword"] = 0.35
    file = tmp_path / "rows.json"
    file.write_text(json.dumps(shown))
    given = ["matrix", "publish", "--bank", "b", "--rows", file, "--reason", "tried"]
    assert json.loads(call(*given, "--expected", "0", "--json").stdout)["version"] == 1
    stale = call(*given, "--expected", "0")
    assert (stale.exit_code, "version 1 is live" in stale.stderr) == (1, True)
    told = json.loads(call("matrix", "diff", "--bank", "b", "--json").stdout)
    former = shown["default"]["general"]["weights"]["keyword"]
    assert told == {
        "from": 0, "to": 1,
        "changes": {"general": {"weights": {"keyword": {"from": former, "to": 0.35}}}},
    }  # fmt: skip
    assert "0.350" in call("matrix", "diff", "--bank", "b").stdout
    back = call("matrix", "rollback", "--bank", "b", "--to", "0", "--json")
    assert json.loads(back.stdout)["version"] == 2
    again = call("matrix", "diff", "--bank", "b", "--from", "0", "--to", "2", "--json")
    assert json.loads(again.stdout)["changes"] == {}
    assert call("matrix", "rollback", "--bank", "b", "--to", "9").exit_code == 1
