"""What lanes know of one question moves their weight: by which factor, why, and where it shows."""

from collections.abc import Mapping

import pytest

from channels.base import Hit, MemoryKey
from router.api.encode import answer_json
from router.confidence import ARC, DATED, FIRST, NAMED, Adjustment, adjusted, adjustments
from router.items import Label
from router.store.decisions import Decisions
from router.understand.arcs import told_arc
from router.weights import FLOOR, Row, blend
from tests.router.world import World

ROW = Row({"semantic": 1.0, "temporal": 0.5, "graph": 0.4}, 1.0)


def run(*details: Mapping[str, object]) -> list[Hit]:
    return [Hit(MemoryKey(at), 1.0, detail) for at, detail in enumerate(details, 1)]


def test_runs_that_say_nothing_of_themselves_adjust_nothing() -> None:
    plain = {"semantic": run({"cosine": 0.9}), "graph": run({"seed": True}), "temporal": []}
    assert adjustments(plain) == ()
    assert adjusted(ROW, ()) is ROW


def test_a_name_that_leads_from_one_text_to_another_raises_the_graph() -> None:
    found = run(*[{}] * (FIRST - 1), {"named": True})
    assert adjustments({"graph": found}) == (Adjustment("graph", NAMED, "named"),)
    assert adjustments({"graph": run(*[{}] * FIRST, {"named": True})}) == ()


def test_a_first_hit_within_the_window_that_was_asked_for_raises_the_temporal_lane() -> None:
    inside, beside = {"near": 1.0}, {"near": 0.9}
    raised = (Adjustment("temporal", DATED, "dated"),)
    assert adjustments({"temporal": run(inside, beside)}) == raised
    assert adjustments({"temporal": run(beside, inside)}) == ()
    assert adjustments({"temporal": run({"content": 0.5, "time_word": 1.0})}) == ()


def test_an_arc_that_the_caller_gave_raises_the_emotional_lane() -> None:
    found = adjustments({"emotional": run({"feeling": 0.4, "arc": "memory"})})
    assert found == (Adjustment("emotional", ARC, "arc"),)
    assert adjustments({"emotional": run({"feeling": 0.4})}) == ()


def test_what_the_model_cannot_read_is_taken_off_the_semantic_lane() -> None:
    found = adjustments({"semantic": run({"unread": 0.4}, {"unread": 0.4})})
    assert found == (Adjustment("semantic", 0.6, "unread"),)


def test_adjusted_weights_stay_within_the_bounds_of_a_matrix() -> None:
    row = adjusted(ROW, [Adjustment("graph", 5.0, "named"), Adjustment("semantic", 0.0, "unread")])
    assert row.weights == {"semantic": FLOOR, "temporal": 0.25, "graph": 1.0}
    assert row.rrf_k == ROW.rrf_k
    assert adjusted(ROW, [Adjustment("curated", 2.0, "named")]) is ROW


FILM = (
    {"id": "film", "title": "Lantern Bay", "text": "A film that Orla Quist made about divers"},
    {"id": "maker", "title": "Orla Quist", "text": "Born in Bergen, she keeps bees"},
    {"id": "other", "title": "Cedar Row", "text": "A street of bakers, and a bay tree"},
)
ASKED = "which town is the maker of Lantern Bay from?"


def test_an_adjusted_row_is_what_is_served_and_recorded(world: World) -> None:
    bank = world.quick_bank(*FILM)
    answer = world.ask(bank, ASKED)
    assert [one.why for one in answer.adjustments] == ["named"]
    held = world.run(world.service.banks.get(bank))
    plain = blend(world.service.live.default(held), answer.types)
    assert answer.row == adjusted(plain, answer.adjustments)
    ratio = {name: answer.row.weights[name] / plain.weights[name] for name in ("graph", "keyword")}
    assert ratio["graph"] / ratio["keyword"] == pytest.approx(NAMED)
    world.flush()
    decisions = Decisions(world.service.transaction)
    row = world.run(decisions.decision(held.key, answer.recall_id))
    stored = dict(zip(row["channels"], row["weights"], strict=True))
    assert stored == pytest.approx(dict(answer.row.weights))
    told = [{"channel": "graph", "factor": NAMED, "why": "named"}]
    assert row["analysis"]["adjustments"] == told
    assert answer_json(answer, {}, explain=True)["trace"]["fusion"]["adjustments"] == told


SAME = [{"label": "fear", "intensity": 0.9}]
ASKED_BY_ARC = (
    {"id": "src", "text": "the ledger was late", "affect": SAME, "episode": "src"},
    *({"id": f"like{at}", "text": f"boat {at} came in", "affect": SAME} for at in range(3)),
    *({"id": f"said{at}", "text": f"a similar experience, note {at}"} for at in range(30)),
)


@pytest.mark.parametrize(
    "arc", [{"arc_of": "src"}, {"arc_episode": "src"}, {"arc_told": told_arc([[Label(**SAME[0])]])}]
)
def test_similar_experiences_come_before_what_only_says_the_words(world: World, arc) -> None:
    answer = world.ask(world.quick_bank(*ASKED_BY_ARC), "find similar experiences", **arc)
    first = [answer.facts[item.key].id for item in answer.fused]
    like = {"like0", "like1", "like2"} | ({"src"} if "arc_told" in arc else set())
    assert like <= set(first[:5])
    assert any(name.startswith("said") for name in first[:5])  # words are heard, below
    assert [one.why for one in answer.adjustments] == ["arc"]
    assert answer.degraded == ()


@pytest.mark.parametrize("arc", [{"arc_of": "said0"}, {"arc_episode": "plain"}])
def test_an_arc_without_feeling_is_named_in_the_answer(world: World, arc) -> None:
    plain = {"id": "plain", "text": "four pages", "episode": "plain"}
    answer = world.ask(world.quick_bank(*ASKED_BY_ARC, plain), "find similar experiences", **arc)
    assert answer.degraded == ("emotional:no_arc",)
    assert answer.fused


def test_weights_of_the_caller_are_served_as_given(world: World) -> None:
    answer = world.ask(world.quick_bank(*FILM), ASKED, weights={"keyword": 1.0})
    assert answer.adjustments == ()
