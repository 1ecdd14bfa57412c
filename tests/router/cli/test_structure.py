import json

ROWS = [
    {"id": "old", "text": "We use Jade for search"},
    {"id": "new", "text": "We switched from Jade to Onyx for search"},
]


def test_supersede_is_repeatable_and_taken_back(call, stored, jsonl):
    call("retain", jsonl(ROWS), "--bank", "b")
    words = ("supersede", "old", "--by", "new", "--bank", "b", "--reason", "speed", "--json")
    first, again = (json.loads(call(*words).stdout) for _ in range(2))
    assert (first["changed"], first["closed"], again["changed"]) == (True, 1, False)
    shown = call("recall", "Jade search", "--bank", "b", "--include", "history", "--json")
    results = {one["id"]: one for one in json.loads(shown.stdout)["results"]}
    assert results["old"]["superseded_by"] == "new"
    assert results["new"]["history"][0]["author"] == "cli"
    table = call("recall", "Jade search", "--bank", "b", "--include", "superseded")
    assert "(superseded by new)" in table.stdout
    done = call("supersede", "old", "--undo", "--bank", "b")
    assert "1 current again" in done.stdout


def test_conflicts_are_listed_accepted_and_dismissed(call, stored, jsonl):
    call("retain", jsonl(ROWS), "--bank", "b")
    (found,) = json.loads(call("conflicts", "list", "--bank", "b", "--json").stdout)["conflicts"]
    assert found["rule"] == "switched_from_to"
    assert "Jade" in call("conflicts", "list", "--bank", "b").stdout
    number = found["id"]
    accepted = call("conflicts", "accept", number, "--bank", "b", "--json")
    assert json.loads(accepted.stdout)["closed"] == 1
    refused = call("conflicts", "dismiss", number, "--bank", "b")
    assert refused.exit_code == 1
    assert "accepted already" in refused.stderr


def test_wrong_words_are_wrong_usage(call, stored, jsonl):
    call("retain", jsonl(ROWS), "--bank", "b")
    assert call("supersede", "old", "--bank", "b").exit_code == 2
    assert call("conflicts", "list", "--bank", "b", "--state", "odd").exit_code == 2
    assert call("recall", "Jade", "--bank", "b", "--include", "odd").exit_code == 2
    assert call("recall", "Jade", "--bank", "b", "--as-of", "odd").exit_code == 2
