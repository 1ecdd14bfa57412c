"""Development cases on fusion: weights that matter, one vote each, one identity, one order."""

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.base import Hit, MemoryKey
from channels.embedder import PACKAGED
from router.fuse import weighted_rrf
from router.presets import CHANNELS, PRESETS, default_matrix
from router.reach import reach
from router.rerank.candidates import MOST, Budget, candidates
from router.understand.types import TYPES
from router.weights import row_of
from tests.router.world import World, heard, memory, shown, trace, votes

SUBJECTS = (
    "backup", "certificate", "invoice", "queue", "cluster", "lease", "printer", "budget",
    "release", "parser", "firewall", "calendar", "archive", "contract", "sensor", "tunnel",
    "ledger", "antenna", "warehouse", "boiler",
)  # fmt: skip
EMBEDDERS = (PACKAGED, "some/other-model")  # with and without token vectors
GROUPS = ["semantic", "keyword", "temporal", "graph"]


def run(*keys: int) -> list[Hit]:
    return [Hit(MemoryKey(key), 1.0 / place) for place, key in enumerate(keys, 1)]


@pytest.mark.parametrize("rrf_k", [1.0, 20.0, 60.0])
def test_weights_change_the_order(rrf_k: float) -> None:
    """D15, table."""
    runs = {"one": run(1, 2), "two": run(3, 4)}
    for weights, expected in (((0.99, 0.01), [1, 2, 3, 4]), ((0.01, 0.99), [3, 4, 1, 2])):
        fused = weighted_rrf(runs, dict(zip(runs, weights, strict=True)), rrf_k=rrf_k)
        assert [item.key for item in fused] == expected


@given(
    runs=st.fixed_dictionaries(
        {name: st.lists(st.integers(1, 12), unique=True, max_size=8) for name in GROUPS}
    ),
    weights=st.fixed_dictionaries({name: st.floats(0.05, 1) for name in GROUPS}),
    more=st.floats(1, 20),
    raised=st.sampled_from(GROUPS),
    rrf_k=st.floats(1, 100),
)
def test_raising_a_weight_never_lowers_that_channels_first_hit(
    runs: dict[str, list[int]],
    weights: dict[str, float],
    more: float,
    raised: str,
    rrf_k: float,
) -> None:
    """D15, property."""
    if not runs[raised]:
        return
    lists = {name: run(*keys) for name, keys in runs.items()}
    first = runs[raised][0]

    def place(given_weights: dict[str, float]) -> int:
        fused = weighted_rrf(lists, given_weights, rrf_k=rrf_k)
        return [item.key for item in fused].index(MemoryKey(first))

    assert place({**weights, raised: weights[raised] * more}) <= place(weights)


def test_channel_votes_once_for_a_memory_and_keeps_its_best_path() -> None:
    """D16, table."""
    graph = [
        Hit(MemoryKey(1), 0.9, {"path": "short"}),
        Hit(MemoryKey(1), 0.5, {"path": "long"}),
        Hit(MemoryKey(2), 0.4),
    ]
    fused = weighted_rrf({"graph": graph, "keyword": run(2)}, {"graph": 1.0, "keyword": 1.0})
    assert [item.key for item in fused] == [2, 1]
    assert fused[1].votes["graph"].detail == {"path": "short"}


@pytest.fixture(scope="module")
def tied(world: World) -> str:
    """Forty memories that tie in pairs."""
    items = [
        memory(f"{pair}{subject}", f"The {subject} needs a new plan")
        for subject in SUBJECTS
        for pair in "ab"
    ]
    return world.bank(*items)


def test_same_question_has_the_same_order_fifty_times(world: World, tied: str) -> None:
    """D17, property."""
    first = world.ask(tied, "which plan is new?", k=40, explore=False)
    hits = first.found.outcomes["keyword"].hits
    assert len({hit.score for hit in hits}) < len(hits)  # ties there are
    for _ in range(50):
        assert world.found(tied, "which plan is new?", k=40, explore=False) == shown(first)


