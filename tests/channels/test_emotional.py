"""The emotional lane: strength and course of feeling, where there is any."""

from dataclasses import replace

import numpy as np
import pytest

from channels import emotional
from channels.arcs import constant, state_of, unit
from channels.arcs import rising as rising_arc
from channels.base import AffectTarget
from channels.errors import ChannelError, Unavailable
from channels.once import Once

FRUSTRATED = "when was the user frustrated with onboarding?"


def felt(name: str, *labels: tuple[str, float], text: str = "notes on onboarding", **more) -> dict:
    said = [{"label": label, "intensity": intensity} for label, intensity in labels]
    return {"id": name, "text": text, "affect": said, **more}


def course(episode: str, *states: tuple[str, float]) -> list[dict]:
    """Turns of one episode, each with one feeling of its caller."""
    return [
        felt(f"{episode}{place}", state, text="a turn", episode=episode, position=place)
        for place, state in enumerate(states)
    ]


def target(*vectors) -> AffectTarget:
    return AffectTarget(tuple(unit(vector) for vector in vectors), {}, ())


def test_a_stronger_feeling_stands_before_a_weaker_one(world):
    bank = world.bank(felt("weak", ("anger", 0.3)), felt("strong", ("anger", 0.9)))
    hits = world.ask("emotional", bank, "when was Ida angry?")
    assert [world.ids(bank)[hit.key] for hit in hits] == ["strong", "weak"]
    strong, weak = (hit.detail["feeling"] for hit in hits)
    assert strong == pytest.approx(3 * weak, rel=0.01)  # an inner product: intensity counts


def test_the_same_words_with_another_feeling_are_left_out_or_below(world):
    bank = world.bank(felt("glad", ("joy", 0.9)), felt("cross", ("anger", 0.6)))
    assert world.found("emotional", bank, "when was Ida angry?") == ["cross"]


def test_content_counts_beside_feeling(world):
    bank = world.bank(
        felt("other", ("anger", 0.8), text="the bread and an oven"),
        felt("asked", ("anger", 0.8), text="the harbour lease"),
        felt("third", ("anger", 0.8), text="boats that sail"),
    )
    assert world.found("emotional", bank, "why so angry about the harbour lease?")[0] == "asked"


def test_frustration_is_found_by_what_was_done_without_the_word(world):
    bank = world.bank(
        {"id": "calm", "text": "Opened the onboarding page.", "behaviour": {"success": True}},
        {
            "id": "stuck",
            "text": "Opened the onboarding page again.",
            "behaviour": {"retries": 6, "errors": 4, "abandoned": True},
        },
    )
    assert world.found("emotional", bank, FRUSTRATED) == ["stuck"]


def test_a_valence_that_the_caller_gave_is_kept_and_found_by_frustration(world):
    bank = world.bank(
        {"id": "plain", "text": "The onboarding has four pages."},
        felt("low", ("valence", -0.7), text="The onboarding has five pages."),
    )
    stored = world.rows(
        bank,
        "select id, affect_labels, affect is null from memories order by id",
    )
    assert stored == [
        ("low", [{"label": "valence", "intensity": -0.7}], False),
        ("plain", [], True),
    ]
    assert world.found("emotional", bank, FRUSTRATED) == ["low"]


def test_a_memory_without_feeling_is_absent_whatever_is_asked(world):
    bank = world.bank({"id": "plain", "text": "The lease has four pages."}, felt("x", ("joy", 0.5)))
    assert world.found("emotional", bank, "when was anybody happy about the lease?") == ["x"]


def test_the_order_of_feelings_is_part_of_an_episode(world):
    up = course("up", ("fear", 0.9), ("fear", 0.4), ("relief", 0.4), ("relief", 0.9))
    down = course("down", ("relief", 0.9), ("relief", 0.4), ("fear", 0.4), ("fear", 0.9))
    bank = world.bank(*up, *down)
    from_fear = world.ask("emotional", bank, "who went from scared to relieved?")
    product = {world.ids(bank)[hit.key]: hit.detail["feeling"] for hit in from_fear}
    assert product["up3"] > 2 * product.get("down3", 0.0)
    assert world.ids(bank)[from_fear[0].key].startswith("up")


