"""The graph lane: what is reached over edges from the words and names of a question."""

import math
import time
from contextlib import asynccontextmanager
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Filters, View
from channels.edges import FAN_OUT
from channels.graph import HOPS, KEYWORD_SHARE, SEEDS, path, seed_mass
from channels.spread import Step
from router.wiring import lanes
from tests.channels.test_plans import name_of
from tests.channels.world import PATIENT_MS, at, with_lookups

shares = st.dictionaries(st.integers(1, 30), st.floats(0.01, 50), max_size=10)


def edge(to: str, kind: str = "CAUSES", strength: float = 1.0) -> dict:
    return {"type": kind, "to": to, "strength": strength}


def details(world, bank, asked: str, **changes) -> dict[str, dict]:
    ids = world.ids(bank)
    return {ids[hit.key]: dict(hit.detail) for hit in world.ask("graph", bank, asked, **changes)}


def steps(world, bank, detail: dict) -> list[tuple[str, str]]:
    ids = world.ids(bank)
    return [(ids[step["from"]], step["type"]) for step in detail["path"]]


CHAIN = (
    {"id": "end", "text": "kumquat"},
    {"id": "middle", "text": "bak", "edges": [edge("end")]},
    {"id": "start", "text": "zeppelin", "edges": [edge("middle", "REFERS_TO")]},
)


def test_a_memory_two_edges_away_is_found_with_its_best_path(world):
    bank = world.bank(*CHAIN)
    found = details(world, bank, "zeppelin")
    assert list(found) == ["start", "middle", "end"]
    assert steps(world, bank, found["end"]) == [("start", "REFERS_TO"), ("middle", "CAUSES")]
    assert steps(world, bank, found["middle"]) == [("start", "REFERS_TO")]
    assert found["start"] | {"activation": 0} == {"activation": 0, "seed": True, "path": []}
    assert not found["end"]["seed"]


def test_activation_along_a_chain_is_as_by_hand(world):
    # Types weigh .8 and .9: degrees .8, 1.7, .9. To the middle: .6 * .8 / sqrt(.8 * 1.7) = .4116;
    # on: .6 * .4116 * .9 / sqrt(1.7 * .9) = .17969; back: .6 * .4116 * .8 / 1.16619 = .16941
    found = details(world, world.bank(*CHAIN), "zeppelin")
    activation = {name: detail["activation"] for name, detail in found.items()}
    assert activation == pytest.approx(
        {"start": 1.16941, "middle": 0.4116, "end": 0.17969}, abs=1e-4
    )


def test_edges_are_walked_both_ways(world):
    bank = world.bank(*CHAIN)
    assert steps(world, bank, details(world, bank, "kumquat")["start"]) == [
        ("end", "CAUSES"),
        ("middle", "REFERS_TO"),
    ]


def test_nothing_is_reached_beyond_two_edges(world):
    chain = [{"id": "m0", "text": "zeppelin"}]
    chain += [{"id": f"m{n}", "text": f"w{n}", "edges": [edge(f"m{n - 1}")]} for n in range(1, 6)]
    found = details(world, world.bank(*chain), "zeppelin")
    assert set(found) == {f"m{n}" for n in range(HOPS + 1)}


def test_a_trusted_type_of_edge_reaches_further_than_a_weak_one(world):
    kinds = ["CAUSES", "PART_OF", "CONTRADICTS"]
    bank = world.bank(
        *({"id": kind, "text": f"w{place}"} for place, kind in enumerate(kinds)),
        {"id": "start", "text": "zeppelin", "edges": [edge(kind, kind) for kind in kinds]},
    )
    assert world.found("graph", bank, "zeppelin") == ["start", *kinds]


def test_a_stronger_edge_reaches_further(world):
    bank = world.bank(
        {"id": "weak", "text": "bak"},
        {"id": "strong", "text": "dem"},
        {
            "id": "start",
            "text": "zeppelin",
            "edges": [edge("weak", strength=0.2), edge("strong", strength=0.9)],
        },
    )
    assert world.found("graph", bank, "zeppelin") == ["start", "strong", "weak"]


def test_an_edge_that_a_caller_gave_is_not_crowded_out_by_shared_words(world):
    words = [f"rare{number}x" for number in range(20)]
    bank = world.bank(
        *({"id": word, "text": f"{word} {word}y {word}z"} for word in words),
        {"id": "given", "text": "kumquat"},
        {
            "id": "start",
            "text": "zeppelin " + " ".join(words),
            "edges": [edge("given", strength=0.9)],
        },
    )
    found = details(world, bank, "zeppelin")
    assert len(found) == 1 + FAN_OUT
    assert list(found)[:2] == ["start", "given"]  # .9 * .9 weighs more than .7 * 1


