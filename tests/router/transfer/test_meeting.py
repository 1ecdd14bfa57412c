"""What an import does when something is there already, or when it is interrupted."""

import pytest

from channels.embedder import PACKAGED
from channels.errors import BadInput, Conflict
from router.presets import preset
from router.store.matrices import Matrices
from router.transfer.export import export_bank
from router.transfer.importing import import_bank
from router.transfer.reading import arrivals, memories
from tests.router.api.conftest import HASHES
from tests.router.ledger import assert_balanced
from tests.router.transfer.banks import held, rich_bank
from tests.router.transfer.test_round_trip import EDGES, MATRIX, STATE
from tests.router.world import memory

HELD = [memory(f"h{n}", f"walk {n} to the orchard") for n in range(4)]


@pytest.fixture
def bank(world):
    return world.quick_bank(*HELD)


@pytest.fixture
def folder(world, bank, tmp_path):
    export(world, bank, tmp_path / "e")
    return tmp_path / "e"


def export(world, bank, folder):
    found = world.run(world.service.banks.get(bank))
    return world.run(export_bank(world.service.pool, found, folder))


def import_(world, folder, **options):
    return world.run(import_bank(world.service, folder, **options))


def test_other_content_is_reported_memory_by_memory_and_left_alone(world, folder):
    other = world.quick_bank(HELD[0], memory("h2", "mine"), memory("h3", "mine too"))
    before = held(world, other)
    done = import_(world, folder, name=other)
    assert (done.stored, done.present, done.different) == (0, 1, 2)
    assert [one.id for one in done.differences] == ["h2", "h3"]
    assert "memories.jsonl line 3" in str(done.differences[0])
    assert held(world, other) == before


def test_memories_that_the_export_lacks_are_a_difference(world, folder):
    other = world.quick_bank(*HELD, memory("mine", "a memory of mine"))
    done = import_(world, folder, name=other)
    assert (done.different, done.stored) == (1, 0)
    assert "1 memories of the bank are not in the export" in str(done.differences[0])


def test_the_bank_itself_is_no_difference(world, bank, folder):
    before = held(world, bank)
    done = import_(world, folder)
    assert (done.bank, done.stored, done.present, done.different) == (bank, 0, 4, 0)
    assert held(world, bank) == before


def test_missing_memories_are_added_beside_those_that_are_the_same(world, folder):
    other = world.quick_bank(*HELD[:2])
    done = import_(world, folder, name=other)
    assert (done.stored, done.present, done.different) == (2, 2, 0)
    assert_balanced(world, other)


def test_another_matrix_is_a_difference(world, folder):
    other = world.quick_bank(*HELD)
    key = world.run(world.service.banks.get(other)).key
    matrices = Matrices(world.service.transaction)
    world.run(
        matrices.publish(key, preset("uniform", PACKAGED), expected=0, reason="mine", author="me")
    )
    done = import_(world, folder, name=other)
    assert {one.what for one in done.differences} == {"bank", "matrix"}
    assert world.rows(other, "select reason from matrices where bank_id = %(bank)s") == [("mine",)]


def test_a_bank_bound_to_another_model_is_refused(world, bank, folder):
    with pytest.raises(Conflict, match="import under another name"):
        import_(world, folder, name=bank, embedder=world.service.embedders.default)


def test_an_existing_bank_keeps_its_own_model(world, folder):
    other = world.bank()
    done = import_(world, folder, name=other)
    assert (done.stored, done.embedder != HASHES) == (4, True)


def test_an_interrupted_import_goes_on_where_it_stopped(world, tmp_path):
    bank = rich_bank(world, replaced=True, count=40, embedder=HASHES)
    export(world, bank, tmp_path / "e")

    def stop(lines):
        if lines >= 41:
            raise KeyError("power")

    name = f"{bank}-copy"
    with pytest.raises(KeyError):
        import_(world, tmp_path / "e", name=name, tell=stop)
    # Stored, but not yet given its time and hash: the power may go between the two.
    groups = list(arrivals(memories(tmp_path / "e")))
    present = {row[0] for row in world.rows(name, "select id from memories where bank_id=%(bank)s")}
    following = next(group for group in groups if group[0].id not in present)
    assert world.keep(name, *(one.item for one in following)).errors == []
    done = import_(world, tmp_path / "e", name=name)
    assert (done.stored, done.present, done.different) == (
        47 - len(present) - len(following),
        len(present) + len(following),
        0,
    )
    for statement in (STATE, MATRIX):
        assert world.rows(name, statement) == world.rows(bank, statement)
    assert len(world.rows(name, EDGES)) > 0
    assert_balanced(world, name)


def test_a_folder_with_an_export_is_not_written_over(world, bank, folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(BadInput, match="name another folder"):
        export(world, bank, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_leftovers_of_an_interrupted_export_are_replaced(world, bank, tmp_path):
    (tmp_path / "memories.jsonl.partial").write_text("half a li", "utf-8")
    (tmp_path / "recalls.jsonl").write_text("{}\n", "utf-8")
    export(world, bank, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "edges.jsonl",
        "manifest.json",
        "matrices.jsonl",
        "memories.jsonl",
        "proposals.jsonl",
        "sources.jsonl",
        "supersessions.jsonl",
    ]
