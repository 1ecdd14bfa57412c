"""Development cases on replaced facts, shared entities and very common ones."""

from datetime import UTC, datetime

from channels.base import View
from router.answer import Answer
from tests.router.world import World, heard, memory, shown, trace


def test_replaced_memory_is_not_offered_as_current(world: World) -> None:
    """D21, table: the basic part."""
    bank = world.bank(memory("a", "Use Jade for search"))
    world.keep(bank, memory("b", "Use Onyx for search", supersedes=["a"]))
    assert world.found(bank, "which search provider?") == ["b"]


def test_history_of_a_replaced_memory_stays_reachable(world: World) -> None:
    """D21, table: the basic part."""
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


def settled(world: World, bank: str, older: str, by: str) -> None:
    from router.structure.supersede import Supersessions

    async def work() -> None:
        held = await world.service.banks.get(bank)
        told = Supersessions(world.service.transaction)
        await told.supersede(held.key, older, by, reason="a mistake", author="ana")
        world.service.banks.forget(bank)

    world.run(work())


def stood(answer: Answer) -> dict[str, tuple[str, str | None]]:
    """State and current head of each memory of the page."""
    return {
        fact.id: (fact.standing.state(is_superseded=fact.is_superseded), fact.standing.head)
        for fact in (answer.facts[item.key] for item in answer.page)
    }


def test_replaced_memory_and_its_copies_are_told_apart_from_what_is_current(world: World) -> None:
    """D21: also an exact duplicate of the replaced one, said before and said again."""
    bank = world.bank(memory("a", "Use Jade for search"), memory("a1", "Use Jade for search"))
    world.keep(bank, memory("b", "Use Onyx for search", supersedes=["a"]))
    assert stood(world.ask(bank, "which search provider?")) == {"b": ("current", None)}
    world.keep(bank, memory("a2", "Use Jade for search"))
    answer = world.ask(bank, "which search provider?")
    assert shown(answer) == ["b", "a2"], trace(answer)
    assert stood(answer) == {"b": ("current", None), "a2": ("stale_duplicate", "b")}
    both = world.ask(bank, "which search provider?", view=View(include_superseded=True))
    past = ("superseded", "b")
    assert stood(both) == {
        "a": past,
        "a1": past,
        "a2": ("stale_duplicate", "b"),
        "b": ("current", None),
    }
    before = world.ask(bank, "what did we use before Onyx?", history=True)
    (link, copy) = before.facts[before.page[0].key].standing.history
    assert (link.id, link.text, link.superseded_by) == ("a", "Use Jade for search", "b")
    assert (copy.id, copy.rule) == ("a1", "duplicate")


def test_mentioning_an_entity_proposes_to_retire_nothing(world: World) -> None:
    """D22, with the rules that look for contradictions."""
    bank = world.bank(memory("a", "Rhea is head of compliance at Northwind"))
    world.keep(bank, memory("b", "Rhea administers Northwind's code host"))
    world.keep(bank, memory("c", "Rhea is on leave and no longer answers mail from Northwind"))
    assert world.rows(bank, "select count(*) from proposals where bank_id = %(bank)s") == [(0,)]


STORY = (
    memory("raise", "Decision: set the gateway connection limit to 400 because of timeouts",
           "2024-10-02T09:00:00Z", kind="decision"),
    memory("load", "The load test of the gateway ran for two hours", "2024-11-12T09:00:00Z"),
    memory("alerts", "Alerts on the gateway go to the on-call phone", "2025-01-20T09:00:00Z"),
    memory("reversal", "We rolled back the gateway connection limit to 100: the database ran out of"
           " memory", "2025-06-03T09:00:00Z", kind="decision"),
)  # fmt: skip
ASKED = "what is our connection limit on the gateway?"


def test_reversed_decision_is_answered_by_its_reversal(world: World) -> None:
    """The opening story: current, history and as of a day before the reversal."""
    bank = world.bank(*STORY)
    settled(world, bank, "raise", "reversal")
    now = world.ask(bank, ASKED)
    assert shown(now)[0] == "reversal", trace(now)
    assert "raise" not in shown(now)
    past = world.ask(bank, ASKED, view=View(include_superseded=True), history=True)
    assert stood(past)["raise"] == ("superseded", "reversal")
    assert stood(past)["reversal"] == ("current", None)
    (link,) = next(f for f in past.facts.values() if f.id == "reversal").standing.history
    assert (link.id, link.reason, link.author) == ("raise", "a mistake", "ana")
    assert link.valid_from.date().isoformat() == "2024-10-02"
    assert link.valid_to is not None
    assert link.valid_to.date().isoformat() == "2025-06-03"
    then = world.ask(bank, ASKED, view=View(as_of=datetime(2025, 3, 1, tzinfo=UTC)))
    assert shown(then)[0] == "raise", trace(then)
    assert "reversal" not in shown(then)


def test_question_in_the_words_of_a_replaced_memory_leads_to_its_successor(world: World) -> None:
    """The reversal says none of these words; without the redirect it comes behind the others."""
    fillers = [
        memory(f"f{n}", f"The {what} of the old mill was {deed} by the landlord")
        for n, (what, deed) in enumerate(
            (what, deed)
            for what in ("roof", "gate", "tower", "cellar", "fence")
            for deed in ("painted", "rebuilt", "locked", "measured")
        )
    ]
    bank = world.bank(
        memory("a", "The warehouse ramp belongs to Quint Logistics"),
        memory("b", "Contract 77 went to Sable and Sons"),
        *fillers,
    )
    asked = "whose is the warehouse ramp?"
    assert shown(world.ask(bank, asked))[0] == "a"
    settled(world, bank, "a", "b")
    answer = world.ask(bank, asked)
    hit = answer.found.outcomes["semantic"].hits[0]
    assert answer.facts[hit.key].id == "b"
    assert hit.detail["redirected_from"] == "a"
    assert "b" in shown(answer)[:3], trace(answer)
    assert "a" not in shown(answer)


def test_what_was_known_then_is_apart_from_what_was_true_then(world: World) -> None:
    bank = world.bank(memory("a", "Ana lives in Graz", "2024-01-01T00:00:00Z"))
    before = datetime.now(UTC)
    world.keep(bank, memory("b", "Ana moved to Vienna", "2024-06-01T00:00:00Z", supersedes=["a"]))
    asked, july = "where does Ana live?", datetime(2024, 7, 1, tzinfo=UTC)
    assert world.found(bank, asked) == ["b"]
    assert world.found(bank, asked, view=View(known_at=before)) == ["a"]
    assert world.found(bank, asked, view=View(as_of=july)) == ["b"]
    assert world.found(bank, asked, view=View(as_of=july, known_at=before)) == ["a"]
    march = datetime(2024, 3, 1, tzinfo=UTC)
    assert world.found(bank, asked, view=View(as_of=march, known_at=datetime.now(UTC))) == ["a"]
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    assert world.found(bank, asked, view=View(known_at=long_ago)) == []
