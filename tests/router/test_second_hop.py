"""A second hop: off unless asked for, and only from a first result that the lanes agree on."""

from channels.base import Hit, MemoryKey
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
