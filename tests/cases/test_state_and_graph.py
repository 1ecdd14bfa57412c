"""Development cases on replaced facts, shared entities and very common ones."""

from tests.router.world import World, heard, memory, shown, trace


def test_replaced_memory_is_not_offered_as_current(world: World) -> None:
    """D21, table: the basic part."""
    bank = world.bank(memory("a", "Use Jade for search"))
    world.keep(bank, memory("b", "Use Onyx for search", supersedes=["a"]))
    assert world.found(bank, "which search provider?") == ["b"]


def test_history_of_a_replaced_memory_stays_reachable(world: World) -> None:
    """D21, table: the basic part."""
    from channels.base import View

    bank = world.bank(memory("a", "Use Jade for search"))
    world.keep(bank, memory("b", "Use Onyx for search", supersedes=["a"]))
    answer = world.ask(bank, "which search provider?", view=View(include_superseded=True))
    assert set(shown(answer)) == {"a", "b"}
    states = {fact.id: (fact.is_superseded, fact.superseded_by) for fact in answer.facts.values()}
    assert states == {"a": (True, "b"), "b": (False, None)}


def test_mentioning_an_entity_retires_no_other_fact_about_it(world: World) -> None:
    """D22, table."""
    bank = world.bank(
        memory("a", "Rhea is head of compliance at Northwind"),
        memory("b", "Rhea administers Northwind's code host"),
    )
    answer = world.ask(bank, "what does Rhea do at Northwind?")
    assert set(shown(answer)) == {"a", "b"}
    assert not any(fact.is_superseded for fact in answer.facts.values())


def test_very_common_entity_is_a_weak_signal_in_the_graph(world: World) -> None:
    """D23, table."""
    verbs = ("planned", "reviewed", "staffed", "paused", "funded", "renamed", "closed")
    common = [
        memory(f"p{n}", f"Team {n} {verbs[n % 7]} the project", entities=[{"text": "project"}])
        for n in range(500)
    ]
    rare = [
        memory(f"r{n}", f"acme_q3_migration {what}", entities=[{"text": "acme_q3_migration"}])
        for n, what in enumerate(
            ("is late by a week", "needs a rollback plan", "moves the ledger", "has a new owner",
             "starts in Graz")
        )
    ]  # fmt: skip
    bank = world.bank(*common, *rare)
    answer = world.ask(bank, "how is the acme_q3_migration project going?")
    assert set(heard(answer, "graph")[:5]) == {f"r{n}" for n in range(5)}, trace(answer)
    outcome = answer.found.outcomes["graph"]
    assert outcome.failure is None
    assert outcome.ms < 1_500
    links = world.rows(
        bank, "select max(n) from (select count(*) n from edges where bank_id = %(bank)s"
        " and type in ('SHARES_ENTITY', 'SHARES_RARE_TERM') group by src) s"
    )  # fmt: skip
    assert links[0][0] <= 100
