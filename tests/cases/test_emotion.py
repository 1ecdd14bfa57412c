"""Development cases on feeling: none is made up, and what was seen is found."""

from tests.router.world import World, heard, memory, shown, trace, votes

QUESTION = "when was the user frustrated with onboarding?"


def test_feeling_seen_from_outside_is_found_though_the_word_is_absent(world: World) -> None:
    """D28 (ii), table."""
    bank = world.bank(
        memory(
            "a",
            "User retried the signup form six times",
            affect=[{"label": "frustration", "intensity": 0.8}],
        ),
        memory("b", "User read the onboarding page"),
    )
    answer = world.ask(bank, QUESTION)
    assert heard(answer, "emotional") == ["a"], trace(answer)
    assert "emotional" in votes(answer, "a")
    assert "emotional" not in votes(answer, "b")
    assert shown(answer) == ["a", "b"], trace(answer)


def test_memory_without_emotional_data_has_none(world: World) -> None:
    """D28 (ii), table."""
    bank = world.bank(memory("b", "User read the onboarding page"))
    assert world.rows(bank, "select affect from memories where bank_id = %(bank)s") == [(None,)]


def test_valence_is_kept_as_given(world: World) -> None:
    """D28 (ii), table."""
    labels = [{"label": "valence", "intensity": -0.7}]
    bank = world.bank(memory("a", "User closed the page", affect=labels))
    rows = world.rows(
        bank, "select affect_labels, affect is not null from memories where bank_id = %(bank)s"
    )
    assert rows == [(labels, True)]
