import json

ROWS = [
    {"id": f"m{number}", "text": f"We moved cluster {number} to eu-west", "kind": "fact"}
    for number in range(5)
]


def test_a_bank_is_carried_over_and_found_under_its_new_name(call, stored, jsonl, tmp_path):
    call("retain", jsonl(ROWS), "--bank", "b")
    done = call("export", "--bank", "b", "--to", tmp_path / "e", "--json")
    assert done.exit_code == 0
    counts = json.loads(done.stdout)["counts"]
    assert {name: count for name, count in counts.items() if count} == {"memories": 5}
    there = call("import", tmp_path / "e", "--bank", "c", "--json")
    assert (there.exit_code, json.loads(there.stdout)["stored"]) == (0, 5)
    again = call("import", tmp_path / "e", "--bank", "c")
    assert again.stdout.startswith("0 stored, 5 already there")
    question = ("recall", "which cluster 3 moved?", "--json", "--bank")
    pages = [json.loads(call(*question, bank).stdout)["results"] for bank in "bc"]
    assert [one["id"] for one in pages[0]] == [one["id"] for one in pages[1]]


def test_no_key_and_no_hash_of_one_leaves_the_store(call, stored, jsonl, tmp_path):
    import hashlib

    call("retain", jsonl(ROWS), "--bank", "b")
    made = json.loads(
        call("keys", "create", "--name", "ours", "--scope", "recall", "--json").stdout
    )
    secret = made["key"].split("_", 2)[2]
    call("recall", "which cluster?", "--bank", "b")
    call("export", "--bank", "b", "--to", tmp_path / "e", "--with-decisions")
    whole = b"".join(path.read_bytes() for path in (tmp_path / "e").iterdir())
    assert b"which cluster?" in whole
    for text in (secret, hashlib.sha256(secret.encode()).hexdigest(), stored):
        assert text.encode() not in whole


def test_differences_are_told_and_nothing_is_written(call, stored, jsonl, tmp_path):
    call("retain", jsonl(ROWS), "--bank", "b")
    call("export", "--bank", "b", "--to", tmp_path / "e")
    call("retain", jsonl([ROWS[0] | {"text": "Ours"}]), "--bank", "c")
    found = call("import", tmp_path / "e", "--bank", "c")
    assert found.exit_code == 1
    assert "memory 'm0': has other content than memories.jsonl line 1" in found.stderr
    assert "nothing was written" in found.stderr


def test_a_damaged_folder_fails_in_one_line(call, stored, jsonl, tmp_path):
    call("retain", jsonl(ROWS), "--bank", "b")
    call("export", "--bank", "b", "--to", tmp_path / "e")
    path = tmp_path / "e" / "memories.jsonl"
    path.write_text(path.read_text("utf-8").replace("cluster 2", "cluster 9"), "utf-8")
    found = call("import", tmp_path / "e", "--bank", "c")
    assert found.exit_code == 1
    assert found.stderr.splitlines()[-1].startswith("fivefold: memories.jsonl line 3: ")


def test_a_second_export_into_the_same_folder_is_refused(call, stored, jsonl, tmp_path):
    call("retain", jsonl(ROWS), "--bank", "b")
    call("export", "--bank", "b", "--to", tmp_path / "e")
    again = call("export", "--bank", "b", "--to", tmp_path / "e")
    assert (again.exit_code, "name another folder" in again.stderr) == (1, True)