def test_the_best_of_several_arcs_counts(world):
    bank = world.bank(*course("late", *(("joy", strength) for strength in (0.1, 0.3, 0.6, 0.9))))
    joy = state_of([("joy", 1.0)])
    fear = state_of([("fear", 1.0)])
    alone = world.ask("emotional", bank, "x", affect=target(rising_arc(joy)))
    both = world.ask("emotional", bank, "x", affect=target(rising_arc(fear), rising_arc(joy)))
    assert [hit.detail for hit in both] == [hit.detail for hit in alone]


def test_a_similar_experience_is_found_by_a_memorys_own_course(world):
    episodes = {
        "mine": (("fear", 0.8), ("fear", 0.5), ("relief", 0.8)),
        "like": (("fear", 0.9), ("fear", 0.6), ("relief", 0.7)),
        "turned": (("relief", 0.8), ("fear", 0.5), ("fear", 0.8)),
        "else": (("joy", 0.8), ("joy", 0.8), ("joy", 0.8)),
    }
    bank = world.bank(
        *(item for name, states in episodes.items() for item in course(name, *states))
    )
    found = world.found("emotional", bank, "words play no part", arc_of="mine2")
    last_turns = [name for name in found if name.endswith("2")]
    assert last_turns == ["like2", "turned2"]  # its own course and unlike ones are left out


@pytest.mark.parametrize("name", ["plain", "nobody"])
def test_an_arc_that_is_not_there_is_said(world, name):
    bank = world.bank({"id": "plain", "text": "Four pages."}, felt("glad", ("joy", 0.9)))
    with pytest.raises(ChannelError, match="no_arc"):
        world.ask("emotional", bank, "when was Ida happy?", arc_of=name)


@pytest.mark.parametrize("name", ["plain", "nothing"])
def test_an_episode_without_a_feeling_is_said(world, name):
    turn = {"id": "plain", "text": "Four pages.", "episode": "plain"}
    bank = world.bank(turn, felt("glad", ("joy", 0.9)))
    with pytest.raises(ChannelError, match="no_arc"):
        world.ask("emotional", bank, "when was Ida happy?", arc_episode=name)


def test_a_whole_episode_finds_others_that_went_as_it_did_and_not_itself(world):
    rise, fall = ("fear", 0.9), ("relief", 0.9)
    calm = ("joy", 0.2)
    mine = course("mine", rise, *[calm] * 10, fall)  # longer than the eight turns of a memory
    like, turned = course("like", rise, fall), course("turned", fall, rise)
    bank = world.bank(*mine, *like, *turned)
    hits = world.ask("emotional", bank, "words play no part", arc_episode="mine")
    found = [world.ids(bank)[hit.key] for hit in hits]
    assert found[0] == "like1"
    assert not any(name.startswith("mine") for name in found)
    assert {hit.detail["arc"] for hit in hits} == {"episode"}


def test_a_told_arc_ranks_by_feeling_alone_for_words_have_their_own_lanes(world):
    bank = world.bank(
        felt("said", ("anger", 0.3), text="bread and an oven"),
        felt("felt", ("anger", 0.9), text="boats that sail"),
    )
    told = AffectTarget((unit(constant(state_of([("anger", 1.0)]))),), {}, (), is_told=True)
    hits = world.ask("emotional", bank, "bread and an oven", affect=told)
    assert [world.ids(bank)[hit.key] for hit in hits] == ["felt", "said"]
    assert [hit.detail["arc"] for hit in hits] == ["turns", "turns"]


def test_another_tenants_arc_is_no_arc(world):
    world.bank(felt("theirs", ("joy", 0.9), episode="theirs"))
    bank = world.bank(felt("ours", ("joy", 0.9)))
    for asked in ({"arc_of": "theirs"}, {"arc_episode": "theirs"}):
        with pytest.raises(ChannelError, match="no_arc"):
            world.ask("emotional", bank, "x", **asked)


def test_an_arc_of_another_layout_is_never_compared(world):
    bank = world.bank({"id": "glad", "text": "I am so happy and glad, what joy!"})
    assert world.found("emotional", bank, "when was Ida happy?") == ["glad"]
    world.rows(bank, "update memories set affect_layout = 'older' where bank_id = %(bank)s")
    assert world.ask("emotional", bank, "when was Ida happy?") == []


