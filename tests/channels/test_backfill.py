"""A bank of an earlier release gets what later ones write: names and words."""

import psycopg

from channels.keyword import Keyword
from router.maintain import maintain
from router.store.backfill import PAGE
from tests.channels.test_links import edges
from tests.channels.world import PATIENT_MS, World

NAMES = {("namer", "lease")}


def as_it_was(world: World, bank) -> None:
    """Take away what earlier releases did not write."""
    world.rows(bank, "delete from subjects where bank_id = %(bank)s")
    world.rows(bank, "delete from edges where bank_id = %(bank)s and made_by = 'name'")
    world.rows(bank, "update term_stats set word = null where bank_id = %(bank)s")


def found(world: World, bank, asked: str) -> list[str]:
    lane = Keyword(world.transaction, timeout_ms=PATIENT_MS)
    return [
        world.ids(bank)[hit.key] for hit in world.run(lane.search(world.question(bank, asked), 9))
    ]


def test_maintain_gives_an_older_bank_its_names_and_words(world):
    bank = world.bank(
        {"id": "lease", "title": "Harbour Lease", "text": "900 a month"},
        {"id": "namer", "text": "we spoke about the Harbour Lease at length"},
        *({"id": f"w{n}", "text": f"word{n} here"} for n in range(PAGE)),
    )
    before = world.rows(
        bank, "select term, word from term_stats where bank_id = %(bank)s order by 1"
    )
    as_it_was(world, bank)
    assert found(world, bank, '"harb*"') == found(world, bank, "harb")
    deeds = world.run(maintain(world.dsn, bank=bank.name))
    assert "names_and_words_added" in {deed.action for deed in deeds}
    after = world.rows(
        bank, "select term, word from term_stats where bank_id = %(bank)s order by 1"
    )
    assert after == before
    assert {row[:2] for row in edges(world, bank, "NAMES")} == NAMES
    assert set(found(world, bank, '"harb*"')) == {"lease", "namer"}
    again = world.run(maintain(world.dsn, bank=bank.name))
    assert "names_and_words_added" not in {deed.action for deed in again}


def test_names_of_another_bank_stay_out_of_reach_of_the_application(world):
    bank = world.bank({"id": "lease", "title": "Harbour Lease", "text": "900 a month"})
    other = world.bank()
    assert world.rows(other, "select count(*) from subjects") == [(0,)]
    assert world.rows(bank, "select count(*) from subjects") == [(1,)]
    with psycopg.connect(world.dsn) as conn:
        forced = "select relforcerowsecurity from pg_class where relname = 'subjects'"
        assert conn.execute(forced).fetchone() == (True,)
