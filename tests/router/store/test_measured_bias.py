"""Banks of an older store: their position bias is measured unless somebody had set one."""

from pathlib import Path

import psycopg
from psycopg.types.json import Jsonb

from router.store.migrate import migrate

MIGRATIONS = Path(__file__).parents[3] / "router" / "store" / "migrations"
BEFORE = "0015"
MODEL = "insert into embedders (embedder, name, dim) values (1, 'm', 8)"
BANK = """
insert into banks (bank_id, name, config, embedder, analyser, created_at)
values (%s, %s, %s, 1, 1, now())
"""
KEPT = {"timezone": "Europe/Berlin"}


def test_only_a_bias_that_was_the_default_is_forgotten(bare_database: str, tmp_path: Path) -> None:
    for path in MIGRATIONS.glob("*.sql"):
        if path.name < BEFORE:
            (tmp_path / path.name).write_text(path.read_text("utf-8"), "utf-8")
    migrate(bare_database, folder=tmp_path)
    with psycopg.connect(bare_database) as connection:
        connection.execute(MODEL)
        for bank, eta in enumerate((1.0, 1, 2.0), 1):
            config = Jsonb({**KEPT, "position_bias_eta": eta})
            connection.execute(BANK, [bank, f"b{bank}", config])
        connection.execute(BANK, [4, "b4", Jsonb(KEPT)])
    assert migrate(bare_database)[0] == "0015_measured_bias.sql"
    with psycopg.connect(bare_database) as connection:
        rows = connection.execute("select config from banks order by bank_id").fetchall()
    measured = {**KEPT, "position_bias_eta": None}
    assert [row[0] for row in rows] == [
        measured,
        measured,
        measured | {"position_bias_eta": 2},
        KEPT,
    ]
