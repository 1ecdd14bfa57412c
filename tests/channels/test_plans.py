"""The lanes' statements, as they are really sent, are answered from the indexes made for them."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

import channels
from channels import emotional, semantic
from channels.analyser import term_key
from channels.base import Filters, MemoryKey
from channels.connection import Connection, Transaction
from channels.course import turns_of
from channels.naming import Said, link_names
from channels.statements import statement
from router.store.pool import open_pool
from router.store.vector_index import VectorIndexes, build_index, index_name
from router.wiring import lanes
from tests.channels.world import LANES, NOW, PATIENT_MS, World, vector_of, with_lookups
from tests.conftest import fresh_database

ASKED = "Why was Rhea so angry about the Harbour lease in May 2023?"
NAMES = frozenset(path.stem for path in (Path(channels.__file__).parent / "sql").glob("*.sql"))
LARGE = 3_000  # memories of the bank that is asked; the others have SMALL each
SMALL, OTHERS = 200, 40
BIG_TABLES = {
    *("memories", "memory_stats", "memory_tokens", "memory_dates", "memory_entities"),
    *("postings", "term_stats", "edges", "subjects"),
}

MEMORIES = """
insert into memories (bank_id, key, id, text, kind, happened, valid_at, created_at, embedder,
  analyser, embedding, affect, affect_layout, words, has_time, is_question, content_hash)
select %(bank)s, %(first)s + n, 'm' || n, 'clause ' || n, 'turn', moment, moment, moment,
  %(embedder)s, 1, (%(vector)s::float4[] || array_fill((n %% 17)::float4, array[4])
  || array[sin(n)::float4, cos(n * 7)::float4])::vector(384)::halfvec,
  array_fill(.1::float4, array[132])::vector::halfvec, 'dct-33x4-v1', 9, false, false, 'x'
from generate_series(1, %(count)s) n,
  lateral (select '2020-01-01Z'::timestamptz + n * interval '10 hours' as moment) t
"""
# Word w is said by one memory in w: the first by all of them, the last by a handful.
POSTINGS = """
insert into postings (bank_id, key, term, tf, length, impact, own)
select %(bank)s, %(first)s + n, term, 1, 9, 1 + (n %% 9) * .01, true
from generate_series(1, %(count)s) n, unnest(%(terms)s::bigint[]) with ordinality w(term, place)
where n %% (1 + (place - 1) * 50) = 0
"""
REST = (
    "insert into term_stats select bank_id, term, count(*), count(*) from postings group by 1, 2",
    "update term_stats set word = 'w' || term",
    "insert into subjects select bank_id, key, key, false from memories where key % 3 = 0",
    "insert into bank_stats select bank_id, count(distinct key), 9 * count(distinct key), 0"
    " from postings group by 1",
    "insert into memory_dates select bank_id, key, happened, happened + interval '1 day'"
    " from memories where key % 3 = 0",
    "insert into memory_stats (bank_id, key) select bank_id, key from memories",
    "insert into memory_tokens select bank_id, key, embedder, decode(repeat('00', 66), 'hex')"
    " from memories",
    "insert into edges select a.bank_id, a.key, b.key, 'SIMILAR_TO', 0, .5, 'caller', now()"
    " from memories a, generate_series(1, 3) n,"
    " lateral (select a.key + n as key) b where exists (select from memories m"
    " where m.bank_id = a.bank_id and m.key = b.key)",
    "insert into entities select bank_id, %(entity)s, 'rhea', '', count(*) from memories"
    " where key %% 40 = 0 group by bank_id",
    "insert into memory_entities select bank_id, key, %(entity)s from memories where key %% 40 = 0",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What Postgres would do for one statement."""

    name: str
    nodes: tuple[Mapping[str, Any], ...]

    def indexes(self, relation: str) -> set[str]:
        return {
            node["Index Name"]
            for node in self.nodes
            if "Index Name" in node and node.get("Relation Name", relation) == relation
        }

    def scanned_whole(self) -> set[str]:
        return {
            node["Relation Name"] for node in self.nodes if node["Node Type"].endswith("Seq Scan")
        }


