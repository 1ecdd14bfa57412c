"""A damaged export is refused before anything is written, naming file and line."""

import json

import pytest

from channels.errors import BadInput, NotFound
from router.transfer.export import export_bank
from router.transfer.importing import import_bank
from router.transfer.lines import CHECK, check_of, json_text
from tests.router.world import memory


@pytest.fixture
def folder(world, tmp_path):
    items = [memory(f"d{n}", f"walk {n}", "2025-05-01T09:00:00Z") for n in range(9)]
    items.append(memory("d9", "rain", edges=[{"type": "CAUSES", "to": "d1"}]))
    bank = world.run(world.service.banks.get(world.quick_bank(*items)))
    world.run(export_bank(world.service.pool, bank, tmp_path / "e"))
    return tmp_path / "e"


def refused(world, folder):
    with pytest.raises(BadInput) as caught:
        world.run(import_bank(world.service, folder, name="never-made"))
    with pytest.raises(NotFound):
        world.run(world.service.banks.get("never-made"))
    return str(caught.value)


def lines_of(folder, name="memories.jsonl"):
    return (folder / name).read_text("utf-8").splitlines(keepends=True)


def put(folder, lines, name="memories.jsonl"):
    (folder / name).write_text("".join(lines), "utf-8")


def test_a_changed_word_is_found_in_its_line(world, folder):
    lines = lines_of(folder)
    lines[6] = lines[6].replace("walk 6", "walk 7")
    put(folder, lines)
    assert refused(world, folder).startswith("memories.jsonl line 7: is not as it was written")


def test_a_line_cut_short_is_named(world, folder):
    put(folder, [*lines_of(folder)[:-1], lines_of(folder)[-1][:20]])
    assert refused(world, folder).startswith("memories.jsonl line 10: is not JSON")


def test_missing_lines_are_counted(world, folder):
    put(folder, lines_of(folder)[:4])
    assert refused(world, folder).startswith("memories.jsonl line 5: is missing")


def test_a_line_too_many_is_named(world, folder):
    lines = lines_of(folder)
    put(folder, [*lines, lines[0]])
    assert refused(world, folder).startswith("memories.jsonl line 11: is one too many")


def test_lines_that_changed_places_are_noticed(world, folder):
    put(folder, lines_of(folder)[::-1])
    assert refused(world, folder).startswith("memories.jsonl: is not as it was written")


def test_a_missing_file_is_named(world, folder):
    (folder / "edges.jsonl").unlink()
    assert refused(world, folder).startswith("edges.jsonl: is not in")


def test_an_unfinished_export_is_no_export(world, folder):
    (folder / "manifest.json").unlink()
    assert refused(world, folder).startswith("manifest.json: is not in")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": 2}, "manifest.json: format"),
        ({"files": {}}, "manifest.json: files.memories.jsonl: is missing"),
        ({"counts": "many"}, "manifest.json: counts"),
    ],
)
def test_a_wrong_manifest_is_told_by_field(world, folder, change, told):
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | change), "utf-8")
    assert refused(world, folder).startswith(told)


def test_a_manifest_cannot_name_a_file_outside_the_folder(world, folder):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["files"]["../secret.jsonl"] = manifest["files"]["edges.jsonl"]
    path.write_text(json.dumps(manifest), "utf-8")
    assert "../secret.jsonl" in refused(world, folder)


def rewritten(folder, name, number, **changes):
    """The file with one line changed by someone who knows the sums."""
    lines = lines_of(folder, name)
    row = json.loads(lines[number - 1])
    row.pop(CHECK)
    row |= changes
    lines[number - 1] = json_text({**row, CHECK: check_of(row)}) + "\n"
    put(folder, lines, name)


def test_a_line_without_sense_is_told_by_field(world, folder):
    rewritten(folder, "memories.jsonl", 2, text=" ")
    assert refused(world, folder).startswith("memories.jsonl line 2: text: is blank")
    rewritten(folder, "memories.jsonl", 2, text="walk", state={})
    assert refused(world, folder).startswith("memories.jsonl line 2: state.created_at")


def test_an_edge_without_strength_is_told_by_field(world, folder):
    rewritten(folder, "edges.jsonl", 1, strength=0)
    assert refused(world, folder).startswith("edges.jsonl line 1: strength")


def test_an_edge_to_a_memory_that_is_not_there_is_told(world, folder):
    import hashlib

    rewritten(folder, "edges.jsonl", 1, target="nobody")
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["files"]["edges.jsonl"]["sha256"] = hashlib.sha256(
        (folder / "edges.jsonl").read_bytes()
    ).hexdigest()
    path.write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(BadInput, match=r"edges.jsonl line 1: names memory 'nobody'"):
        world.run(import_bank(world.service, folder, name=f"dangling-{folder.parent.name}"))
