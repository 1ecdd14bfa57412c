"""A second hop: off unless asked for, and only from a first result that the lanes agree on."""

import pytest

from channels.base import Hit, MemoryKey
from channels.errors import Unavailable
from router.api.encode import answer_json
from router.fuse import weighted_rrf
from router.second_hop import GATE, NAME, is_confident
from router.weights import Row
from tests.router.world import shown, votes

CHAIN = (
    {"id": "end", "text": "kumquat marmalade"},
    {"id": "middle", "text": "heron pond", "edges": [{"type": "CAUSES", "to": "end"}]},
    {"id": "first", "text": "zeppelin hangar", "edges": [{"type": "CAUSES", "to": "middle"}]},
    *({"id": f"x{n}", "text": f"zeppelin pilot number {n}"} for n in range(4)),
)


def test_the_links_of_a_confident_first_result_are_voted_for_when_asked(world):
    bank = world.quick_bank(*CHAIN)
    plain = world.ask(bank, "zeppelin hangar")
    asked = world.ask(bank, "zeppelin hangar", second_hop=True)
    assert shown(plain)[0] == shown(asked)[0] == "first"
    assert NAME not in votes(plain, "middle")
    assert votes(asked, "middle")[NAME] == 1
    assert asked.degraded == plain.degraded
    place = shown(asked).index("middle")
    assert place <= shown(plain).index("middle")


def told(answer) -> dict:
    names = {key: facts.id for key, facts in answer.facts.items()}
    return answer_json(answer, names, explain=True)["trace"]["second_hop"]


def test_the_trace_says_what_a_second_hop_brought_and_by_which_link(world):
    bank = world.quick_bank(*CHAIN)
    hop = told(world.ask(bank, "zeppelin hangar", second_hop=True))
    assert (hop["made"], hop["why"]) == (True, None)
    assert hop["share"] >= GATE
    first = hop["hits"][0]
    assert (first["rank"], first["id"]) == (1, "middle")
    assert first["detail"]["path"] == [{"from": "first", "type": "CAUSES"}]
    assert told(world.ask(bank, "zeppelin hangar")) is None


@pytest.mark.parametrize(
    ("items", "asked", "why"),
    [((), "zeppelin", "nothing_found"), ((CHAIN[0],), "kumquat marmalade", "nothing_linked")],
)
def test_the_trace_says_why_no_second_hop_was_made(world, items, asked, why):
    hop = told(world.ask(world.quick_bank(*items), asked, second_hop=True))
    assert (hop["made"], hop["why"], hop["hits"]) == (False, why, [])


def test_the_trace_says_that_the_first_result_was_not_sure_enough(world, monkeypatch):
    monkeypatch.setattr("router.second_hop.GATE", 1.01)
    answer = world.ask(world.quick_bank(*CHAIN), "zeppelin hangar", second_hop=True)
    hop = told(answer)
    assert (hop["made"], hop["why"]) == (False, "not_confident")
    assert 0 < hop["share"] <= 1


def test_a_second_hop_that_fails_is_degraded_and_in_the_trace(world, monkeypatch):
    async def fails(*_args, **_more):
        raise Unavailable("database", "gone")

    monkeypatch.setattr("router.second_hop.linked", fails)
    answer = world.ask(world.quick_bank(*CHAIN), "zeppelin hangar", second_hop=True)
    assert "second_hop:unavailable" in answer.degraded
    assert told(answer)["why"] == "unavailable"


def test_what_is_superseded_is_not_brought_back(world):
    bank = world.quick_bank(*CHAIN)
    world.keep(bank, {"id": "newer", "text": "lut", "supersedes": ["middle"]})
    assert "middle" not in shown(world.ask(bank, "zeppelin hangar", second_hop=True))


def test_a_question_that_finds_nothing_has_no_second_hop(world):
    assert shown(world.ask(world.quick_bank(), "zeppelin", second_hop=True)) == []


def test_a_first_result_of_one_weak_lane_is_not_gone_on_from():
    row = Row({"semantic": 1.0, "graph": 0.2}, 1.0)
    hit, other = Hit(MemoryKey(1), 1.0), Hit(MemoryKey(2), 1.0)
    agreed = {"semantic": [hit], "graph": [hit]}
    assert is_confident(weighted_rrf(agreed, row.weights, rrf_k=1.0), agreed, row)
    weak = {"semantic": [other] * 0, "graph": [hit]}
    assert is_confident(weighted_rrf(weak, row.weights, rrf_k=1.0), weak, row)
    split = {"semantic": [hit, other], "graph": [other, hit]}
    even = Row({"semantic": 1.0, "graph": 1.0}, 1.0)
    best = weighted_rrf(split, even.weights, rrf_k=1.0)
    assert is_confident(best, split, even) is (best[0].score >= GATE)
    assert not is_confident([], {}, row)
