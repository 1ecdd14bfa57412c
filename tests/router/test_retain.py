"""The walk of a memory: idempotent, atomic, and counted right whatever happens."""

from typing import Any

import pytest

from channels.errors import BadInput
from router.forget import forget_memory
from router.retain import Overwritten
from router.store.memories import new_id
from tests.router.ledger import assert_balanced
from tests.router.stories import TURNS, conversation, edges, texts, told
from tests.router.world import World, heard, memory


def test_stored_memories_are_answered_in_order_and_counted(world: World) -> None:
    bank = world.quick_bank()
    receipt = world.keep(bank, memory("a", "one"), memory(None, "two"), memory("c", "three"))
    assert (receipt.accepted, receipt.duplicates, receipt.errors) == (3, 0, [])
    assert [receipt.ids[0], receipt.ids[2]] == ["a", "c"]
    assert receipt.live_rows == 3
    assert texts(world, bank)[receipt.ids[1]] == "two"
    assert_balanced(world, bank)


def test_same_id_and_content_again_changes_nothing(world: World) -> None:
    bank = world.quick_bank(*conversation())
    before = world.rows(bank, "select * from memories where bank_id = %(bank)s order by key")
    receipt = world.keep(bank, *conversation())
    assert (receipt.accepted, receipt.duplicates) == (0, 5)
    assert receipt.ids == ["t0", "t1", "t2", "t3", "t4"]
    after = world.rows(bank, "select * from memories where bank_id = %(bank)s order by key")
    assert str(after) == str(before)
    assert_balanced(world, bank)


def test_same_content_without_id_is_one_memory(world: World) -> None:
    bank = world.quick_bank()
    first = world.keep(bank, memory(None, "one", "2025-06-01"))
    again = world.keep(bank, memory(None, "one", "2025-06-01"), memory(None, "one", "2025-06-02"))
    assert again.ids[0] == first.ids[0]
    assert (again.accepted, again.duplicates) == (1, 1)
    assert len(texts(world, bank)) == 2


def test_same_id_with_other_content_replaces_the_memory(world: World) -> None:
    bank = world.quick_bank(*conversation())
    key = world.rows(bank, "select key from memories where bank_id = %(bank)s and id = 't1'")
    receipt = world.keep(bank, memory("t1", "Quentin found the E_COST_9 leak", episode="e2"))
    assert (receipt.accepted, receipt.duplicates, receipt.live_rows) == (1, 0, 5)
    now = world.rows(bank, "select key from memories where bank_id = %(bank)s and id = 't1'")
    assert now == key
    assert world.found(bank, "E_COST_9")[0] == "t1"
    assert "t1" not in world.found(bank, "why did the bill double?")[:1]
    assert ("t0", "t2") in edges(world, bank, "NEXT")
    assert_balanced(world, bank)


def test_duplicates_inside_a_batch_are_one_memory_and_the_last_word_counts(world: World) -> None:
    bank = world.quick_bank()
    receipt = world.keep(
        bank,
        memory("a", "first word"),
        memory(None, "the same"),
        memory("a", "last word"),
        memory(None, "the same"),
    )
    assert (receipt.accepted, receipt.duplicates) == (2, 1)
    assert receipt.overwritten == [Overwritten(0, by=2)], "lost, and no duplicate"
    assert receipt.ids[0] == receipt.ids[2] == "a"
    assert receipt.ids[1] == receipt.ids[3]
    assert texts(world, bank)["a"] == "last word"
    assert_balanced(world, bank)


def test_last_word_counts_also_when_the_bank_has_it_already(world: World) -> None:
    bank = world.quick_bank(memory("a", "as stored"))
    receipt = world.keep(bank, memory("a", "something else"), memory("a", "as stored"))
    assert (receipt.accepted, receipt.duplicates) == (0, 1)
    assert receipt.overwritten == [Overwritten(0, by=1)]
    assert texts(world, bank) == {"a": "as stored"}


def test_item_with_an_id_and_one_without_are_two_memories(world: World) -> None:
    bank = world.quick_bank()
    receipt = world.keep(bank, memory(None, "the same"), memory("a", "the same"))
    assert receipt.accepted == 2
    assert receipt.ids[1] == "a"
    assert receipt.ids[0] != "a"


def test_bad_items_are_reported_and_the_rest_is_stored(world: World) -> None:
    bank = world.quick_bank()
    receipt = world.keep(
        bank, memory("a", "good"), memory("b", " "), "no object", memory("d", "also good")
    )
    assert told(receipt) == [(1, "text"), (2, "item")]
    assert receipt.ids == ["a", "d"]
    assert set(texts(world, bank)) == {"a", "d"}