def test_feeling_alone_ranks_when_the_question_has_no_vector(world):
    bank = world.bank(felt("weak", ("joy", 0.3)), felt("strong", ("joy", 0.9)))
    asked = target(rising_arc(state_of([("joy", 1.0)])))
    hits = world.ask("emotional", bank, " ", affect=asked)
    assert [world.ids(bank)[hit.key] for hit in hits] == ["strong", "weak"]
    assert all("cosine" not in hit.detail for hit in hits)


def test_a_single_memory_with_feeling_is_found_though_it_has_nobody_to_stand_out_from(world):
    [hit] = world.ask("emotional", world.bank(felt("one", ("joy", 0.9))), "when was Ida happy?")
    assert hit.score == 0.0
    assert hit.detail["feeling"] > 0.1


def test_stored_course_is_that_of_the_turns_up_to_the_memory(world):
    bank = world.bank(*course("e", ("joy", 0.2), ("joy", 0.9)))
    rows = world.rows(bank, "select id, affect from memories where bank_id = %(bank)s order by id")
    arcs = {name: arc.to_numpy() for name, arc in rows}
    joy = np.flatnonzero(state_of([("joy", 1.0)]))[0] * 4
    assert arcs["e0"][joy + 1] == 0  # one turn has a level and no slope
    assert arcs["e1"][joy] > arcs["e0"][joy]
    assert arcs["e1"][joy + 1] < 0  # the first cosine falls, so a rise is negative


def test_feeling_alone_ranks_when_the_embedder_fails(world):
    async def fails():
        raise Unavailable("embedder", "gone")

    bank = world.bank(felt("weak", ("joy", 0.3)), felt("strong", ("joy", 0.9)))
    question = replace(world.question(bank, "when was Ida happy?"), vector=Once(fails))
    hits = world.run(world.lane("emotional").search(question, 5))
    assert [world.ids(bank)[hit.key] for hit in hits] == ["strong", "weak"]


def test_in_a_large_bank_the_strongest_feelings_and_what_is_near_are_compared(world, monkeypatch):
    items = [felt(f"f{place}", ("anger", 0.05 * place), text="a boat") for place in range(2, 20)]
    near = felt("near", ("anger", 0.1), text="the harbour lease")
    bank = world.bank(*items, near)
    asked = "when was Ida angry about the harbour lease?"
    whole = world.found("emotional", bank, asked)
    monkeypatch.setattr(emotional, "LARGE", 6)
    monkeypatch.setattr(emotional, "MOST", 6)
    monkeypatch.setattr("tests.channels.world.SCAN", 2)
    some = world.found("emotional", bank, asked)
    assert set(some) < set(whole)
    assert {"near", "f19", "f18"} <= set(some)
    assert world.found("emotional", bank, asked, arc_of="f19")[:2] == ["f18", "f17"]


def test_a_word_for_a_feeling_that_is_in_no_table_is_read_by_the_model(world):
    bank = world.bank(felt("cross", ("annoyance", 0.9)), felt("glad", ("joy", 0.9)))
    assert world.found("emotional", bank, "times when Ida felt dumb")[0] == "cross"


def test_tags_are_the_fallback_where_there_is_no_course_of_this_layout(world):
    bank = world.bank(
        felt("course", ("anger", 0.5)),
        felt("strong", ("anger", 0.9)),
        felt("mild", ("anger", 0.6)),
        felt("faint", ("anger", 0.3)),
        felt("glad", ("joy", 0.9)),
    )
    world.rows(
        bank,
        "update memories set affect = null, affect_layout = null"
        " where bank_id = %(bank)s and id <> 'course'",
    )
    hits = world.ask("emotional", bank, "when was Ida angry?")
    ids = world.ids(bank)
    assert [ids[hit.key] for hit in hits] == ["course", "strong", "mild"]
    assert [hit.detail.get("fallback") for hit in hits] == [None, "tags", "tags"]
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert world.ask("emotional", bank, "what of the lease?") == []