def test_order_survives_restart_vacuum_and_reindex(world: World, tied: str) -> None:
    """D17, property."""
    options = {"k": 40, "explore": False}
    before = world.found(tied, "which plan is new?", **options)
    with psycopg.connect(world.dsn, autocommit=True) as connection:
        connection.execute("vacuum (full, analyze)")
        connection.execute("reindex table memories")
        connection.execute("reindex table postings")
    assert world.found(tied, "which plan is new?", **options) == before
    with world.again() as restarted:
        assert restarted.found(tied, "which plan is new?", **options) == before


@pytest.mark.parametrize("size", [1, 3, 10, 20])
def test_pages_are_disjoint_and_make_the_larger_page(world: World, tied: str, size: int) -> None:
    """D17, property."""
    whole = world.found(tied, "which plan is new?", k=2 * size, explore=False)
    pages = [
        world.found(tied, "which plan is new?", k=size, offset=offset, explore=False)
        for offset in (0, size)
    ]
    assert pages[0] + pages[1] == whole
    assert len(set(whole)) == len(whole)


def test_memory_found_by_three_channels_is_one_hit_with_three_entries(world: World) -> None:
    """D18, table."""
    bank = world.bank(
        memory("a", "Rotate the signing key", edges=[]),
        memory("b", "The signing ceremony was in the town hall"),
        memory("c", "A key change in music lifts the mood"),
    )
    answer = world.ask(bank, "rotate the signing key")
    first = answer.page[0]
    assert shown(answer).count("a") == 1
    assert shown(answer)[0] == "a", trace(answer)
    assert set(first.votes) >= {"semantic", "keyword", "graph"}
    assert first.score == pytest.approx(sum(vote.contribution for vote in first.votes.values()))


@given(rrf_k=st.floats(1, 1_000), other=st.integers(1, 50))
def test_three_first_ranks_beat_one(rrf_k: float, other: int) -> None:
    """D18, property."""
    runs = {"semantic": run(1), "keyword": run(1), "graph": run(1, *range(5, other)),
            "temporal": run(2)}  # fmt: skip
    fused = weighted_rrf(runs, dict.fromkeys(runs, 1.0), rrf_k=rrf_k)
    assert fused[0].key == 1


@pytest.fixture(scope="module")
def crowd(world: World) -> str:
    """Three hundred plausible memories of last week, and the one that has the code."""
    words = ("login", "session", "token", "password", "sign-in", "account")
    causes = ("timed out", "failed", "was refused", "expired", "looped")
    items = [
        memory(
            f"n{number}",
            f"The {words[number % 6]} of customer {number} {causes[number % 5]} again",
            f"2025-06-0{2 + number % 7}T10:00:00Z",
        )
        for number in range(300)
    ]
    return world.bank(*items, memory("x", "E_AUTH_404 root cause"))


def test_single_hit_of_a_channel_is_heard_among_many_of_others(world: World, crowd: str) -> None:
    """D19, table: the default rows."""
    answer = world.ask(crowd, "last week's E_AUTH_404")
    assert heard(answer, "keyword") == ["x"]
    assert len(heard(answer, "semantic")) == len(heard(answer, "temporal")) == 50
    assert "x" in shown(answer)[:5], trace(answer)


def test_reach_says_how_far_a_lightly_weighted_channel_is_heard(world: World, crowd: str) -> None:
    """D19, table: keyword at .1 where semantic has .4."""
    weights = {"semantic": 0.4, "keyword": 0.1, "temporal": 0.4, "graph": 0.05, "emotional": 0.05}
    answer = world.ask(crowd, "last week's E_AUTH_404", weights=weights, rrf_k=60.0)
    heard_to = reach(answer.row)["keyword"]
    assert heard_to == 185  # 61 x 4 - 60 = 184
    given = candidates(answer.fused, "low").keys
    assert "x" in [answer.facts[key].id for key in given]