@pytest.mark.parametrize(
    "bad", [memory("b", " "), memory("b", "x", supersedes=["nobody"]), memory("b", "x", mood=1)]
)
def test_atomic_batch_with_a_bad_item_stores_nothing(world: World, bad: dict[str, Any]) -> None:
    bank = world.quick_bank()
    receipt = world.keep(bank, memory("a", "good"), bad, atomic=True)
    assert (receipt.accepted, receipt.ids) == (0, [])
    assert [error.index for error in receipt.errors] == [1]
    assert texts(world, bank) == {}


def test_atomic_batch_of_good_items_is_stored(world: World) -> None:
    bank = world.quick_bank()
    assert world.keep(bank, memory("a", "x"), memory("b", "y"), atomic=True).accepted == 2


@pytest.mark.parametrize("count", [0, 1_001])
def test_batch_of_none_or_too_many_is_refused(world: World, count: int) -> None:
    bank = world.quick_bank()
    with pytest.raises(BadInput) as refused:
        world.keep(bank, *[memory(None, f"text {n}") for n in range(count)])
    assert refused.value.field == "items"


def test_unknown_zone_is_refused(world: World) -> None:
    with pytest.raises(BadInput) as refused:
        world.keep(world.quick_bank(), memory("a", "x"), timezone="Mars/Olympus")
    assert refused.value.field == "timezone"


def test_turns_of_an_episode_are_linked_in_order_whatever_order_they_came_in(world: World) -> None:
    bank = world.quick_bank()
    turns = conversation()
    world.keep(bank, turns[3], turns[0])
    world.keep(bank, turns[4])
    world.keep(bank, turns[2], turns[1])
    expected = {(f"t{n}", f"t{n + 1}") for n in range(4)}
    assert edges(world, bank, "NEXT") == expected
    assert ("t0", "t2") in edges(world, bank, "IN_SAME_EPISODE")
    assert_balanced(world, bank)


def test_forgotten_turn_leaves_its_neighbours_side_by_side(world: World) -> None:
    bank = world.quick_bank(*conversation())

    async def forget() -> None:
        await forget_memory(world.service.transaction, await world.service.banks.get(bank), "t2")

    world.run(forget())
    assert edges(world, bank, "NEXT") == {("t0", "t1"), ("t1", "t3"), ("t3", "t4")}
    assert set(texts(world, bank)) == {"t0", "t1", "t3", "t4"}
    assert_balanced(world, bank)


def test_turn_moved_to_another_episode_takes_its_share_along(world: World) -> None:
    bank = world.quick_bank(*conversation(), *conversation("e2", "u"))
    world.keep(bank, {**conversation()[2], "episode": "e2"})
    assert_balanced(world, bank)
    assert ("t1", "t3") in edges(world, bank, "NEXT")
    echoing = heard(world.ask(bank, "nobody"), "keyword")
    assert not {"t1", "t3"} & set(echoing)  # its old neighbours no longer lend its words


def test_replaced_memories_keep_the_statistics_true(world: World) -> None:
    bank = world.quick_bank(*conversation())
    for round_of in range(3):
        world.keep(
            bank, *({**turn, "text": f"{turn['text']} {round_of}"} for turn in conversation())
        )
        assert_balanced(world, bank)


def test_other_banks_are_untouched_though_ids_are_the_same(world: World) -> None:
    one, other = world.quick_bank(*conversation()), world.quick_bank(*conversation())
    world.keep(one, memory("t0", "replaced"), memory("new", "x", supersedes=["t1"]))
    assert texts(world, other)["t0"] == TURNS[0]
    assert len(edges(world, other, "NEXT")) == 4
    assert_balanced(world, one)
    assert_balanced(world, other)


def test_feeling_given_from_outside_is_stored_and_none_is_made_up(world: World) -> None:
    bank = world.quick_bank(
        memory("a", "Form sent", affect=[{"label": "frustration", "intensity": 0.8}]),
        memory("b", "Form sent again"),
    )
    rows = world.rows(
        bank, "select id, affect is not null from memories where bank_id = %(bank)s order by id"
    )
    assert rows == [("a", True), ("b", False)]


def test_text_without_direction_is_stored_without_vector_and_found_by_words(world: World) -> None:
    bank = world.quick_bank(memory("a", "E_AUTH_404"))
    assert world.found(bank, "E_AUTH_404") == ["a"]


def test_ids_of_ours_sort_by_arrival_and_are_unique() -> None:
    made = [new_id() for _ in range(1_000)]
    assert len(set(made)) == 1_000
    assert {name[14] for name in made} == {"7"}
    assert [name[:13] for name in made] == sorted(name[:13] for name in made)