class Explaining:
    """A connection that asks for the plan of every statement before it runs it."""

    def __init__(self, conn: Connection, plans: list[Plan]) -> None:
        self._conn = conn
        self._plans = plans

    async def execute(self, text: str | bytes, values: Any = None, **how: Any) -> Any:
        plain = text if isinstance(text, str) else text.decode()
        if name := name_of(plain):
            cursor = await self._conn.execute(f"explain (format json) {plain}".encode(), values)
            found = await cursor.fetchone()
            self._plans.append(Plan(name, tuple(nodes(found[0][0]["Plan"]))))
        return await self._conn.execute(text, values)

    def transaction(self) -> AbstractAsyncContextManager[Any]:
        return self._conn.transaction()


def nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield node
    for below in node.get("Plans", ()):
        yield from nodes(below)


def name_of(text: str) -> str | None:
    """The statement's file, by its first line; None for settings."""
    first = text.splitlines()[0]
    return next((name for name in NAMES if statement(name).splitlines()[0] == first), None)


def explaining(transaction: Transaction, plans: list[Plan]) -> Transaction:
    @asynccontextmanager
    async def opened(bank, *, timeout_ms=None):
        async with transaction(bank, timeout_ms=timeout_ms) as conn:
            yield Explaining(conn, plans)

    return opened


@pytest.fixture(scope="module")
def crowded(world, server, template):
    """A database of its own: its world, and a bank of 3,000 memories among forty others."""

    with fresh_database(server, template) as dsn, asyncio.Runner() as runner:
        pool = runner.run(open_pool(dsn, size=8, timeout_s=10.0))
        try:
            own = World(pool, runner, dsn)
            banks = [own.bank(model="tokens") for _ in range(OTHERS + 1)]
            fill(dsn, banks)
            yield own, replace(banks[0], live_rows=LARGE)
        finally:
            runner.run(pool.close())


def fill(dsn: str, banks: list[Any]) -> None:
    terms = [term_key(word) for word in ("rhea", "harbour", "leas", "angri", "2023")]
    vector = [float(part) for part in vector_of(ASKED)[:378]]
    with psycopg.connect(dsn) as conn:
        for place, bank in enumerate(banks):
            values = {
                "bank": bank.key,
                "first": place * 10_000,
                "count": SMALL if place else LARGE,
                "embedder": bank.embedder,
                "vector": vector,
                "terms": terms,
            }
            conn.execute(MEMORIES, values)
            conn.execute(POSTINGS, values)
        for text in REST:
            values = {"entity": term_key("rhea")} if "entity)s" in text else None
            conn.execute(text, values)
    with psycopg.connect(dsn, autocommit=True) as conn:
        conn.execute("vacuum analyze")


def plans_of(crowded, lane: str, asked: str = ASKED, **changes: Any) -> dict[str, Plan]:
    """Statement -> plan, of all that the lane and its look-ups send."""
    own, bank = crowded
    plans: list[Plan] = []
    transaction = explaining(own.transaction, plans)
    question = with_lookups(transaction, own.question(bank, asked, **changes))
    wired = next(one for one in lanes(transaction, timeout_ms=PATIENT_MS) if one.name == lane)
    assert own.run(wired.search(question, 20))
    return {plan.name: plan for plan in plans}


def test_pool_gives_connections_that_row_security_binds(crowded):
    own, bank = crowded
    rows = own.rows(bank, "select current_user, count(*) from memories where %(bank)s > 0")
    assert rows == [("fivefold_app", LARGE)]


@pytest.mark.parametrize("lane", LANES)
def test_no_statement_reads_a_table_of_all_banks_from_end_to_end(crowded, lane):
    for plan in plans_of(crowded, lane).values():
        assert not plan.scanned_whole() & BIG_TABLES, plan.name


@pytest.mark.parametrize("lane", LANES)
def test_filters_bring_no_scan_of_all_banks_about(crowded, lane):
    for plan in plans_of(crowded, lane, filters=Filters(kinds=("turn",))).values():
        assert not plan.scanned_whole() & BIG_TABLES, plan.name