@pytest.mark.parametrize("budget", ["low", "mid", "high"])
def test_lightly_weighted_channel_keeps_its_place_among_rerank_candidates(budget: Budget) -> None:
    """D19, table: keyword at .1 where two others at .4 bring 300 hits each, and x is not theirs."""
    weights, x = {"semantic": 0.4, "keyword": 0.1, "temporal": 0.4}, 999
    runs = {"semantic": run(*range(1, 301)), "temporal": run(*range(300, 0, -1)), "keyword": run(x)}
    fused = weighted_rrf(runs, weights)
    place = [item.key for item in fused].index(MemoryKey(x))
    assert place >= MOST["mid"], "else there is nothing to keep"
    found = candidates(fused, budget)
    assert x in found.keys
    assert len(found.keys) == MOST[budget]
    assert ("keyword" in found.reserved) == (place >= MOST[budget])


@given(
    runs=st.fixed_dictionaries(
        {name: st.lists(st.integers(1, 400), unique=True, max_size=120) for name in GROUPS}
    ),
    weights=st.fixed_dictionaries({name: st.floats(0.05, 1) for name in GROUPS}),
    budget=st.sampled_from(("low", "mid", "high")),
)
def test_candidates_are_the_head_of_the_list_and_every_channels_first(
    runs: dict[str, list[int]], weights: dict[str, float], budget: Budget
) -> None:
    """D19, property."""
    fused = weighted_rrf({name: run(*keys) for name, keys in runs.items()}, weights)
    found, most = candidates(fused, budget), MOST[budget]
    order = [item.key for item in fused]
    assert len(found.keys) == min(most, len(order))
    assert list(found.keys) == sorted(found.keys, key=order.index)
    assert {keys[0] for keys in runs.values() if keys} <= set(found.keys)
    beyond = set(found.keys) - set(order[:most])
    assert beyond == set(found.reserved.values())
    assert len(set(order[:most]) - set(found.keys)) == len(beyond)


@pytest.mark.parametrize("embedder", EMBEDDERS)
@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "multi_hop"])
def test_direct_hit_stays_above_a_neighbour_under_every_default_row(
    kind: str, embedder: str
) -> None:
    """D20, table."""
    row = default_matrix(embedder).rows[kind]
    fused = weighted_rrf(
        {"semantic": run(1), "keyword": run(1), "graph": run(2)}, row.weights, rrf_k=row.rrf_k
    )
    assert [item.key for item in fused] == [1, 2]


@given(cosine=st.floats(0, 1), kind=st.sampled_from(TYPES), embedder=st.sampled_from(EMBEDDERS))
def test_neighbours_cosine_never_enters_the_fused_score(
    cosine: float, kind: str, embedder: str
) -> None:
    """D20, property: whatever the neighbour's raw score, only its rank counts."""
    row = default_matrix(embedder).rows[kind]
    near = [Hit(MemoryKey(2), cosine)]
    fused = weighted_rrf(
        {"semantic": run(1), "keyword": run(1), "graph": near}, row.weights, rrf_k=row.rrf_k
    )
    scores = {item.key: item.score for item in fused}
    assert scores[MemoryKey(2)] == row.weights["graph"] / (row.rrf_k + 1)


def test_direct_hit_stays_above_its_neighbour_in_a_bank(world: World) -> None:
    """D20, table, end to end."""
    bank = world.bank(
        memory("A", "The staging cluster runs in eu-west"),
        memory("B", "Bring umbrellas, says Petra", edges=[{"type": "REFERS_TO", "to": "A"}]),
    )
    answer = world.ask(bank, "where does the staging cluster run?")
    assert shown(answer)[0] == "A", trace(answer)
    assert "graph" in votes(answer, "B")


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_keep_every_channel_audible(name: str) -> None:
    """D19, property over presets: no weight below .05 of the largest."""
    row = row_of(PRESETS[name], 60.0)
    assert set(row.weights) == set(CHANNELS)
    assert min(row.weights.values()) >= 0.05