def test_a_shared_rare_word_is_a_bridge_until_it_is_common(world):
    texts = {"start": "zeppelin bak oolong", "end": "kumquat dem oolong"}
    pair = [{"id": name, "text": text} for name, text in texts.items()]
    bank = world.bank(*pair)
    found = details(world, bank, "zeppelin")
    assert steps(world, bank, found["end"]) == [("start", "SHARES_RARE_TERM")]
    bank = world.retain(bank, *({"text": f"oolong w{number} v{number}"} for number in range(8)))
    assert "end" not in details(world, bank, "zeppelin")


def test_turns_of_an_episode_lead_to_each_other(world):
    bank = world.bank(
        *(
            {"id": text, "text": text, "episode": "e", "position": place}
            for place, text in enumerate(["zeppelin", "bak", "dem", "fin", "gop", "lut"])
        )
    )
    found = details(world, bank, "zeppelin")
    assert steps(world, bank, found["dem"])[-1][1] in ("NEXT", "IN_SAME_EPISODE")
    assert "dem" not in world.found("keyword", bank, "zeppelin")


def test_a_name_in_the_question_seeds_what_mentions_it(world):
    bank = world.bank(
        {"id": "said", "text": "the quarterly review", "entities": [{"text": "Project Kumquat"}]},
        {"id": "next", "text": "bak dem", "edges": [edge("said")]},
        {"id": "other", "text": "fin gop"},
    )
    assert world.found("keyword", bank, "Project Kumquat") == []
    found = details(world, bank, "Project Kumquat")
    assert list(found) == ["said", "next"]
    assert found["said"]["seed"]


def test_a_very_common_name_is_a_weak_signal(world):
    common = [
        {"id": f"c{n}", "text": f"project note w{n}", "entities": [{"text": "project"}]}
        for n in range(500)
    ]
    rare = [{"id": f"r{n}", "text": f"the acme_q3_migration project step v{n}"} for n in range(5)]
    bank = world.bank(*common, *rare)
    df = dict(world.rows(bank, "select name, df from entities where bank_id = %(bank)s"))
    assert (df["project"], df["acme_q3_migration"]) == (500, 5)
    for asked in ("acme_q3_migration", "what of the project acme_q3_migration?"):
        assert set(world.found("graph", bank, asked, depth=5)) == {f"r{n}" for n in range(5)}


def test_a_hub_of_three_thousand_edges_costs_no_more_than_its_cap(world):
    bank = world.bank(*CHAIN)
    add_hub(world, bank, 3_000)
    statements: list[str] = []
    question = with_lookups(world.transaction, world.question(bank, "zeppelin"))
    wired = next(
        lane
        for lane in lanes(counting(world.transaction, statements), timeout_ms=PATIENT_MS)
        if lane.name == "graph"
    )
    hits = world.run(wired.search(question, 500))
    assert "start" in {world.ids(bank)[hit.key] for hit in hits}
    assert len(hits) <= 1 + FAN_OUT + FAN_OUT * FAN_OUT
    assert set(statements) <= {"entity_seeds", "edges_near", "edges_further", "visible_keys"}
    assert len(statements) == len(set(statements))


def test_a_hub_of_thirty_thousand_edges_is_as_quick_as_one_of_thirty(world):
    spent = {}
    for size in (30, 30_000):
        bank = world.bank(*CHAIN)
        add_hub(world, bank, size)
        lane, seconds = world.lane("graph"), []
        for _ in range(15):
            question = world.question(bank, "zeppelin")
            world.run(question.lookups.keywords.get())
            world.run(question.lookups.late.get())
            started = time.perf_counter()
            assert len(world.run(lane.search(question, 50))) > FAN_OUT
            seconds.append(time.perf_counter() - started)
        spent[size] = median(seconds)
    assert spent[30_000] < 5 * spent[30]


def test_what_is_hidden_leaves_its_place_to_what_is_visible(world):
    # More hidden leaves than the lane first looks at: the visible ones behind them are found.
    leaves = [{"id": f"old{n:02}", "text": f"w{n}", "kind": "note"} for n in range(FAN_OUT - 1)]
    bank = world.bank(
        *leaves,
        {"id": "seen", "text": "kumquat", "kind": "turn"},
        {
            "id": "start",
            "text": "zeppelin",
            "kind": "turn",
            "edges": [*(edge(leaf["id"]) for leaf in leaves), edge("seen", strength=0.2)],
        },
    )
    asked = {"filters": Filters(kinds=("turn",)), "depth": 2}
    assert world.found("graph", bank, "zeppelin", **asked) == ["start", "seen"]