def test_postings_are_read_best_first_from_their_index_alone(crowded):
    plan = plans_of(crowded, "keyword")["bm25_read"]
    assert plan.indexes("postings") == {"postings_impact"}
    scans = {node["Node Type"] for node in plan.nodes if node.get("Relation Name") == "postings"}
    assert scans == {"Index Only Scan"}
    assert all("Sort" not in node["Node Type"] for node in plan.nodes)


def test_the_best_by_bm25_are_seen_to_one_memory_at_a_time(crowded):
    plan = plans_of(crowded, "keyword")["bm25_visible"]
    assert plan.indexes("memories") == {"memories_pkey"}


def test_memories_that_could_be_best_are_scored_one_at_a_time(crowded, monkeypatch):
    monkeypatch.setattr("channels.keyword.EXHAUSTIVE", 500)
    monkeypatch.setattr("channels.keyword.READ", 500)
    plans = plans_of(crowded, "keyword")
    assert "bm25_visible" not in plans
    assert plans["bm25"].indexes("postings") == {"postings_pkey"}
    assert plans["bm25"].indexes("memories") == {"memories_pkey"}


def test_term_statistics_are_looked_up_by_term(crowded):
    plan = plans_of(crowded, "keyword")["term_statistics"]
    assert plan.indexes("term_stats") == {"term_stats_pkey"}


def test_a_window_is_read_from_the_indexes_on_time(crowded):
    plan = plans_of(crowded, "temporal")["in_window"]
    assert "memories_happened" in plan.indexes("memories")
    assert plan.indexes("memory_dates") == {"memory_dates_starts"}


def test_the_newest_are_read_off_the_index_on_time(crowded):
    plan = plans_of(crowded, "temporal", "what was the last thing?", terms=())["newest"]
    assert plan.indexes("memories") == {"memories_happened"}
    assert not any(node["Node Type"] == "Sort" for node in plan.nodes)


def test_a_phrase_is_looked_up_by_its_words(crowded):
    plans = plans_of(crowded, "keyword", 'the "rhea harb*" of Rhea')
    assert plans["words_like"].indexes("term_stats") >= {"term_stats_word"}
    assert plans["frequencies"].indexes("term_stats") == {"term_stats_pkey"}
    assert "postings_impact" in plans["phrase_holders"].indexes("postings")
    for plan in plans.values():
        assert not plan.scanned_whole() & BIG_TABLES, plan.name


def test_names_are_looked_up_and_never_scanned_for(crowded):
    own, bank = crowded
    plans: list[Plan] = []
    said = [
        Said(MemoryKey(n), "ask Rhea Harbour about the Angri Leas", "Rhea Leas") for n in (3, 5)
    ]

    async def link() -> None:
        async with explaining(own.transaction, plans)(bank.key) as conn:
            await link_names(conn, bank.key, said, NOW)

    own.run(link())
    named = {plan.name: plan for plan in plans}
    assert named["subjects_named"].indexes("subjects") == {"subjects_name"}
    assert "postings_impact" in named["name_holders"].indexes("postings")
    for plan in plans:
        assert not plan.scanned_whole() & BIG_TABLES, plan.name


def test_token_vectors_are_read_by_memory(crowded):
    plan = plans_of(crowded, "semantic")["token_vectors"]
    assert plan.indexes("memory_tokens") == {"memory_tokens_pkey"}


@pytest.mark.parametrize("name", ["edges_near", "edges_further"])
def test_edges_are_read_from_the_covering_indexes_both_ways_strongest_first(crowded, name):
    plan = plans_of(crowded, "graph")[name]
    assert plan.indexes("edges") == {"edges_out", "edges_in"}
    scans = [node for node in plan.nodes if node.get("Relation Name") == "edges"]
    assert {node["Node Type"] for node in scans} == {"Index Only Scan"}
    assert all("weight > " in node["Index Cond"] for node in scans)
    lists = [node for node in plan.nodes if node["Node Type"] == "Merge Append"]
    assert len(lists) == len(scans) / 2  # two ways each, and nothing sorted to merge them
    for one in lists:
        assert all("Sort" not in node["Node Type"] for node in nodes(one))


def test_entity_seeds_are_read_by_entity(crowded):
    plan = plans_of(crowded, "graph")["entity_seeds"]
    assert plan.indexes("memory_entities") == {"memory_entities_entity"}


