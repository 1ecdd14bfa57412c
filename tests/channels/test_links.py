"""The edges that writing brings about: bounded, and gone when what they stood for is common."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.analyser import term_key
from channels.links import (
    ENTITY_MOST,
    NEAR,
    RARE_MOST,
    SIMILAR,
    SIMILAR_FROM,
    NewEdge,
    episode_edges,
    insert,
    shared_edges,
)
from router.forget import forget_memory
from tests.channels.world import NOW, vector_of

EDGES = """
select a.id, b.id, e.strength::float8 from edges e
join memories a on a.bank_id = e.bank_id and a.key = e.src
join memories b on b.bank_id = e.bank_id and b.key = e.dst
where e.bank_id = %(bank)s and e.type = %(type)s order by 1, 2, 3
"""


def edges(world, bank, kind: str) -> list[tuple[str, str, float]]:
    return world.rows(bank, EDGES, type=kind)


def pairs(world, bank, kind: str) -> set[tuple[str, str]]:
    return {tuple(sorted(row[:2])) for row in edges(world, bank, kind)}


def turn(name: str, position: int, text: str | None = None) -> dict:
    return {"id": name, "text": text or name, "episode": "e", "position": position}


@given(st.lists(st.integers(1, 100), unique=True, max_size=30))
def test_an_episode_links_each_turn_to_the_four_after_it(ordered):
    found = episode_edges(ordered)
    places = {key: place for place, key in enumerate(ordered)}
    for edge in found:
        distance = places[edge.dst] - places[edge.src]
        assert 1 <= distance <= NEAR
        assert edge.strength == pytest.approx(1 / distance)
        assert edge.type == ("NEXT" if distance == 1 else "IN_SAME_EPISODE")
    assert len(found) == sum(min(NEAR, len(ordered) - 1 - place) for place in range(len(ordered)))


@given(
    st.dictionaries(st.integers(1, 9), st.lists(st.integers(1, 12), unique=True), max_size=6),
    st.frozensets(st.integers(1, 12)),
    st.integers(1, 5),
)
def test_shared_terms_link_each_pair_once_a_term_from_fresh_memories_within_the_cap(
    holders, fresh, cap
):
    found = shared_edges(holders, fresh, kind="K", made_by="rule", per_memory=cap)
    named = [(edge.via, frozenset((edge.src, edge.dst))) for edge in found]
    assert len(set(named)) == len(named)
    for edge in found:
        assert edge.src in fresh
        assert edge.src != edge.dst
        assert {edge.src, edge.dst} <= set(holders[edge.via])
        assert edge.strength == pytest.approx(1 / (len(holders[edge.via]) - 1))
    for key in fresh:
        assert sum(edge.src == key for edge in found) <= cap


def test_the_rarest_words_link_first():
    holders = {1: [10, 11, 12], 2: [10, 11]}
    found = shared_edges(holders, frozenset([10]), kind="K", made_by="rule", per_memory=2)
    assert [(edge.via, edge.dst, edge.strength) for edge in found] == [(2, 11, 1.0), (1, 11, 0.5)]


def test_turns_of_an_episode_are_linked_in_their_order(world):
    bank = world.bank(turn("c", 3), turn("a", 1), turn("b", 2))
    assert edges(world, bank, "NEXT") == [("a", "b", 1.0), ("b", "c", 1.0)]
    assert edges(world, bank, "IN_SAME_EPISODE") == [("a", "c", 0.5)]


def test_a_turn_put_between_two_parts_them(world):
    bank = world.bank(turn("a", 10), turn("c", 30))
    assert pairs(world, bank, "NEXT") == {("a", "c")}
    bank = world.retain(bank, turn("b", 20))
    assert pairs(world, bank, "NEXT") == {("a", "b"), ("b", "c")}
    world.run(forget_memory(world.transaction, bank, "b"))
    assert pairs(world, bank, "NEXT") == {("a", "c")}
    assert pairs(world, bank, "IN_SAME_EPISODE") == set()


def test_a_turn_that_moves_to_another_episode_lets_its_neighbours_meet(world):
    bank = world.bank(turn("a", 10), turn("b", 20), turn("c", 30))
    bank = world.retain(bank, turn("b", 20) | {"episode": "elsewhere"})
    assert pairs(world, bank, "NEXT") == {("a", "c")}
    assert pairs(world, bank, "IN_SAME_EPISODE") == set()


def test_a_rare_word_links_until_it_is_common(world):
    bank = world.bank({"id": "m0", "text": "zeppelin bak"}, {"id": "m1", "text": "zeppelin dem"})
    assert edges(world, bank, "SHARES_RARE_TERM") == [("m0", "m1", 1.0)]
    for number in range(2, RARE_MOST):
        bank = world.retain(bank, {"id": f"m{number}", "text": f"zeppelin w{number}"})
    zeppelin = "select count(*) from edges where bank_id = %(bank)s and via = %(term)s"
    all_pairs = RARE_MOST * (RARE_MOST - 1) // 2
    assert world.rows(bank, zeppelin, term=term_key("zeppelin")) == [(all_pairs,)]
    bank = world.retain(bank, {"id": "last", "text": "zeppelin"})
    assert world.rows(bank, zeppelin, term=term_key("zeppelin")) == [(0,)]


def test_words_of_a_turn_beside_link_nothing(world):
    bank = world.bank(turn("zeppelin", 1), turn("bak", 2), {"id": "far", "text": "zeppelin"})
    assert pairs(world, bank, "SHARES_RARE_TERM") == {("far", "zeppelin")}


def test_an_entity_links_until_it_is_common(world):
    def mention(name: str) -> dict:
        return {"id": name, "text": f"{name} note", "entities": [{"text": "Acme", "type": "ORG"}]}

    bank = world.bank(mention("a"), mention("b"), mention("c"))
    assert edges(world, bank, "SHARES_ENTITY") == [
        ("a", "b", 0.5),
        ("a", "c", 0.5),
        ("b", "c", 0.5),
    ]
    assert world.rows(bank, "select name, kind, df from entities where bank_id = %(bank)s") == [
        ("Acme", "ORG", 3)
    ]
    bank = world.retain(bank, *(mention(f"m{number}") for number in range(ENTITY_MOST)))
    assert edges(world, bank, "SHARES_ENTITY") == []


def test_a_memory_is_linked_to_the_nearest_five_that_are_near_enough(world):
    texts = [f"bread flour oven w{number}" for number in range(7)]  # cosine 3/4 to each other
    bank = world.bank(
        *({"id": f"m{place}", "text": text} for place, text in enumerate(texts)),
        {"id": "far", "text": "bread boat sail sea"},
    )
    found = edges(world, bank, "SIMILAR_TO")
    assert {row[0] for row in found} == {f"m{number}" for number in range(7)}
    for name in {row[0] for row in found}:
        assert sum(row[0] == name for row in found) == SIMILAR
    cosine = float(vector_of(texts[0]) @ vector_of(texts[1]))
    assert cosine > SIMILAR_FROM
    assert all(strength == pytest.approx(cosine, abs=1e-2) for _, _, strength in found)


def test_superseded_memories_are_no_neighbours(world):
    bank = world.bank({"id": "old", "text": "bread flour oven"})
    bank = world.retain(bank, {"id": "new", "text": "bread flour", "supersedes": ["old"]})
    bank = world.retain(bank, {"id": "third", "text": "bread flour oven"})
    assert ("third", "old") not in {row[:2] for row in edges(world, bank, "SIMILAR_TO")}


def test_what_a_replaced_memory_linked_is_linked_anew_and_what_callers_gave_stays(world):
    given_edge = {"type": "CAUSES", "to": "b", "strength": 0.8}
    bank = world.bank(
        {"id": "b", "text": "zeppelin"}, {"id": "a", "text": "zeppelin bak", "edges": [given_edge]}
    )
    assert pairs(world, bank, "SHARES_RARE_TERM") == {("a", "b")}
    bank = world.retain(bank, {"id": "b", "text": "kumquat"})
    assert pairs(world, bank, "SHARES_RARE_TERM") == set()
    assert edges(world, bank, "CAUSES") == [("a", "b", pytest.approx(0.8))]


def test_an_edge_written_again_keeps_the_greater_strength(world):
    bank = world.bank({"id": "a", "text": "one"}, {"id": "b", "text": "other"})
    a, b = sorted(world.ids(bank))

    async def write() -> None:
        async with world.transaction(bank.key) as conn:
            for strength in (0.5, 0.9, 0.2):
                edge = NewEdge(a, b, "CAUSES", strength, "caller")
                await insert(conn, bank.key, [edge], NOW)

    world.run(write())
    assert edges(world, bank, "CAUSES") == [("a", "b", pytest.approx(0.9))]
