"""NAMES edges: from a memory that says a name to the one it stands for, whichever came first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.naming import NAMED, PER_MEMORY, SHARED, naming_edges
from router.forget import forget_memory
from tests.channels.test_links import edges

LEASE = {"id": "lease", "title": "Harbour Lease", "text": "900 a month until May."}
NAMER = {"id": "namer", "text": "we spoke about the Harbour Lease at lunch"}
SUBJECTS = "select count(*) from subjects where bank_id = %(bank)s"


def names(world, bank) -> set[tuple[str, str]]:
    return {row[:2] for row in edges(world, bank, "NAMES")}


@pytest.mark.parametrize("order", [(LEASE, NAMER), (NAMER, LEASE)], ids=["after", "before"])
def test_a_memory_that_says_a_title_is_linked_whichever_came_first(world, order):
    bank = world.bank(order[0])
    assert names(world, world.retain(bank, order[1])) == {("namer", "lease")}
    assert names(world, world.bank(*order)) == {("namer", "lease")}


def test_the_leading_subject_of_a_text_is_a_name_too(world):
    bank = world.bank({"id": "about", "text": "Rhea Stone runs the harbour office."})
    bank = world.retain(bank, {"id": "says", "text": "ask Rhea Stone for the key"})
    assert names(world, bank) == {("says", "about")}


def test_a_title_leads_the_graph_lane_to_what_shares_no_word_with_the_question(world):
    bank = world.bank(
        {"id": "end", "title": "Harbour Lease", "text": "kumquat"},
        {"id": "start", "text": "zeppelin, as the Harbour Lease says"},
    )
    assert world.found("graph", bank, "zeppelin") == ["start", "end"]
    [hit] = [hit for hit in world.ask("graph", bank, "zeppelin") if not hit.detail["seed"]]
    assert [step["type"] for step in hit.detail["path"]] == ["NAMES"]


def test_words_of_a_title_apart_from_each_other_name_nothing(world):
    bank = world.bank({"id": "both", "text": "the Harbour has a new Lease"})
    assert names(world, world.retain(bank, LEASE)) == set()


def test_a_name_of_too_many_memories_tells_none_apart(world):
    bank = world.bank(NAMER)
    for number in range(SHARED):
        bank = world.retain(bank, {**LEASE, "id": f"l{number}", "text": f"version {number}"})
    assert len(names(world, bank)) == SHARED
    bank = world.retain(bank, {**LEASE, "id": "last"})
    assert names(world, bank) == set()
    bank = world.retain(bank, {**NAMER, "id": "later", "text": "the Harbour Lease again"})
    assert names(world, bank) == set()


def test_a_name_that_too_many_mention_links_nothing_from_then_on(world):
    many = [{"id": f"n{n}", "text": f"w{n} says Harbour Lease"} for n in range(NAMED)]
    bank = world.retain(world.bank(LEASE), *many)
    assert len(names(world, bank)) == NAMED
    bank = world.retain(bank, {"id": "one more", "text": "again the Harbour Lease"})
    assert names(world, bank) == set()
    assert names(world, world.retain(bank, NAMER)) == set()
    assert names(world, world.retain(bank, {**LEASE, "id": "other"})) == set()


def test_names_go_with_the_memory_and_come_with_its_new_text(world):
    bank = world.bank(LEASE, NAMER)
    bank = world.retain(bank, {**LEASE, "title": "Quarry Deed"})
    assert names(world, bank) == set()
    bank = world.retain(bank, {**NAMER, "text": "we spoke about the Quarry Deed"})
    assert names(world, bank) == {("namer", "lease")}
    world.run(forget_memory(world.transaction, bank, "lease"))
    assert names(world, bank) == set()
    assert world.rows(bank, SUBJECTS) == [(0,)]


def test_banks_do_not_name_each_other(world):
    world.bank(LEASE)
    assert names(world, world.bank(NAMER)) == set()


@given(
    st.dictionaries(st.integers(1, 40), st.integers(1, 6)),
    st.dictionaries(st.integers(1, 40), st.lists(st.integers(1, 60), min_size=1, unique=True)),
    st.integers(1, 60),
)
def test_edges_of_one_memory_are_bounded_and_the_longest_names_come_first(named, found, key):
    made = naming_edges(key, named, found)
    assert len({edge.via for edge in made}) <= PER_MEMORY
    assert all(edge.src == key != edge.dst and edge.dst in found[edge.via] for edge in made)
    assert all(len(found[edge.via]) <= SHARED for edge in made)
    left_out = {
        name for name in named if 0 < len(found.get(name, ())) <= SHARED and key not in found[name]
    } - {edge.via for edge in made}
    if left_out:
        assert max(named[n] for n in left_out) <= min(named[edge.via] for edge in made)


def test_a_batch_is_linked_within_itself_and_to_what_was_there(world):
    items = [
        {"id": f"m{n}", "title": f"Title {n} Of Them", "text": f"see Title {n - 1} Of Them"}
        for n in range(2, 60)
    ]
    bank = world.retain(world.bank(*items[:20]), *items[20:])
    assert names(world, bank) == {(f"m{n}", f"m{n - 1}") for n in range(3, 60)}