def test_vectors_are_compared_exactly_in_a_small_bank_and_by_index_in_a_large_one(
    crowded, monkeypatch
):
    own, bank = crowded
    own.run(build_index(own.dsn, bank))
    own.banks.forget(bank.name)
    assert own.run(own.banks.get(bank.name)).indexed
    exact = plans_of(crowded, "semantic", indexed=True)
    assert "nearest_index" not in exact
    assert not any("hnsw" in name for name in exact["nearest_exact"].indexes("memories"))

    monkeypatch.setattr(semantic, "EXACT_ROWS", LARGE - 1)
    large = plans_of(crowded, "semantic", indexed=True)
    assert "nearest_exact" not in large
    assert large["nearest_index"].indexes("memories") == {index_name(bank)}
    narrowed = plans_of(crowded, "semantic", indexed=True, filters=Filters(kinds=("turn",)))
    assert "nearest_index" not in narrowed


def test_the_strongest_feelings_of_a_large_bank_are_read_off_their_index(crowded, monkeypatch):
    monkeypatch.setattr(emotional, "LARGE", 100)
    monkeypatch.setattr(emotional, "MOST", 100)
    plans = plans_of(crowded, "emotional")
    assert "by_affect" not in plans
    plan = plans["by_affect_strongest"]
    assert "memories_feeling" in plan.indexes("memories")
    assert not any(node["Node Type"] == "Seq Scan" for node in plan.nodes)


@pytest.mark.parametrize("up_to", [None, 7])
def test_the_turns_of_an_episode_are_read_off_their_index(crowded, up_to):
    own, bank = crowded
    plans: list[Plan] = []

    async def read() -> None:
        async with explaining(own.transaction, plans)(bank.key) as conn:
            await turns_of(conn, bank.key, "an episode", up_to=up_to, most=10)

    own.run(read())
    [plan] = plans
    assert "memories_episode" in plan.indexes("memories")
    assert not plan.scanned_whole() & BIG_TABLES


def test_the_index_gives_what_the_exact_scan_gives(crowded, monkeypatch):
    own, bank = crowded
    own.run(build_index(own.dsn, bank))
    kept = []
    for word in ("harbour", "lease", "angry", "Rhea", "May"):
        question = own.question(bank, f"what of {word}?", indexed=True)
        exact = own.run(semantic.nearest(own.transaction, question, 20, timeout_ms=PATIENT_MS))
        assert exact.path == "exact"
        with monkeypatch.context() as patched:
            patched.setattr(semantic, "EXACT_ROWS", LARGE - 1)
            found = own.run(semantic.nearest(own.transaction, question, 20, timeout_ms=PATIENT_MS))
        assert found.path == "index"
        # Equal distances are equally right, whichever rows they are of.
        kept.append(float((found.cosines >= exact.cosines.min() - 1e-4).mean()))
    assert sum(kept) / len(kept) >= 0.98


def test_a_build_says_how_far_it_is(crowded):
    own, bank = crowded
    indexes = VectorIndexes(own.dsn)
    own.run(indexes.drop(replace(bank, indexed=True)))

    async def watched():
        assert (await indexes.state(bank)).state == "none"
        building = asyncio.create_task(build_index(own.dsn, bank))
        seen = set()
        while not building.done():
            found = await indexes.state(bank)
            seen.add(found.state)
            assert 0 <= found.done <= found.of or found.of == 0
            await asyncio.sleep(0.02)
        await building
        return seen, await indexes.state(bank)

    seen, at_last = own.run(watched())
    assert "building" in seen
    assert at_last.state == "ready"


def test_an_index_scan_that_comes_back_short_is_repeated_exactly(crowded, monkeypatch):
    own, bank = crowded
    own.run(build_index(own.dsn, bank))
    monkeypatch.setattr(semantic, "EXACT_ROWS", 10)
    monkeypatch.setattr("tests.channels.world.SCAN", LARGE + 1)
    both = plans_of(crowded, "semantic", indexed=True)
    assert {"nearest_index", "nearest_exact"} <= both.keys()
    [first, *_] = own.ask("semantic", bank, ASKED, indexed=True)
    assert first.detail["scan"] == "repeated"
