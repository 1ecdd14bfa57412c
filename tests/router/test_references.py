"""References between memories: to nobody, in circles, and what superseding closes."""

from graphlib import TopologicalSorter
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from router.items import Draft, read_items
from router.references import fitting
from tests.router.ledger import assert_balanced
from tests.router.stories import edges, texts, told
from tests.router.world import World, memory


def test_edges_of_a_replaced_memory_are_those_given_last(world: World) -> None:
    bank = world.quick_bank(
        memory("x", "cause"), memory("y", "other cause"),
        memory("a", "effect", edges=[{"type": "CAUSES", "to": "x"}], supersedes=["y"]),
    )  # fmt: skip
    world.keep(bank, memory("a", "effect", edges=[{"type": "CAUSES", "to": "y"}]))
    assert edges(world, bank, "CAUSES") == {("a", "y")}
    assert edges(world, bank, "SUPERSEDES") == {("a", "y")}


def test_reference_to_nobody_is_an_error_of_that_item(world: World) -> None:
    bank = world.quick_bank(memory("old", "Use Jade"))
    receipt = world.keep(
        bank,
        memory("a", "one", supersedes=["old", "nobody"]),
        memory("b", "two", edges=[{"type": "CAUSES", "to": "nobody"}]),
        memory("c", "three", edges=[{"type": "CAUSES", "to": "c"}]),
        memory("d", "four", edges=[{"type": "CAUSES", "to": "old"}]),
    )
    assert told(receipt) == [(0, "supersedes[1]"), (1, "edges[0].to"), (2, "edges[0].to")]
    assert receipt.ids == ["d"]
    state = world.rows(bank, "select expired_at from memories where bank_id=%(bank)s and id='old'")
    assert state == [(None,)]


def test_batch_may_refer_to_itself_and_a_chain_falls_together(world: World) -> None:
    bank = world.quick_bank()
    causes = "CAUSES"
    receipt = world.keep(
        bank,
        memory("a", "one", edges=[{"type": causes, "to": "b"}]),
        memory("b", "two", edges=[{"type": causes, "to": "c"}]),
        memory("c", "three", edges=[{"type": causes, "to": "nobody"}]),
        memory("x", "four", edges=[{"type": causes, "to": "y"}]),
        memory("y", "five"),
    )
    assert told(receipt) == [(0, "edges[0].to"), (1, "edges[0].to"), (2, "edges[0].to")]
    assert receipt.ids == ["x", "y"]
    assert edges(world, bank, causes) == {("x", "y")}


def test_new_memory_closes_the_one_it_supersedes(world: World) -> None:
    bank = world.quick_bank(memory("a", "Use Jade for search", "2025-01-01"))
    receipt = world.keep(
        bank, memory("b", "Use Onyx for search", "2025-05-01T00:00:00Z", supersedes=["a"])
    )
    assert receipt.live_rows == 1
    row = world.rows(
        bank,
        "select m.expired_at is not null, m.invalid_at::text, s.id from memories m"
        " join memories s on s.bank_id = m.bank_id and s.key = m.superseded_by"
        " where m.bank_id = %(bank)s and m.id = 'a'",
    )
    assert row == [(True, "2025-05-01 00:00:00+00", "b")]
    assert edges(world, bank, "SUPERSEDES") == {("b", "a")}
    assert_balanced(world, bank)


def test_memory_superseded_twice_is_taken_off_the_count_once(world: World) -> None:
    bank = world.quick_bank(memory("a", "one"))
    receipt = world.keep(
        bank, memory("b", "two", supersedes=["a"]), memory("c", "three", supersedes=["a"])
    )
    assert receipt.live_rows == 2
    assert_balanced(world, bank)


def test_circle_of_supersession_is_refused_within_a_batch(world: World) -> None:
    bank = world.quick_bank()
    receipt = world.keep(
        bank,
        memory("a", "one", supersedes=["c"]),
        memory("b", "two", supersedes=["a"]),
        memory("c", "three", supersedes=["b"]),
    )
    assert told(receipt) == [(0, "supersedes[0]"), (1, "supersedes[0]"), (2, "supersedes[0]")]
    assert "already" in receipt.errors[2].reason
    assert texts(world, bank) == {}


def test_circle_of_supersession_is_refused_across_batches(world: World) -> None:
    bank = world.quick_bank(memory("a", "one"))
    world.keep(bank, memory("b", "two", supersedes=["a"]))
    world.keep(bank, memory("c", "three", supersedes=["b"]))
    receipt = world.keep(bank, memory("a", "one again", supersedes=["c"]))
    assert told(receipt) == [(0, "supersedes[0]")]
    current = world.rows(
        bank, "select id from memories where bank_id = %(bank)s and expired_at is null"
    )
    assert current == [("c",)]


def test_reference_to_another_banks_memory_is_a_reference_to_nobody(world: World) -> None:
    world.quick_bank(memory("theirs", "secret"))
    receipt = world.keep(world.quick_bank(), memory("a", "x", supersedes=["theirs"]))
    assert told(receipt) == [(0, "supersedes[0]")]


def drafts(*items: dict[str, Any]) -> list[Draft]:
    found, errors = read_items(items, ZoneInfo("UTC"))
    assert errors == []
    return found


PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9)), max_size=14)


@given(PAIRS, st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=4))
def test_what_fits_names_only_known_memories_and_closes_no_circle(pairs, stored) -> None:
    # Ids m0..m7 are in the batch, m8 and m9 in the bank; a stored pair goes from lower to higher.
    batch = [
        memory(f"m{n}", "x", supersedes=[f"m{old}" for new, old in pairs if new == n])
        for n in range(8)
    ]
    above = [(f"m{min(pair)}", f"m{max(pair)}") for pair in stored if pair[0] != pair[1]]
    kept, errors = fitting(drafts(*batch), {"m8", "m9"}, above)
    assert sorted([*(d.index for d in kept), *(e.index for e in errors)]) == list(range(8))
    ids = {draft.item.id for draft in kept} | {"m8", "m9"}
    order = TopologicalSorter[str]()
    for older, newer in above:
        order.add(newer, older)
    for draft in kept:
        assert set(draft.item.supersedes) <= ids
        order.add(str(draft.item.id), *draft.item.supersedes)
    order.prepare()  # raises CycleError in a circle
