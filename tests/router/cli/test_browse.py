import json

ROWS = [
    {"id": "a", "text": "We moved the staging cluster", "topic": "infra.staging", "episode": "e1",
     "occurred_at": "2025-06-03T09:00:00Z", "entities": [{"text": "staging cluster"}]},
    {"id": "b", "text": "Billing moved to Stripe", "topic": "billing",
     "occurred_at": "2025-06-04T09:00:00Z"},
]  # fmt: skip


def test_bank_is_walked_from_the_command_line(call, stored, jsonl, monkeypatch):
    monkeypatch.setenv("FIVEFOLD_EMBEDDER", "none")
    call("retain", jsonl(ROWS), "--bank", "b")

    def told(*words):
        done = call("browse", *words, "--bank", "b", "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    assert [one["topic"] for one in told("topics")["topics"]] == ["billing", "infra"]
    assert told("topics", "--prefix", "infra")["topics"][0]["topic"] == "infra.staging"
    assert told("episodes", "--topic", "infra")["episodes"][0]["episode"] == "e1"
    assert told("entities", "--prefix", "stag")["entities"][0]["memories"] == 1
    assert [one["day"] for one in told("days")["days"]] == ["2025-06-04", "2025-06-03"]
    assert [one["day"] for one in told("days", "--before", "2025-06-04")["days"]] == ["2025-06-03"]
    table = call("browse", "topics", "--bank", "b").stdout
    assert "infra.staging" in table
    assert "2025-06-03" in call("browse", "days", "--bank", "b").stdout


def test_summaries_are_made_from_the_command_line_and_wrong_words_refused(
    call, stored, jsonl, monkeypatch
):
    monkeypatch.setenv("FIVEFOLD_EMBEDDER", "none")
    call("retain", jsonl(ROWS), "--bank", "b")
    done = call("summarise", "--bank", "b", "--json")
    assert json.loads(done.stdout)["written"] == 0  # the bank keeps none
    assert "0 written" in call("summarise", "--bank", "b").stdout
    assert call("browse", "days", "--bank", "b", "--state", "odd").exit_code == 2
    assert call("browse", "topics", "--bank", "absent").exit_code == 1
