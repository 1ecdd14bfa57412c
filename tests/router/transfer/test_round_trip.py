"""A bank that was exported and imported is the same bank."""

import json

import psycopg
import pytest

from channels.base import View
from router.transfer.export import export_bank
from router.transfer.importing import import_bank
from tests.router.api.conftest import HASHES
from tests.router.ledger import assert_balanced
from tests.router.transfer.banks import QUESTIONS, exported_rows, held, rich_bank
from tests.router.world import NOW, memory, shown, trace

CONTENT = ("manifest.json", "memories.jsonl", "edges.jsonl", "matrices.jsonl")
STATE = (
    "select m.id, m.text, m.context, m.kind, m.speaker, m.episode, m.position, m.occurred_at,"
    " m.happened, m.tags, m.topic, m.metadata, m.entities, m.affect_labels, m.behaviour,"
    " m.created_at, m.expired_at, m.invalid_at, s.id, m.content_hash, t.proof_count, t.uses"
    " from memories m join memory_stats t on t.bank_id = m.bank_id and t.key = m.key"
    " left join memories s on s.bank_id = m.bank_id and s.key = m.superseded_by"
    " where m.bank_id = %(bank)s order by m.key"
)
EDGES = (
    "select s.id, d.id, e.type, e.via, e.strength, e.made_by from edges e"
    " join memories s on s.bank_id = e.bank_id and s.key = e.src"
    " join memories d on d.bank_id = e.bank_id and d.key = e.dst"
    " where e.bank_id = %(bank)s order by s.id, d.id, e.type, e.via"
)
POSTINGS = (
    "select m.id, p.term, p.tf, p.length, p.impact, p.own from postings p"
    " join memories m on m.bank_id = p.bank_id and m.key = p.key"
    " where p.bank_id = %(bank)s order by m.id, p.term"
)
MATRIX = (
    "select m.version, m.parent, m.rows, m.reason, m.author, m.evidence, m.at, h.version"
    " from matrices m join matrix_heads h on h.bank_id = m.bank_id"
    " where m.bank_id = %(bank)s order by m.version"
)


def export(world, bank, folder, **options):
    found = world.run(world.service.banks.get(bank))
    return world.run(export_bank(world.service.pool, found, folder, **options))


def import_(world, folder, **options):
    return world.run(import_bank(world.service, folder, **options))


def carried(world, folder, **options):
    bank = rich_bank(world, **options)
    export(world, bank, folder)
    done = import_(world, folder, name=f"{bank}-copy")
    assert (done.stored, done.present, done.different) == (67, 0, 0)
    return bank, f"{bank}-copy", folder


@pytest.fixture(scope="module")
def pair(world, tmp_path_factory):
    """A bank with the packaged model, its export, and the bank made from it."""
    return carried(world, tmp_path_factory.mktemp("pair") / "bank", replaced=True)


@pytest.fixture(scope="module")
def grown(world, tmp_path_factory):
    """The same, of a bank whose memories were only ever added."""
    return carried(world, tmp_path_factory.mktemp("grown") / "bank", replaced=False)


@pytest.mark.parametrize("question", QUESTIONS)
def test_recall_gives_the_same_ids_in_the_same_order(world, grown, question):
    for view in (View(), View(include_superseded=True), View(as_of=NOW)):
        before, after = (world.ask(bank, question, k=50, view=view) for bank in grown[:2])
        assert len(shown(before)) >= 10
        assert shown(before) == shown(after), trace(before) + "\n" + trace(after)


def test_all_that_is_derived_from_the_memories_is_the_same(world, grown):
    for statement in (EDGES, POSTINGS):
        assert world.rows(grown[1], statement) == world.rows(grown[0], statement)


def test_a_bank_with_rewritten_memories_still_finds_them(world, pair):
    for question in QUESTIONS:
        before, after = (world.found(bank, question, k=10) for bank in pair[:2])
        assert len(set(before) & set(after)) >= 8, question


def test_memories_have_their_state_and_time(world, pair):
    assert world.rows(pair[1], STATE) == world.rows(pair[0], STATE)


def test_callers_edges_are_restored_exactly(world, pair):
    kinds = ["where e.bank_id", "where e.made_by = 'caller' and e.bank_id"]
    before, after = (world.rows(bank, EDGES.replace(*kinds)) for bank in pair[:2])
    assert ("m2", "cause", "CAUSES", 0, 1.0, "caller") in before
    assert ("newer-key", "new-key", "SUPERSEDES", 0, 1.0, "caller") in before
    assert after == before


def test_matrix_versions_and_the_live_one_are_restored_exactly(world, pair):
    assert world.rows(pair[1], MATRIX) == world.rows(pair[0], MATRIX)
    assert [row[0] for row in world.rows(pair[1], MATRIX)] == [1, 2, 3]


def test_counters_of_the_imported_bank_agree_with_its_rows(world, pair):
    assert_balanced(world, pair[1])


def test_a_second_import_changes_nothing(world, pair):
    before = held(world, pair[1])
    done = import_(world, pair[2], name=pair[1])
    assert (done.stored, done.present, done.different) == (0, 67, 0)
    assert held(world, pair[1]) == before


def test_a_memory_sent_again_after_the_import_is_a_duplicate(world, pair):
    item = memory("newer-key", "The keys hang at the door", supersedes=["new-key"])
    assert world.keep(pair[1], item).duplicates == 1


