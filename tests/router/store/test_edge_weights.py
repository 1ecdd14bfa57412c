"""The weight stored beside each edge: what the code says of its type, times its strength."""

from pathlib import Path

import psycopg
import pytest

from channels.spread import EDGE_WEIGHTS
from channels.statements import statement
from router.store.migrate import migrate

MIGRATIONS = Path(__file__).parents[3] / "router" / "store" / "migrations"
BEFORE = "0005"
MEMORIES = """
insert into memories (bank_id, key, id, text, kind, created_at, embedder, analyser, words, has_time,
  is_question, content_hash)
select bank, key, key::text, 'x', 'turn', now(), 1, 1, 1, false, false, 'x'
from generate_series(1, 2) bank, generate_series(1, 2) key
"""
EDGES = """
insert into edges (bank_id, src, dst, type, strength, made_by, created_at)
select bank, 1, 2, type, .75, 'caller', now()
from generate_series(1, 2) bank, unnest(%s::text[]) type
"""
WEIGHTS = "select bank_id, type, weight from edges"
EXPECTED = {(bank, kind): 0.75 * weight for bank in (1, 2) for kind, weight in EDGE_WEIGHTS.items()}


def weights(dsn: str) -> dict[tuple[int, str], float]:
    with psycopg.connect(dsn) as connection:
        return {(bank, kind): weight for bank, kind, weight in connection.execute(WEIGHTS)}


def fill(dsn: str, kinds: list[str]) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(MEMORIES)
        connection.execute(EDGES, [kinds])


def test_edges_of_an_older_database_get_the_weights_of_their_types(
    bare_database: str, tmp_path: Path
) -> None:
    for path in MIGRATIONS.glob("*.sql"):
        if path.name < BEFORE:
            (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    migrate(bare_database, folder=tmp_path)
    fill(bare_database, [*EDGE_WEIGHTS, "OF_A_LATER_RELEASE"])
    assert migrate(bare_database)[0] == "0005_edge_weights.sql"
    unknown = {(bank, "OF_A_LATER_RELEASE"): 0.0 for bank in (1, 2)}
    assert weights(bare_database) == pytest.approx(EXPECTED | unknown, rel=1e-12)


def test_store_trusts_every_type_of_edge_as_much_as_the_code_says(database: str) -> None:
    fill(database, list(EDGE_WEIGHTS))
    assert weights(database) == pytest.approx(EXPECTED, rel=1e-12)


def test_weight_follows_when_an_edge_that_exists_becomes_stronger(database: str) -> None:
    fill(database, ["NEXT"])
    values = {
        "bank": 1,
        "srcs": [1],
        "dsts": [2],
        "types": ["NEXT"],
        "vias": [0],
        "strengths": [1.0],
        "makers": ["episode"],
        "now": "2026-01-01Z",
    }
    with psycopg.connect(database) as connection:
        connection.execute(statement("insert_edges"), values)
    assert weights(database) == {(1, "NEXT"): 0.5, (2, "NEXT"): 0.375}