def add_hub(world, bank, size: int) -> None:
    """Link the first memory of the chain to `size` new ones."""
    hub = next(key for key, name in world.ids(bank).items() if name == "start")
    world.rows(
        bank,
        """
        insert into memories (bank_id, key, id, text, kind, created_at, embedder, analyser, words,
          has_time, is_question, content_hash)
        select %(bank)s, 1000000 + n, 'leaf' || n, 'leaf', 'turn', now(), 1, 1, 1, false, false, 'x'
        from generate_series(1, %(size)s) n""",
        size=size,
    )
    world.rows(
        bank,
        """
        insert into edges (bank_id, src, dst, type, strength, made_by, created_at)
        select %(bank)s, %(hub)s, 1000000 + n, 'CAUSES', .9, 'caller', now()
        from generate_series(1, %(size)s) n""",
        hub=hub,
        size=size,
    )


def counting(transaction, statements: list[str]):
    """Transactions that note the names of their statements."""

    class Counting:
        def __init__(self, conn):
            self._conn = conn

        async def execute(self, text, values=None, **how):
            statements.append(name_of(text))
            return await self._conn.execute(text, values, **how)

    @asynccontextmanager
    async def opened(bank, *, timeout_ms=None):
        async with transaction(bank, timeout_ms=timeout_ms) as conn:
            yield Counting(conn)

    return opened


def test_only_the_best_words_seed(world):
    bank = world.bank(*({"id": f"m{n:02}", "text": "zeppelin " * (40 - n)} for n in range(40)))
    found = details(world, bank, "zeppelin")
    assert sum(detail["seed"] for detail in found.values()) == SEEDS


@pytest.mark.parametrize("asked", ["xylophone", "?!", ""])
def test_lane_without_seeds_is_silent(world, asked):
    assert world.ask("graph", world.bank(*CHAIN), asked) == []


def test_a_path_through_a_superseded_memory_does_not_show_it(world):
    bank = world.retain(
        world.bank(*CHAIN), {"id": "newer", "text": "lut", "supersedes": ["middle"]}
    )
    found = details(world, bank, "zeppelin")
    assert {"start", "end", "newer"} <= set(found)
    assert "middle" not in found
    assert steps(world, bank, found["newer"])[-1] == ("middle", "SUPERSEDES")


def test_an_edge_leads_on_only_while_what_it_leads_to_is_valid(world):
    end = {"id": "end", "text": "kumquat", "occurred_at": "2023-05-01T00:00:00Z"}
    start = {
        "id": "start",
        "text": "zeppelin",
        "occurred_at": "2023-05-03T00:00:00Z",
        "edges": [edge("end")],
    }
    newer = {
        "id": "newer",
        "text": "lut",
        "occurred_at": "2023-06-01T00:00:00Z",
        "supersedes": ["end"],
    }
    bank = world.retain(world.bank(end, start), newer)

    def seen(view: View) -> set[str]:
        return set(world.found("graph", bank, "zeppelin", view=view))

    assert seen(View()) == {"start", "newer"}
    assert seen(View(as_of=at("2023-05-15T00:00:00"))) == {"start", "end"}
    assert seen(View(as_of=at("2023-05-02T00:00:00"))) == set()
    assert seen(View(include_superseded=True)) == {"start", "end", "newer"}


@given(shares, shares)
def test_seeds_sum_to_one_and_words_have_seven_tenths_of_it(words, names):
    mass = seed_mass(words, names)
    assert mass.keys() == words.keys() | names.keys()
    if words or names:
        assert math.fsum(mass.values()) == pytest.approx(1.0)
    if words and names:
        from_words = seed_mass(words, {})
        for key in words.keys() - names.keys():
            assert mass[key] == pytest.approx(KEYWORD_SHARE * from_words[key])


@given(st.dictionaries(st.integers(1, 6), st.integers(1, 6), max_size=6), st.integers(1, 6))
def test_a_path_ends_whatever_circles_there_are(came_from, key):
    walked = path(key, {k: Step(v, "NEXT") for k, v in came_from.items()}.get, {1: 1.0})
    assert len(walked) <= HOPS
    assert walked == [] or key != 1


def test_a_memory_that_a_name_in_another_led_to_says_so(world):
    film = {"id": "film", "title": "Lantern Bay", "text": "A film that Orla Quist made"}
    maker = {"id": "maker", "title": "Orla Quist", "text": "Born in Bergen, she keeps bees"}
    found = details(world, world.bank(film, maker), "Lantern Bay")
    assert found["maker"]["named"]
    assert "named" not in details(world, world.bank(*CHAIN), "zeppelin")["end"]