def test_an_export_of_the_import_has_the_same_files(world, pair, tmp_path):
    manifest = export(world, pair[1], tmp_path / "again")
    first = json.loads((pair[2] / "manifest.json").read_text("utf-8"))
    for name in CONTENT[1:3]:
        assert manifest.files[name].sha256 == first["files"][name]["sha256"], name
    assert exported_rows(tmp_path / "again", "matrices.jsonl") == exported_rows(
        pair[2], "matrices.jsonl"
    )


def test_another_model_embeds_anew(world, pair):
    name = f"{pair[0]}-hashed"
    done = import_(world, pair[2], name=name, embedder=HASHES)
    assert done.embedder == HASHES
    assert world.run(world.service.banks.get(name)).config.embedder == HASHES
    assert world.rows(name, STATE) == world.rows(pair[0], STATE)
    assert "m2" in world.found(name, "Rewritten")


def test_configuration_and_title_come_along(world, tmp_path):
    bank = world.bank(embedder=HASHES, decay={"half_life_days": 3}, timezone="Europe/Vienna")
    found = world.run(world.service.banks.get(bank))
    world.run(world.service.banks.configure(found, "Our walks", found.config))
    export(world, bank, tmp_path / "e")
    done = import_(world, tmp_path / "e", name=f"{bank}-copy")
    copy = world.run(world.service.banks.get(f"{bank}-copy"))
    assert (copy.title, copy.config, done.stored) == ("Our walks", found.config, 0)


def test_decisions_are_exported_by_memory_id_and_without_internal_keys(world, tmp_path):
    bank = world.quick_bank(memory("one", "The pump is fixed"), memory("two", "The door is open"))
    world.ask(bank, "which pump?", api_key="k1")
    world.flush()
    manifest = export(world, bank, tmp_path / "e", with_decisions=True)
    assert manifest.counts["recalls"] == 1
    row = exported_rows(tmp_path / "e", "recalls.jsonl")[0]
    assert "one" in row["candidate_ids"]
    assert not {"candidate_keys", "shown_keys", "api_key", "bank_id"} & set(row)
    assert import_(world, tmp_path / "e", name=f"{bank}-copy").left_out == (
        "recalls.jsonl",
        "events.jsonl",
    )


def test_an_export_shows_one_moment_and_holds_no_writer_up(world, tmp_path):
    bank = world.quick_bank(*(memory(f"a{n}", f"walk {n}") for n in range(3)))
    heard = []

    def tell(name, lines):
        heard.append((name, lines))
        with psycopg.connect(world.dsn) as connection:  # while the export is at work
            connection.execute(
                "insert into edges (bank_id, src, dst, type, strength, made_by, created_at)"
                " select s.bank_id, s.key, d.key, 'CAUSES', 1, 'caller', now()"
                " from banks b join memories s on s.bank_id = b.bank_id and s.id = 'a0'"
                " join memories d on d.bank_id = b.bank_id and d.id = 'a1' where b.name = %s",
                [bank],
            )

    found = world.run(world.service.banks.get(bank))
    manifest = world.run(export_bank(world.service.pool, found, tmp_path / "e", tell=tell))
    assert heard == [("memories.jsonl", 3)]
    counted = ("memories", "edges", "matrices", "supersessions", "proposals", "sources")
    assert manifest.counts == dict(zip(counted, (3, 0, 0, 0, 0, 0), strict=True))
    assert export(world, bank, tmp_path / "later").counts["edges"] == 1


def test_audit_proposals_and_evidence_come_along_and_stay_as_they_are(world, tmp_path):
    bank = world.quick_bank(
        memory("a", "Use Jade for search"),
        memory("o1", "The user prefers dark mode", kind="observation"),
        memory("deadline", "The deadline is Friday"),
    )
    world.keep(bank, memory("b", "Use Onyx for search", supersedes=["a"]), author="key-1")
    world.keep(bank, memory("a2", "Use Jade for search"))
    world.keep(bank, memory("c", "Use Opal for search", supersedes=["a"]))
    world.keep(
        bank, memory("o2", "The user prefers dark mode", kind="observation"), consolidate=True
    )
    export(world, bank, tmp_path / "e")
    for name in ("supersessions", "proposals", "sources"):
        assert len(exported_rows(tmp_path / "e", f"{name}.jsonl")) >= 1, name
    copy = f"{bank}-copy"
    import_(world, tmp_path / "e", name=copy)
    tables = ("supersessions", "proposals", "observation_sources")
    before = held(world, copy, tables)
    import_(world, tmp_path / "e", name=copy)
    assert held(world, copy, tables) == before
    first = export(world, copy, tmp_path / "again").files
    for name in ("supersessions.jsonl", "proposals.jsonl", "sources.jsonl"):
        assert exported_rows(tmp_path / "again", name) == exported_rows(tmp_path / "e", name)
        assert first[name].lines >= 1


def test_an_export_of_an_earlier_release_is_read(world, tmp_path):
    bank = world.quick_bank(memory("a", "Use Jade for search"))
    export(world, bank, tmp_path / "e")
    path = tmp_path / "e" / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    for name in ("supersessions", "proposals", "sources"):
        (tmp_path / "e" / f"{name}.jsonl").unlink()
        del manifest["files"][f"{name}.jsonl"]
    path.write_text(json.dumps(manifest), "utf-8")
    assert import_(world, tmp_path / "e", name=f"{bank}-copy").stored == 1
