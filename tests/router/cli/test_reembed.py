"""A bank is moved to another model from the command line."""

import json

ROWS = [{"id": "a", "text": "We use Jade for search"}, {"id": "b", "text": "Lunch is at noon"}]


def test_bank_is_moved_with_its_progress_and_asks_on(call, stored, jsonl):
    call("retain", jsonl(ROWS), "--bank", "b")
    moved = call("reembed", "--bank", "b", "--embedder", "none", "--json")
    assert json.loads(moved.stdout) == {"bank": "b", "embedder": "none"}
    found = call("recall", "what do we use for search?", "--bank", "b", "--json")
    assert json.loads(found.stdout)["results"][0]["id"] == "a"
    assert "b uses none" in call("reembed", "--bank", "b").stdout


def test_unknown_bank_or_model_is_named(call, stored, jsonl, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    call("retain", jsonl(ROWS), "--bank", "b")
    assert "no bank named" in call("reembed", "--bank", "nobody").stderr
    wrong = call("reembed", "--bank", "b", "--embedder", "./no-such-model")
    assert wrong.exit_code == 1
    assert "no-such-model" in wrong.stderr
